// On Solana: a tip from the chat, within the limits that a wallet signed, and an order that is paid by one signature. Each once.
import { tokenBalance } from '../../src/chain/senders.ts';
import { createSolanaChain } from '../../src/chain/solana/client.ts';
import { localSolanaKey } from '../solana/keys.ts';
import { answerAsSolanaWallet } from '../solana/playWallet.ts';
import { ask, completed, named, type Order, till } from './orders.ts';
import { check, type Tour, until } from './tour.ts';

const AMOUNT = 5_000_000n;
const FEE = 100_000n;
const PRICE = 8_000_000n;
const ORDER_FEE = 80_000n;

type Prepared = { payment: { transaction: { solana_transaction: string }; submit: object } | null };

type Part = Pick<Tour, 'local' | 'tell'> & { chats: Pick<Tour['chats'], 'telegram'> };
/** Alice's Solana address, and what takes the balances of Alice, Bob, the shop and the treasury. */
type Money = { alice: string; held(): Promise<bigint[]> };

export async function solana(tour: Part): Promise<void> {
  const { local, tell } = tour;
  const config = local.chains.solana;
  const [alice, bob, shop] = ['alice', 'bob', 'shop'].map((name) => local.accounts[name]?.solana_address);
  if (!config || !local.solana || !alice || !bob || !shop) return tell('This stack has no Solana chain: left out.');
  const { rpc_url, program, usdc } = config;
  const chain = createSolanaChain('solana', { rpcUrls: [rpc_url], program, usdc, local: true });
  const owners = [alice, bob, shop, local.solana.treasury];
  const held = () => Promise.all(owners.map((owner) => tokenBalance(chain, chain.usdc, owner)));
  await tipThere(tour, { alice, held });
  await orderThere(tour, { alice, held });
}

async function requireMoved({ held }: Money, before: bigint[], expected: bigint[], what: string): Promise<void> {
  const changes = (await held()).map((units, index) => units - (before[index] ?? 0n));
  check(changes.join() === expected.join(), `${what} (${changes.join()})`);
}

async function tipThere({ chats: { telegram }, tell }: Part, money: Money): Promise<void> {
  const before = await money.held();
  const said = await telegram.write(named('alice'), telegram.command('tip @bob 5 on solana'));
  const receipt = await until('the receipt of the tip on Solana', async () =>
    (await telegram.answers(said)).find(({ text }) => text.includes('✅') && !text.includes('confirming')),
  );
  await requireMoved(money, before, [-AMOUNT - FEE, AMOUNT, 0n, FEE], 'Bob has 5 USDC more, once');
  tell('Solana: Alice tips Bob 5 USDC there, from the same chat, within the limits that her wallet signed.', {
    receipt: receipt.text,
  });
}

async function orderThere({ local, tell }: Part, money: Money): Promise<void> {
  const { alice } = money;
  const order = await till({ local })<Order>('/orders', { amount: '8.00', currency: 'USDC', chain: 'solana' });
  const before = await money.held();
  const checkout = `${local.checkout_base}/api/checkout`;
  const { payment } = await ask<Prepared>(checkout, { order_id: order.id, payer: alice });
  check(payment !== null, 'the checkout builds a transaction for Alice’s wallet');
  const { transaction, submit } = payment;
  const solana_transaction = await answerAsSolanaWallet(
    { key: localSolanaKey('alice'), rpcUrl: null },
    { method: 'solana_signTransaction', params: [alice, transaction.solana_transaction] },
  );
  // Twice, as after a lost answer.
  for (let times = 0; times < 2; times += 1)
    await ask(`${checkout}/${order.id}/submit`, { ...submit, solana_transaction });
  const paid = await completed({ local }, order.id);
  check(paid.payer === alice, 'the shop sees that Alice paid');
  await requireMoved(money, before, [-PRICE, 0n, PRICE - ORDER_FEE, ORDER_FEE], 'Shop has 7.92 USDC more, once');
  const words =
    'Shop’s program creates an order of 8 USDC there. Alice signs one transaction, of which an executor pays the fee.';
  tell(words, { order: order.id });
}
