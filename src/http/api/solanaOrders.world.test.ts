// Orders on Solana over real HTTP: made, paid by a transaction that a wallet signs and an executor sends, and completed by the chain alone.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { localSolanaKey } from '../../../local/solana/keys.ts';
import { signTransaction, walletOfPerson } from '../../../test/setup/signer.ts';
import { FINALIZED_AFTER, type SolanaTabs, startSolanaTabs } from '../../../test/setup/solanaTabs.ts';
import { transferUsdc } from '../../../test/setup/solanaTransfers.ts';
import { serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';
import { noteDeposits } from '../../services/orders/indexing/deposits.ts';
import { watchDeposits } from '../../services/orders/payments/sweeps.ts';
import { reconcileChain } from '../../services/outgoing/reconcile.ts';

let world: World;
let tabs: SolanaTabs;
let shop: Visitor;
let buyer: Visitor;
beforeAll(async () => {
  world = await startWorld();
  tabs = await startSolanaTabs(world);
  for (const name of ['alice', 'shop']) await tabs.walletOf(name);
  await reconcileChain(world.ctx, tabs.chain);
  const base = await serveWorld(world);
  [shop, buyer] = [visitor(base), visitor(base)];
  await shop.signIn(walletOfPerson('shop'));
});
afterAll(async () => {
  await tabs.stop();
  await world.stop();
});
beforeEach(() => {
  tabs.later(25 * 3_600_000);
  tabs.solana.step(3);
});

const payer = localSolanaKey('alice');
const usdc = (name: string) => tabs.solana.usdcOf(localSolanaKey(name).address);
// biome-ignore lint/suspicious/noExplicitAny: an answer of the API.
type Body = any;

async function make(wish: object = {}): Promise<Body> {
  const { body } = await shop.post('/api/orders', { amount: '5', chain: 'solana', ...wish });
  expect(body.error).toBeUndefined();
  return body.order;
}
const prepare = async ({ id }: Body, wish: object = {}) =>
  buyer.post('/api/checkout', { order_id: id, payer: payer.address, ...wish });
const submit = ({ id }: Body, body: object) => buyer.post(`/api/checkout/${id}/submit`, body);
const stateOf = async ({ id }: Body) => (await buyer.get(`/api/checkout/${id}`)).body;

async function sign(order: Body): Promise<object> {
  const { body } = await prepare(order);
  expect(body.error).toBeUndefined();
  const { transaction, submit: terms } = body.payment;
  return { ...terms, solana_transaction: signTransaction(payer, transaction.solana_transaction) };
}
async function run(): Promise<void> {
  await watch();
  await tabs.send();
  await tabs.settle();
  await watch();
}
/** What the workers do about addresses that were handed out. */
async function watch(): Promise<void> {
  await watchDeposits(world.ctx, tabs.chain, new Map());
  await noteDeposits(world.ctx, tabs.chain, { ended: true });
}

describe('an order of a business in USDC', () => {
  test('is paid by one signature, costs the payer nothing else, and completes when it is final', async () => {
    const order = await make();
    expect(order).toMatchObject({
      chain: 'solana',
      currency: 'USDC',
      recipient_address: localSolanaKey('shop').address,
    });
    const before = { shop: usdc('shop'), alice: usdc('alice'), sol: tabs.solana.lamportsOf(payer.address) };
    const answer = await submit(order, await sign(order));
    expect(answer.body.error).toBeUndefined();
    expect(answer.body.submission.status).toBe('queued');
    await tabs.send();
    await tabs.confirm();
    expect((await stateOf(order)).progress.step).toBe('confirming');
    await tabs.settle();
    const { order: paid, progress } = await stateOf(order);
    expect([paid.status, progress.step, paid.amount_received]).toEqual(['completed', 'settled', '5.00']);
    expect(before.alice - usdc('alice')).toBe(5_000_000n);
    expect(usdc('shop') - before.shop).toBe(4_950_000n);
    expect(tabs.solana.lamportsOf(payer.address)).toBe(before.sol);
    const [view] = (await shop.get(`/api/orders?q=${order.id}`)).body.data;
    expect(view).toMatchObject({ status: 'completed', payer: payer.address });
  });
});

describe('the address of an order', () => {
  test('takes a transfer from any wallet, and settles the order', async () => {
    const order = await make();
    const { body } = await prepare(order, { way: 'deposit' });
    expect(body.deposit).toMatchObject({ amount: '5.00', currency: 'USDC', units: '5000000' });
    const shopHad = usdc('shop');
    transferUsdc(tabs.solana, 'alice', body.deposit.address, 5_000_000n);
    tabs.solana.step(FINALIZED_AFTER + 3);
    await run();
    const { order: paid } = await stateOf(order);
    expect([paid.status, paid.amount_received]).toEqual(['completed', '5.00']);
    expect(usdc('shop') - shopHad).toBe(4_950_000n);
    const [view] = (await shop.get(`/api/orders?q=${order.id}`)).body.data;
    expect(view).toMatchObject({ status: 'completed', payer: payer.address });
  });
});
