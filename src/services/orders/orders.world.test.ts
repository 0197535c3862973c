// Orders: what may be asked for, that each request makes one, and how they end.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { termsOf } from '../../../test/setup/orders.ts';
import { lockTable, until } from '../../../test/setup/processes.ts';
import { type Shop, shopOf } from '../../../test/setup/shop.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { orderIdHash, orderKey } from '../../chain/routers/payment.ts';
import { newId } from '../../context.ts';
import type { OrderAction } from '../../domain/order.ts';
import { cancelOrder, expireOrders, getOrder, listOrders, orderTerms } from './orders.ts';
import { moveOrders } from './transitions.ts';
import { type OrderView, viewOrder } from './views.ts';

let world: World;
let orders: Shop;
beforeAll(async () => {
  world = await startWorld();
  orders = shopOf(world);
});
afterAll(() => world.stop());

const chain = () => world.evmChain();
const code = (code: string, param?: string) =>
  expect.objectContaining(param === undefined ? { code } : { code, param });

describe('an order', () => {
  test('is awaited with everything that it asks for frozen, and its event', async () => {
    const wish = {
      amount: '12.5',
      recipient: '@shop',
      expires_in: 600,
      metadata: { cart: '7' },
      description: ' two teas ',
    };
    const { order, body, status, replayed } = await orders.ask('shop', wish, { requestId: 'req_1' });
    expect([status, replayed]).toEqual([201, false]);
    expect(order).toEqual({
      id: expect.stringMatching(/^ord_[0-9a-z]{26}$/),
      object: 'order',
      status: 'awaiting_payment',
      checkout_url: `${world.ctx.env.BASE_URL}/o/${order.id}`,
      amount: '12.50',
      currency: 'USDC',
      chain: 'base',
      recipient: '@shop',
      recipient_address: localPerson('shop').address,
      expires_at: new Date(Number((await orders.row(order.id)).deadline) * 1_000).toISOString(),
      metadata: { cart: '7' },
      created_at: expect.stringMatching(/Z$/),
      livemode: false,
      description: 'two teas',
      payment_link: null,
      tx_hash: null,
      txHash: null,
      amount_received: '0.00',
      amount_due: '12.50',
      amount_refunded: '0.00',
      payer: null,
      completed_at: null,
      success_url: null,
      cancel_url: null,
      client_reference_id: null,
      line_items: [],
      embed_origins: [],
    });
    expect(JSON.parse(body)).toEqual(order);
    expect(Date.parse(order.expires_at) - Date.parse(order.created_at)).toBeGreaterThan(598_000);
    const row = await orders.row(order.id);
    expect(row).toMatchObject({ router: 'business', routerAddress: chain().routers.business, token: chain().usdc });
    expect(orderTerms(row)).toEqual({
      orderId: orderIdHash(order.id),
      payee: localPerson('shop').address,
      token: chain().usdc,
      amount: 12_500_000n,
      fee: 125_000n,
      deadline: row.deadline,
    });
    expect(orderKey(chain(), 'business', termsOf(row))).toMatch(/^0x/);
    expect(await orders.events(order.id)).toEqual([
      expect.objectContaining({
        type: 'order.created',
        handleId: await orders.idOf('shop'),
        livemode: false,
        apiVersion: '2026-11-20',
        object: { order },
        previous: null,
        requestId: 'req_1',
        idempotencyKey: null,
      }),
    ]);
    expect(await getOrder(world.ctx, { workspaceId: await orders.idOf('shop') }, order.id)).toEqual(order);
  });
});

