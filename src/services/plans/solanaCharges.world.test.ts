// Charge runs on Solana: what is due is charged once, several in a transaction; what fails takes no other along twice; what others did is found.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { forkWithout } from '../../../local/solana/fork.ts';
import {
  type SolanaPlanOf,
  type SolanaSubscriptions,
  startSolanaSubscriptions,
} from '../../../test/setup/solanaSubscriptions.ts';
import { DAY_S, MONTH_S } from '../../../test/setup/subscriptions.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';
import { KINDS } from '../../../workers/kinds.ts';
import { judgeCharges } from '../../chain/charges.ts';
import { PROGRAM_ERRORS, type ProgramErrorName } from '../../chain/solana/errors.ts';
import { decodePayload, EXECUTOR } from '../../chain/solana/payload.ts';
import { followOutgoing } from '../outgoing/follow.ts';
import { chargeHourly, runCharges } from './chargeRun.ts';
import { applyPlanLogs } from './indexing.ts';
import { proveTx } from './proof.ts';
import { closeEndedSubscriptions } from './rentReturns.ts';

let world: World;
let subs: SolanaSubscriptions;
const PAYERS = Array.from({ length: 24 }, (_, index) => `payer ${index}`);
beforeAll(async () => {
  world = await startWorld();
  subs = await startSolanaSubscriptions(world);
  for (const name of ['shop', 'mallory', 'alice', ...PAYERS]) subs.person(name, { allows: 1_000_000_000n });
  await subs.wallet('shop');
  await subs.wallet('alice');
  subs.solana.step(3);
});
afterAll(async () => {
  await subs.stop();
  await world.stop();
});

const NONE = { chain: 'solana', scanned: 0, charged: 0, skippedEarly: 0, skippedFailed: 0, errors: [] };
const made: { plan: SolanaPlanOf; names: readonly string[] }[] = [];

async function subscribed(names: readonly string[], terms: { amount?: bigint; period?: number } = {}) {
  const plan = subs.create('shop', terms);
  made.push({ plan, names });
  for (const name of names) {
    subs.subscribe(name, plan);
    subs.solana.step();
  }
  await subs.settle();
  return plan;
}

// No other test's subscriptions are due, and everyone can pay again.
afterEach(async () => {
  for (const { plan, names } of made.splice(0))
    for (const name of names) if ((await subs.onChain(name, plan)).state === 'active') subs.cancel(name, name, plan);
  for (const name of ['alice', ...PAYERS]) subs.person(name, { usdc: 200_000_000n, allows: 1_000_000_000n });
  await subs.settle();
});

/** Charges of each transaction that was queued. */
async function packs(): Promise<number[]> {
  return (await subs.calls('charge')).map(({ data }) => {
    const payload = decodePayload(data, EXECUTOR);
    return 'instructions' in payload ? payload.instructions.length : 0;
  });
}

