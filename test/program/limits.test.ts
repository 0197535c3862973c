// Spending limits: who sets and lowers them, what counts against them and for how long.
import { describe, expect, test } from 'vitest';
import { spentOf } from '../../src/chain/solana/accounts.ts';
import { WRAPPED_SOL } from '../../src/chain/solana/addresses.ts';
import { LIMITS_REFUSALS } from './limitsRefusals.ts';
import { named, rentOf } from './machine.ts';
import { testRefusals } from './refusals.ts';
import { ALICE, attempt, BOB, limitsAt, nonceAt, SCENES, sceneOf, world } from './scenes.ts';
import { HOUR, limitsInstruction, limitsState, MILLION, must, openTab, ROLES, tips } from './setting.ts';

test('the first limits create the account: the payer pays its rent, the other asset has none', () => {
  const { setting: s, ready } = SCENES['setLimits, the first'].make();
  const carol = named('carol');
  const { error, events, before } = attempt(s, ready);
  expect(error).toBeNull();
  expect(events).toEqual([{ name: 'limitsSet', owner: carol, asset: 1, perTip: 7n, perDay: 8n, maxFee: 9n }]);
  const none = { perTip: 0n, perDay: 0n, maxFee: 0n, newest: 0n, slices: [0n, 0n, 0n, 0n, 0n] };
  expect(limitsState(s, carol)).toMatchObject({
    kind: 2,
    paused: false,
    owner: carol,
    rentTo: ROLES.executor,
    nonce: BigInt(s.now() - HOUR) << 20n,
    usdc: none,
    wrapped: { ...none, perTip: 7n, perDay: 8n, maxFee: 9n, newest: BigInt(Math.floor(s.now() / 21_600)) },
  });
  const rent = rentOf(224);
  expect(s.lamports(limitsAt(s, carol))).toBe(rent);
  expect((before.get(ROLES.executor)?.lamports ?? 0n) - s.lamports(ROLES.executor)).toBe(rent);
});

test('the owner sets each asset by itself, and an executor lowers one', () => {
  const s = world();
  const was = limitsState(s, ALICE);
  must(s, limitsInstruction(s, ALICE, 0, 70n, 80n, 90n));
  expect(limitsState(s, ALICE)).toMatchObject({
    usdc: { perTip: 70n, perDay: 80n, maxFee: 90n },
    wrapped: was?.wrapped,
  });
  const lower = s.build('lowerLimits', {
    args: { asset: 0, perTip: 7n, perDay: 80n, maxFee: 0n },
    accounts: { executor: ROLES.executor2, limits: limitsAt(s, ALICE) },
  });
  expect(must(s, lower).events).toEqual([
    { name: 'limitsSet', owner: ALICE, asset: 0, perTip: 7n, perDay: 80n, maxFee: 0n },
  ]);
  expect(limitsState(s, ALICE)).toMatchObject({ usdc: { perTip: 7n, perDay: 80n, maxFee: 0n }, wrapped: was?.wrapped });
});

test('an executor pauses an owner, who alone ends it', () => {
  const s = world();
  const set = (paused: boolean, signer: string) =>
    s.build('setPaused', { args: { paused }, accounts: { signer, limits: limitsAt(s, ALICE) } });
  expect(must(s, set(true, ROLES.executor)).events).toEqual([
    { name: 'pausedSet', owner: ALICE, by: ROLES.executor, paused: true },
  ]);
  expect(attempt(s, tips(s, [{ from: ALICE, to: BOB }]))).toMatchObject({ error: 'senderPaused', moved: [] });
  expect(must(s, set(false, ALICE)).events).toEqual([{ name: 'pausedSet', owner: ALICE, by: ALICE, paused: false }]);
  must(s, tips(s, [{ from: ALICE, to: BOB }]));
});

