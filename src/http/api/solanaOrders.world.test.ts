// Orders on Solana over real HTTP: made, paid by a transaction that a wallet signs and an executor sends, and completed by the chain alone.
import { Keypair, VersionedTransaction } from '@solana/web3.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { localSolanaKey } from '../../../local/solana/keys.ts';
import { signTransaction, walletOfPerson } from '../../../test/setup/signer.ts';
import { FINALIZED_AFTER, type SolanaTabs, startSolanaTabs } from '../../../test/setup/solanaTabs.ts';
import { type TransferWish, transferUsdc } from '../../../test/setup/solanaTransfers.ts';
import { serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';
import { readTipTerms, recallOnSolana } from '../../chain/solana/tips.ts';
import { listAlerts } from '../../services/alerts.ts';
import { evaluateAlerts } from '../../services/operations/alertChecks.ts';
import { returnRent } from '../../services/operations/rent.ts';
import { noteDeposits } from '../../services/orders/indexing/deposits.ts';
import { watchDeposits } from '../../services/orders/payments/sweeps.ts';
import { orderRent } from '../../services/orders/rent.ts';
import { forwardTransfers } from '../../services/orders/treasury/moves.ts';
import { reconcileChain } from '../../services/outgoing/reconcile.ts';

let world: World;
let tabs: SolanaTabs;
let shop: Visitor;
let buyer: Visitor;
let base: string;
beforeAll(async () => {
  world = await startWorld();
  const feeds = world.evmChain().priceFeeds;
  tabs = await startSolanaTabs(world, { ...(feeds && { priceFeeds: { chain: 'base', feeds } }) });
  for (const name of ['alice', 'shop']) await tabs.walletOf(name);
  await reconcileChain(world.ctx, tabs.chain);
  Object.assign(world.ctx.env, { ADMIN_SECRET: ADMIN });
  base = await serveWorld(world);
  [shop, buyer] = [visitor(base), visitor(base)];
  await shop.signIn(walletOfPerson('shop'));
});
afterAll(async () => {
  await tabs.stop();
  await world.stop();
});
const ADMIN = 'kW3vR8xT1bN6mZ4cQ9yL2hJ7fD5gP0sa';
const operator = { authorization: `Bearer ${ADMIN}` };
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

const move = async (path: string, body: object, by = shop) => {
  const { body: prepared } = await by.post(path, body);
  const given = prepared.refund ?? prepared.deposit;
  expect(prepared.error).toBeUndefined();
  expect(given.signed_by).toBe(localSolanaKey('shop').address);
  const solana_transaction = signTransaction(localSolanaKey('shop'), given.solana_transaction);
  return { given, send: { ...given.submit, solana_transaction } };
};
async function paid(wish: object = {}): Promise<Body> {
  const order = await make(wish);
  expect((await submit(order, await sign(order))).body.error).toBeUndefined();
  await run();
  expect((await stateOf(order)).order.status).toBe('completed');
  return order;
}
const page = async ({ id }: Body) => (await shop.get(`/api/orders/${id}`)).body;

describe('an order in SOL', () => {
  beforeEach(() => world.freshPrices());

  test('is paid from a wallet by one signature, and refunded the same way', async () => {
    const had = {
      alice: tabs.solana.lamportsOf(payer.address),
      shop: tabs.solana.lamportsOf(tabs.solana.addressOf('shop')),
    };
    const order = await paid({ amount: '0.1', currency: 'SOL' });
    expect(had.alice - tabs.solana.lamportsOf(payer.address)).toBe(100_000_000n);
    expect(tabs.solana.lamportsOf(tabs.solana.addressOf('shop')) - had.shop).toBe(99_000_000n);
    const { send, given } = await move(`/api/orders/${order.id}/refund`, { amount: '0.04' });
    expect(given).toMatchObject({ refund_to: payer.address, amount: '0.04', currency: 'SOL', function: 'refund' });
    const { body } = await shop.post(`/api/orders/${order.id}/refund`, send);
    expect(body.request).toMatchObject({ kind: 'order_refund', status: 'queued' });
    await run();
    expect(had.alice - tabs.solana.lamportsOf(payer.address)).toBe(60_000_000n);
    expect((await page(order)).order.amount_refunded).toBe('0.04');
  });

  test('is refunded by a support member, and signed by the shop’s wallet', async () => {
    const order = await paid({ amount: '0.1', currency: 'SOL' });
    const member = visitor(base);
    await member.signIn(walletOfPerson('bob'));
    const { invitation } = (
      await shop.post('/api/team/invitations', { platform: 'ampersat', name: 'bob', role: 'support' })
    ).body;
    await member.post(`/api/teams/invitations/${invitation.id}`, { action: 'accept' });
    const path = `/api/orders/${order.id}/refund?workspace=shop`;
    const { send } = await move(path, { amount: '0.04' }, member);
    const { body } = await member.post(path, send);
    expect(body.request).toMatchObject({ kind: 'order_refund', status: 'queued' });
    const request = `/api/spending/requests/${body.request.id}?of=workspace&workspace=shop`;
    expect((await member.get(request)).body.request).toMatchObject({ id: body.request.id, status: 'queued' });
    await run();
    expect((await member.get(request)).body.request.status).toBe('final');
    expect((await page(order)).order.amount_refunded).toBe('0.04');
    const entries = (await shop.get(`/api/audit_log?object=${order.id}`)).body.data;
    expect(entries.map(({ action, actor }: Body) => [action, actor.name])).toEqual([
      ['refund.submitted', '@bob'],
      ['refund.prepared', '@bob'],
    ]);
  });

  test('has no deposit address, and a code to scan', async () => {
    const order = await make({ amount: '0.1', currency: 'SOL' });
    const { body } = await prepare(order, { way: 'deposit' });
    const transaction = `solana:${world.ctx.env.BASE_URL}/api/checkout/${order.id}/solana_pay`;
    expect(body.deposit).toMatchObject({ address: null, uri: transaction, scan: { transaction, transfer: null } });
    expect((await world.ctx.db.order.findUniqueOrThrow({ where: { id: order.id } })).depositShownAt).toBeNull();
  });
});

describe('a refund in USDC', () => {
  test('is sent once, however often its signed transaction comes', async () => {
    const order = await paid();
    const had = usdc('alice');
    const path = `/api/orders/${order.id}/refund`;
    const { send } = await move(path, { amount: '2' });
    const twice = await Promise.all([shop.post(path, send), shop.post(path, send)]);
    expect(new Set(twice.map(({ body }) => body.request?.id)).size).toBe(1);
    await run();
    await shop.post(path, send);
    await run();
    expect(usdc('alice') - had).toBe(2_000_000n);
    expect(await world.ctx.db.sponsoredCall.count({ where: { use: { contains: order.id } } })).toBe(1);
  });

  test('is not sent with another amount, by another wallet, or of an order that was not paid', async () => {
    const order = await paid();
    const path = `/api/orders/${order.id}/refund`;
    const { send, given } = await move(path, { amount: '1' });
    const codes = async (body: object) => (await shop.post(path, body)).body.error?.code;
    expect(await codes({ ...send, amount: '2' })).toBe('signature_invalid');
    const other = signTransaction(localSolanaKey('bob'), given.solana_transaction);
    expect(await codes({ ...send, solana_transaction: other })).toBe('signature_invalid');
    const open = await make();
    expect((await shop.post(`/api/orders/${open.id}/refund`, {})).body.error.code).toBe('order_not_refundable');
    expect(await world.ctx.db.sponsoredCall.count({ where: { use: { contains: order.id } } })).toBe(0);
  });

  test('that the wallet sent by itself is confirmed by its signature', async () => {
    const order = await paid();
    const path = `/api/orders/${order.id}/refund`;
    const { send } = await move(path, { amount: '1' });
    await shop.post(path, send);
    await tabs.send();
    const [call] = (await tabs.calls()).slice(-1);
    tabs.solana.settle();
    const txHash = call?.attempts[0]?.hash;
    const { body } = await shop.post(path, { action: 'confirm', txHash });
    expect(body.order.amount_refunded).toBe('1.00');
    const unrelated = await paid();
    const wrong = await shop.post(`/api/orders/${unrelated.id}/refund`, { action: 'confirm', txHash });
    expect(wrong.body.error.code).toBe('tx_mismatch');
  });
});

describe('refusals of a payment', () => {
  test('say what is wrong: altered bytes, another wallet, another order’s transaction, an expired hash, too little money', async () => {
    const [order, other] = [await make(), await make()];
    const good = (await sign(order)) as { solana_transaction: string };
    const codeOf = async (of: Body, body: object) => {
      const { body: answer } = await submit(of, body);
      return answer.error?.code;
    };
    expect(await codeOf(other, good)).toBe('signature_invalid');
    const bytes = Buffer.from(good.solana_transaction, 'base64');
    for (const at of [70, 140, 200, 300, bytes.length - 1]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(await codeOf(order, { ...good, solana_transaction: changed.toString('base64') })).toBe(
        'signature_invalid',
      );
    }
    tabs.solana.step(160);
    expect(await codeOf(order, good)).toBe('call_refused');
    const dear = await make({ amount: '900000' });
    const { body } = await prepare(dear);
    expect(body.too_little).toMatchObject({ needed: '900000.00', currency: 'USDC' });
    expect(await world.ctx.db.orderSubmission.count({ where: { orderId: order.id } })).toBe(0);
  });
});

describe('Solana Pay', () => {
  const path = ({ id }: Body) => `/api/checkout/${id}/solana_pay`;

  test('a transaction request: the wallet alone signs it, and it fits; the order completes by the chain', async () => {
    const order = await make();
    const { body: label } = await buyer.get(path(order));
    expect(label).toEqual({ label: '@shop · Ampersat', icon: expect.stringMatching(/^http.*svg$/) });
    const { body } = await buyer.post(path(order), { account: payer.address });
    expect(body).toEqual({ transaction: expect.any(String), message: '5.00 USDC to @shop' });
    const transaction = VersionedTransaction.deserialize(Buffer.from(body.transaction, 'base64'));
    expect(transaction.message.header.numRequiredSignatures).toBe(1);
    expect(Buffer.from(body.transaction, 'base64').length).toBeLessThanOrEqual(1_232);
    const { publicKey, secretKey } = Keypair.fromSecretKey(payer.secretBytes);
    transaction.sign([{ publicKey, secretKey }]);
    await tabs.chain.endpoints[0]?.sendRawTransaction(transaction.serialize());
    await run();
    expect((await stateOf(order)).order.status).toBe('completed');
    expect((await buyer.post(path(order), { account: payer.address })).body.error.code).toBe('order_not_payable');
  });

  test('refuses what is no wallet', async () => {
    const { status, body } = await buyer.post(path(await make()), { account: 'abc' });
    expect([status, body.error.code, body.error.param]).toEqual([400, 'parameter_invalid', 'account']);
  });
});

describe('the treasury', () => {
  const treasury = () => tabs.solana.roles.treasury;
  const rows = () => world.ctx.db.treasuryTransfer.findMany({ orderBy: { id: 'asc' } });
  const offer = async (order: Body) => (await prepare(order, { way: 'deposit' })).body.deposit;
  async function pay(to: TransferWish, units = 5_000_000n): Promise<void> {
    transferUsdc(tabs.solana, 'alice', treasury().address, units, to);
    tabs.solana.step(FINALIZED_AFTER + 3);
    const { body: round } = await buyer.post('/api/cron/indexer-solana', {}, operator);
    expect(round).toMatchObject({ object: 'indexer_run', chain: 'solana', ran: true, behind: '0' });
    await forwardTransfers(world.ctx, tabs.chain);
    await tabs.send();
    await tabs.settle();
    await watch();
    await run();
  }
  beforeAll(() => tabs.solana.allow(treasury(), 1_000_000_000n));
  beforeEach(() => world.ctx.db.treasuryTransfer.deleteMany());

  test.each(['reference', 'memo'])('passes a transfer that names an order by its %s on to it, once', async (by) => {
    const order = await make();
    const { scan, uri } = await offer(order);
    const fields = new URLSearchParams(uri.split('?')[1]);
    expect(uri.split('?')[0]).toBe(`solana:${treasury().address}`);
    const had = { shop: usdc('shop'), treasury: tabs.solana.usdcOf(treasury().address) };
    await pay(by === 'memo' ? { memo: scan.transfer.memo } : { references: [fields.get('reference') ?? ''] });
    expect((await stateOf(order)).order).toMatchObject({ status: 'completed', amount_received: '5.00' });
    expect(usdc('shop') - had.shop).toBe(4_950_000n);
    expect(tabs.solana.usdcOf(treasury().address) - had.treasury).toBe(50_000n);
    expect(await rows()).toMatchObject([
      { status: 'forwarded', namedBy: by, orderId: order.id, fromAddress: payer.address },
    ]);
    expect((await page(order)).order.payer).toBe(payer.address);
    const { given } = await move(`/api/orders/${order.id}/refund`, {});
    expect(given).toMatchObject({ refund_to: payer.address, amount: '5.00' });
    await tabs.index();
    expect(await rows()).toHaveLength(1);
  });

  test('never believes the amount alone, a memo of another program, a wrong or a doubled name', async () => {
    const [order, other] = [await make(), await make()];
    const [one, two] = [await offer(order), await offer(other)];
    await pay({});
    await pay({ memo: `${order.id} please` });
    await pay({ memo: order.id, references: [two.address] });
    expect((await rows()).map(({ status, orderId }) => [status, orderId])).toEqual([
      ['unmatched', null],
      ['unmatched', null],
      ['unmatched', null],
    ]);
    expect((await stateOf(order)).order.status).toBe('awaiting_payment');
    expect((await stateOf(other)).order.status).toBe('awaiting_payment');
    expect(one.address).not.toBe(two.address);
  });

  test('a reference that is used again is money for the same order, which its merchant sends back', async () => {
    const order = await make();
    const { address } = await offer(order);
    await pay({ references: [address] });
    await pay({ references: [address] });
    expect((await rows()).map(({ status }) => status)).toEqual(['forwarded', 'forwarded']);
    const { unmatched, order: view } = await page(order);
    expect(view.status).toBe('completed');
    expect(unmatched).toMatchObject([{ amount: '5.00', senders: [payer.address], actions: ['accept', 'send_back'] }]);
  });

  test('returns what names no order to its sender, when an operator says so, once', async () => {
    const had = usdc('alice');
    await pay({});
    expect((await buyer.get('/api/operations/transfers')).body.error.code).toBe('admin_secret_invalid');
    const list = async (which = 'waiting') =>
      (await buyer.get(`/api/operations/transfers?list=${which}`, operator)).body.data;
    const [shown] = await list();
    expect(shown).toMatchObject({ status: 'unmatched', amount: '5.00', from: payer.address, order: null });
    await evaluateAlerts(world.ctx);
    const alerts = async () =>
      (await listAlerts(world.ctx, { limit: 20 })).filter(({ kind }) => kind === 'transfer_waits');
    expect(await alerts()).toMatchObject([
      {
        subject: 'solana unmatched',
        message: 'Solana: 1 transfer of 5.00 USDC to the treasury named no order.',
        resolved_at: null,
      },
    ]);
    const back = () => buyer.post(`/api/operations/transfers/${shown.id}/return`, {}, operator);
    const twice = await Promise.all([back(), back()]);
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 409]);
    await tabs.send();
    await tabs.settle();
    expect((await rows()).map(({ status }) => status)).toEqual(['returned']);
    expect(usdc('alice')).toBe(had);
    expect([await list(), (await list('all')).length]).toEqual([[], 1]);
    await evaluateAlerts(world.ctx);
    expect((await alerts())[0]?.resolved_at).not.toBeNull();
  });

  test.each([
    [24, false],
    [30, true],
  ])(
    'a move that landed and that we no longer know is not made again, %i hours later; its bucket is closed: %s',
    async (hours, isClosed) => {
      const had = usdc('alice');
      await pay({});
      const [row] = await rows();
      const back = () => buyer.post(`/api/operations/transfers/${row?.id}/return`, {}, operator);
      expect((await back()).status).toBe(200);
      await tabs.send();
      await tabs.settle();
      expect(usdc('alice')).toBe(had);
      // What a restore of an older backup leaves.
      const moveKey = (await rows())[0]?.moveKey;
      await world.ctx.db.treasuryTransfer.updateMany({ data: { status: 'unmatched', outgoingTxId: null } });
      tabs.later(hours * 3_600_000);
      tabs.solana.step(FINALIZED_AFTER + 3);
      if (isClosed) {
        await returnRent(world.ctx, tabs.chain, new Map());
        await tabs.send();
        await tabs.settle();
      }
      const terms = await readTipTerms(tabs.chain);
      expect(await recallOnSolana(tabs.chain, terms, moveKey as never)).toBe(isClosed ? 'forgotten' : 'processed');
      expect((await back()).status).toBe(200);
      await tabs.send();
      await tabs.settle();
      expect((await rows()).map(({ status }) => status)).toEqual(['returned']);
      expect(usdc('alice')).toBe(had);
    },
  );
});