describe('what is asked for', () => {
  test.each([
    [{ amount: '0.009999' }, 'amount_out_of_range', 'amount'],
    [{ amount: '1000000.000001' }, 'amount_out_of_range', 'amount'],
    [{ amount: '0' }, 'amount_out_of_range', 'amount'],
    [{ amount: '-1' }, 'parameter_invalid', 'amount'],
    [{ amount: '1.0000001' }, 'parameter_invalid', 'amount'],
    [{ amount: '1e3' }, 'parameter_invalid', 'amount'],
    [{ amount: '0.0000001', currency: 'ETH' }, 'amount_out_of_range', 'amount'],
    [{ amount: '334', currency: 'ETH' }, 'amount_out_of_range', 'amount'],
    [{ chain: 'solana' }, 'unsupported_chain', 'chain'],
    [{ chain: 'ink' }, 'unsupported_chain', 'chain'],
    [{ chain: 'constructor' }, 'unsupported_chain', 'chain'],
    [{ currency: 'BNB' }, 'unsupported_asset', 'currency'],
    [{ currency: 'usdt' }, 'unsupported_asset', 'currency'],
    [{ recipient: '@nobody_here' }, 'handle_not_found', 'recipient'],
    [{ recipient: 'Robert’); drop' }, 'parameter_invalid', 'recipient'],
    [{ recipient: '@bob' }, 'recipient_not_allowed', 'recipient'],
    [{ expires_in: 59 }, 'parameter_invalid', 'expires_in'],
    [{ expires_in: 2_592_001 }, 'parameter_invalid', 'expires_in'],
    [{ expires_in: 60.5 }, 'parameter_invalid', 'expires_in'],
    [{ metadata: { a: 1 } }, 'parameter_invalid', 'metadata[a]'],
    [{ metadata: [] }, 'parameter_invalid', 'metadata'],
    [{ description: 'x'.repeat(281) }, 'parameter_invalid', 'description'],
    [{ description: 'to\u202eyou' }, 'parameter_invalid', 'description'],
  ])('%j is refused: %s', async (wish, name, param) => {
    const before = await world.ctx.db.order.count();
    await expect(orders.ask('alice', wish)).rejects.toEqual(code(name, param));
    expect(await world.ctx.db.order.count()).toBe(before);
  });

  test('is for a mode: a live key makes no order in play money', async () => {
    await expect(orders.ask('alice', {}, { livemode: true })).rejects.toEqual(code('mode_mismatch'));
    expect((await orders.ask('alice', {}, { livemode: false })).order.livemode).toBe(false);
  });

  test('may be as little and as much as the limits say', async () => {
    for (const amount of ['0.01', '1000000']) await orders.ask('alice', { amount });
    const { order } = await orders.ask('alice', { amount: '0.500', currency: 'ETH' });
    expect(order).toMatchObject({ amount: '0.50', currency: 'ETH' });
    expect(await orders.row(order.id)).toMatchObject({
      token: '0x0000000000000000000000000000000000000000',
      decimals: 18,
      router: 'payment',
      routerAddress: chain().routers.payment,
    });
  });

  test('may be for somebody else whom the workspace’s wallet has allowed, by the router of that somebody', async () => {
    const [alice, shop] = [await orders.idOf('alice'), await orders.idOf('shop')];
    const allowance = { handleId: alice, recipientId: shop, createdAt: new Date() };
    await world.ctx.db.recipientAllowance.create({ data: allowance });
    const { order } = await orders.ask('alice', { recipient: '@shop' });
    expect(order).toMatchObject({ recipient: '@shop', recipient_address: localPerson('shop').address });
    expect(await orders.row(order.id)).toMatchObject({ handleId: alice, recipientId: shop, router: 'business' });
    await expect(orders.ask('shop', { recipient: '@alice' })).rejects.toEqual(code('recipient_not_allowed'));
    await world.ctx.db.recipientAllowance.deleteMany();
  });

  test('is paid to a contract only where that has proven itself', async () => {
    const handleId = await orders.idOf('bob');
    const where = { handleId_family: { handleId, family: 'evm' } };
    await world.ctx.db.wallet.update({ where, data: { kind: 'contract', provenChains: ['ink'] } });
    await expect(orders.ask('bob')).rejects.toEqual(code('state_conflict', 'chain'));
    await world.ctx.db.wallet.update({ where, data: { provenChains: ['ink', 'base'] } });
    await orders.ask('bob');
    await world.ctx.db.wallet.update({ where, data: { kind: 'account', provenChains: [] } });
  });

  test('goes to the payout address of a business, as it was when the order was made', async () => {
    const id = await orders.idOf('shop');
    const before = (await orders.ask('shop')).order;
    const businessAddress = localPerson('dave').address;
    await world.ctx.db.handle.update({ where: { id }, data: { businessAddress } });
    expect((await orders.ask('shop')).order.recipient_address).toBe(businessAddress);
    await world.ctx.db.handle.update({ where: { id }, data: { businessChains: ['celo'] } });
    await expect(orders.ask('shop')).rejects.toEqual(code('state_conflict', 'chain'));
    await world.ctx.db.handle.update({ where: { id }, data: { businessAddress: null, businessChains: [] } });
    expect((await getOrder(world.ctx, { workspaceId: id }, before.id)).recipient_address).toBe(
      localPerson('shop').address,
    );
  });
});

