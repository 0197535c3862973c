// Accounts that instructions create and close: lamports that were there before, who gets the rent, and what opens them again in one transaction.
import { PublicKey, SystemProgram } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { decodeConfig } from '../../src/chain/solana/accounts.ts';
import { TOKEN_PROGRAM } from '../../src/chain/solana/addresses.ts';
import { named, rentOf } from './machine.ts';
import {
  ALICE,
  attempt,
  BOB,
  bucketAt,
  closeBucket,
  DAY,
  limitsAt,
  nonceAt,
  pauseProgram,
  SCENES,
  type SceneName,
  sceneOf,
  slotsOf,
  world,
} from './scenes.ts';
import {
  campaign,
  claim,
  HOUR,
  limitsInstruction,
  must,
  openTab,
  order,
  plan,
  ROLES,
  refundTab,
  tabAt,
  tabTip,
  tips,
} from './setting.ts';

const NAMES = Object.keys(SCENES) as SceneName[];

/** The first of these that an instruction has pays the rent of what it creates. */
const PAYERS = ['funder', 'executor', 'payer'];
const CREATING = [
  'initialize',
  'setLimits, the first',
  'tip',
  'tipToTab',
  'openTab',
  'openTab, in wrapped SOL, without limits',
  'pay, in SOL',
  'pay',
  'openDeposit',
  'createPlan',
  'subscribe',
  'openCampaign',
] as const satisfies SceneName[];

for (const name of CREATING) {
  for (const early of [1n, 1_000_000_000n]) {
    test(`${name}: ${early} lamports that were sent to the new address before change nothing and are not lost`, () => {
      const { setting, ready } = sceneOf(name);
      const slots = slotsOf(SCENES[name].of, ready);
      const keyAt = (index: number) => ready.keys[index]?.pubkey.toBase58() ?? '';
      const empty = slots.filter(({ index, role }) => role.includes('w') && setting.account(keyAt(index)) === null);
      expect(empty.length).toBeGreaterThan(0);
      for (const { index } of empty) setting.give(keyAt(index), early);
      const paying = PAYERS.flatMap((one) => slots.filter((slot) => slot.name === one && slot.role === 'sw'));
      const payer = keyAt(paying[0]?.index ?? -1);
      const outcome = attempt(setting, ready);
      expect(outcome.error).toBeNull();
      let paid = 0n;
      for (const { index } of empty) {
        const made = setting.account(keyAt(index));
        const needed = rentOf(made?.data.length ?? 0);
        expect([setting.program, TOKEN_PROGRAM]).toContain(made?.owner);
        expect(made?.lamports).toBe(early > needed ? early : needed);
        paid += early > needed ? 0n : needed - early;
      }
      expect((outcome.before.get(payer)?.lamports ?? 0n) - setting.lamports(payer)).toBe(paid);
    });
  }
}

/** Instructions that close an account, whose rent and whatever else lies there goes to `rentTo`. */
const CLOSING = [
  ['closeLimits', 'limits', 'rentTo'],
  ['closeBucket', 'bucket', 'payer'],
  ['claimTab', 'tab', 'rentTo'],
  ['refundTab', 'tab', 'rentTo'],
  ['closeOrder', 'order', 'rentTo'],
  ['closeOrder', 'deposit', 'depositRentTo'],
  ['closePlan', 'plan', 'rentTo'],
  ['closeSubscription', 'subscription', 'rentTo'],
  ['deleteCampaign', 'campaign', 'rentTo'],
] as const;

for (const [name, closed, rentTo] of CLOSING) {
  test(`${name}: everything at the ${closed} goes to the wallet that paid its rent, and nothing is left`, () => {
    const { setting, ready } = sceneOf(name);
    const slots = slotsOf(name, ready);
    const keyOf = (slot: string) =>
      ready.keys[slots.find((one) => one.name === slot)?.index ?? -1]?.pubkey.toBase58() ?? '';
    expect(keyOf(rentTo)).toBe(ROLES.executor);
    setting.give(keyOf(closed), 12_345n);
    const outcome = attempt(setting, ready);
    expect(outcome.error).toBeNull();
    expect(setting.account(keyOf(closed))).toBeNull();
    const total = [...new Set(CLOSING.filter((one) => one[0] === name).map((one) => keyOf(one[1])))].reduce(
      (sum, key) => sum + (outcome.before.get(key)?.lamports ?? 0n),
      0n,
    );
    expect(setting.lamports(ROLES.executor) - (outcome.before.get(ROLES.executor)?.lamports ?? 0n)).toBe(total);
  });
}

const give = (to: string) =>
  SystemProgram.transfer({
    fromPubkey: new PublicKey(named('passer-by')),
    toPubkey: new PublicKey(to),
    lamports: 5_000_000,
  });

test('a tab that is paid out and opened again in the same transaction is refused: its nonce is used', () => {
  const s = world();
  s.give(named('passer-by'), 1_000_000_000n);
  const nonce = nonceAt(s);
  const tab = tabAt(s, ALICE, nonce);
  must(s, openTab(s, ALICE, nonce));
  const paid = claim(s, tab, BOB);
  for (const end of [paid, refundTab(s, tab, ALICE)]) {
    expect(attempt(s, end, give(tab), openTab(s, ALICE, nonce))).toMatchObject({ error: 'invalidNonce', moved: [] });
    expect(attempt(s, end, give(tab), end)).toMatchObject({ error: 'tabNotOpen', moved: [] });
    expect(attempt(s, end, end)).toMatchObject({ error: 'tabNotOpen', moved: [] });
  }
});

