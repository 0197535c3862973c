// Tips to wallets and to tabs, and the buckets that make each message pay once.
import { describe, expect, test } from 'vitest';
import { decodeBucket, decodeTab, payersOf } from '../../src/chain/solana/accounts.ts';
import { tabIdOf, WRAPPED_SOL } from '../../src/chain/solana/addresses.ts';
import { named, putToken, rentOf } from './machine.ts';
import { testRefusals } from './refusals.ts';
import {
  ALICE,
  accountOf,
  attempt,
  BOB,
  bucketAt,
  bumpOf,
  changed,
  closeBucket,
  DAY,
  hourNow,
  MALLORY,
  SCENES,
  sceneOf,
  tokenChanges,
  world,
} from './scenes.ts';
import {
  atOf,
  HANDLE,
  HOUR,
  limitsState,
  MILLION,
  messageKeyOf,
  must,
  ROLES,
  type Setting,
  tabTip,
  tips,
  USDC,
} from './setting.ts';
import { TIPS_REFUSALS } from './tipsRefusals.ts';

const FIRST_LEVEL = 24 + 40 + 16 * 16;

test('a tip moves the amount to the recipient and the fee, on top, to the treasury; the first of an hour creates its bucket', () => {
  const { setting: s, ready } = SCENES.tip.make();
  const outcome = attempt(s, ready);
  expect(outcome.error).toBeNull();
  expect(outcome.events).toEqual([
    {
      name: 'tipSettled',
      messageKey: messageKeyOf('message', s.now()),
      sender: ALICE,
      recipient: BOB,
      asset: 0,
      amount: 5_000_000n,
      fee: 50_000n,
    },
  ]);
  expect(tokenChanges(outcome)).toEqual({
    'alice USDC': -5_050_000n,
    'bob USDC': 5_000_000n,
    'treasury USDC': 50_000n,
  });
  expect(limitsState(s, ALICE)?.usdc.slices[0]).toBe(5_050_000n);
  const bucket = s.data(bucketAt(s)) ?? new Uint8Array();
  expect(decodeBucket(bucket)).toMatchObject({ kind: 3, shard: 0, levels: 1, hour: hourNow(s), keys: 1n });
  expect(payersOf(bucket)).toEqual([ROLES.executor]);
  expect(bucket.length).toBe(FIRST_LEVEL);
  expect(s.lamports(bucketAt(s))).toBe(rentOf(FIRST_LEVEL));
  expect((outcome.before.get(ROLES.executor)?.lamports ?? 0n) - s.lamports(ROLES.executor)).toBe(rentOf(FIRST_LEVEL));
});

test('a tip in wrapped SOL counts against the limits of that asset alone', () => {
  const { setting: s, ready } = SCENES['tip, in wrapped SOL'].make();
  const outcome = attempt(s, ready);
  expect(outcome.error).toBeNull();
  expect(outcome.events).toMatchObject([{ name: 'tipSettled', asset: 1, sender: ALICE, recipient: BOB }]);
  expect(tokenChanges(outcome)).toEqual({
    'alice wrapped SOL': -5_050_000n,
    'bob wrapped SOL': 5_000_000n,
    'treasury wrapped SOL': 50_000n,
  });
  expect(limitsState(s, ALICE)).toMatchObject({ usdc: { newest: expect.anything(), slices: [0n, 0n, 0n, 0n, 0n] } });
  expect(limitsState(s, ALICE)?.wrapped.slices[0]).toBe(5_050_000n);
});

test('eight legs pay in their order; without a fee the treasury gets nothing; when one fails none is paid', () => {
  const s = world();
  const legs = Array.from({ length: 8 }, (_, at) => ({
    key: `leg ${at}`,
    from: at % 2 === 0 ? ALICE : BOB,
    to: MALLORY,
    amount: BigInt(at + 1),
    fee: at === 7 ? 3n : 0n,
  }));
  const bad = changed('tip', tips(s, legs), { each: { at: 7, args: { amount: 0n } } });
  expect(attempt(s, bad)).toMatchObject({ error: 'zeroAmount', moved: [] });
  const outcome = attempt(s, tips(s, legs));
  expect(outcome.error).toBeNull();
  expect(outcome.events.map((event) => 'amount' in event && event.amount)).toEqual([1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n]);
  expect(tokenChanges(outcome)).toEqual({
    'alice USDC': -16n,
    'bob USDC': -23n,
    'mallory USDC': 36n,
    'treasury USDC': 3n,
  });
});