describe('what is due', () => {
  test('is charged once, with figures that add up; nothing is charged early', async () => {
    const plan = await subscribed(['payer 0', 'payer 1']);
    expect(await subs.charge()).toEqual(NONE);
    subs.later(plan.period - 120);
    expect(await subs.charge()).toEqual(NONE);
    subs.later(240);
    const before = [subs.usdc('payer 0'), subs.usdc('shop'), subs.treasury()] as const;
    expect(await subs.charge()).toEqual({ ...NONE, scanned: 2, charged: 2 });
    expect([subs.usdc('payer 0'), subs.usdc('shop'), subs.treasury()]).toEqual([
      before[0] - plan.amount,
      before[1] + 2n * 1_980_000n,
      before[2] + 40_000n,
    ]);
    expect(await subs.charge()).toEqual(NONE);
    const row = await subs.row('payer 1', plan);
    expect(row).toMatchObject({ chargesPaid: 2, chargeBatchId: null, failure: null });
    expect((await subs.events(row.id)).filter((type) => type === 'subscription.charged')).toHaveLength(2);
  });

  test('goes several to a transaction, as many as fit', async () => {
    const plan = await subscribed(PAYERS);
    const before = (await packs()).length;
    subs.later(plan.period + 60);
    expect(await subs.charge()).toEqual({ ...NONE, scanned: 24, charged: 24 });
    expect((await packs()).slice(before).sort((a, b) => b - a)).toEqual([10, 10, 4]);
  });

  test('two calls at once are one run with one answer', async () => {
    const plan = await subscribed(['payer 0', 'payer 1', 'payer 2']);
    subs.later(plan.period + 5);
    const other = runCharges(world.ctx, 'solana', { minedWithinMs: 8_000 });
    const [one, two] = await Promise.all([subs.charge(), other]);
    expect([one, two]).toEqual([
      { ...NONE, scanned: 3, charged: 3 },
      { ...NONE, scanned: 3, charged: 3 },
    ]);
  });

  test('a missed period is never charged later', async () => {
    const plan = await subscribed(['payer 0']);
    const had = subs.usdc('payer 0');
    subs.later(2 * plan.period + DAY_S);
    expect((await subs.charge()).charged).toBe(1);
    expect(had - subs.usdc('payer 0')).toBe(plan.amount);
    const { nextChargeAt, startedAt } = await subs.row('payer 0', plan);
    expect((nextChargeAt.getTime() - startedAt.getTime()) / 1_000).toBe(3 * plan.period);
  });

  test('a foreign charge meanwhile is no second one', async () => {
    const plan = await subscribed(['payer 0']);
    subs.later(plan.period + 60);
    subs.foreignCharge('mallory', 'payer 0', plan);
    subs.solana.step(3);
    const run = await subs.charge();
    expect([run.charged, run.skippedEarly + (run.scanned === 0 ? 1 : 0)]).toEqual([0, 1]);
    expect(await subs.row('payer 0', plan)).toMatchObject({ chargesPaid: 2, failure: null });
  });

  test('the schedule charges by itself, once', async () => {
    const plan = await subscribed(['payer 0']);
    expect(await chargeHourly(world.ctx, subs.chain)).toBe(0);
    subs.later(plan.period + 60);
    expect(await subs.whileWorking(chargeHourly(world.ctx, subs.chain))).toBe(1);
    expect(await chargeHourly(world.ctx, subs.chain)).toBe(0);
  });
});

