// One effect for each Idempotency-Key, and one answer, byte for byte.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type ApiDocument,
  documentChecker,
  expectError,
  keyOf,
  type Program,
  program,
} from '../../../test/setup/api.ts';
import { until } from '../../../test/setup/processes.ts';
import { serveWorld } from '../../../test/setup/visitor.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';
import { openClient } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { keepAnswer, runIdempotent } from '../../services/idempotency.ts';
import { dropOldRows } from '../../services/operations/housekeeping.ts';

const DAY_MS = 24 * 3_600_000;
let world: World;
let base: string;
let shop: Program;
let checker: ReturnType<typeof documentChecker>;
beforeAll(async () => {
  world = await startWorld();
  Object.assign(world.ctx.env, { API_RATE_PER_SECOND: 1_000, API_RATE_BURST: 1_000 });
  base = await serveWorld(world);
  checker = documentChecker((await (await fetch(`${base}/v1/openapi.json`)).json()) as ApiDocument);
  shop = program(base, await keyOf(world, 'alice'), checker.check);
});
afterAll(() => world.stop());

const coffee = { amount: '12.5', chain: 'base' };
let drawn = 0;
const newKey = () => ({ 'idempotency-key': `test-${++drawn}` });
const orders = () => world.ctx.db.order.count();

test('50 calls at once with one key: one order, 49 identical replays', async () => {
  const [key, before] = [newKey(), await orders()];
  const answers = await Promise.all(Array.from({ length: 50 }, () => shop.post('/v1/orders', coffee, key)));
  expect((await orders()) - before).toBe(1);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(49);
  expect(await world.ctx.db.event.count({ where: { resourceId: answers[0]?.body.id } })).toBe(1);
});

test('50 cancels at once with one key: one cancellation, 49 identical replays', async () => {
  const { id } = (await shop.post('/v1/orders', coffee)).body;
  const key = newKey();
  const answers = await Promise.all(Array.from({ length: 50 }, () => shop.post(`/v1/orders/${id}/cancel`, {}, key)));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers[0]?.body.status).toBe('cancelled');
  expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(49);
  expect(await world.ctx.db.event.count({ where: { resourceId: id, type: 'order.cancelled' } })).toBe(1);
});

test('400 for the same key with another body, even another spelling of the same', async () => {
  const key = newKey();
  await shop.post('/v1/orders', coffee, key);
  expectError(await shop.post('/v1/orders', { ...coffee, amount: '13' }, key), 'idempotency_key_reused');
  expectError(await shop.post('/v1/orders', `${JSON.stringify(coffee)} `, key), 'idempotency_key_reused');
});

test('409 to be repeated when the first of two twins is held up for longer than a statement may take', async () => {
  const key = newKey();
  const holder = await openClient(world.ctx.env.DATABASE_URL);
  try {
    const { id: handleId } = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'alice' } });
    const { id } = await world.ctx.db.apiKey.findFirstOrThrow({ where: { handleId, label: 'a test' } });
    await holder.query('begin');
    await holder.query(
      `insert into idempotency_key (key_id, path, key, body_hash, status, body, created_at) values ($1, '/v1/orders', $2, '', 201, '', now())`,
      [id, key['idempotency-key']],
    );
    const twin = shop.post('/v1/orders', coffee, key);
    const waits = () => world.ctx.db.$queryRaw<{ pid: number }[]>`
      select pid from pg_stat_activity
      where wait_event_type = 'Lock' and query like '%insert into idempotency_key%' and datname = current_database()`;
    await until(async () => (await waits()).length === 1, 'the twin waits');
    // What PostgreSQL does by itself when a statement’s time is over.
    for (const { pid } of await waits()) await world.ctx.db.$executeRaw`select pg_cancel_backend(${pid}::int)`;
    const answer = await twin;
    expectError(answer, 'idempotency_in_progress');
    expect(answer.headers.get('stripe-should-retry')).toBe('true');
    await holder.query('rollback');
    expect((await shop.post('/v1/orders', coffee, key)).status).toBe(201);
  } finally {
    await holder.end();
  }
});

test('a key is one caller’s and one path’s own', async () => {
  const key = newKey();
  const first = await shop.post('/v1/orders', coffee, key);
  const other = program(base, await keyOf(world, 'bob'), checker.check);
  const theirs = await other.post('/v1/orders', coffee, key);
  expect([theirs.status, theirs.headers.get('idempotent-replayed')]).toEqual([201, null]);
  expect(theirs.body.id).not.toBe(first.body.id);
  const cancelled = await shop.post(`/v1/orders/${first.body.id}/cancel`, {}, key);
  expect(cancelled.body.status).toBe('cancelled');
  // The first answer, though the order is another one meanwhile.
  const again = await shop.post('/v1/orders', coffee, key);
  expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
});

