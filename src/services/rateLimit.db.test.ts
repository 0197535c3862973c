import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase } from '../../test/setup/database.ts';
import { backendEnv } from '../../test/setup/redis.ts';
import { connectDb, type Db, identifyDb } from '../db.ts';
import { createLog } from '../log.ts';
import { openRedis, type RedisSpace } from '../redis.ts';
import { forget, hit, hitMany, remaining } from './rateLimit.ts';

const HOUR = 3_600_000;
const WINDOW = { points: 5, windowMs: HOUR };

let db: Db;
let redis: RedisSpace | null = null;
let drop: () => Promise<void>;
beforeAll(async () => {
  const fresh = await freshDatabase();
  drop = fresh.drop;
  db = connectDb(fresh.url);
  const { REDIS_URL } = backendEnv();
  if (REDIS_URL) redis = await openRedis(REDIS_URL, await identifyDb(fresh.url), createLog('test', 'silent'));
});
afterAll(async () => {
  await redis?.close();
  await db.$disconnect();
  await drop();
});

let ids = 0;
const action = (key: string, id = `action ${ids++}`) => ({ id, limits: [{ key, window: WINDOW }] });
const attempt = (key: string, at: number, id?: string) =>
  db.$transaction((tx) => hit({ redis }, tx, action(key, id), at));
const left = (key: string, at: number) => remaining({ redis }, db, { key, window: WINDOW }, at);

describe('a sliding window of five an hour', () => {
  test('lets exactly five of twenty concurrent attempts through', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => attempt('burst', 1_000_000)));
    expect(answers.filter((answer) => answer.allowed)).toHaveLength(5);
    expect(await left('burst', 1_000_000)).toBe(0);
  });

  test('says when the next one is allowed, to the millisecond', async () => {
    const start = 5_000_000;
    for (let i = 0; i < 5; i++) await attempt('edge', start + i);
    expect(await attempt('edge', start + 10)).toEqual({ allowed: false, retryAt: start + HOUR });
    expect((await attempt('edge', start + HOUR - 1)).allowed).toBe(false);
    expect((await attempt('edge', start + HOUR)).allowed).toBe(true);
    expect((await attempt('edge', start + HOUR)).allowed).toBe(false);
  });

  test('no hour, wherever it starts, holds more than five', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: HOUR / 2 }), { minLength: 6, maxLength: 25 }),
        async (gaps) => {
          const key = `property ${run++}`;
          const passed: number[] = [];
          let now = 10_000_000;
          for (const gap of gaps) {
            now += gap;
            if ((await attempt(key, now)).allowed) passed.push(now);
          }
          for (const [index, at] of passed.entries()) {
            const sixth = passed[index + 5];
            if (sixth !== undefined) expect(sixth - at).toBeGreaterThanOrEqual(HOUR);
          }
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe('an action', () => {
  test('tried again counts once, even when its window is full', async () => {
    const at = 1_000_000;
    for (let i = 0; i < 10; i++) expect(await attempt('again', at + i, 'same')).toEqual({ allowed: true });
    expect(await left('again', at)).toBe(4);
    for (let i = 0; i < 4; i++) await attempt('again', at);
    expect((await attempt('again', at)).allowed).toBe(false);
    expect(await attempt('again', at, 'same')).toEqual({ allowed: true });
    expect(await left('again', at)).toBe(0);
  });

  test('with several limits counts under all of them or under none', async () => {
    const at = 1_000_000;
    const both = (id: string) => ({ id, limits: [...action('all', id).limits, ...action('some', id).limits] });
    for (let i = 0; i < 3; i++) await attempt('some', at + i);
    const answers = await db.$transaction((tx) => hitMany({ redis }, tx, ['a', 'b', 'c'].map(both), at + 10));
    expect(answers).toEqual([{ allowed: true }, { allowed: true }, { allowed: false, retryAt: at + HOUR }]);
    expect(await left('all', at + 10)).toBe(3);
    expect(await left('some', at + 10)).toBe(0);
  });
});

describe('what turns out not to count', () => {
  test('is forgotten under the names that are given, and makes room there', async () => {
    const at = 1_000_000;
    const keys = ['forgotten', 'kept'];
    const counted = ['a', 'b', 'c', 'd', 'e'];
    for (const key of keys) for (const id of counted) await attempt(key, at, id);
    await db.$transaction((tx) => forget({ redis }, tx, ['forgotten'], ['b', 'd', 'never counted']));
    expect(await Promise.all(keys.map((key) => left(key, at)))).toEqual([2, 0]);
    expect((await attempt('forgotten', at, 'f')).allowed).toBe(true);
    await db.$transaction((tx) => forget({ redis }, tx, ['kept'], []));
    await db.$transaction((tx) => forget({ redis }, tx, [], counted));
    expect(await left('kept', at)).toBe(0);
  });

  test('can be left out of what remains, once it is in the window', async () => {
    const start = 1_000_000;
    for (const [index, id] of ['a', 'b', 'c'].entries()) await attempt('without', start + index, id);
    const without = (ids: string[], now: number) =>
      remaining({ redis }, db, { key: 'without', window: WINDOW }, now, ids);
    expect(await without(['a', 'c', 'never counted'], start + 10)).toBe(4);
    // The first is too old to count, so leaving it out changes nothing.
    expect(await without([], start + HOUR)).toBe(3);
    expect(await without(['a'], start + HOUR)).toBe(3);
    expect(await without(['a', 'b'], start + HOUR)).toBe(4);
  });

  test('is what a transaction undoes in rows; Redis keeps it, and the same action again counts once', async () => {
    const at = 1_000_000;
    const undone = db.$transaction(async (tx) => {
      await hit({ redis }, tx, action('undone', 'same'), at);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await left('undone', at)).toBe(redis ? 4 : 5);
    expect(await attempt('undone', at, 'same')).toEqual({ allowed: true });
    expect(await left('undone', at)).toBe(4);
  });
});

describe('many actions in one call', () => {
  test('are answered in order, as if they came one by one', async () => {
    const at = 1_000_000;
    const actions = Array.from({ length: 40 }, (_, i) => action(`batch ${i % 4}`));
    const answers = await db.$transaction((tx) => hitMany({ redis }, tx, actions, at));
    expect(answers.map((answer) => answer.allowed)).toEqual(actions.map((_, i) => i < 20));
    expect(await db.$transaction((tx) => hitMany({ redis }, tx, [], at))).toEqual([]);
  });

  test('that have no limit are allowed, whatever stands beside them', async () => {
    const at = 1_000_000;
    for (let i = 0; i < 5; i++) await attempt('beside', at);
    const free = { id: 'free', limits: [] };
    const answers = await db.$transaction((tx) => hitMany({ redis }, tx, [free, action('beside'), free], at));
    expect(answers).toEqual([{ allowed: true }, { allowed: false, retryAt: at + HOUR }, { allowed: true }]);
    expect(await db.$transaction((tx) => hitMany({ redis }, tx, [free], at))).toEqual([{ allowed: true }]);
  });

  test('let exactly five of a key through when eight calls with the same keys run at once', async () => {
    const keys = ['x', 'y', 'z'];
    const calls = Array.from({ length: 8 }, (_, call) =>
      db.$transaction((tx) =>
        hitMany(
          { redis },
          tx,
          (call % 2 ? keys : keys.toReversed()).flatMap((key) => [action(key), action(key)]),
          5_000,
        ),
      ),
    );
    const passed = (await Promise.all(calls)).flat().filter((answer) => answer.allowed);
    expect(passed).toHaveLength(15);
    for (const key of keys) expect(await left(key, 5_000)).toBe(0);
  });
});