describe('a request with an idempotency key', () => {
  const keyed = (key: string, body = '{"amount":"25"}') => ({
    livemode: false,
    idempotency: { keyId: 'key_1', path: '/v1/orders', key, bodyHash: createHash('sha256').update(body).digest('hex') },
  });

  test('makes one order of fifty at once, and forty-nine answers that are the first one', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => orders.ask('alice', {}, keyed('fifty'))));
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const [first] = answers;
    expect(await world.ctx.db.order.count({ where: { id: first?.order.id ?? '' } })).toBe(1);
    expect(await world.ctx.db.event.count({ where: { idempotencyKey: 'fifty' } })).toBe(1);
    expect(await orders.typesOf(first?.order.id ?? '')).toEqual(['order.created']);
  });

  test('is refused with another body, and is another request on another path, of another key, or a day later', async () => {
    const how = keyed('again');
    const first = await orders.ask('alice', {}, how);
    await expect(orders.ask('alice', {}, keyed('again', '{}'))).rejects.toEqual(code('idempotency_key_reused'));
    const others = [{ path: '/v1/other' }, { keyId: 'key_2' }].map((other) => ({ ...how.idempotency, ...other }));
    for (const idempotency of others) expect((await orders.ask('alice', {}, { idempotency })).replayed).toBe(false);
    expect(await orders.ask('alice', {}, how)).toEqual({ ...first, replayed: true });
    world.later(24 * 3_600_000);
    const later = await orders.ask('alice', {}, keyed('again', '{}'));
    expect([later.replayed, later.order.id === first.order.id]).toEqual([false, false]);
    expect((await orders.ask('alice', {}, keyed('again', '{}'))).body).toBe(later.body);
    await world.freshPrices();
  });

  test('is answered as it was, whatever has changed since', async () => {
    const [handleId, recipientId] = [await orders.idOf('alice'), await orders.idOf('shop')];
    await world.ctx.db.recipientAllowance.create({ data: { handleId, recipientId, createdAt: new Date() } });
    const wish = { recipient: '@shop' };
    const { body } = await orders.ask('alice', wish, keyed('gone'));
    await world.ctx.db.recipientAllowance.deleteMany();
    expect(await orders.ask('alice', wish, keyed('gone'))).toMatchObject({ body, replayed: true });
    await expect(orders.ask('alice', wish, keyed('new'))).rejects.toEqual(code('recipient_not_allowed'));
    expect(await world.ctx.db.idempotencyKey.count({ where: { key: 'new' } })).toBe(0);
  });

  test('that cannot be kept makes no order', async () => {
    const before = await world.ctx.db.order.count();
    await world.ctx.db.$executeRaw`alter table event add constraint broken check (type <> 'order.created') not valid`;
    await expect(orders.ask('alice', {}, keyed('broken'))).rejects.toThrow();
    await world.ctx.db.$executeRaw`alter table event drop constraint broken`;
    expect(await world.ctx.db.order.count()).toBe(before);
    expect(await world.ctx.db.idempotencyKey.count({ where: { key: 'broken' } })).toBe(0);
    expect((await orders.ask('alice', {}, keyed('broken'))).replayed).toBe(false);
  });
});