test('the accounts of an order are closed 90 days after its end, and their rent returns to the key that paid it', async () => {
  const order = await make();
  const { body } = await prepare(order, { way: 'deposit' });
  transferUsdc(tabs.solana, 'alice', body.deposit.address, 5_000_000n);
  tabs.solana.step(FINALIZED_AFTER + 3);
  await run();
  expect((await stateOf(order)).order.status).toBe('completed');
  const data = () => tabs.solana.data(body.deposit.address);
  const closable = async () => orderRent(world.ctx, tabs.chain, new Map());
  const isClosable = async () => (await closable()).some(({ address }) => address === body.deposit.address);
  tabs.later(89 * 86_400_000);
  tabs.solana.step(FINALIZED_AFTER + 3);
  expect(await isClosable()).toBe(false);
  tabs.later(3 * 86_400_000);
  tabs.solana.step(FINALIZED_AFTER + 3);
  expect(await isClosable()).toBe(true);
  const had = tabs.solana.lamportsOf(tabs.executor.address);
  for (let round = 0; round < 2; round++) await returnRent(world.ctx, tabs.chain, new Map());
  const closings = (await tabs.calls()).filter(
    ({ kind, subjectId }) => kind === 'rent' && subjectId === body.deposit.address,
  );
  expect(closings).toHaveLength(1);
  await tabs.send();
  await tabs.settle();
  expect(data()).toBeNull();
  expect(await isClosable()).toBe(false);
  expect(tabs.solana.lamportsOf(tabs.executor.address)).toBeGreaterThan(had);
});