test("a tip's tab that is paid out cannot be filled again by the same message", () => {
  const s = world();
  s.give(named('passer-by'), 1_000_000_000n);
  const tip = tabTip(s, { from: ALICE });
  must(s, tip);
  const tab = tip.keys[7]?.pubkey.toBase58() ?? '';
  expect(attempt(s, claim(s, tab, BOB), give(tab), tip)).toMatchObject({ error: 'alreadyProcessed', moved: [] });
});

test('limits that are closed and opened again do not allow a nonce again', () => {
  const s = world();
  const nonce = nonceAt(s);
  const close = s.build('closeLimits', {
    args: {},
    accounts: { owner: ALICE, limits: limitsAt(s, ALICE), rentTo: ROLES.executor },
  });
  must(s, openTab(s, ALICE, nonce));
  must(s, refundTab(s, tabAt(s, ALICE, nonce), ALICE));
  expect(attempt(s, close)).toMatchObject({ error: 'limitsInUse', moved: [] });
  s.later(HOUR);
  expect(attempt(s, close)).toMatchObject({ error: 'limitsInUse', moved: [] });
  s.later(1);
  const again = openTab(s, ALICE, nonce);
  expect(attempt(s, close, again)).toMatchObject({ error: 'invalidNonce', moved: [] });
  must(s, close, openTab(s, ALICE, nonceAt(s)));
});

test('limits that are closed and set again in one transaction forget nothing: what was spent keeps them open', () => {
  const s = world();
  const close = s.build('closeLimits', {
    args: {},
    accounts: { owner: ALICE, limits: limitsAt(s, ALICE), rentTo: ROLES.executor },
  });
  must(s, tips(s, [{ from: ALICE, to: BOB }]));
  const set = limitsInstruction(s, ALICE, 0, 7n, 8n, 9n);
  expect(attempt(s, close, set)).toMatchObject({ error: 'limitsInUse', moved: [] });
  s.later(30 * HOUR);
  must(s, close, set);
});

test('a bucket that is closed takes no message of its hour again', () => {
  const s = world();
  const at = s.now();
  const tip = () => tips(s, [{ from: ALICE, to: BOB, time: at }]);
  const bucket = bucketAt(s);
  must(s, tip());
  s.later(26 * HOUR);
  expect(attempt(s, closeBucket(s, bucket, [ROLES.executor]), tip())).toMatchObject({
    error: 'messageTooOld',
    moved: [],
  });
});

test('an order, a campaign and a subscription that are closed are not paid, opened or charged a second time', () => {
  const s = world();
  const one = order(s, { payee: BOB });
  const drive = campaign(s, ALICE, { expiry: s.now() + DAY });
  must(s, one.pay(ALICE));
  must(s, drive.open());
  const sub = plan(s, BOB);
  must(s, sub.create());
  must(s, sub.subscribe(ALICE));
  must(s, sub.cancel(ALICE));
  s.later(91 * DAY);
  expect(attempt(s, one.close(), one.pay(ALICE))).toMatchObject({ error: 'expired', moved: [] });
  expect(attempt(s, drive.remove(), drive.open())).toMatchObject({ error: 'expired', moved: [] });
  expect(attempt(s, sub.closeSubscription(ALICE), sub.charge(ALICE))).toMatchObject({ error: 'wrongKind', moved: [] });
});

test('the program is initialized once', () => {
  const { setting, ready } = SCENES.initialize.make();
  must(setting, ready);
  expect(attempt(setting, ready)).toMatchObject({ error: 'exists', moved: [] });
  expect(decodeConfig(setting.data(setting.config) ?? new Uint8Array())?.owner).toBe(ROLES.owner);
});

/** What a pause of the program lets through: it moves no money, or gives it back. */
const WHILE_PAUSED: readonly SceneName[] = [
  'proposeOwner',
  'acceptOwner',
  'setGuardian',
  'addExecutor',
  'removeExecutor',
  'announceAuthority',
  'applyAuthority',
  'announceTreasury',
  'applyTreasury',
  'setShards',
  'setLimits',
  'setLimits, the first',
  'lowerLimits',
  'setPaused',
  'setPaused, by the owner',
  'closeLimits',
  'closeBucket',
  'refundTab',
  'refundTab, by the sender',
  'openDeposit',
  'acceptDeposit',
  'acceptDeposit, by anyone',
  'returnDeposit',
  'refund',
  'refund, in SOL',
  'closeOrder',
  'setPlan',
  'closePlan',
  'cancel',
  'halt',
  'closeSubscription',
  'closeCampaign',
  'deleteCampaign',
];

test.each(NAMES.filter((name) => !['initialize', 'pause', 'unpause'].includes(name)))(
  '%s while the program is paused',
  (name) => {
    const { setting, ready } = sceneOf(name);
    pauseProgram(setting);
    const { error, moved } = attempt(setting, ready);
    expect(error).toBe(WHILE_PAUSED.includes(name) ? null : 'paused');
    if (error !== null) expect(moved).toEqual([]);
    setting.later(HOUR);
    if (error !== null && !name.includes('openTab')) expect(setting.run(ready).error).not.toBe('paused');
  },
);