describe('the end of an order', () => {
  test('comes by a word of its workspace, once, while it is awaited', async () => {
    const { order } = await orders.ask('alice');
    const reader = { workspaceId: await orders.idOf('alice') };
    const cancelled = await cancelOrder(world.ctx, reader, order.id, { requestId: 'req_2', idempotencyKey: 'k' });
    expect(cancelled).toEqual({ ...order, status: 'cancelled' });
    const [, told] = await orders.events(order.id);
    expect(told).toMatchObject({
      type: 'order.cancelled',
      object: { order: cancelled },
      previous: { status: 'awaiting_payment' },
      requestId: 'req_2',
      idempotencyKey: 'k',
    });
    await expect(cancelOrder(world.ctx, reader, order.id)).rejects.toEqual(code('order_not_cancellable'));
    expect(await orders.typesOf(order.id)).toEqual(['order.created', 'order.cancelled']);
  });

  test('is nobody else’s to bring, nor another mode’s', async () => {
    const { order } = await orders.ask('alice');
    const [alice, bob] = [await orders.idOf('alice'), await orders.idOf('bob')];
    for (const reader of [{ workspaceId: bob }, { workspaceId: alice, livemode: true }])
      await expect(cancelOrder(world.ctx, reader, order.id)).rejects.toEqual(code('resource_missing'));
    await expect(getOrder(world.ctx, { workspaceId: bob }, order.id)).rejects.toEqual(code('resource_missing'));
    await expect(getOrder(world.ctx, { workspaceId: alice }, 'ord_1')).rejects.toEqual(code('resource_missing'));
  });

  test('comes with its deadline, once our clock and the chain are both past it', async () => {
    const { order } = await orders.ask('alice', { expires_in: 60 });
    const { deadline } = await orders.row(order.id);
    await expireOrders(world.ctx, chain(), orders.nowS());
    expect(await expireOrders(world.ctx, chain(), deadline + 100n)).toBe(0);
    world.later(61_000);
    expect(await expireOrders(world.ctx, chain(), deadline)).toBe(0);
    expect(await expireOrders(world.ctx, chain(), deadline + 1n)).toBe(1);
    expect(await expireOrders(world.ctx, chain(), deadline + 1n)).toBe(0);
    const [, told] = await orders.events(order.id);
    expect(told).toMatchObject({ type: 'order.expired', previous: { status: 'awaiting_payment' } });
    expect(await orders.row(order.id)).toMatchObject({ status: 'expired', endedAt: expect.any(Date) });
  });

  test('by payment passes through processing, and is told once', async () => {
    const { order } = await orders.ask('alice');
    const move = (action: 'submit' | 'settle') =>
      world.ctx.db.$transaction((tx) => moveOrders(world.ctx, tx, [{ id: order.id, action }]));
    expect(await move('settle')).toEqual(new Set());
    expect(await move('submit')).toEqual(new Set([order.id]));
    expect(await move('settle')).toEqual(new Set([order.id]));
    expect(await move('settle')).toEqual(new Set());
    expect(await orders.typesOf(order.id)).toEqual(['order.created', 'order.completed']);
    // A block has whole seconds and a clock of its own: its time is never before the order's.
    const endedAt = new Date(Date.parse(order.created_at) - 900);
    await world.ctx.db.order.update({ where: { id: order.id }, data: { endedAt } });
    const { created_at, completed_at } = viewOrder(world.ctx, await orders.row(order.id), 'alice');
    expect(completed_at).toBe(created_at);
  });
});

