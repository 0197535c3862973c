// A merchant's orders behind the session: found, filtered, paged, exported, read whole, made and cancelled; and never another workspace's.
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localKey } from '../../../local/stack/people.ts';
import { depositOrder, giveUsdc, orderRow, payOrder, sendAs, sendToken } from '../../../test/setup/orders.ts';
import { serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { orderIdHash } from '../../chain/routers/payment.ts';
import { newId } from '../../context.ts';
import { indexChain } from '../../services/operations/feed.ts';
import { moveOrders } from '../../services/orders/transitions.ts';

const DAY_MS = 86_400_000;
let world: World;
let base: string;
let shop: Visitor;
let bob: Visitor;
let stranger: Visitor;
beforeAll(async () => {
  world = await startWorld();
  base = await serveWorld(world);
  [shop, bob] = (await Promise.all(['shop', 'bob'].map(signedIn))) as [Visitor, Visitor];
  stranger = visitor(base);
});
afterAll(() => world.stop());

async function signedIn(name: string): Promise<Visitor> {
  const browser = visitor(base);
  expect((await browser.signIn(privateKeyToAccount(localPerson(name).key))).status).toBe(200);
  return browser;
}

type Line = Record<string, unknown> & { id: string };
async function found(browser: Visitor, query = ''): Promise<Line[]> {
  const answer = await browser.get(`/api/orders${query}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data;
}
const ids = async (browser: Visitor, query = '') => (await found(browser, query)).map(({ id }) => id);

/** Moves an order as the services would. */
async function end(id: string, action: 'cancel' | 'expire' | 'settle', at = new Date(world.ctx.clock.now())) {
  await world.ctx.db.$transaction(async (tx) => {
    if (action === 'settle') await moveOrders(world.ctx, tx, [{ id, action: 'submit' }]);
    await moveOrders(world.ctx, tx, [{ id, action, patch: { endedAt: at } }]);
  });
}

let logs = 0;
async function log(
  orderId: string,
  fields: {
    kind: string;
    outcome: string;
    units: string;
    from?: string;
    to: string;
    key?: string;
    token?: string;
    at?: number;
  },
): Promise<string> {
  logs += 1;
  const txHash = `0x${String(logs).padStart(64, 'a')}`;
  const { at = world.ctx.clock.now(), from = `0x${'ab'.repeat(20)}`, to, ...rest } = fields;
  await world.ctx.db.orderLog.create({
    data: {
      chain: 'base',
      txHash,
      logIndex: logs,
      block: BigInt(logs),
      blockHash: `0x${'0'.repeat(64)}`,
      blockTime: new Date(at),
      orderId,
      router: world.evmChain().routers.business,
      fromAddress: from,
      toAddress: to,
      token: world.evmChain().usdc,
      ...rest,
    },
  });
  return txHash;
}

describe('making an order', () => {
  test('answers the order with its checkout, frozen for the business router, and tells of it', async () => {
    const made = await shop.post('/api/orders', {
      amount: '25',
      chain: 'base',
      description: 'Two coffees',
      expires_in: 900,
      metadata: { table: '7' },
    });
    expect(made.status).toBe(201);
    expect(made.body.order).toMatchObject({
      id: expect.stringMatching(/^ord_[0-9a-z]{26}$/),
      status: 'awaiting_payment',
      amount: '25.00',
      currency: 'USDC',
      description: 'Two coffees',
      metadata: { table: '7' },
      recipient: '@shop',
      livemode: false,
    });
    expect(made.body.order.checkout_url).toBe(`${base}/o/${made.body.order.id}`);
    const row = await world.ctx.db.order.findUniqueOrThrow({ where: { id: made.body.order.id } });
    expect(row).toMatchObject({ origin: 'dashboard', router: 'business', payee: localPerson('shop').address });
    const [event] = await world.ctx.db.event.findMany({ where: { resourceId: row.id } });
    expect(event).toMatchObject({ type: 'order.created', requestId: made.headers.get('request-id') });
  });

  test.each([
    [{ chain: 'base' }, 400, 'parameter_missing', 'amount'],
    [{ amount: '1,5', chain: 'base' }, 400, 'parameter_invalid', 'amount'],
    [{ amount: '0.001', chain: 'base' }, 400, 'amount_out_of_range', 'amount'],
    [{ amount: 5, chain: 'base' }, 400, 'parameter_invalid', 'amount'],
    [{ amount: '5', chain: 'dogechain' }, 422, 'unsupported_chain', 'chain'],
    [{ amount: '5', chain: 'base', currency: 'CELO' }, 422, 'unsupported_asset', 'currency'],
    [{ amount: '5', chain: 'base', expires_in: 5 }, 400, 'parameter_invalid', 'expires_in'],
    [{ amount: '5', chain: 'base', recipient: '@alice' }, 403, 'recipient_not_allowed', 'recipient'],
    [{ amount: '5', chain: 'base', recipient: '@nobody_here' }, 404, 'handle_not_found', 'recipient'],
    [{ amount: '5', chain: 'base', description: 'a\u202eb' }, 400, 'parameter_invalid', 'description'],
    [{ amount: '5', chain: 'base', metadata: { a: 1 } }, 400, 'parameter_invalid', 'metadata[a]'],
    [{ amount: '5', chain: 'base', extra: 1 }, 400, 'parameter_unknown', 'extra'],
  ])('%j is refused: %i %s', async (body, status, code, param) => {
    const answer = await bob.post('/api/orders', body);
    expect([answer.status, answer.body.error?.code, answer.body.error?.param]).toEqual([status, code, param]);
  });

  test('401 without a session, 403 from another page, and nothing is made', async () => {
    const before = await world.ctx.db.order.count();
    expect((await stranger.post('/api/orders', { amount: '5', chain: 'base' })).status).toBe(401);
    const foreign = await shop.post('/api/orders', { amount: '5', chain: 'base' }, { origin: 'https://evil.example' });
    expect(foreign.status).toBe(403);
    expect(await world.ctx.db.order.count()).toBe(before);
  });
});

describe('looking for an order', () => {
  const payer = `0x${'CD'.repeat(20)}`;
  const hash = `0x${'ef'.repeat(32)}`;
  let coffee: string;
  let tea: string;
  beforeAll(async () => {
    await world.ctx.db.order.deleteMany();
    coffee = (await orderRow(world, { merchant: 'shop', description: '100% Coffee_beans', units: '12340000' as never }))
      .id;
    tea = (
      await orderRow(world, { merchant: 'shop', metadata: { invoice: 'R-2026/77' }, payer, txHash: hash } as never)
    ).id;
    await orderRow(world, { merchant: 'bob', description: '100% Coffee_beans', payer, txHash: hash } as never);
  });

  test.each([
    ['its description', 'coffee_b', 'coffee'],
    ['a percent sign as itself', '100%', 'coffee'],
    ['its amount as people write it', '12.34', 'coffee'],
    ['its amount with zeros', '12.3400', 'coffee'],
    ['a value of its metadata', 'r-2026/77', 'tea'],
    ['its payer in any case', payer.toLowerCase(), 'tea'],
    ['its transaction', hash.toUpperCase().replace('0X', '0x'), 'tea'],
  ])('by %s', async (_by, q, which) => {
    expect(await ids(shop, `?q=${encodeURIComponent(q)}`)).toEqual([which === 'coffee' ? coffee : tea]);
  });

  test('by its id, by a transaction that only its log has, and by who sent that', async () => {
    expect(await ids(shop, `?q=${coffee}`)).toEqual([coffee]);
    const from = `0x${'12'.repeat(20)}`;
    const tx = await log(tea, { kind: 'deposit', outcome: 'credited', units: '5', from, to: payer });
    expect(await ids(shop, `?q=${tx}`)).toEqual([tea]);
    expect(await ids(shop, `?q=${from}`)).toEqual([tea]);
  });

  test('nothing by what is in it only partly: a payer, a hash, a key of the metadata', async () => {
    for (const q of [payer.slice(0, 20), hash.slice(0, 20), 'invoice', '%', '_'])
      expect(await ids(shop, `?q=${encodeURIComponent(q)}`), q).toEqual(q === '%' || q === '_' ? [coffee] : []);
  });

  test('never finds what is another workspace’s', async () => {
    expect(await ids(bob, `?q=${coffee}`)).toEqual([]);
    expect((await found(bob, '?q=coffee')).length).toBe(1);
  });

  test.each([
    ['q=%00', 'q'],
    ['status=paid', 'status'],
    ['chain=dogechain', 'chain'],
    ['from=2026-13-01', 'from'],
    ['tz=Mars/Base', 'tz'],
    ['mode=play', 'mode'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['cursor=bm9wZQ', 'cursor'],
    ['status=completed&status=expired', 'status'],
    ['what=ever', 'what'],
  ])('400 for ?%s', async (query, param) => {
    const answer = await shop.get(`/api/orders?${query}`);
    expect([answer.status, answer.body.error?.param]).toEqual([400, param]);
  });
});

describe('filters and pages', () => {
  const made: string[] = [];
  beforeAll(async () => {
    await world.ctx.db.orderLog.deleteMany();
    await world.ctx.db.order.deleteMany();
    for (let i = 0; i < 7; i++) made.push((await orderRow(world, { merchant: 'shop', description: `No ${i}` })).id);
  });

  test('by status, chain, currency, mode and link', async () => {
    const [first, second] = made as [string, string];
    await end(first, 'cancel');
    await end(second, 'settle');
    expect(await ids(shop, '?status=cancelled')).toEqual([first]);
    expect(await ids(shop, '?status=completed')).toEqual([second]);
    expect(await ids(shop, '?status=expired')).toEqual([]);
    expect((await ids(shop, '?status=awaiting_payment')).length).toBe(5);
    expect((await ids(shop, '?chain=base')).length).toBe(7);
    expect(await ids(shop, '?chain=celo')).toEqual([]);
    expect(await ids(shop, '?currency=ETH')).toEqual([]);
    expect((await ids(shop, '?mode=test')).length).toBe(7);
    expect(await ids(shop, '?mode=live')).toEqual([]);
    expect(await ids(shop, '?link=plk_x')).toEqual([]);
    expect((await ids(shop, '?status=&chain=&q=&from=&to=')).length).toBe(7);
  });

  test('by days of the reader’s zone', async () => {
    const at = new Date('2026-03-10T02:30:00Z');
    const { id } = await orderRow(world, { merchant: 'shop', createdAt: at });
    const day = (from: string, to: string, tz: string) => ids(shop, `?from=${from}&to=${to}&tz=${tz}`);
    expect(await day('2026-03-10', '2026-03-10', 'UTC')).toEqual([id]);
    expect(await day('2026-03-09', '2026-03-09', 'UTC')).toEqual([]);
    expect(await day('2026-03-09', '2026-03-09', 'America/New_York')).toEqual([id]);
    expect(await day('2026-03-10', '2026-03-10', 'America/New_York')).toEqual([]);
    await world.ctx.db.order.delete({ where: { id } });
  });

  test('pages stay whole while orders are made', async () => {
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await shop.get(`/api/orders?limit=3${cursor && `&cursor=${cursor}`}`);
      seen.push(...page.body.data.map(({ id }: Line) => id));
      expect(page.body.has_more).toBe(page.body.next_cursor !== null);
      cursor = page.body.next_cursor;
      await orderRow(world, { merchant: 'shop', description: 'made meanwhile' });
    } while (cursor);
    expect(seen).toEqual([...made].reverse());
  });
});

test('are counted by status and mode, and never another workspace’s', async () => {
  await world.ctx.db.orderLog.deleteMany();
  await world.ctx.db.order.deleteMany();
  for (const livemode of [false, false, true]) await orderRow(world, { merchant: 'shop', status: 'expired', livemode });
  await orderRow(world, { merchant: 'bob' });
  const count = async (query = '') => (await shop.get(`/api/orders/counts${query}`)).body;
  const none = { count: 0, has_more: false };
  expect(await count()).toMatchObject({
    expired: { count: 2, has_more: false },
    awaiting_payment: none,
    completed: none,
  });
  expect((await count('?mode=live')).expired.count).toBe(1);
  expect((await stranger.get('/api/orders/counts')).status).toBe(401);
});

describe('the file', () => {
  test('has the same orders, and nothing in it that a spreadsheet would run', async () => {
    await world.ctx.db.order.deleteMany();
    await orderRow(world, { merchant: 'shop', description: "=cmd|' /C calc'!A0" });
    await orderRow(world, { merchant: 'shop', description: 'a "quoted", thing', metadata: { k: '=1+1' } } as never);
    await orderRow(world, { merchant: 'bob', description: 'not yours' });
    const file = await shop.get('/api/orders.csv');
    expect(file.status).toBe(200);
    expect(file.headers.get('content-type')).toMatch(/^text\/csv/);
    expect(file.headers.get('content-disposition')).toContain('ampersat-orders-shop-test.csv');
    const lines = (file.body as string).trimEnd().split('\r\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^created,id,status,amount,/);
    expect(lines[1]).toContain('"a ""quoted"", thing"');
    expect(lines[2]).toContain(",'=cmd|' /C calc'!A0,");
    for (const cell of lines.slice(1).join(',').split(',')) expect(cell).not.toMatch(/^"?[=+@\t-]/);
    expect(file.body).not.toContain('not yours');
    expect(((await shop.get('/api/orders.csv?q=quoted')).body as string).trimEnd().split('\r\n')).toHaveLength(2);
  });

  test('400 for a filter that is none, 401 without a session', async () => {
    expect((await shop.get('/api/orders.csv?limit=5')).status).toBe(400);
    expect((await stranger.get('/api/orders.csv')).status).toBe(401);
  });

  test('is longer than a page of it', async () => {
    const one = await orderRow(world, { merchant: 'shop' });
    const { id: _id, ...rest } = one;
    const many = Array.from({ length: 1_100 }, () => {
      const id = newId(world.ctx, 'ord');
      return { ...rest, id, onChainId: orderIdHash(id), metadata: {}, chat: undefined };
    });
    await world.ctx.db.order.createMany({ data: many as never });
    const lines = ((await shop.get('/api/orders.csv')).body as string).trimEnd().split('\r\n');
    const column = lines.slice(1).map((line) => line.split(',')[1]);
    expect(column).toHaveLength(1_103);
    expect(new Set(column).size).toBe(1_103);
  });
});

describe('one order', () => {
  test('has what happened, the latest first, and its facts', async () => {
    const order = await orderRow(world, { merchant: 'shop', units: '25000000' as never, description: 'Lunch' });
    const at = world.ctx.clock.now() + 1_000;
    await end(order.id, 'settle', new Date(at + 1_000));
    const tx = await log(order.id, { kind: 'settled', outcome: 'credited', units: '25000000', to: order.payee, at });
    const page = (await shop.get(`/api/orders/${order.id}`)).body;
    expect(page.order).toMatchObject({
      id: order.id,
      status: 'completed',
      fee: '0.25',
      payout: '24.75',
      refundable: '25.00',
      chain_label: 'Base',
      attention: false,
      origin: 'dashboard',
    });
    expect(page.timeline.map(({ kind }: { kind: string }) => kind)).toEqual(['completed', 'paid', 'created']);
    expect(page.timeline[1]).toMatchObject({ amount: '25.00 USDC', tx_hash: tx, explorer_url: null });
    expect(page.unmatched).toEqual([]);
  });

  test('says gross, fee, refunds and net, exact in units, with each refund', async () => {
    const order = await orderRow(world, { merchant: 'shop', units: '1234567890' as never });
    const money = async () => (await shop.get(`/api/orders/${order.id}`)).body.order;
    await end(order.id, 'settle');
    expect(await money()).toMatchObject({ amount: '1234.56789', fee: '12.345679', net: '1222.222211', refunds: [] });
    const at = world.ctx.clock.now() - 60_000;
    const to = `0x${'ab'.repeat(20)}`;
    const first = await log(order.id, { kind: 'refunded', outcome: 'credited', units: '1000001', to, at });
    // Another order's terms: it went from the same wallet, but not for this order.
    await log(order.id, { kind: 'refunded', outcome: 'other_terms', units: '77', to });
    await world.ctx.db.order.update({ where: { id: order.id }, data: { refundedUnits: '1000001' } });
    const part = await money();
    expect(part).toMatchObject({ amount_refunded: '1.000001', net: '1221.22221', refundable: '1233.567889' });
    expect(part.refunds).toEqual([
      {
        key: expect.any(String),
        at: new Date(at).toISOString(),
        amount: '1.000001',
        to,
        tx_hash: first,
        explorer_url: null,
      },
    ]);
    await world.ctx.db.order.update({ where: { id: order.id }, data: { refundedUnits: '1234567890' } });
    // The fee stays paid.
    expect(await money()).toMatchObject({ net: '-12.345679', refundable: '0.00' });
  });

  test('has what happened in the order of its causes, whatever a chain’s clock says, and when the payment was final', async () => {
    const order = await orderRow(world, { merchant: 'shop', units: '5000000' as never });
    const behind = world.ctx.clock.now() - 60_000;
    await world.later(2_000);
    await end(order.id, 'settle', new Date(behind));
    const settled = { resource: 'order', resourceId: order.id, action: 'settle' };
    const { at: final } = await world.ctx.db.transition.findFirstOrThrow({ where: settled });
    await log(order.id, { kind: 'settled', outcome: 'credited', units: '5000000', to: order.payee, at: behind });
    const back = { kind: 'refunded', outcome: 'credited', units: '1', to: `0x${'ab'.repeat(20)}` };
    await log(order.id, { ...back, at: behind });
    const { timeline } = (await shop.get(`/api/orders/${order.id}`)).body;
    expect(timeline.map(({ kind }: { kind: string }) => kind)).toEqual(['refunded', 'completed', 'paid', 'created']);
    const times = timeline.map(({ at }: { at: string }) => at);
    expect(times).toEqual([...times].sort().reverse());
    expect(timeline.map(({ finalised_at }: { finalised_at: string | null }) => finalised_at)).toEqual([
      null,
      null,
      final.toISOString(),
      null,
    ]);
  });

  test('tells of a payment that does not count, and that somebody else’s is nobody’s matter here', async () => {
    const order = await orderRow(world, { merchant: 'shop' });
    await end(order.id, 'cancel');
    const key = `0x${'77'.repeat(32)}`;
    await log(order.id, { kind: 'settled', outcome: 'other_payee', units: '5', to: localPerson('bob').address });
    expect(await ids(shop, '?status=attention')).toEqual([]);
    const tx = await log(order.id, { kind: 'settled', outcome: 'not_payable', units: '1000000', to: order.payee, key });
    const page = (await shop.get(`/api/orders/${order.id}`)).body;
    expect(page.unmatched).toEqual([
      expect.objectContaining({ amount: '1.00', currency: 'USDC', tx_hash: tx, actions: ['refund'] }),
    ]);
    expect(page.timeline.filter(({ kind }: { kind: string }) => kind === 'unmatched')).toHaveLength(2);
    expect(await ids(shop, '?status=attention')).toEqual([order.id]);
    // Sent back, it needs nobody any more; and what nobody looked at in a month is not pointed at for ever.
    const back = { kind: 'refunded', outcome: 'credited', to: `0x${'ab'.repeat(20)}`, key };
    await log(order.id, { ...back, units: '400000' });
    expect((await shop.get(`/api/orders/${order.id}`)).body.unmatched[0].amount).toBe('0.60');
    await log(order.id, { ...back, units: '600000' });
    expect((await shop.get(`/api/orders/${order.id}`)).body.unmatched).toEqual([]);
    expect(await ids(shop, '?status=attention')).toEqual([]);
  });

  test('tells what is left at its own address once it is over, by what came and went', async () => {
    const depositAddress = `0x${'5A'.repeat(20)}`;
    const order = await orderRow(world, { merchant: 'shop', depositAddress } as never);
    const came = { kind: 'deposit', outcome: 'credited', to: depositAddress };
    await log(order.id, { ...came, units: '400000' });
    expect((await shop.get(`/api/orders/${order.id}`)).body.unmatched).toEqual([]);
    await log(order.id, { ...came, units: '700000' });
    await end(order.id, 'settle');
    await log(order.id, {
      kind: 'settled',
      outcome: 'credited',
      units: '1000000',
      from: depositAddress.toLowerCase(),
      to: order.payee,
    });
    const { order: view, unmatched } = (await shop.get(`/api/orders/${order.id}`)).body;
    expect(view).toMatchObject({ attention: true, deposit_address: depositAddress });
    expect(unmatched).toEqual([expect.objectContaining({ amount: '0.10', actions: ['accept', 'send_back'] })]);
    expect(await ids(shop, '?status=attention')).toEqual([order.id]);
    await log(order.id, {
      kind: 'deposit_moved',
      outcome: 'accepted',
      units: '100000',
      from: depositAddress,
      to: order.payee,
    });
    const after = (await shop.get(`/api/orders/${order.id}`)).body;
    expect([after.unmatched, after.order.attention]).toEqual([[], false]);
    expect(after.timeline[0].kind).toBe('accepted');
  });

  test('404 for another workspace’s, for none, and for what is no id', async () => {
    const { id } = await orderRow(world, { merchant: 'shop' });
    for (const one of [id, newId(world.ctx, 'ord'), 'ord_x', '..%2f..', "'--"]) {
      expect((await bob.get(`/api/orders/${one}`)).body.error?.code, one).toBe('resource_missing');
      expect((await bob.post(`/api/orders/${one}/cancel`)).body.error?.code, one).toBe('resource_missing');
    }
    expect((await shop.get(`/api/orders/${id}`)).body.order.status).toBe('awaiting_payment');
    expect((await stranger.get(`/api/orders/${id}`)).status).toBe(401);
  });

  test('is cancelled once, and 409 afterwards', async () => {
    const { id } = await orderRow(world, { merchant: 'shop' });
    expect((await shop.post(`/api/orders/${id}/cancel`)).body.order.status).toBe('cancelled');
    const again = await shop.post(`/api/orders/${id}/cancel`);
    expect([again.status, again.body.error.code]).toEqual([409, 'order_not_cancellable']);
    expect(await world.ctx.db.event.count({ where: { resourceId: id, type: 'order.cancelled' } })).toBe(1);
  });
});

describe('a refund', () => {
  const payer = localKey('a payer').address;
  async function settled(): Promise<void> {
    await world.mine(3);
    for (;;) {
      const { at, target } = await indexChain(world.ctx, world.evmChain());
      if (at.block >= target) return;
    }
  }

  test('is told how, and counts once the chain shows it; a payment of before its time too', async () => {
    const order = await orderRow(world, { merchant: 'shop', units: '4000000' as never });
    const path = `/api/orders/${order.id}/refund`;
    expect((await shop.post(path)).body.error.code).toBe('order_not_refundable');
    await payOrder(world, order, 'a payer', 'eip3009');
    await settled();
    expect((await shop.get(`/api/orders/${order.id}`)).body.order.payers).toEqual([payer]);
    const { refund } = (await shop.post(path, { amount: '1.5' })).body;
    expect(refund).toMatchObject({
      from: localPerson('shop').address,
      refund_to: payer,
      amount: '1.50',
      currency: 'USDC',
    });
    await giveUsdc(world, localPerson('shop').address, 4_000_000n);
    const { approval } = refund;
    if (approval) await sendAs(world, localPerson('shop').key, { to: approval.to, data: approval.data });
    const txHash = await sendAs(world, localPerson('shop').key, { to: refund.to, data: refund.data });
    await settled();
    const done = await shop.post(path, { action: 'confirm', txHash });
    expect(done.body.order).toMatchObject({ status: 'completed', amount_refunded: '1.50' });
    const page = (await shop.get(`/api/orders/${order.id}`)).body;
    expect(page.order.refundable).toBe('2.50');
    expect(page.timeline[0]).toMatchObject({ kind: 'refunded', amount: '1.50 USDC', tx_hash: txHash });
  });

  test.each([
    ['refund', { amount: '1e3' }, 400, 'parameter_invalid'],
    ['refund', { amount: '99' }, 409, 'order_not_refundable'],
    ['refund', { amount: '1', to: localPerson('bob').address }, 409, 'order_not_refundable'],
    ['refund', { to: '0x12' }, 400, 'parameter_invalid'],
    ['refund', { action: 'confirm' }, 400, 'parameter_missing'],
    ['refund', { action: 'confirm', txHash: `0x${'1'.repeat(64)}` }, 422, 'tx_not_found'],
    ['refund', { action: 'undo', txHash: `0x${'1'.repeat(64)}` }, 400, 'parameter_invalid'],
    ['refund', { note: 'x' }, 400, 'parameter_unknown'],
    ['deposit', { action: 'accept' }, 409, 'state_conflict'],
    ['deposit', { action: 'accept', currency: 'CELO' }, 422, 'unsupported_asset'],
    ['deposit', { action: 'keep' }, 400, 'parameter_invalid'],
    ['deposit', {}, 400, 'parameter_missing'],
  ])('%s %j is refused: %i %s', async (what, body, status, code) => {
    const order = (await world.ctx.db.order.findFirstOrThrow({ where: { payer } })).id;
    const answer = await shop.post(`/api/orders/${order}/${what}`, body);
    expect([answer.status, answer.body.error?.code]).toEqual([status, code]);
  });

  test('404 for another workspace’s order, 401 without a session', async () => {
    const { id } = await world.ctx.db.order.findFirstOrThrow({ where: { payer } });
    for (const [what, body] of [
      ['refund', {}],
      ['deposit', { action: 'accept' }],
    ] as const) {
      expect((await bob.post(`/api/orders/${id}/${what}`, body)).body.error?.code).toBe('resource_missing');
      expect((await stranger.post(`/api/orders/${id}/${what}`, body)).status).toBe(401);
    }
  });

  test('of what lies at its own address: told to whom it goes back, or how it is kept', async () => {
    const order = await depositOrder(world, { merchant: 'shop', units: '4000000' as never });
    await giveUsdc(world, payer, 3_000_000n);
    await sendToken(world, localKey('a payer').key, world.evmChain().usdc, order.at, 3_000_000n);
    await settled();
    await end(order.id, 'expire');
    const { unmatched } = (await shop.get(`/api/orders/${order.id}`)).body;
    expect(unmatched).toEqual([expect.objectContaining({ amount: '3.00', senders: [payer] })]);
    const path = `/api/orders/${order.id}/deposit`;
    const back = (await shop.post(path, { action: 'send_back', amount: '1' })).body.deposit;
    expect(back).toMatchObject({ function: 'refundDeposit', amount: '1.00', args: { to: payer } });
    const kept = (await shop.post(path, { action: 'accept' })).body.deposit;
    expect(kept).toMatchObject({ function: 'acceptDeposit', amount: '3.00', from: localPerson('shop').address });
    await sendAs(world, localPerson('shop').key, { to: back.to, data: back.data });
    await settled();
    const after = (await shop.get(`/api/orders/${order.id}`)).body;
    expect(after.unmatched[0].amount).toBe('2.00');
    // Blocks have whole seconds of their own, so what we noted in the same second may stand above.
    expect(after.timeline).toContainEqual(expect.objectContaining({ kind: 'returned', amount: '1.00 USDC' }));
    await sendAs(world, localPerson('shop').key, { to: kept.to, data: kept.data });
    await settled();
    const last = (await shop.get(`/api/orders/${order.id}`)).body;
    const kinds = last.timeline.map(({ kind }: { kind: string }) => kind);
    expect(last.unmatched).toEqual([]);
    expect(kinds.filter((kind: string) => ['returned', 'accepted', 'deposit'].includes(kind))).toEqual([
      'accepted',
      'returned',
      'deposit',
    ]);
  });
});

describe('the volume', () => {
  test('sums what was paid by the reader’s days, with empty ones, and tells how many orders were', async () => {
    await world.ctx.db.orderLog.deleteMany();
    await world.ctx.db.order.deleteMany();
    const now = world.ctx.clock.now();
    const paid = async (daysAgo: number, units: string, more: object = {}) => {
      const { id } = await orderRow(world, { merchant: 'shop', units: units as never, ...more });
      await end(id, 'settle', new Date(now - daysAgo * DAY_MS));
    };
    await paid(0, '1000000');
    await paid(0, '2500000');
    await paid(3, '10000000');
    await paid(20, '100000000');
    await paid(60, '7000000');
    await paid(0, '1500000000000000', { token: `0x${'0'.repeat(40)}` });
    await end((await orderRow(world, { merchant: 'shop' })).id, 'expire');
    await orderRow(world, { merchant: 'shop' });
    await end((await orderRow(world, { merchant: 'bob' })).id, 'settle');

    const { id: refunded } = await orderRow(world, { merchant: 'shop', units: '4000000' as never });
    await end(refunded, 'settle', new Date(now - 40 * DAY_MS));
    await log(refunded, {
      kind: 'refunded',
      outcome: 'credited',
      units: '1500000',
      to: `0x${'ab'.repeat(20)}`,
      at: now,
    });
    await log(refunded, { kind: 'refunded', outcome: 'other_terms', units: '9', to: `0x${'ab'.repeat(20)}`, at: now });
    await world.ctx.db.order.update({ where: { id: refunded }, data: { refundedUnits: '1500000' } });

    const week = (await shop.get('/api/volume?days=7')).body;
    expect(week.days).toHaveLength(7);
    expect(week.days.map(({ usd }: { usd: string }) => usd)).toEqual([
      '0.00',
      '0.00',
      '0.00',
      '10.00',
      '0.00',
      '0.00',
      '3.50',
    ]);
    // A business pays one percent; a refund counts on its own day, whenever its order was paid.
    const today = { usd: '3.50', fees: '0.035', refunds: '1.50', net: '1.965', count: 3 };
    expect(week.days.at(-1)).toEqual({ date: new Date(now).toISOString().slice(0, 10), ...today });
    expect(week.today).toEqual(today);
    expect(week.last_7_days).toEqual({ usd: '13.50', fees: '0.135', refunds: '1.50', net: '11.865', count: 4 });
    expect(week.last_30_days).toEqual({ usd: '113.50', fees: '1.135', refunds: '1.50', net: '110.865', count: 5 });
    expect(week.currencies).toEqual([
      { currency: 'USDC', amount: '13.50', fees: '0.135', refunds: '1.50', net: '11.865', count: 3 },
      { currency: 'ETH', amount: '0.0015', fees: '0.000015', refunds: '0.00', net: '0.001485', count: 1 },
    ]);
    expect(week.completed).toEqual({ paid: 7, ended: 8 });
    const quarter = (await shop.get('/api/volume?days=90&tz=Pacific/Auckland')).body;
    expect(quarter.days).toHaveLength(90);
    expect(quarter.days.filter(({ count }: { count: number }) => count > 0)).toHaveLength(5);
    expect((await shop.get('/api/volume?mode=live')).body.last_30_days).toEqual({
      usd: '0.00',
      fees: '0.00',
      refunds: '0.00',
      net: '0.00',
      count: 0,
    });
    expect((await bob.get('/api/volume?days=1')).body.days).toEqual([
      expect.objectContaining({ usd: '1.00', count: 1 }),
    ]);
  });

  test('a payment near midnight falls on the reader’s day', async () => {
    await world.ctx.db.orderLog.deleteMany();
    await world.ctx.db.order.deleteMany();
    const { id } = await orderRow(world, { merchant: 'shop' });
    const noon = new Date(`${new Date(world.ctx.clock.now()).toISOString().slice(0, 10)}T12:00:00Z`).getTime() - DAY_MS;
    await end(id, 'settle', new Date(noon));
    const dayIn = async (tz: string) => {
      const { days } = (await shop.get(`/api/volume?days=4&tz=${encodeURIComponent(tz)}`)).body;
      return days.find(({ count }: { count: number }) => count === 1)?.date;
    };
    const utc = new Date(noon).toISOString().slice(0, 10);
    expect(await dayIn('UTC')).toBe(utc);
    expect(await dayIn('Pacific/Kiritimati')).toBe(new Date(noon + DAY_MS).toISOString().slice(0, 10));
    expect(await dayIn('Etc/GMT+12')).toBe(utc);
  });

  test.each(['days=0', 'days=367', 'tz=Nowhere/Here', 'x=1'])('400 for ?%s', async (query) => {
    expect((await shop.get(`/api/volume?${query}`)).status).toBe(400);
  });
});