test('what is drawn counts for 24 to 30 hours, in the asset it was drawn in, and whatever the limits become', () => {
  const s = world();
  s.later(6 * HOUR - (s.now() % (6 * HOUR)));
  const tip = (key: string, amount: bigint, mint?: string) =>
    attempt(s, tips(s, [{ key, from: ALICE, to: BOB, amount, fee: 0n, ...(mint ? { mint } : {}) }])).error;
  must(s, limitsInstruction(s, ALICE, 0, 10n * MILLION, 10n * MILLION, MILLION));
  expect(tip('a', 6n * MILLION)).toBeNull();
  must(s, limitsInstruction(s, ALICE, 0, 10n * MILLION, 10n * MILLION, MILLION));
  expect(tip('b', 4n * MILLION + 1n)).toBe('limitPerDay');
  expect(tip('w', 10n * MILLION, WRAPPED_SOL)).toBeNull();
  s.later(24 * HOUR);
  expect(tip('c', 4n * MILLION + 1n)).toBe('limitPerDay');
  expect(tip('d', 4n * MILLION)).toBeNull();
  s.later(6 * HOUR - 1);
  expect(tip('e', 1n)).toBe('limitPerDay');
  s.later(1);
  expect(tip('f', 6n * MILLION + 1n)).toBe('limitPerDay');
  expect(tip('g', 6n * MILLION)).toBeNull();
  const { usdc } = limitsState(s, ALICE) ?? {};
  expect(usdc && spentOf(usdc, BigInt(s.now()))).toBe(10n * MILLION);
});

test('amount and fee count together, up to the last unit of each limit', () => {
  const s = world();
  must(s, limitsInstruction(s, ALICE, 0, 1_000n, 1_500n, 100n));
  must(s, tips(s, [{ key: 'a', from: ALICE, to: BOB, amount: 900n, fee: 100n }]));
  expect(limitsState(s, ALICE)?.usdc.slices).toEqual([1_000n, 0n, 0n, 0n, 0n]);
  const second = (fee: bigint) => tips(s, [{ key: 'b', from: ALICE, to: BOB, amount: 450n, fee }]);
  expect(attempt(s, second(51n))).toMatchObject({ error: 'limitPerDay', moved: [] });
  must(s, second(50n));
});

const noLimits = (asset: number) => ({
  name: 'limitsSet',
  owner: ALICE,
  asset,
  perTip: 0n,
  perDay: 0n,
  maxFee: 0n,
});

test('limits are closed when nothing counts: the rent returns to the one that paid it, not to the owner', () => {
  const { setting: s, ready } = SCENES.closeLimits.make();
  const { error, events, before } = attempt(s, ready);
  expect(error).toBeNull();
  expect(events).toEqual([noLimits(0), noLimits(1)]);
  expect(s.account(limitsAt(s, ALICE))).toBeNull();
  expect(s.lamports(ROLES.executor) - (before.get(ROLES.executor)?.lamports ?? 0n)).toBe(rentOf(224));
  expect(attempt(s, tips(s, [{ from: ALICE, to: BOB }]))).toMatchObject({ error: 'wrongKind', moved: [] });
});

test('closed limits have an event for each asset that had any, and one for the pause that ends with them', () => {
  const ended = { name: 'pausedSet', owner: ALICE, by: ALICE, paused: false };
  for (const [asset, perTip, perDay, maxFee] of [
    [0, 0n, 0n, 0n],
    [0, 1n, 0n, 0n],
    [1, 0n, 1n, 0n],
    [1, 0n, 0n, 1n],
  ] as const) {
    for (const signer of [null, ALICE, ROLES.executor]) {
      const { setting: s, ready } = sceneOf('closeLimits');
      for (const each of [0, 1]) must(s, limitsInstruction(s, ALICE, each, 0n, 0n, 0n));
      must(s, limitsInstruction(s, ALICE, asset, perTip, perDay, maxFee));
      const accounts = { signer: signer ?? ALICE, limits: limitsAt(s, ALICE) };
      must(s, s.build('setPaused', { args: { paused: signer !== null }, accounts }));
      const hasAny = perTip + perDay + maxFee > 0n;
      expect(must(s, ready).events).toEqual([...(hasAny ? [noLimits(asset)] : []), ...(signer ? [ended] : [])]);
    }
  }
});

test('a nonce ahead of the clock keeps limits open until an hour after its second', () => {
  const s = world();
  const close = SCENES.closeLimits.make().ready;
  must(s, openTab(s, ALICE, nonceAt(s) + (100n << 20n)));
  s.later(100 + HOUR);
  expect(attempt(s, close)).toMatchObject({ error: 'limitsInUse', moved: [] });
  s.later(1);
  must(s, close);
});

describe('refused', () => testRefusals(LIMITS_REFUSALS));
