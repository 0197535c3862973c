// A tip on Solana as the program pays it: signed with the stack's play keys and sent to its cluster. The same message again pays nothing.
import { randomBytes } from 'node:crypto';
import { tokenBalance } from '../../src/chain/senders.ts';
import {
  broadcastSolana,
  compileMessage,
  createSolanaChain,
  newestLifetime,
  type SolanaChain,
  signMessageOf,
  solanaKeyOf,
} from '../../src/chain/solana/client.ts';
import { decodePayload, encodeInstructions } from '../../src/chain/solana/payload.ts';
import { readTipTerms, type SolanaTip, solanaTipCall } from '../../src/chain/solana/tips.ts';
import { receiptOfSolana, standingsOf } from '../../src/chain/solana/transactions.ts';
import { SOLANA_ROLES } from '../stack/roles.ts';
import { check, type Tour, until } from './tour.ts';

const AMOUNT = 5_000_000n;
const FEE = 100_000n;
const PRICE = 1_000;

export async function solana({ local, tell }: Tour): Promise<void> {
  const config = local.chains.solana;
  const [alice, bob] = [local.accounts['alice'], local.accounts['bob']];
  const [executor] = SOLANA_ROLES.executors;
  if (!config || !local.solana || !alice || !bob || !executor) return tell('This stack has no Solana chain: left out.');
  check(local.solana.executors.includes(executor.address), 'the executors on Solana are the local ones');
  const chain = createSolanaChain('solana', {
    rpcUrls: [config.rpc_url],
    program: config.program,
    usdc: config.usdc,
    local: true,
  });
  const usdcOf = (owner: string) => tokenBalance(chain, chain.usdc, owner);
  const held = () => Promise.all([alice.solana_address, bob.solana_address, local.solana?.treasury ?? ''].map(usdcOf));
  const before = await held();
  const time = BigInt(Math.floor(Date.now() / 1_000));
  const tip: SolanaTip = {
    to: 'wallet',
    messageKey: `0x${randomBytes(24).toString('hex')}${time.toString(16).padStart(16, '0')}`,
    sender: alice.solana_address,
    recipient: bob.solana_address,
    token: chain.usdc,
    amount: AMOUNT,
    fee: FEE,
    validUntil: time + 900n,
  };
  const first = await send(chain, tip, 0);
  check(first.reason === null, `the tip is paid (${first.reason?.name})`);
  const again = await send(chain, tip, 1);
  check(
    again.reason?.name === 'AlreadyProcessed',
    `the program refuses the message (${again.reason?.name ?? 'it paid'})`,
  );
  const after = await held();
  const moved = after.map((units, index) => units - (before[index] ?? 0n));
  check(moved.join() === [-AMOUNT - FEE, AMOUNT, FEE].join(), `Bob has 5 USDC more, once (${moved.join()})`);
  tell(
    'Solana: the program pays a tip of Alice to Bob, 5 USDC, within the limits that her wallet signed. Sent again, the message is refused.',
    {
      transaction: first.hash,
      'sent again': `${again.hash}, failed: ${again.reason.name}`,
    },
  );
}

/** Signs and sends, and waits for a confirmed slot. @param more units, so that the same tip is another transaction */
async function send(chain: SolanaChain, tip: SolanaTip, more: number) {
  const [executor] = SOLANA_ROLES.executors;
  if (!executor) throw new Error('an executor signs');
  const call = solanaTipCall(chain, await readTipTerms(chain), [tip]);
  const payload = decodePayload(encodeInstructions(call.instructions), executor.address);
  if ('message' in payload) throw new Error('these are instructions');
  const lifetime = await newestLifetime(chain);
  const message = compileMessage(executor.address, { ...payload, units: call.units + more }, PRICE, lifetime);
  const { raw, signature } = signMessageOf(message, [solanaKeyOf(executor.secretBytes)]);
  await broadcastSolana(chain, raw);
  await until('a slot of Solana has the tip', async () => (await standingsOf(chain, [signature]))[0]);
  return until('the tip can be read', () => receiptOfSolana(chain, signature));
}