test('messages from 24 hours ago to 10 minutes ahead are paid, each in the bucket of its own hour', () => {
  const s = world();
  for (const time of [s.now() - DAY, s.now() + 600]) {
    must(s, tips(s, [{ key: `${time}`, from: ALICE, to: BOB, time }]));
    expect(s.account(bucketAt(s, BigInt(Math.floor(time / HOUR))))).not.toBeNull();
  }
});

test('a tip is valid until its last second', () => {
  const { setting: s, ready } = SCENES.tip.make();
  s.later(900);
  must(s, ready);
});

test('a tip to a tab fills the vault by the amount and opens a revocable tab under the message key', () => {
  const { setting: s, ready } = SCENES.tipToTab.make();
  const outcome = attempt(s, ready);
  expect(outcome.error).toBeNull();
  const messageKey = messageKeyOf('tab', s.now());
  const tabId = tabIdOf(s.program, ALICE, messageKey);
  const shared = { sender: ALICE, handleKey: HANDLE, tabId, asset: 0, amount: 5_000_000n };
  const deadline = BigInt(s.now() + 7 * DAY);
  expect(outcome.events).toEqual([
    { name: 'tabOpened', ...shared, deadline, nonce: messageKey, revocable: true },
    { name: 'tabTipSettled', messageKey, ...shared, deadline },
  ]);
  expect(tokenChanges(outcome)).toEqual({ 'alice USDC': -5_000_000n, [`${s.vault} USDC`]: 5_000_000n });
  const tab = decodeTab(s.data(ready.keys[7]?.pubkey.toBase58() ?? '') ?? new Uint8Array());
  expect(tab).toMatchObject({
    kind: 4,
    asset: 0,
    revocable: true,
    id: tabId,
    sender: ALICE,
    handleKey: HANDLE,
    rentTo: ROLES.executor,
    amount: 5_000_000n,
    deadline,
    openedAt: BigInt(s.now()),
  });
});

test.each([HOUR, 90 * DAY])('the tab of a tip may end %i seconds from now', (seconds) => {
  const s = world();
  must(s, tabTip(s, { from: ALICE, deadline: s.now() + seconds }));
});

/** Keys of one group in each level: they differ in their first bytes, of which a bucket stores sixteen. */
const crowded = (s: Setting, at: number) => {
  const time = BigInt(s.now()).toString(16).padStart(16, '0');
  return `0x${at.toString(16).padStart(4, '0')}${'77'.repeat(14)}${'00'.repeat(8)}${time}` as const;
};

function crowd(s: Setting, from: number, count: number, executor: string) {
  const legs = Array.from({ length: count }, (_, at) => ({
    key: `${from + at}`,
    from: ALICE,
    to: BOB,
    amount: 1n,
    fee: 0n,
  }));
  return legs.reduce(
    (instruction, _, at) => changed('tip', instruction, { each: { at, args: { messageKey: crowded(s, from + at) } } }),
    tips(s, legs, { executor }),
  );
}

test('a bucket grows by a level when a group is full; each level is paid by its executor, and each gets its rent back', () => {
  const s = world();
  const sizes = [FIRST_LEVEL];
  for (let level = 0; level < 7; level++) {
    const executor = level % 2 === 0 ? ROLES.executor : ROLES.executor2;
    const outcome = attempt(s, crowd(s, 1 + level * 8, 8, executor));
    expect(outcome.error).toBeNull();
    if (level > 0) sizes.push((sizes[level - 1] ?? 0) + 40 + 16 * (16 << Math.min(level, 5)));
    expect(s.data(bucketAt(s))?.length).toBe(sizes[level]);
    const paid = (outcome.before.get(executor)?.lamports ?? 0n) - s.lamports(executor);
    expect(paid).toBe(rentOf(sizes[level] ?? 0) - (level === 0 ? 0n : rentOf(sizes[level - 1] ?? 0)));
  }
  for (const key of [1, 8, 9, 56]) {
    expect(attempt(s, crowd(s, key, 1, ROLES.executor))).toMatchObject({ error: 'alreadyProcessed', moved: [] });
  }
  const bucket = bucketAt(s);
  expect(decodeBucket(s.data(bucket) ?? new Uint8Array())).toMatchObject({ levels: 7, keys: 56n });
  s.give(bucket, 777n);
  s.later(26 * HOUR);
  const hour = hourNow(s) - 26n;
  expect(attempt(s, closeBucket(s, bucket, [ROLES.executor]))).toMatchObject({ error: 'wrongRentAddress', moved: [] });
  const close = attempt(s, closeBucket(s, bucket, [ROLES.executor2, ROLES.executor]));
  expect(close.error).toBeNull();
  expect(close.events).toEqual([{ name: 'bucketClosed', hour, shard: 0 }]);
  expect(s.account(bucket)).toBeNull();
  const got = (one: string) => s.lamports(one) - (close.before.get(one)?.lamports ?? 0n);
  const level = (at: number) => rentOf(sizes[at] ?? 0) - (at === 0 ? 0n : rentOf(sizes[at - 1] ?? 0));
  expect(got(ROLES.executor2)).toBe(level(1) + level(3) + level(5));
  // What others sent goes to the one that paid last.
  expect(got(ROLES.executor)).toBe(level(0) + level(2) + level(4) + level(6) + 777n);
});

