// The local clock: chains and rows move with it, what becomes due on the way is done in its order, it is kept, and it never goes back.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { afterFailure } from '../../src/domain/subscription.ts';
import { DAY_S, type Subscriptions, subscriptionsOf } from '../../test/setup/subscriptions.ts';
import { startWorld, type World } from '../../test/setup/world.ts';
import { type Ledger, openBlockOf } from '../solana/ledger.ts';
import { createLedger } from '../solana/slots.ts';
import { type LocalClock, openClock } from './clock.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let world: World;
let subs: Subscriptions;
let folder: string;
beforeAll(async () => {
  world = await startWorld();
  subs = subscriptionsOf(world);
});
afterAll(() => world.stop());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ampersat-clock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = () => join(folder, 'clock.json');
const chainTime = async () => Number((await world.reader().getBlock()).timestamp) * 1_000;

async function bound(onMoved: (offsetMs: number) => void = () => {}): Promise<LocalClock> {
  const clock = openClock(file());
  await clock.bind({ chains: world.embedded, databaseUrl: world.databaseUrl, onMoved });
  return clock;
}

test('moves chains, and what lived through no day: sessions end as much later', async () => {
  const session = () => world.ctx.db.session.findFirstOrThrow({ where: { revokedAt: null }, orderBy: { id: 'asc' } });
  const before = await session();
  const moved: number[] = [];
  const clock = await bound((offsetMs) => moved.push(offsetMs));
  expect([clock.offsetMs(), await clock.advance(3 * DAY_MS)]).toEqual([0, 3 * DAY_MS]);
  expect(moved).toEqual([3 * DAY_MS]);
  expect(Math.abs((await chainTime()) - clock.now())).toBeLessThan(60_000);
  expect((await session()).expiresAt.getTime() - before.expiresAt.getTime()).toBe(3 * DAY_MS);
});

test('is kept: the next start goes on with it, and brings chains to it', async () => {
  const first = await bound();
  await first.advance(5 * DAY_MS);
  const second = await bound();
  expect(second.offsetMs()).toBe(5 * DAY_MS);
  await second.advance(DAY_MS);
  expect(openClock(file()).offsetMs()).toBe(6 * DAY_MS);
  writeFileSync(file(), 'not JSON');
  expect(openClock(file()).offsetMs()).toBe(0);
});

test('moves the Solana chain as well, and brings one to it that was started without its time', async () => {
  const ledger = createLedger({ slotMs: 0 });
  const clock = openClock(file());
  const stack = { chains: world.embedded, databaseUrl: world.databaseUrl, onMoved: () => {} };
  await clock.bind({ ...stack, solana: ledger });
  await clock.advance(3 * DAY_MS);
  const behind = (one: Ledger) => Math.abs(openBlockOf(one).timeMs - clock.now());
  expect(behind(ledger)).toBeLessThan(60_000);
  expect(Number(ledger.svm.getClock().unixTimestamp)).toBe(Math.floor(openBlockOf(ledger).timeMs / 1_000));
  const late = createLedger({ slotMs: 0 });
  await openClock(file()).bind({ ...stack, solana: late });
  expect(behind(late)).toBeLessThan(60_000);
});

test.each([
  [0, 'only moves forward'],
  [-DAY_MS, 'only moves forward'],
  [1.5, 'only moves forward'],
  [Number.NaN, 'only moves forward'],
  [6 * 366 * DAY_MS, 'at most five years'],
])('never by %d ms', async (ms, words) => {
  const clock = await bound();
  await expect(clock.advance(ms)).rejects.toThrow(words);
  expect(clock.offsetMs()).toBe(0);
});

test('two calls at once are one after the other', async () => {
  const clock = await bound();
  expect(await Promise.all([clock.advance(DAY_MS), clock.advance(HOUR_MS)])).toEqual([DAY_MS, DAY_MS + HOUR_MS]);
});

test('before the stack has started it does not move', async () => {
  await expect(openClock(file()).advance(DAY_MS)).rejects.toThrow('not started');
});

