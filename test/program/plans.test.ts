// Plans, subscriptions and their charges.
import { describe, expect, test } from 'vitest';
import { decodePlan, decodeSubscription } from '../../src/chain/solana/accounts.ts';
import { balance, rentOf } from './machine.ts';
import { PLANS_REFUSALS } from './plansRefusals.ts';
import { testRefusals } from './refusals.ts';
import {
  ALICE,
  type Attempt,
  attempt,
  BOB,
  changed,
  DAY,
  MALLORY,
  SCENES,
  sceneOf,
  secondAccount,
  tokenChanges,
  world,
} from './scenes.ts';
import { bytesOf, HOUR, must, plan, ROLES, type Setting } from './setting.ts';

const PLAN_BYTES = 128;
const SUBSCRIPTION_BYTES = 176;
const ONE_CHARGE = { 'alice USDC': -10_000_000n, 'bob USDC': 9_900_000n, 'treasury USDC': 100_000n };

const planState = (s: Setting) => decodePlan(s.data(plan(s, BOB).account) ?? new Uint8Array());
const subscriptionState = (s: Setting) =>
  decodeSubscription(s.data(plan(s, BOB).subscriptionAt(ALICE)) ?? new Uint8Array());
const gained = (s: Setting, { before }: Attempt, of: string) => s.lamports(of) - (before.get(of)?.lamports ?? 0n);

const charged = (s: Setting, nextChargeAt: number) => ({
  name: 'charged' as const,
  planKey: plan(s, BOB).key,
  subscriber: ALICE,
  creator: BOB,
  amount: 10_000_000n,
  fee: 100_000n,
  nextChargeAt: BigInt(nextChargeAt),
});

test('a creator makes a plan, switches it, and closes it when it is inactive', () => {
  const { setting: s, ready } = SCENES.createPlan.make();
  const one = plan(s, BOB);
  const made = attempt(s, ready);
  expect(made.error).toBeNull();
  expect(made.events).toEqual([
    {
      name: 'planCreated',
      planKey: one.key,
      creator: BOB,
      planIdHash: bytesOf('plan'),
      amount: 10_000_000n,
      period: DAY,
    },
  ]);
  expect(gained(s, made, ROLES.executor)).toBe(-rentOf(PLAN_BYTES));
  expect(planState(s)).toMatchObject({
    kind: 6,
    state: 1,
    period: DAY,
    amount: 10_000_000n,
    key: one.key,
    creator: BOB,
    rentTo: ROLES.executor,
  });
  for (const state of [2, 1, 2]) {
    expect(must(s, one.set(state)).events).toEqual([{ name: 'planStateSet', planKey: one.key, state }]);
    expect(planState(s)?.state).toBe(state);
  }
  const closed = attempt(s, one.close());
  expect(closed).toMatchObject({ error: null, events: [] });
  expect(s.account(one.account)).toBeNull();
  expect(gained(s, closed, ROLES.executor)).toBe(rentOf(PLAN_BYTES));
});

test.each([HOUR, 366 * DAY])('a period may be %i seconds', (period) => {
  must(world(), plan(world(), BOB, { period }).create());
});

test('subscribing charges once: 1 % of the amount goes to the treasury, the payer pays the rent', () => {
  const { setting: s, ready } = SCENES.subscribe.make();
  const outcome = attempt(s, ready);
  expect(outcome.error).toBeNull();
  const next = s.now() + DAY;
  expect(outcome.events).toEqual([
    { name: 'subscribed', planKey: plan(s, BOB).key, subscriber: ALICE, nextChargeAt: BigInt(next) },
    charged(s, next),
  ]);
  expect(tokenChanges(outcome)).toEqual(ONE_CHARGE);
  expect(gained(s, outcome, ROLES.executor)).toBe(-rentOf(SUBSCRIPTION_BYTES));
  expect(subscriptionState(s)).toMatchObject({
    kind: 7,
    state: 1,
    period: DAY,
    charges: 1n,
    startedAt: BigInt(s.now()),
    lastChargedAt: BigInt(s.now()),
    nextChargeAt: BigInt(next),
    plan: plan(s, BOB).key,
    subscriber: ALICE,
    creator: BOB,
    rentTo: ROLES.executor,
  });
});