describe('what cannot be charged', () => {
  test('costs nothing: each has its reason, the others are charged', async () => {
    const names = ['payer 0', 'payer 1', 'payer 2', 'payer 3'];
    const plan = await subscribed(names);
    const off = await subscribed(['payer 4']);
    subs.spend('payer 0', 1_000_000n);
    subs.approve('payer 1', 1_999_999n);
    subs.approve('payer 2', 0n);
    subs.setPlan(off, 'inactive');
    await subs.settle();
    subs.later(plan.period + 60);
    const before = (await subs.calls('charge')).length;
    const run = await subs.charge();
    expect({ ...run, errors: [] }).toEqual({ ...NONE, scanned: 5, charged: 1, skippedFailed: 4 });
    const codes = new Map(run.errors.map(({ subscription, code }) => [subscription, code]));
    const codeOf = async (name: string, of = plan) => codes.get((await subs.row(name, of)).id);
    expect([
      await codeOf('payer 0'),
      await codeOf('payer 1'),
      await codeOf('payer 2'),
      await codeOf('payer 4', off),
    ]).toEqual(['insufficient_balance', 'insufficient_allowance', 'insufficient_allowance', 'plan_inactive']);
    expect((await subs.calls('charge')).length).toBe(before + 1);
    expect((await subs.row('payer 3', plan)).chargesPaid).toBe(2);
    subs.setPlan(off, 'active');
    await subs.settle();
    expect((await subs.charge()).charged).toBe(1);
    expect((await subs.row('payer 4', off)).chargesPaid).toBe(2);
  });

  test('two subscriptions of one wallet that has the money of one: one is charged', async () => {
    const [one, other] = [await subscribed(['payer 0']), await subscribed(['payer 0'])];
    subs.spend('payer 0', one.amount);
    await subs.settle();
    subs.later(one.period + 60);
    const run = await subs.charge();
    expect([run.charged, run.skippedFailed, run.errors[0]?.code]).toEqual([1, 1, 'insufficient_balance']);
    const paid = [(await subs.row('payer 0', one)).chargesPaid, (await subs.row('payer 0', other)).chargesPaid];
    expect(paid.sort()).toEqual([1, 2]);
  });

  test('a wallet that empties itself after it was asked undoes its pack before anything is paid for, and goes alone from then on', async () => {
    const names = ['payer 0', 'payer 1', 'payer 2'];
    const plan = await subscribed(names);
    subs.later(plan.period + 60);
    const run = runCharges(world.ctx, 'solana', { minedWithinMs: 4_000 });
    await queued();
    subs.spend('payer 1');
    subs.solana.step(3);
    const answer = await subs.whileWorking(run);
    expect(answer).toMatchObject({ scanned: 3, charged: 0, skippedFailed: 3 });
    expect(answer.errors.map(({ code }) => code).sort()).toEqual(['insufficient_balance', 'not_mined', 'not_mined']);
    const [call] = (await subs.calls('charge')).slice(-1);
    expect(call?.status).toBe('cancelled');
    expect(await subs.row('payer 1', plan)).toMatchObject({ failure: 'insufficient_balance', chargeBatchId: null });
    expect(await subs.row('payer 0', plan)).toMatchObject({ failure: null, chargeBatchId: null });
    // No hour passes for those that were taken along.
    await subs.whileWorking(chargeHourly(world.ctx, subs.chain));
    expect((await subs.row('payer 0', plan)).chargesPaid).toBe(2);
    subs.person('payer 1');
    subs.later(3_600);
    expect((await subs.charge()).charged).toBe(1);
  });

  test('one that fails in its slot undoes its pack: nothing is charged, the others with the next run', async () => {
    const names = ['payer 0', 'payer 1', 'payer 2'];
    const plan = await subscribed(names);
    subs.later(plan.period + 60);
    const had = names.map(subs.usdc);
    const run = runCharges(world.ctx, 'solana', { minedWithinMs: 4_000 });
    await queued();
    // Between the simulation, which sees confirmed slots, and its landing.
    subs.spend('payer 2');
    await subs.solana.sendNow();
    const answer = await subs.whileWorking(run);
    expect(answer.charged).toBe(0);
    expect(answer.errors.map(({ code }) => code).sort()).toEqual(['insufficient_balance', 'not_mined', 'not_mined']);
    const [call] = (await subs.calls('charge')).slice(-1);
    expect(call).toMatchObject({ status: 'final', succeeded: false });
    expect(names.map(subs.usdc).slice(0, 2)).toEqual(had.slice(0, 2));
    await subs.whileWorking(chargeHourly(world.ctx, subs.chain));
    expect([(await subs.row('payer 0', plan)).chargesPaid, (await subs.row('payer 1', plan)).chargesPaid]).toEqual([
      2, 2,
    ]);
    expect((await subs.row('payer 2', plan)).failure).toBe('insufficient_balance');
  });

  test('is halted by an executor once it stayed unpaid, with a notice', async () => {
    const plan = await subscribed(['payer 0']);
    const { id } = await subs.row('payer 0', plan);
    subs.spend('payer 0');
    await subs.settle();
    subs.later(plan.period + 60);
    await subs.charge();
    subs.later(7 * DAY_S + 3_600);
    await subs.charge();
    await subs.settle();
    expect((await subs.onChain('payer 0', plan)).state).toBe('halted');
    expect(await subs.row('payer 0', plan)).toMatchObject({ status: 'halted', haltReason: 'unpaid' });
    expect((await subs.events(id)).at(-1)).toBe('subscription.halted');
  });

  test('is not halted when the money came before the halt was sent', async () => {
    const plan = await subscribed(['payer 0']);
    subs.spend('payer 0');
    await subs.settle();
    subs.later(plan.period + 60);
    await subs.charge();
    subs.later(7 * DAY_S + 3_600);
    await runCharges(world.ctx, 'solana', { minedWithinMs: 0 });
    expect(await world.ctx.db.outgoingTx.count({ where: { kind: 'halt', status: 'queued' } })).toBe(1);
    subs.person('payer 0');
    await subs.settle();
    expect((await subs.onChain('payer 0', plan)).state).toBe('active');
    expect((await subs.charge()).charged).toBe(1);
  });

  test('lapses after three periods, also where anyone closed its account by then', async () => {
    const plan = await subscribed(['payer 0', 'payer 1']);
    for (const name of ['payer 0', 'payer 1']) subs.approve(name, 0n);
    await subs.settle();
    subs.later(4 * plan.period + 60);
    const { subscription } = subs.addressesOf('payer 1', plan);
    const [mallory, rentTo] = [subs.key('mallory'), subs.key('payer 1').address];
    const accounts = { caller: mallory.address, subscription, rentTo };
    subs.solana.send([mallory], subs.solana.build('closeSubscription', { args: {}, accounts }));
    subs.solana.step(3);
    await subs.charge();
    for (const name of ['payer 0', 'payer 1'])
      expect(await subs.row(name, plan)).toMatchObject({ status: 'halted', haltReason: 'lapsed' });
  });

  test('nothing is charged while the program is paused, and the run says so', async () => {
    const plan = await subscribed(['payer 0']);
    subs.later(plan.period + 60);
    const { guardian, owner } = subs.solana.roles;
    const pause = subs.solana.build('pause', { args: { seconds: 3_600n }, accounts: { guardian: guardian.address } });
    subs.solana.send([guardian], pause);
    subs.solana.step(3);
    const run = await subs.charge();
    expect([run.charged, run.errors.map(({ code }) => code)]).toEqual([0, ['router_paused']]);
    subs.solana.send([owner], subs.solana.build('unpause', { args: {}, accounts: { owner: owner.address } }));
    subs.solana.step(3);
    expect((await subs.charge()).charged).toBe(1);
  });

  test('a subscriber whose allowance runs low is marked', async () => {
    const plan = await subscribed(['alice']);
    subs.approve('alice', 3n * plan.amount);
    await subs.settle();
    subs.later(plan.period + 60);
    await subs.charge();
    expect((await subs.row('alice', plan)).lowNotifiedAt).toBeNull();
    subs.later(plan.period + 60);
    await subs.charge();
    expect((await subs.row('alice', plan)).lowNotifiedAt).not.toBeNull();
  });
});

