// Token buckets: a steady rate with room for bursts, the same in memory and in Redis, and never without bounds.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase } from '../../test/setup/database.ts';
import { hasRedis, redisForTest } from '../../test/setup/redis.ts';
import { connectDb, type Db, identifyDb } from '../db.ts';
import { createLog } from '../log.ts';
import { openRedis } from '../redis.ts';
import { createTokenBuckets } from './tokenBuckets.ts';

const BUCKET = { perSecond: 10, burst: 20 };
let db: Db;
let url: string;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ url, drop } = await freshDatabase());
  db = connectDb(url);
});
afterAll(async () => {
  await db.$disconnect();
  await drop();
});

function clockAt(start = 1_000_000) {
  let now = start;
  return { now: () => now, later: (ms: number) => (now += ms) };
}

async function inRedis() {
  const server = await redisForTest();
  return { server, redis: await openRedis(server.url, await identifyDb(url), createLog('test', 'silent')) };
}

describe.each(hasRedis ? ['memory', 'redis'] : ['memory'])('in %s', (where) => {
  test('the burst passes at once, then the rate; a clock that goes back gives nothing', async () => {
    const clock = clockAt();
    const opened = where === 'redis' ? await inRedis() : null;
    const buckets = createTokenBuckets({ redis: opened?.redis ?? null, clock });
    const many = (count: number) => Promise.all(Array.from({ length: count }, () => buckets.take('one', BUCKET)));
    const first = await many(50);
    expect(first.filter(({ allowed }) => allowed)).toHaveLength(20);
    expect(first[0]).toEqual({ allowed: true, left: 19, fullInMs: 100, retryAfterMs: 0 });
    expect(first.at(-1)).toEqual({ allowed: false, left: 0, fullInMs: 2_000, retryAfterMs: 100 });
    clock.later(-5_000);
    expect((await buckets.take('one', BUCKET)).allowed).toBe(false);
    clock.later(5_000 + 500);
    expect((await many(20)).filter(({ allowed }) => allowed).length).toBe(5);
    expect((await buckets.take('two', BUCKET)).left).toBe(19);
    clock.later(3_600_000);
    expect((await many(50)).filter(({ allowed }) => allowed)).toHaveLength(20);
    await opened?.redis.close();
  });
});

test.runIf(hasRedis)('processes share a bucket through Redis; one that cannot reach it counts for itself', async () => {
  const clock = clockAt();
  const { server, redis } = await inRedis();
  const [one, two] = [createTokenBuckets({ redis, clock }), createTokenBuckets({ redis, clock })];
  for (let i = 0; i < 10; i++) await one.take('shared', BUCKET);
  for (let i = 0; i < 10; i++) await two.take('shared', BUCKET);
  expect([(await one.take('shared', BUCKET)).allowed, (await two.take('shared', BUCKET)).allowed]).toEqual([
    false,
    false,
  ]);
  await server.stop();
  const alone = [];
  for (let i = 0; i < 30; i++) alone.push(await one.take('shared', BUCKET));
  expect(alone.filter(({ allowed }) => allowed)).toHaveLength(20);
  await redis.close();
});

test('memory is bounded: what is full is forgotten first, then what was used least lately', async () => {
  const clock = clockAt();
  const buckets = createTokenBuckets({ redis: null, clock }, 100);
  for (let i = 0; i < 99; i++) await buckets.take(`old ${i}`, BUCKET);
  clock.later(10_000);
  for (let i = 0; i < 20; i++) await buckets.take('busy', BUCKET);
  for (let i = 0; i < 50; i++) await buckets.take(`new ${i}`, BUCKET);
  expect((await buckets.take('busy', BUCKET)).allowed).toBe(false);
  for (let i = 0; i < 1_000; i++) await buckets.take(`flood ${i}`, BUCKET);
  // Whoever floods with names gets a fresh bucket for each: there is one for each key that is right, so nobody can.
  expect((await buckets.take('flood 999', BUCKET)).left).toBe(18);
});
