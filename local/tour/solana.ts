// A tip on Solana from the chat: within the limits that a wallet signed, and once.
import { tokenBalance } from '../../src/chain/senders.ts';
import { createSolanaChain } from '../../src/chain/solana/client.ts';
import { named } from './orders.ts';
import { check, type Tour, until } from './tour.ts';

const AMOUNT = 5_000_000n;
const FEE = 100_000n;

type Part = Pick<Tour, 'local' | 'tell'> & { chats: Pick<Tour['chats'], 'telegram'> };

export async function solana({ local, chats: { telegram }, tell }: Part): Promise<void> {
  const config = local.chains.solana;
  const [alice, bob] = [local.accounts['alice'], local.accounts['bob']];
  if (!config || !local.solana || !alice || !bob) return tell('This stack has no Solana chain: left out.');
  const { rpc_url, program, usdc } = config;
  const chain = createSolanaChain('solana', { rpcUrls: [rpc_url], program, usdc, local: true });
  const usdcOf = (owner: string) => tokenBalance(chain, chain.usdc, owner);
  const held = () => Promise.all([alice.solana_address, bob.solana_address, local.solana?.treasury ?? ''].map(usdcOf));
  const before = await held();
  const said = await telegram.write(named('alice'), telegram.command('tip @bob 5 on solana'));
  const receipt = await until('the receipt of the tip on Solana', async () =>
    (await telegram.answers(said)).find(({ text }) => text.includes('✅') && !text.includes('confirming')),
  );
  const moved = (await held()).map((units, index) => units - (before[index] ?? 0n));
  check(moved.join() === [-AMOUNT - FEE, AMOUNT, FEE].join(), `Bob has 5 USDC more, once (${moved.join()})`);
  tell('Solana: Alice tips Bob 5 USDC there, from the same chat, within the limits that her wallet signed.', {
    receipt: receipt.text,
  });
}