test('eight legs need one more level at most, as a new one has room for eight of each group', () => {
  const s = world();
  for (let level = 0; level < 6; level++) must(s, crowd(s, 1 + level * 8, 8, ROLES.executor));
  must(s, crowd(s, 49, 7, ROLES.executor));
  // One place is left in the group: the other seven keys need a level.
  const both = attempt(s, crowd(s, 56, 8, ROLES.executor));
  expect(both.error).toBeNull();
  expect(decodeBucket(s.data(bucketAt(s)) ?? new Uint8Array())?.levels).toBe(8);
});

test('a wallet that approved and set limits is drawn on from any of its accounts, to its limits only', () => {
  const s = world();
  const second = putToken(s, { owner: ALICE, mint: USDC, amount: MILLION }, named('unapproved'));
  const tip = changed('tip', tips(s, [{ from: ALICE, to: BOB, amount: 1n, fee: 0n }]), {
    accounts: { source: second },
  });
  expect(attempt(s, tip)).toMatchObject({ error: 'notApproved', moved: [] });
  expect(atOf(ALICE, WRAPPED_SOL)).not.toBe(second);
});

test.each([USDC, WRAPPED_SOL])('a tip does not pay the vault, in %s', (mint) => {
  const { setting: s } = sceneOf('tip');
  const toVault = changed('tip', tips(s, [{ from: ALICE, to: BOB, mint }]), {
    accounts: { recipient: atOf(s.vault, mint) },
    each: { args: { bump: bumpOf(s.vault, mint) } },
  });
  expect(attempt(s, toVault)).toMatchObject({ error: 'invalidRecipient', moved: [], events: [] });
});

test('closing a bucket takes the payers of its levels and no other account', () => {
  const { setting: s, ready } = sceneOf('closeBucket');
  const bucket = accountOf('closeBucket', ready, 'bucket');
  for (const payers of [
    [ROLES.executor, MALLORY],
    [MALLORY, ROLES.executor],
    [ROLES.executor, ROLES.executor2],
    [ROLES.executor, s.vault],
  ]) {
    const close = closeBucket(s, bucket, payers);
    expect(attempt(s, close)).toMatchObject({ error: 'wrongAccounts', moved: [], events: [] });
  }
  must(s, ready);
});

test('a message key may begin with fifteen zero bytes, and not with sixteen', () => {
  const s = world();
  const keyOf = (first: string) =>
    `0x${first.padStart(32, '0')}${'33'.repeat(8)}${BigInt(s.now()).toString(16).padStart(16, '0')}`;
  const tip = (first: string) =>
    changed('tip', tips(s, [{ from: ALICE, to: BOB }]), { each: { args: { messageKey: keyOf(first) } } });
  expect(attempt(s, tip(''))).toMatchObject({ error: 'invalidKey', moved: [] });
  must(s, tip('01'));
  expect(attempt(s, tip('01'))).toMatchObject({ error: 'alreadyProcessed', moved: [] });
  must(s, tip(`80${'00'.repeat(15)}`));
});

test('a delegate that signs in place of the spender moves what it could move by itself, and no more', () => {
  const { setting: s, ready } = sceneOf('tip');
  putToken(s, { owner: ALICE, mint: USDC, amount: 9n * MILLION, delegate: { to: MALLORY, amount: 6n * MILLION } });
  const unsigned = changed('tip', ready, { accounts: { spender: MALLORY } });
  expect(attempt(s, unsigned).error).not.toBeNull();
  const signed = changed('tip', unsigned, {});
  signed.keys = signed.keys.map((meta, at) => (at === 3 ? { ...meta, isSigner: true } : meta));
  const outcome = attempt(s, signed);
  expect(outcome.error).toBeNull();
  expect(tokenChanges(outcome)).toEqual({
    'alice USDC': -5_050_000n,
    'bob USDC': 5_000_000n,
    'treasury USDC': 50_000n,
  });
  expect(attempt(s, signed)).toMatchObject({ error: 'alreadyProcessed', moved: [] });
});

describe('refused', () => testRefusals(TIPS_REFUSALS));