/** The run has queued its transactions. */
async function queued(): Promise<void> {
  for (let times = 0; times < 400; times++) {
    if ((await world.ctx.db.outgoingTx.count({ where: { kind: 'charge', status: 'queued' } })) > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('nothing was queued');
}

describe('what others did', () => {
  test('a plan and a subscription of another program, its charge, its end: all are found, once', async () => {
    const plan = await subscribed(['alice']);
    const found = await subs.plan(plan);
    expect(found).toMatchObject({ status: 'active', name: `Plan ${plan.key.slice(2, 10)}`, createTxHash: plan.hash });
    expect(found?.handleId).not.toBeNull();
    subs.later(plan.period + 60);
    const txHash = subs.foreignCharge('mallory', 'alice', plan);
    await subs.settle();
    const row = await subs.row('alice', plan);
    expect(row.chargesPaid).toBe(2);
    expect(await world.ctx.db.subscriptionLog.count({ where: { subscriptionId: row.id, txHash } })).toBe(1);
    subs.cancel('shop', 'alice', plan);
    await subs.settle();
    await subs.index();
    expect(await subs.row('alice', plan)).toMatchObject({ status: 'cancelled', endedBy: subs.key('shop').address });
    expect(await subs.events(row.id)).toEqual([
      'subscription.started',
      'subscription.charged',
      'subscription.charged',
      'subscription.cancelled',
    ]);
  });

  test('a start and its end in one slot, and a plan that was switched in one', async () => {
    const plan = subs.create('shop');
    made.push({ plan, names: ['payer 5'] });
    subs.solana.step();
    subs.subscribe('payer 5', plan);
    subs.cancel('payer 5', 'payer 5', plan);
    subs.setPlan(plan, 'inactive');
    subs.setPlan(plan, 'active');
    await subs.settle();
    expect(await subs.row('payer 5', plan)).toMatchObject({ status: 'cancelled', chargesPaid: 1 });
    expect((await subs.plan(plan))?.status).toBe('active');
  });

  test('an end that was proven first is in its place when the start comes', async () => {
    const plan = subs.create('shop');
    await subs.settle();
    subs.subscribe('payer 6', plan);
    subs.solana.step();
    const cancelled = subs.cancel('payer 6', 'payer 6', plan);
    subs.solana.step(12);
    const proven = await proveTx(subs.chain, cancelled, '');
    const final = await proven.final();
    if (!final) throw new Error('the slot is final');
    const logs = final.entries.map((entry) => ({ ...entry, at: final.at }));
    await world.ctx.db.$transaction((tx) => applyPlanLogs(world.ctx, tx, subs.chain, logs));
    expect(await subs.rows('payer 6', plan)).toEqual([]);
    await subs.index();
    expect(await subs.row('payer 6', plan)).toMatchObject({
      status: 'cancelled',
      chargesPaid: 1,
      endTxHash: cancelled,
    });
  });

  test('a plan that was closed and made again is active again', async () => {
    const plan = subs.create('shop');
    subs.setPlan(plan, 'inactive');
    await subs.settle();
    const found = await subs.plan(plan);
    expect(found?.status).toBe('inactive');
    const shop = subs.key('shop');
    const accounts = { creator: shop.address, plan: subs.addressesOf('shop', plan).plan, rentTo: shop.address };
    subs.solana.send([shop], subs.solana.build('closePlan', { args: {}, accounts }));
    await subs.settle();
    const terms = { planIdHash: found?.planIdHash as `0x${string}`, amount: plan.amount, period: plan.period };
    const create = { payer: shop.address, creator: shop.address, plan: accounts.plan };
    subs.solana.send([shop], subs.solana.build('createPlan', { args: terms, accounts: create }));
    await subs.settle();
    expect((await subs.plan(plan))?.status).toBe('active');
  });

  test('a slot that a fork took brings nothing, and nothing is charged twice', async () => {
    const plan = await subscribed(['payer 7']);
    const had = subs.usdc('payer 7');
    subs.later(plan.period + 60);
    const run = runCharges(world.ctx, 'solana', { minedWithinMs: 4_000 });
    await queued();
    await subs.solana.sendNow();
    const [call] = (await subs.calls('charge')).slice(-1);
    const [attempt] = await world.ctx.db.txAttempt.findMany({ where: { outgoingTxId: call?.id ?? '' } });
    await subs.solana.confirmSent();
    expect(forkWithout(subs.solana.ledger, attempt?.hash ?? '')).toBe(true);
    expect(subs.usdc('payer 7')).toBe(had);
    await followOutgoing(world.ctx, subs.chain, KINDS);
    await subs.whileWorking(run);
    await subs.settle();
    expect(had - subs.usdc('payer 7')).toBe(plan.amount);
    expect((await subs.row('payer 7', plan)).chargesPaid).toBe(2);
  });
});

describe('rent', () => {
  test('of ended subscriptions comes back to the key that paid it, once', async () => {
    for (const name of ['leaver', 'stayer']) subs.person(name, { allows: 100_000_000n });
    const plan = await subscribed(['leaver', 'stayer']);
    // Those of other tests first.
    while ((await closeEndedSubscriptions(world.ctx, subs.chain)) > 0) await subs.settle();
    const { subscription } = subs.addressesOf('leaver', plan);
    const [before, other] = [subs.key('leaver').address, subs.addressesOf('stayer', plan).subscription];
    const rent = subs.solana.lamportsOf(subscription);
    subs.cancel('leaver', 'leaver', plan);
    await subs.settle();
    expect(await closeEndedSubscriptions(world.ctx, subs.chain)).toBe(0);
    subs.later(MONTH_S / 2 + 60);
    const lamports = subs.solana.lamportsOf(before);
    expect(await closeEndedSubscriptions(world.ctx, subs.chain)).toBeGreaterThan(0);
    expect(await closeEndedSubscriptions(world.ctx, subs.chain)).toBe(0);
    await subs.settle();
    expect(subs.solana.lamportsOf(before) - lamports).toBe(rent);
    expect([subs.solana.data(subscription), subs.solana.data(other) === null]).toEqual([null, false]);
    await closeEndedSubscriptions(world.ctx, subs.chain);
    expect((await subs.row('leaver', plan)).rentReturnedAt).not.toBeNull();
    expect(await subs.row('leaver', plan)).toMatchObject({ status: 'cancelled' });
  });
});

test('what we say of a charge is what the program does', async () => {
  const plan = await subscribed(['payer 10']);
  const terms = { creator: subs.key('shop').address, amount: plan.amount, isDoubtful: false };
  const charge = { planKey: plan.key, subscriber: subs.key('payer 10').address, ...terms };
  const codeOf = (name: ProgramErrorName) => expect.stringContaining(`0x${PROGRAM_ERRORS[name].code.toString(16)}`);
  const judged = async () => (await judgeCharges(subs.chain, [charge]))[0];
  const does = () => {
    try {
      subs.foreignCharge('mallory', 'payer 10', plan);
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  };
  subs.solana.step(3);
  expect([await judged(), does()]).toEqual([{ kind: 'early' }, codeOf('tooSoon')]);
  subs.later(plan.period + 60);
  subs.approve('payer 10', plan.amount - 1n);
  subs.solana.step(3);
  expect([await judged(), does()]).toEqual([
    { kind: 'failed', code: 'insufficient_allowance' },
    codeOf('allowanceTooLow'),
  ]);
  subs.approve('payer 10', plan.amount);
  subs.spend('payer 10', plan.amount - 1n);
  subs.solana.step(3);
  expect([await judged(), does()]).toEqual([{ kind: 'failed', code: 'insufficient_balance' }, codeOf('balanceTooLow')]);
  subs.person('payer 10', { usdc: 1n });
  subs.solana.step(3);
  expect([await judged(), does()]).toEqual([{ kind: 'payable' }, null]);
  await subs.settle();
});