test('anyone charges once per elapsed period; a late charge moves the next one to a multiple, half a period away at least', () => {
  const { setting: s, ready } = SCENES.charge.make();
  const start = s.now() - DAY;
  const first = attempt(s, ready);
  expect(first.error).toBeNull();
  expect(first.events).toEqual([charged(s, start + 2 * DAY)]);
  expect(tokenChanges(first)).toEqual(ONE_CHARGE);
  expect(subscriptionState(s)).toMatchObject({ charges: 2n, lastChargedAt: BigInt(s.now()) });
  s.later(DAY - 1);
  expect(attempt(s, ready)).toMatchObject({ error: 'tooSoon', moved: [] });
  s.later(1 + 0.75 * DAY);
  expect(must(s, ready).events).toEqual([charged(s, s.now() + DAY / 2)]);
  s.later(DAY / 2 - 1);
  expect(attempt(s, ready)).toMatchObject({ error: 'tooSoon', moved: [] });
  s.later(1 + 2.1 * DAY);
  // Missed periods are not made up for.
  expect(must(s, ready).events).toMatchObject([{ name: 'charged', amount: 10_000_000n }]);
  expect(attempt(s, ready)).toMatchObject({ error: 'tooSoon', moved: [] });
});

test('a creator that charges itself names any of its accounts', () => {
  const { setting: s } = sceneOf('charge');
  const to = secondAccount(s, BOB, { amount: 0n });
  const charge = (caller: string) =>
    changed('charge', plan(s, BOB).charge(ALICE, caller), { accounts: { creator: to } });
  for (const caller of [ALICE, MALLORY, ROLES.executor, ROLES.owner]) {
    expect(attempt(s, charge(caller))).toMatchObject({ error: 'wrongAddress', moved: [] });
  }
  const outcome = attempt(s, charge(BOB));
  expect(outcome.error).toBeNull();
  expect(tokenChanges(outcome)).toEqual(ONE_CHARGE);
  expect(balance(s, to)).toBe(9_900_000n);
});

test('a subscription lapses after three periods and can start again', () => {
  const { setting: s, ready } = SCENES.subscribe.make();
  must(s, ready);
  s.later(4 * DAY - 1);
  must(s, plan(s, BOB).charge(ALICE));
  s.later(4 * DAY + HOUR);
  expect(attempt(s, plan(s, BOB).charge(ALICE))).toMatchObject({ error: 'notActive', moved: [] });
  const again = attempt(s, ready);
  expect(again.error).toBeNull();
  expect(tokenChanges(again)).toEqual(ONE_CHARGE);
  expect(subscriptionState(s)).toMatchObject({ state: 1, charges: 1n, startedAt: BigInt(s.now()) });
});

test.each([
  ['the subscriber', ALICE],
  ['the creator', BOB],
])('%s cancels, and half a period later the wallet may subscribe again without paying rent', (_, signer) => {
  const { setting: s } = SCENES.cancel.make();
  const one = plan(s, BOB);
  expect(must(s, one.cancel(ALICE, signer)).events).toEqual([
    { name: 'subscriptionCancelled', planKey: one.key, subscriber: ALICE, by: signer },
  ]);
  expect(subscriptionState(s)?.state).toBe(2);
  s.later(DAY / 2);
  const again = attempt(s, one.subscribe(ALICE));
  expect(again.error).toBeNull();
  expect(gained(s, again, ROLES.executor)).toBe(0n);
});

test('an executor halts; what is halted can be cancelled', () => {
  const { setting: s, ready } = SCENES.halt.make();
  const one = plan(s, BOB);
  expect(must(s, ready).events).toEqual([
    { name: 'subscriptionHalted', planKey: one.key, subscriber: ALICE, by: ROLES.executor },
  ]);
  expect(subscriptionState(s)?.state).toBe(3);
  must(s, one.cancel(ALICE));
  expect(subscriptionState(s)?.state).toBe(2);
});

test('anyone closes a subscription that ended half a period ago: the rent returns to the one that paid it', () => {
  const { setting: s } = SCENES.closeSubscription.make();
  const outcome = attempt(s, plan(s, BOB).closeSubscription(ALICE));
  expect(outcome).toMatchObject({ error: null, events: [] });
  expect(gained(s, outcome, ROLES.executor)).toBe(rentOf(SUBSCRIPTION_BYTES));
  expect(s.account(plan(s, BOB).subscriptionAt(ALICE))).toBeNull();
});

test('a fee that rounds to nothing is not moved', () => {
  const s = world();
  const small = plan(s, BOB, { id: 'small', amount: 49n });
  must(s, small.create());
  const outcome = attempt(s, small.subscribe(MALLORY));
  expect(outcome.error).toBeNull();
  expect(tokenChanges(outcome)).toEqual({ 'mallory USDC': -49n, 'bob USDC': 49n });
});

describe('refused', () => testRefusals(PLANS_REFUSALS));
