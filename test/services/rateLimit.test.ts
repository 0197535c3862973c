import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectDb, type Db } from '../../src/db.ts';
import { hit, remaining } from '../../src/services/rateLimit.ts';
import { freshDatabase } from '../setup/database.ts';

const HOUR = 3_600_000;
const WINDOW = { points: 5, windowMs: HOUR };

let db: Db;
let drop: () => Promise<void>;
beforeAll(async () => {
  const fresh = await freshDatabase();
  drop = fresh.drop;
  db = connectDb(fresh.url);
});
afterAll(async () => {
  await db.$disconnect();
  await drop();
});

const attempt = (key: string, at: number) => db.$transaction((tx) => hit(tx, key, WINDOW, at));

describe('a sliding window of five an hour', () => {
  test('lets exactly five of twenty concurrent attempts through', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => attempt('burst', 1_000_000)));
    expect(answers.filter((answer) => answer.allowed)).toHaveLength(5);
    expect(await remaining(db, 'burst', WINDOW, 1_000_000)).toBe(0);
  });

  test('says when the next one is allowed, to the millisecond', async () => {
    const start = 5_000_000;
    for (let i = 0; i < 5; i++) await attempt('edge', start + i);
    expect(await attempt('edge', start + 10)).toEqual({ allowed: false, retryAt: start + HOUR });
    expect((await attempt('edge', start + HOUR - 1)).allowed).toBe(false);
    expect((await attempt('edge', start + HOUR)).allowed).toBe(true);
    expect((await attempt('edge', start + HOUR)).allowed).toBe(false);
  });

  test('no hour, wherever it starts, holds more than five', { timeout: 120_000 }, async () => {
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