describe('the table of the interface, by the services', () => {
  const STATUSES = ['awaiting_payment', 'processing', 'completed', 'expired', 'cancelled'] as const;
  /** What leads an order there from where it begins. */
  const WAY_TO: Record<string, OrderAction[]> = {
    awaiting_payment: [],
    processing: ['submit'],
    completed: ['submit', 'settle'],
    expired: ['expire'],
    cancelled: ['cancel'],
  };
  /** Trigger → from where to where, and what is told. Everything else is refused, and changes and tells nothing. */
  const TRIGGERS: Record<string, { action: OrderAction; from: string; to: string; event?: string }> = {
    'the relayer submits': { action: 'submit', from: 'awaiting_payment', to: 'processing' },
    'a settlement is indexed': { action: 'settle', from: 'processing', to: 'completed', event: 'order.completed' },
    'what we sent reverted in time': { action: 'release', from: 'processing', to: 'awaiting_payment' },
    'what we sent reverted too late': { action: 'lapse', from: 'processing', to: 'expired', event: 'order.expired' },
    'the deadline passes': { action: 'expire', from: 'awaiting_payment', to: 'expired', event: 'order.expired' },
    'it is cancelled': { action: 'cancel', from: 'awaiting_payment', to: 'cancelled', event: 'order.cancelled' },
  };
  const cells = STATUSES.flatMap((status) => Object.keys(TRIGGERS).map((trigger) => [status, trigger] as const));

  test.each(cells)('%s: %s', async (status, trigger) => {
    const { ctx } = world;
    const { order } = await orders.ask('alice');
    const move = (action: OrderAction) => ctx.db.$transaction((tx) => moveOrders(ctx, tx, [{ id: order.id, action }]));
    for (const action of WAY_TO[status] ?? []) await move(action);
    const [before, told] = [await orders.row(order.id), await orders.typesOf(order.id)];
    const { action, from, to, event } = TRIGGERS[trigger] as (typeof TRIGGERS)[string];
    const allowed = from === status;
    if (action === 'cancel') {
      const cancelled = cancelOrder(ctx, { workspaceId: before.handleId }, order.id);
      await (allowed ? cancelled : expect(cancelled).rejects.toEqual(code('order_not_cancellable')));
    } else if (action === 'expire') {
      world.later(3_601_000);
      await expireOrders(ctx, chain(), before.deadline + 1n);
    } else expect(await move(action)).toEqual(new Set(allowed ? [order.id] : []));
    const after = await orders.row(order.id);
    if (!allowed) expect(after).toEqual(before);
    else expect(after.status).toBe(to);
    expect(await orders.typesOf(order.id)).toEqual([...told, ...(allowed && event ? [event] : [])]);
  });
});

