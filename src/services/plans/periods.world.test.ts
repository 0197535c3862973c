// Two years of a monthly subscription while the service is away for hours, days or a month and a half at random: after each return the row, the chain
// and a model agree, no period was charged twice, and none that was missed is charged later.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSolanaSubscriptions } from '../../../test/setup/solanaSubscriptions.ts';
import { DAY_S, MONTH_S, subscriptionsOf } from '../../../test/setup/subscriptions.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';
import { LAPSES_AFTER_PERIODS } from '../../domain/subscription.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

/** What a year of a subscription takes of a chain. Alice can pay, whatever it costs. */
const SIDES = {
  async base() {
    const subs = subscriptionsOf(world);
    await subs.approve('alice', 1_000_000_000n);
    await subs.settle();
    return {
      subs,
      now: async () => Number((await world.reader().getBlock()).timestamp),
      usdc: () => world.usdc('alice'),
      stop: async () => {},
    };
  },
  async solana() {
    const subs = await startSolanaSubscriptions(world);
    subs.person('shop');
    subs.person('alice', { allows: 1_000_000_000n });
    subs.solana.step(3);
    return {
      subs,
      now: async () => subs.solana.now(),
      usdc: async () => subs.usdc('alice'),
      stop: () => subs.stop(),
    };
  },
};

const PERIODS = 24;
const HOUR_S = 3_600;
const AMOUNT = 1_000_000n;

/** Seconds in which no run was made. */
const gap = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 60, max: 12 * HOUR_S }) },
  { weight: 4, arbitrary: fc.integer({ min: DAY_S, max: 20 * DAY_S }) },
  { weight: 5, arbitrary: fc.integer({ min: MONTH_S - HOUR_S, max: MONTH_S + HOUR_S }) },
  { weight: 2, arbitrary: fc.integer({ min: MONTH_S, max: 1.5 * MONTH_S }) },
  // Longer than a subscription waits.
  { weight: 1, arbitrary: fc.integer({ min: 3 * MONTH_S, max: 5 * MONTH_S }) },
);

type Model = { startedAt: number; next: number; charges: number[]; state: 'active' | 'halted' };

/** What a run at a moment does, by the rules of the spec alone. @param at seconds; of the block that has the charge */
function step(model: Model, at: number): void {
  if (model.state !== 'active') return;
  if (at >= model.next + LAPSES_AFTER_PERIODS * MONTH_S) model.state = 'halted';
  else if (at >= model.next) {
    const missed = Math.floor((at - model.startedAt) / MONTH_S);
    model.charges.push(at);
    model.next = Math.max(model.startedAt + (missed + 1) * MONTH_S, at + MONTH_S / 2);
  }
}

const seconds = (date: Date) => date.getTime() / 1_000;
type Side = Awaited<ReturnType<(typeof SIDES)[keyof typeof SIDES]>>;

async function live({ subs: side, now, usdc }: Side, gaps: number[]): Promise<void> {
  // Both have the same steps, of which some wait on one chain only.
  const subs = side as Awaited<ReturnType<typeof SIDES.base>>['subs'];
  const plan = await subs.create('shop', { amount: AMOUNT });
  await subs.subscribe('alice', plan);
  await subs.settle();
  const first = await subs.row('alice', plan);
  const startedAt = seconds(first.startedAt);
  const model: Model = { startedAt, next: startedAt + MONTH_S, charges: [startedAt], state: 'active' };
  const paidBefore = await usdc();
  for (const length of gaps) {
    await subs.later(length);
    const before = await now();
    const run = await subs.charge();
    const row = await subs.row('alice', plan);
    // The block of the charge is the chain's to choose; everything else follows from it.
    const at = run.charged > 0 ? seconds(row.lastChargedAt) : before;
    expect(at).toBeGreaterThanOrEqual(before);
    const known = model.charges.length;
    step(model, at);
    expect(run.charged).toBe(model.charges.length - known);
    const chain = await subs.onChain('alice', plan);
    expect({ state: chain.state, next: Number(chain.nextChargeAt) }).toEqual({ state: model.state, next: model.next });
    expect({ status: row.status, next: seconds(row.nextChargeAt), paid: row.chargesPaid }).toEqual({
      status: model.state,
      next: model.next,
      paid: model.charges.length,
    });
    if (model.state === 'halted') break;
  }
  const logs = await world.ctx.db.subscriptionLog.findMany({
    where: { planKey: plan.key, kind: 'charged' },
    orderBy: { number: 'asc' },
  });
  expect(logs.map((log) => seconds(log.at))).toEqual(model.charges);
  const periods = model.charges.map((at) => Math.floor((at - startedAt) / MONTH_S));
  expect(new Set(periods).size).toBe(periods.length);
  for (const [index, at] of model.charges.slice(1).entries())
    expect(at - (model.charges[index] ?? 0)).toBeGreaterThanOrEqual(MONTH_S / 2);
  expect(paidBefore - (await usdc())).toBe(AMOUNT * BigInt(model.charges.length - 1));
  if (model.state === 'active') {
    await subs.cancel('alice', 'alice', plan);
    await subs.settle();
  }
}

describe.each(['base', 'solana'] as const)('on %s', (chain) => {
  let side: Side;
  beforeAll(async () => {
    side = await SIDES[chain]();
  });
  afterAll(() => side.stop());

  test(
    'a month after month without a miss: each charged once, on time',
    () => live(side, Array(PERIODS).fill(MONTH_S)),
    120_000,
  );

  test('whatever windows are missed', async () => {
    const runs = fc.array(gap, { minLength: PERIODS, maxLength: PERIODS });
    await fc.assert(
      fc.asyncProperty(runs, (gaps) => live(side, gaps)),
      { numRuns: 3, endOnFailure: true },
    );
  }, 240_000);
});

test('the model itself: no history of any length charges a period twice, or one that was missed', () => {
  fc.assert(
    fc.property(fc.array(gap, { maxLength: 200 }), (gaps) => {
      const model: Model = { startedAt: 0, next: MONTH_S, charges: [0], state: 'active' };
      let at = 0;
      for (const length of gaps) {
        at += length;
        step(model, at);
      }
      const periods = model.charges.map((moment) => Math.floor(moment / MONTH_S));
      expect(new Set(periods).size).toBe(periods.length);
      expect(model.charges.length).toBeLessThanOrEqual(Math.floor(at / MONTH_S) + 1);
    }),
  );
});
