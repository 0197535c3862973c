// What plans and subscriptions refuse.
import { WRAPPED_SOL } from '../../src/chain/solana/addresses.ts';
import { named, putToken } from './machine.ts';
import { refusal } from './refusals.ts';
import { ALICE, BOB, changed, DAY, MALLORY, pauseProgram, secondAccount } from './scenes.ts';
import { atOf, FLOAT, must, plan, ROLES, type Setting, USDC } from './setting.ts';

const DRAWS = ['subscribe', 'charge'] as const;

const ofAlice = (change: Partial<Parameters<typeof putToken>[1]>) => (setting: Setting) => {
  const delegate = { to: setting.spender, amount: FLOAT };
  putToken(setting, { owner: ALICE, mint: USDC, amount: FLOAT, delegate, ...change });
  return undefined;
};

/** Another plan of the same creator, to which Alice is not subscribed. */
function otherPlan(setting: Setting) {
  const other = plan(setting, BOB, { id: 'other' });
  must(setting, other.create());
  return other;
}

export const PLANS_REFUSALS = [
  refusal('createPlan', 'zeroAmount', 'it costs nothing', { args: { amount: 0n } }),
  refusal('createPlan', 'invalidPeriod', 'it is a second too short', { args: { period: 3_599 } }),
  refusal('createPlan', 'invalidPeriod', 'it is a second too long', { args: { period: 366 * DAY + 1 } }),
  refusal('createPlan', 'exists', 'there is one', (s, ready) => {
    must(s, ready);
    return undefined;
  }),
  refusal('createPlan', 'wrongAddress', 'mallory creates it for herself at its address', {
    accounts: { creator: MALLORY },
  }),
  refusal('createPlan', 'paused', 'the program is paused', (s) => {
    pauseProgram(s);
    return undefined;
  }),
  refusal('setPlan', 'notCreator', 'mallory signs', { accounts: { creator: MALLORY } }),
  refusal('setPlan', 'notCreator', 'an executor signs', { accounts: { creator: ROLES.executor } }),
  refusal('setPlan', 'invalidState', 'it is in that state', { args: { state: 1 } }),
  refusal('setPlan', 'invalidState', 'there is no state 0', { args: { state: 0 } }),
  refusal('setPlan', 'invalidState', 'there is no state 3', { args: { state: 3 } }),
  refusal('setPlan', 'paused', 'it would be active again in a pause', (s, ready) => {
    must(s, ready);
    pauseProgram(s);
    return plan(s, BOB).set(1);
  }),
  refusal('closePlan', 'notCreator', 'mallory signs', { accounts: { creator: MALLORY } }),
  refusal('closePlan', 'invalidState', 'it is active', (s) => {
    must(s, plan(s, BOB).set(1));
    return undefined;
  }),
  refusal('closePlan', 'wrongRentAddress', 'the creator wants the rent that another paid', {
    accounts: { rentTo: BOB },
  }),

  ...DRAWS.flatMap((scene) => [
    refusal(scene, 'planInactive', 'it was set so', (s) => {
      must(s, plan(s, BOB).set(2));
      return undefined;
    }),
    refusal(scene, 'wrongKind', 'the plan was closed', (s) => {
      must(s, plan(s, BOB).set(2), plan(s, BOB).close());
      return undefined;
    }),
    refusal(scene, 'paused', 'the program is paused', (s) => {
      pauseProgram(s);
      return undefined;
    }),
    refusal(scene, 'wrongTokenOwner', "the money is another's", (s, ready) =>
      changed(scene, ready, { accounts: { source: secondAccount(s, MALLORY, { isApproved: true }) } }),
    ),
    refusal(scene, 'wrongMint', 'the money is wrapped SOL', { accounts: { source: atOf(ALICE, WRAPPED_SOL) } }),
    refusal(scene, 'wrongAddress', "the account is not the creator's associated one", (s, ready) =>
      changed(scene, ready, { accounts: { creator: secondAccount(s, BOB) } }),
    ),
    refusal(scene, 'wrongTokenOwner', 'mallory is paid', { accounts: { creator: atOf(MALLORY) } }),
    refusal(scene, 'wrongTokenOwner', 'the fee goes to mallory', { accounts: { treasury: atOf(MALLORY) } }),
    refusal(scene, 'wrongMint', 'the creator is paid wrapped SOL', { accounts: { creator: atOf(BOB, WRAPPED_SOL) } }),
    refusal(scene, 'wrongMint', "the treasury's account is of wrapped SOL", {
      accounts: { treasury: atOf(ROLES.treasury, WRAPPED_SOL) },
    }),
    refusal(scene, 'notApproved', 'nothing is approved', ofAlice({ delegate: undefined })),
    refusal(scene, 'notApproved', 'another is approved', ofAlice({ delegate: { to: MALLORY, amount: FLOAT } })),
    refusal(scene, 'allowanceTooLow', 'the approval is a unit short', (s) =>
      ofAlice({ delegate: { to: s.spender, amount: 9_999_999n } })(s),
    ),
    refusal(scene, 'balanceTooLow', 'the balance is a unit short', ofAlice({ amount: 9_999_999n })),
    refusal(scene, 'accountFrozen', 'the source is frozen', ofAlice({ isFrozen: true })),
    refusal(scene, 'accountFrozen', "the creator's account is frozen", (s) => {
      putToken(s, { owner: BOB, mint: USDC, isFrozen: true });
      return undefined;
    }),
    refusal(scene, 'accountFrozen', "the treasury's account is frozen", (s) => {
      putToken(s, { owner: ROLES.treasury, mint: USDC, isFrozen: true });
      return undefined;
    }),
  ]),
  refusal('subscribe', 'termsMismatch', 'the amount is another than the subscriber signed', {
    args: { amount: 9_999_999n },
  }),
  refusal('subscribe', 'termsMismatch', 'the period is another', { args: { period: 86_399 } }),
  refusal('subscribe', 'alreadySubscribed', 'it is active', (s, ready) => {
    must(s, ready);
    s.later(DAY);
    return undefined;
  }),
  refusal('subscribe', 'alreadySubscribed', 'it has not lapsed, by a second', (s, ready) => {
    must(s, ready);
    s.later(4 * DAY - 1);
    return undefined;
  }),
  refusal('subscribe', 'tooSoon', 'it was charged less than half a period ago', (s, ready) => {
    must(s, ready, plan(s, BOB).cancel(ALICE));
    s.later(DAY / 2 - 1);
    return undefined;
  }),
  refusal('subscribe', 'invalidRecipient', 'the creator subscribes, out of the account that is paid', (s) =>
    plan(s, BOB).subscribe(BOB),
  ),
  refusal('subscribe', 'wrongAddress', "the subscription would be at another's address", (s, ready) =>
    changed('subscribe', ready, { accounts: { subscription: plan(s, BOB).subscriptionAt(MALLORY) } }),
  ),
  refusal('subscribe', 'wrongAddress', "the subscription is another's", (s, ready) => {
    must(s, plan(s, BOB).subscribe(MALLORY), plan(s, BOB).cancel(MALLORY));
    s.later(DAY);
    return changed('subscribe', ready, { accounts: { subscription: plan(s, BOB).subscriptionAt(MALLORY) } });
  }),
  refusal('subscribe', 'wrongAddress', 'the subscription is of another plan', (s, ready) => {
    const other = otherPlan(s);
    must(s, other.subscribe(ALICE), other.cancel(ALICE));
    s.later(DAY);
    return changed('subscribe', ready, { accounts: { subscription: other.subscriptionAt(ALICE) } });
  }),
  refusal('charge', 'tooSoon', 'it was charged for this period', (s, ready) => {
    must(s, ready);
    return undefined;
  }),
  refusal('charge', 'tooSoon', 'half a period is not over, by a second', (s, ready) => {
    // Late for its period, so that the next one begins too early.
    s.later(DAY - 100);
    must(s, ready);
    s.later(DAY / 2 - 1);
    return undefined;
  }),
  refusal('charge', 'wrongAddress', 'the subscription is of another plan', (s, ready) => {
    const other = otherPlan(s);
    return changed('charge', ready, { accounts: { plan: other.account } });
  }),
  ...(
    [
      ['it was cancelled', (s: Setting) => plan(s, BOB).cancel(ALICE)],
      ['the creator cancelled it', (s: Setting) => plan(s, BOB).cancel(ALICE, BOB)],
      ['it was halted', (s: Setting) => plan(s, BOB).halt(ALICE)],
    ] as const
  ).map(([when, end]) =>
    refusal('charge', 'notActive', when, (s) => {
      must(s, end(s));
      return undefined;
    }),
  ),
  refusal('charge', 'notActive', 'it was unpaid for three periods', (s) => {
    s.later(3 * DAY);
    return undefined;
  }),
  refusal('cancel', 'notSubscriberOrCreator', 'mallory signs', { accounts: { signer: MALLORY } }),
  refusal('cancel', 'notSubscriberOrCreator', 'an executor signs', { accounts: { signer: ROLES.executor } }),
  refusal('cancel', 'notActive', 'it was cancelled before', (s, ready) => {
    must(s, ready);
    return undefined;
  }),
  refusal('halt', 'notExecutor', 'mallory signs', { accounts: { executor: MALLORY } }),
  refusal('halt', 'notExecutor', 'the creator signs', { accounts: { executor: BOB } }),
  refusal('halt', 'notActive', 'it was halted before', (s, ready) => {
    must(s, ready);
    return undefined;
  }),
  refusal('halt', 'notActive', 'it has lapsed', (s) => {
    s.later(4 * DAY);
    return undefined;
  }),
  refusal('closeSubscription', 'invalidState', 'it is active', (s) => {
    must(s, plan(s, BOB).subscribe(MALLORY));
    s.later(DAY);
    return plan(s, BOB).closeSubscription(MALLORY);
  }),
  refusal('closeSubscription', 'invalidState', 'half a period is not over', (s) => {
    must(s, plan(s, BOB).subscribe(MALLORY), plan(s, BOB).cancel(MALLORY));
    s.later(DAY / 2 - 1);
    return plan(s, BOB).closeSubscription(MALLORY);
  }),
  refusal('closeSubscription', 'wrongRentAddress', 'mallory wants the rent', { accounts: { rentTo: MALLORY } }),
  refusal('closeSubscription', 'wrongKind', 'there is none', { accounts: { subscription: named('elsewhere') } }),
];