describe('while we send a payment of an order', () => {
  test.each(['queued', 'submitted'])('(%s) it is neither cancelled nor expired; afterwards it is', async (status) => {
    const { ctx } = world;
    const { order } = await orders.ask('alice', { expires_in: 60 });
    const { handleId: workspaceId, deadline } = await orders.row(order.id);
    const now = new Date(ctx.clock.now());
    const sent = {
      orderId: order.id,
      chain: 'base',
      payer: '0x',
      way: 'eip3009',
      toAddress: '0x',
      data: '0x',
      gas: 1n,
    };
    const submission = { ...sent, id: `sbm_${status}`, status, createdAt: now, expiresAt: now };
    await ctx.db.orderSubmission.create({ data: submission });
    await expect(cancelOrder(ctx, { workspaceId }, order.id)).rejects.toEqual(code('order_not_cancellable'));
    world.later(61_000);
    await expireOrders(ctx, chain(), deadline + 1n);
    expect((await orders.row(order.id)).status).toBe('awaiting_payment');
    await ctx.db.orderSubmission.update({ where: { id: submission.id }, data: { status: 'failed' } });
    expect(await expireOrders(ctx, chain(), deadline + 1n)).toBeGreaterThan(0);
    expect((await orders.row(order.id)).status).toBe('expired');
  });

  test('of many that are over, each expires once, page by page, with two at it', async () => {
    const { ctx } = world;
    const { order } = await orders.ask('alice', { expires_in: 60 });
    const row = await orders.row(order.id);
    const copies = Array.from({ length: 450 }, (_, n) => ({
      ...row,
      id: `${order.id.slice(0, -4)}${String(n).padStart(4, '0')}`,
      onChainId: `0x${n}`,
      metadata: {},
      lineItems: [],
      chat: undefined,
    }));
    await ctx.db.order.createMany({ data: copies });
    world.later(61_000);
    const both = await Promise.all([1, 2].map(() => expireOrders(ctx, chain(), row.deadline + 1n)));
    expect(both.reduce((sum, one) => sum + one, 0)).toBeGreaterThanOrEqual(451);
    const ids = copies.map(({ id }) => id);
    expect(await ctx.db.order.count({ where: { id: { in: ids }, status: 'expired' } })).toBe(450);
    expect(await ctx.db.event.count({ where: { resourceId: { in: ids }, type: 'order.expired' } })).toBe(450);
  });

  test('cancelling and paying at the same moment: one of them is first, and the order says which', async () => {
    const { ctx } = world;
    for (let round = 0; round < 5; round++) {
      const { order } = await orders.ask('alice');
      const { handleId: workspaceId } = await orders.row(order.id);
      const [cancelled, moved] = await Promise.allSettled([
        cancelOrder(ctx, { workspaceId }, order.id),
        ctx.db.$transaction((tx) => moveOrders(ctx, tx, [{ id: order.id, action: 'submit' }])),
      ]);
      const submitted = moved.status === 'fulfilled' && moved.value.has(order.id);
      expect(cancelled.status).toBe(submitted ? 'rejected' : 'fulfilled');
      expect((await orders.row(order.id)).status).toBe(submitted ? 'processing' : 'cancelled');
    }
  });
});

describe('a list of orders', () => {
  test('goes page by page, the newest first, whatever is made meanwhile', async () => {
    const workspaceId = await orders.idOf('carol');
    const made = [];
    for (let n = 0; n < 5; n++) {
      world.later(1);
      made.unshift((await orders.ask('carol', { description: `number ${n}` })).order.id);
    }
    const list = (more: object) => listOrders(world.ctx, workspaceId, { limit: 2, ...more });
    const ids = ({ data }: Awaited<ReturnType<typeof list>>) => data.map(({ id }) => id);
    const first = await list({});
    expect(ids(first)).toEqual(made.slice(0, 2));
    await orders.ask('carol', { description: 'newer' });
    const second = await list({ cursor: first.nextCursor });
    expect(ids(second)).toEqual(made.slice(2, 4));
    const third = await list({ cursor: second.nextCursor });
    expect([ids(third), third.nextCursor]).toEqual([made.slice(4), null]);
    expect(ids(await list({ q: 'NUMBER 3' }))).toEqual([made[1]]);
    expect(ids(await list({ q: made[4] }))).toEqual([made[4]]);
    expect(ids(await list({ status: 'completed' }))).toEqual([]);
    expect(ids(await list({ livemode: true }))).toEqual([]);
    for (const cursor of ['', 'x', `${first.nextCursor}A`, Buffer.from("ord_' or 1=1").toString('base64url')])
      await expect(list({ cursor })).rejects.toEqual(code('parameter_invalid', 'cursor'));
  });
});

