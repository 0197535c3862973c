// Opening a tab, claiming it and refunding it.
import { describe, expect, test } from 'vitest';
import { decodeTab } from '../../src/chain/solana/accounts.ts';
import { tabIdOf, WRAPPED_SOL } from '../../src/chain/solana/addresses.ts';
import { named, rentOf } from './machine.ts';
import { testRefusals } from './refusals.ts';
import {
  ALICE,
  accountOf,
  attempt,
  BOB,
  callerApplies,
  changed,
  DAY,
  limitsAt,
  MALLORY,
  nonceAt,
  ownerSets,
  SCENES,
  sceneOf,
  secondAccount,
  tokenChanges,
  world,
} from './scenes.ts';
import {
  claim,
  HANDLE,
  HOUR,
  limitsState,
  must,
  openTab,
  ROLES,
  refundTab,
  type Setting,
  tabAt,
  tabTip,
} from './setting.ts';
import { TABS_REFUSALS } from './tabsRefusals.ts';

const TAB_BYTES = 160;

test('a wallet opens a tab: the vault holds its amount, the payer pays its rent, its nonce is used', () => {
  const { setting: s, ready } = SCENES.openTab.make();
  const outcome = attempt(s, ready);
  expect(outcome.error).toBeNull();
  const nonce = nonceAt(s);
  const tabId = tabIdOf(s.program, ALICE, nonce);
  const deadline = BigInt(s.now() + 7 * DAY);
  expect(outcome.events).toEqual([
    {
      name: 'tabOpened',
      tabId,
      sender: ALICE,
      handleKey: HANDLE,
      asset: 0,
      amount: 5_000_000n,
      deadline,
      nonce: `0x${nonce.toString(16).padStart(64, '0')}`,
      revocable: true,
    },
  ]);
  expect(tokenChanges(outcome)).toEqual({ 'alice USDC': -5_000_000n, [`${s.vault} USDC`]: 5_000_000n });
  expect(decodeTab(s.data(tabAt(s, ALICE, nonce)) ?? new Uint8Array())).toMatchObject({
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
  expect(limitsState(s, ALICE)).toMatchObject({ nonce, usdc: { slices: [0n, 0n, 0n, 0n, 0n] } });
  expect((outcome.before.get(ROLES.executor)?.lamports ?? 0n) - s.lamports(ROLES.executor)).toBe(rentOf(TAB_BYTES));
});

test("the sender's limits are created when they are missing, all of them zero, and the payer pays for both accounts", () => {
  const { setting: s, ready } = SCENES['openTab, in wrapped SOL, without limits'].make();
  const outcome = attempt(s, ready);
  expect(outcome.error).toBeNull();
  expect(outcome.events).toMatchObject([{ name: 'tabOpened', asset: 1 }]);
  expect(limitsState(s, ALICE)).toMatchObject({ rentTo: ROLES.executor, nonce: nonceAt(s), wrapped: { perTip: 0n } });
  const paid = (outcome.before.get(ROLES.executor)?.lamports ?? 0n) - s.lamports(ROLES.executor);
  expect(paid).toBe(rentOf(TAB_BYTES) + rentOf(224));
  expect(s.lamports(limitsAt(s, ALICE))).toBe(rentOf(224));
});

test('the first nonce of a wallet may lie almost an hour before the limits that its tab creates', () => {
  const { setting: s } = sceneOf('openTab, in wrapped SOL, without limits');
  const first = (BigInt(s.now() - HOUR) << 20n) + 1n;
  must(s, openTab(s, ALICE, first, { mint: WRAPPED_SOL }));
  expect(limitsState(s, ALICE)?.nonce).toBe(first);
  expect(attempt(s, openTab(s, ALICE, first))).toMatchObject({ error: 'invalidNonce', moved: [] });
});

test.each([HOUR, 90 * DAY])('a tab may end %i seconds from now, and its nonce lie almost an hour ahead', (seconds) => {
  const s = world();
  must(s, openTab(s, ALICE, (BigInt(s.now() + HOUR) << 20n) - 1n, { deadline: s.now() + seconds }));
});

test('an executor and the authority pay a tab to its recipient, and its rent to the one that paid it', () => {
  const { setting: s, ready } = SCENES.claimTab.make();
  const outcome = attempt(s, ready);
  expect(outcome.error).toBeNull();
  expect(outcome.events).toEqual([
    {
      name: 'tabClaimed',
      tabId: tabIdOf(s.program, ALICE, nonceAt(s)),
      handleKey: HANDLE,
      recipient: BOB,
      asset: 0,
      amount: 5_000_000n,
    },
  ]);
  expect(tokenChanges(outcome)).toEqual({ 'bob USDC': 5_000_000n, [`${s.vault} USDC`]: -5_000_000n });
  expect(s.account(accountOf('claimTab', ready, 'tab'))).toBeNull();
  expect(s.lamports(ROLES.executor) - (outcome.before.get(ROLES.executor)?.lamports ?? 0n)).toBe(rentOf(TAB_BYTES));
});

test('a tab is claimed after its deadline too, to any account of the recipient, by an attestation of 10 minutes at most', () => {
  const s = world();
  const nonce = nonceAt(s);
  must(s, openTab(s, ALICE, nonce, { mint: WRAPPED_SOL }));
  s.later(30 * DAY);
  const to = secondAccount(s, BOB, { mint: WRAPPED_SOL });
  const one = claim(s, tabAt(s, ALICE, nonce), BOB, { mint: WRAPPED_SOL, to, notAfter: s.now() + 600 });
  const outcome = attempt(s, one);
  expect(outcome.error).toBeNull();
  expect(tokenChanges(outcome)).toEqual({ 'bob wrapped SOL': 5_000_000n, [`${s.vault} wrapped SOL`]: -5_000_000n });
});

test('an attestation holds until its last second', () => {
  const { setting: s, ready } = SCENES.claimTab.make();
  s.later(300);
  must(s, ready);
});

test("from the deadline on anyone refunds a tab to the sender's associated account", () => {
  const { setting: s, ready } = SCENES.refundTab.make();
  const outcome = attempt(s, ready);
  expect(outcome.error).toBeNull();
  expect(outcome.events).toMatchObject([{ name: 'tabRefunded', sender: ALICE, asset: 0, amount: 5_000_000n }]);
  expect(tokenChanges(outcome)).toEqual({ 'alice USDC': 5_000_000n, [`${s.vault} USDC`]: -5_000_000n });
  expect(s.account(accountOf('refundTab', ready, 'tab'))).toBeNull();
});

test('before the deadline the sender refunds a revocable tab, to any account of its own', () => {
  const { setting: s, ready } = SCENES['refundTab, by the sender'].make();
  const to = secondAccount(s, ALICE);
  const outcome = attempt(s, changed('refundTab', ready, { accounts: { to } }));
  expect(outcome.error).toBeNull();
  expect(tokenChanges(outcome)).toEqual({ 'alice USDC': 5_000_000n, [`${s.vault} USDC`]: -5_000_000n });
  expect(outcome.events).toEqual([
    { name: 'tabRefunded', tabId: tabIdOf(s.program, ALICE, nonceAt(s)), sender: ALICE, asset: 0, amount: 5_000_000n },
  ]);
});

test('the tab of a tip is refunded to its sender, and the rent to the executor', () => {
  const { setting: s, ready } = SCENES.tipToTab.make();
  must(s, ready);
  const refund = refundTab(s, accountOf('tipToTab', ready, 'tab'), ALICE);
  const outcome = attempt(s, refund);
  expect(outcome.error).toBeNull();
  expect(tokenChanges(outcome)).toEqual({ 'alice USDC': 5_000_000n, [`${s.vault} USDC`]: -5_000_000n });
  expect(tabTip(s, { from: ALICE }).keys).toHaveLength(11);
});

describe('while the authority changes, the sender refunds what is not revocable', () => {
  const opened = (s: Setting) => {
    const nonce = nonceAt(s);
    must(s, openTab(s, ALICE, nonce, { revocable: false }));
    return refundTab(s, tabAt(s, ALICE, nonce), ALICE);
  };

  test('from the announcement on, also what is opened after it', () => {
    const s = world();
    must(s, ownerSets(s, 'announceAuthority', named('next authority')));
    must(s, opened(s));
  });

  test('and what was opened up to the second of the change', () => {
    const s = world();
    must(s, ownerSets(s, 'announceAuthority', named('next authority')));
    s.later(7 * DAY);
    const refund = opened(s);
    must(s, callerApplies(s, 'applyAuthority', MALLORY));
    must(s, refund);
  });

  test('not when it was withdrawn', () => {
    const s = world();
    const refund = opened(s);
    must(s, ownerSets(s, 'announceAuthority', named('next authority')));
    must(s, ownerSets(s, 'announceAuthority', '11111111111111111111111111111111'));
    expect(attempt(s, refund)).toMatchObject({ error: 'notRefundable', moved: [] });
  });
});

describe('refused', () => testRefusals(TABS_REFUSALS));