test('business errors are kept; validation, authentication and limits are not', async () => {
  const key = newKey();
  const refused = await shop.post('/v1/orders', { ...coffee, recipient: '@nobody_there' }, key);
  expectError(refused, 'handle_not_found');
  const again = await shop.post('/v1/orders', { ...coffee, recipient: '@nobody_there' }, key);
  expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([refused.text, 'true']);
  expectError(await shop.post('/v1/orders', coffee, key), 'idempotency_key_reused');

  const { id } = (await shop.post('/v1/orders', coffee)).body;
  await shop.post(`/v1/orders/${id}/cancel`);
  const conflict = newKey();
  const first = await shop.post(`/v1/orders/${id}/cancel`, {}, conflict);
  const second = await shop.post(`/v1/orders/${id}/cancel`, {}, conflict);
  expectError(first, 'order_not_cancellable');
  expect([second.text, second.status, second.headers.get('stripe-should-retry')]).toEqual([first.text, 409, 'false']);
  expect(second.headers.get('idempotent-replayed')).toBe('true');

  const fresh = newKey();
  expectError(await shop.post('/v1/orders', { ...coffee, amount: 'much' }, fresh), 'parameter_invalid');
  expectError(await shop.post('/v1/orders', { ...coffee, chain: 'solana' }, fresh), 'unsupported_chain');
  expectError(await shop.post('/v1/orders', { ...coffee, amount: '0.001' }, fresh), 'amount_out_of_range');
  expectError(await program(base, 'sk_test_x').post('/v1/orders', coffee, fresh), 'api_key_invalid');
  const reader = program(base, await keyOf(world, 'alice', { scopes: ['read'] }));
  expectError(await reader.post('/v1/orders', coffee, fresh), 'scope_missing');
  expect((await shop.post('/v1/orders', coffee, fresh)).status).toBe(201);
  const kept = await world.ctx.db.idempotencyKey.findMany();
  expect(kept.filter(({ status }) => [400, 401, 403, 429].includes(status) || status >= 500)).toEqual([]);
  expect(JSON.stringify(kept)).not.toContain('sk_test_');
});

test('400 for a key that is empty or too long, and one of 255 characters is fine', async () => {
  for (const key of ['', 'x'.repeat(256), 'é'])
    expectError(await shop.post('/v1/orders', coffee, { 'idempotency-key': key }), 'parameter_invalid');
  expect((await shop.post('/v1/orders', coffee, { 'idempotency-key': 'x'.repeat(255) })).status).toBe(201);
});

test('after 24 hours the key is a new one, and the rows of old ones go', async () => {
  const key = newKey();
  const first = await shop.post('/v1/orders', coffee, key);
  const cancel = newKey();
  await shop.post(`/v1/orders/${first.body.id}/cancel`, {}, cancel);
  world.later(DAY_MS + 1);
  const later = await shop.post('/v1/orders', coffee, key);
  expect(later.body.id).not.toBe(first.body.id);
  expectError(await shop.post(`/v1/orders/${first.body.id}/cancel`, {}, cancel), 'order_not_cancellable');
  world.later(DAY_MS + 1);
  await dropOldRows(world.ctx);
  expect(await world.ctx.db.idempotencyKey.count()).toBe(0);
});

test('409 that may be tried again while the first still runs, and its answer afterwards', async () => {
  const { id: keyId } = await world.ctx.db.apiKey.findFirstOrThrow();
  const slot = { keyId, path: '/v1/test', key: 'slow', bodyHash: 'a' };
  let finish: (value: { status: number; body: object }) => void = () => {};
  let begun: () => void = () => {};
  const started = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const first = runIdempotent(world.ctx, slot, () => {
    begun();
    return new Promise((resolve) => {
      finish = resolve;
    });
  });
  await started;
  await expect(runIdempotent(world.ctx, slot, async () => ({ status: 200, body: {} }))).rejects.toMatchObject({
    code: 'idempotency_in_progress',
    retryAfterMs: 1_000,
  });
  finish({ status: 200, body: { done: 1 } });
  expect(await first).toMatchObject({ replayed: false });
  const after = await runIdempotent(world.ctx, slot, () => Promise.reject(new Error('it is not run again')));
  expect(after).toEqual({ status: 200, body: '{"done":1}', replayed: true });
});

test('a fault undoes the effect and releases the key; a business error undoes the effect and is kept', async () => {
  const { id: keyId } = await world.ctx.db.apiKey.findFirstOrThrow();
  const slot = { keyId, path: '/v1/test', key: 'fault', bodyHash: 'a' };
  const mark = (name: string) => ({ key: name, at: new Date(), action: null });
  await expect(
    runIdempotent(world.ctx, slot, async (tx) => {
      await tx.rateEvent.create({ data: mark('effect') });
      throw new Error('a fault');
    }),
  ).rejects.toThrow('a fault');
  expect(await world.ctx.db.rateEvent.count({ where: { key: 'effect' } })).toBe(0);
  const explain = (error: unknown) => (error instanceof AppError ? { status: 409, body: '{"error":1}' } : null);
  const refused = await runIdempotent(
    world.ctx,
    slot,
    async (tx) => {
      await tx.rateEvent.create({ data: mark('effect') });
      throw new AppError('state_conflict');
    },
    explain,
  );
  expect(refused).toEqual({ status: 409, body: '{"error":1}', replayed: false });
  expect(await world.ctx.db.rateEvent.count({ where: { key: 'effect' } })).toBe(0);
  expect(await keepAnswer(world.ctx, slot, { status: 404, body: '{}' })).toEqual({ ...refused, replayed: true });
});
