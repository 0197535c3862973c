// Payment links of the public API, over HTTP: every answer is held against the OpenAPI document.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  type ApiDocument,
  documentChecker,
  expectError,
  keyOf,
  type Program,
  program,
} from '../../../test/setup/api.ts';
import { serveWorld } from '../../../test/setup/visitor.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';
import { startOrder } from '../../services/orders/links/links.ts';

let world: World;
let base: string;
let shop: Program;
let other: Program;
let checker: ReturnType<typeof documentChecker>;
beforeAll(async () => {
  world = await startWorld();
  base = await serveWorld(world);
  checker = documentChecker((await (await fetch(`${base}/v1/openapi.json`)).json()) as ApiDocument);
  shop = program(base, await keyOf(world, 'alice'), checker.check);
  other = program(base, await keyOf(world, 'bob'), checker.check);
});
afterAll(() => world.stop());

const coffee = { label: 'Coffee', amount: '3', chain: 'base' };
const open = { label: 'Tip jar', open_amount: true, min_amount: '1', max_amount: '50.5', chain: 'base' };

test('201 with a fixed amount, and with an open one within caps', async () => {
  const fixed = await shop.post('/v1/payment_links', { ...coffee, metadata: { shelf: '4' } });
  expect(fixed.status).toBe(201);
  expect(fixed.body).toMatchObject({
    object: 'payment_link',
    active: true,
    label: 'Coffee',
    amount: '3.00',
    open_amount: false,
    min_amount: null,
    recipient: '@alice',
    metadata: { shelf: '4' },
    url: `${base}/l/${fixed.body.id}`,
  });
  expect((await shop.get(`/v1/payment_links/${fixed.body.id}`)).body).toEqual(fixed.body);
  const typed = await shop.post('/v1/payment_links', open);
  expect(typed.body).toMatchObject({ amount: null, open_amount: true, min_amount: '1.00', max_amount: '50.50' });
});

test('400 for amounts that contradict each other, 201 once for one Idempotency-Key', async () => {
  const refused: [object, 'parameter_invalid' | 'parameter_missing'][] = [
    [{ label: 'x', chain: 'base' }, 'parameter_missing'],
    [{ ...open, amount: '3' }, 'parameter_invalid'],
    [{ ...coffee, min_amount: '1' }, 'parameter_invalid'],
    [{ ...open, min_amount: '60' }, 'parameter_invalid'],
    [{ ...coffee, open_amount: 'true' }, 'parameter_invalid'],
    [{ amount: '3', chain: 'base' }, 'parameter_missing'],
  ];
  for (const [wish, code] of refused) expectError(await shop.post('/v1/payment_links', wish), code);
  const key = { 'idempotency-key': 'one link' };
  const answers = await Promise.all(Array.from({ length: 10 }, () => shop.post('/v1/payment_links', coffee, key)));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(9);
});

test('the chain is asked while no transaction of the database waits', async () => {
  await world.freshPrices();
  const { db } = world.ctx;
  const { client } = world.evmChain();
  const { getBlock } = client;
  const open: number[] = [];
  const asked = vi.spyOn(client, 'getBlock').mockImplementation((async (...given: Parameters<typeof getBlock>) => {
    const [row] = await db.$queryRaw<{ count: number }[]>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and state like 'idle in transaction%'`;
    open.push(row?.count ?? -1);
    return getBlock(...given);
  }) as typeof getBlock);
  const wish = { ...coffee, currency: 'ETH', amount: '0.01' };
  const once = () => shop.post('/v1/payment_links', wish, { 'idempotency-key': 'of a price' });
  const first = await once();
  expect([first.status, open]).toEqual([201, [0]]);
  expect((await once()).text).toBe(first.text);
  asked.mockRestore();
});

test('a deactivated link says so, twice too; its orders are listed with it', async () => {
  const { id } = (await shop.post('/v1/payment_links', open)).body;
  const started = await startOrder(world.ctx, id, { amount: '7' });
  const ended = await shop.post(`/v1/payment_links/${id}/deactivate`);
  expect([ended.status, ended.body.active]).toEqual([200, false]);
  expect((await shop.post(`/v1/payment_links/${id}/deactivate`)).body).toEqual(ended.body);
  await expect(startOrder(world.ctx, id, { amount: '7' })).rejects.toMatchObject({ code: 'link_inactive' });
  const { body } = await shop.get(`/v1/payment_links/${id}/orders?status=awaiting_payment`);
  expect(body.data).toMatchObject([
    { id: started.order.id, payment_link: id, amount: '7.00', status: 'awaiting_payment' },
  ]);
  const ids = (list: { data: { id: string }[] }) => list.data.map((one) => one.id);
  expect(ids((await shop.get('/v1/payment_links?active=false')).body)).toContain(id);
  expect(ids((await shop.get('/v1/payment_links?active=true')).body)).not.toContain(id);
});

test('lists come in pages; cursors of orders are none of links', async () => {
  const first = (await shop.get('/v1/payment_links?limit=1')).body;
  expect(first).toMatchObject({ object: 'list', has_more: true });
  const second = (await shop.get(`/v1/payment_links?limit=1&cursor=${first.next_cursor}`)).body;
  expect(second.data[0].id < first.data[0].id).toBe(true);
  expectError(await shop.get(`/v1/orders?cursor=${first.next_cursor}`), 'parameter_invalid');
  expectError(await shop.get('/v1/payment_links?active=yes'), 'parameter_invalid');
});

test('404 for a link of another workspace, and for one of the other mode', async () => {
  const { id } = (await shop.post('/v1/payment_links', coffee)).body;
  const live = program(base, await keyOf(world, 'alice', { mode: 'live' }), checker.check);
  for (const caller of [other, live]) {
    expectError(await caller.get(`/v1/payment_links/${id}`), 'resource_missing');
    expectError(await caller.get(`/v1/payment_links/${id}/orders`), 'resource_missing');
    expectError(await caller.post(`/v1/payment_links/${id}/deactivate`), 'resource_missing');
    expect((await caller.get('/v1/payment_links')).body.data).toEqual([]);
  }
  expectError(await live.post('/v1/payment_links', coffee), 'mode_mismatch');
  expect((await shop.get(`/v1/payment_links/${id}`)).body.active).toBe(true);
});