test('stops at each charge on the way, in order, until it is made', async () => {
  await subs.approve('alice', 1_000_000_000n);
  await subs.approve('bob', 1_000_000_000n);
  const [weekly, monthly] = [await subs.create('shop', { period: 7 * DAY_S }), await subs.create('shop')];
  await subs.subscribe('alice', weekly);
  await subs.subscribe('bob', monthly);
  await subs.settle();
  const start = Date.now();
  await world.ctx.db.subscription.updateMany({
    where: { planKey: weekly.key },
    data: { nextChargeAt: new Date(start + 7 * DAY_MS) },
  });
  await world.ctx.db.subscription.updateMany({
    where: { planKey: monthly.key },
    data: { nextChargeAt: new Date(start + 10 * DAY_MS) },
  });
  const made: { plan: string; at: number }[] = [];
  // The workers' part: what is due is charged, and is due again a period later.
  const charge = async (now: number) => {
    for (const plan of [weekly, monthly]) {
      const [row] = await subs.rows(plan === weekly ? 'alice' : 'bob', plan);
      if (!row || row.nextChargeAt.getTime() > now) continue;
      // At the router, too: its chain would refuse a charge that is early.
      expect(await chainTime()).toBeGreaterThanOrEqual(row.nextChargeAt.getTime());
      made.push({ plan: plan === weekly ? 'weekly' : 'monthly', at: Math.round((now - start) / DAY_MS) });
      const nextChargeAt = new Date(row.nextChargeAt.getTime() + plan.period * 1_000);
      await world.ctx.db.subscription.update({ where: { id: row.id }, data: { nextChargeAt } });
    }
  };
  const failed: unknown[] = [];
  const clock = await bound((offsetMs) => void charge(Date.now() + offsetMs).catch((error) => failed.push(error)));
  await clock.advance(22 * DAY_MS);
  expect(failed).toEqual([]);
  expect(made).toEqual([
    { plan: 'weekly', at: 7 },
    { plan: 'monthly', at: 10 },
    { plan: 'weekly', at: 14 },
    { plan: 'weekly', at: 21 },
  ]);
  expect(clock.offsetMs()).toBe(22 * DAY_MS);
});

test('stops at each try of a charge that fails, so that every notice comes', async () => {
  await subs.approve('alice', 1_000_000_000n);
  const plan = await subs.create('shop');
  await subs.subscribe('alice', plan);
  await subs.settle();
  const [row] = await subs.rows('alice', plan);
  const start = Date.now();
  const { id } = row ?? { id: '' };
  await world.ctx.db.subscription.update({
    where: { id },
    data: {
      nextChargeAt: new Date(start),
      failure: 'insufficient_balance',
      failingSince: new Date(start),
      failureNotices: 1,
    },
  });
  const tries: [day: number, notice: string | null][] = [];
  // The workers' part, which takes its time: what is due fails again.
  const fail = async (now: number) => {
    await world.ctx.db.$queryRaw`select pg_sleep(0.3)::text`;
    const before = await world.ctx.db.subscription.findUniqueOrThrow({ where: { id } });
    if (before.status !== 'active' || (before.nextTryAt && before.nextTryAt.getTime() > now)) return;
    const { notice, notices, nextTryAt, halt } = afterFailure(before, 'insufficient_balance', plan.period, now);
    tries.push([Math.round((now - start) / DAY_MS), notice]);
    const data = halt ? { status: 'halted' } : { nextTryAt, failureNotices: notices };
    await world.ctx.db.subscription.update({ where: { id }, data });
  };
  const failed: unknown[] = [];
  const clock = await bound((offsetMs) => void fail(Date.now() + offsetMs).catch((error) => failed.push(error)));
  await clock.advance(9 * DAY_MS);
  expect(failed).toEqual([]);
  expect(tries).toEqual([
    [1, null],
    [2, null],
    [3, 'third_day'],
    [4, null],
    [5, null],
    [6, 'last'],
    [7, null],
  ]);
});