describe('where USDC has eighteen decimals', () => {
  let bsc: World;
  beforeAll(async () => {
    bsc = await startWorld({ chains: ['bsc'] });
  });
  afterAll(() => bsc.stop());

  test('people still write six, and units and fee are those of the chain', async () => {
    const shop = shopOf(bsc);
    const { order } = await shop.ask('shop', { chain: 'bsc', amount: '0.010001' });
    expect(order).toMatchObject({ amount: '0.010001', amount_due: '0.010001', chain: 'bsc' });
    const row = await shop.row(order.id);
    expect(row.decimals).toBe(18);
    expect([row.units.toFixed(), row.feeUnits.toFixed()]).toEqual(['10001000000000000', '100010000000000']);
    await expect(shop.ask('shop', { chain: 'bsc', amount: '1.0000001' })).rejects.toEqual(
      code('parameter_invalid', 'amount'),
    );
    const { order: native } = await shop.ask('shop', { chain: 'bsc', currency: 'BNB', amount: '0.100000000000100001' });
    expect(native.amount).toBe('0.100000000000100001');
  });
});

test('the range of amounts is what is configured', async () => {
  Object.assign(world.ctx.env, { ORDER_LEAST_USD: 2_000_000n, ORDER_MOST_USD: 3_000_000n });
  for (const amount of ['2', '3']) await orders.ask('alice', { amount });
  for (const amount of ['1.999999', '3.000001'])
    await expect(orders.ask('alice', { amount })).rejects.toThrow('amount must be from 2.00 to 3.00 USDC.');
  Object.assign(world.ctx.env, { ORDER_LEAST_USD: 10_000n, ORDER_MOST_USD: 1_000_000_000_000n });
});

test('test and live never mix: a live chain takes live keys, and each sees its own orders', async () => {
  const { order: played } = await orders.ask('carol', { description: 'play' }, { livemode: false });
  Object.assign(chain(), { local: false });
  const { order } = await orders.ask('carol', { description: 'real' }, { livemode: true });
  await expect(orders.ask('carol', {}, { livemode: false })).rejects.toEqual(code('mode_mismatch'));
  Object.assign(chain(), { local: true });
  expect([order.livemode, played.livemode]).toEqual([true, false]);
  expect((await orders.events(order.id)).map(({ livemode }) => livemode)).toEqual([true]);
  const workspaceId = await orders.idOf('carol');
  const list = async (livemode: boolean) =>
    (await listOrders(world.ctx, workspaceId, { livemode, limit: 1 })).data.map(({ id }) => id);
  expect([await list(true), await list(false)]).toEqual([[order.id], [played.id]]);
  const reader = { workspaceId, livemode: false };
  await expect(getOrder(world.ctx, reader, order.id)).rejects.toEqual(code('resource_missing'));
  await expect(cancelOrder(world.ctx, reader, order.id)).rejects.toEqual(code('resource_missing'));
});

test('orders that are asked for together are read by one statement, each with its own answer; what is asked later joins no statement that has begun', async () => {
  const [tea, cake] = [(await orders.ask('alice')).order, (await orders.ask('alice', { amount: '3' })).order];
  const reader = { workspaceId: await orders.idOf('alice') };
  const asked = [tea, cake, tea, { id: newId(world.ctx, 'ord') }, cake];
  const lock = await lockTable(world.ctx.env.DATABASE_URL, 'payment_order');
  const answers = Promise.allSettled(asked.map(({ id }) => getOrder(world.ctx, reader, id)));
  const later = lock.reached().then(() => getOrder(world.ctx, reader, cake.id));
  const reading = () => world.ctx.db.$queryRaw<unknown[]>`
    select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like 'select o.* from jsonb_array_elements_text%'`;
  try {
    await until(async () => (await reading()).length > 1, 'the later one waits as well');
    expect(await reading()).toHaveLength(2);
  } finally {
    await lock.release();
  }
  const none = { status: 'rejected', reason: code('resource_missing') };
  const found = (value: OrderView) => ({ status: 'fulfilled', value });
  expect(await answers).toEqual([found(tea), found(cake), found(tea), none, found(cake)]);
  expect(await later).toEqual(cake);
});
