// What orders, deposits and refunds refuse.
import { SYSTEM_PROGRAM, WRAPPED_SOL } from '../../src/chain/solana/addresses.ts';
import { named, put, putToken } from './machine.ts';
import { type Refusal, refusal } from './refusals.ts';
import {
  ALICE,
  accountOf,
  BOB,
  changed,
  DAY,
  deposit,
  MALLORY,
  pauseProgram,
  type SceneName,
  secondAccount,
} from './scenes.ts';
import { atOf, FLOAT, MILLION, must, order, ROLES, type Setting, USDC } from './setting.ts';

const ALL = [
  'pay',
  'pay, in SOL',
  'openDeposit',
  'sweep',
  'acceptDeposit',
  'acceptDeposit, by anyone',
  'returnDeposit',
  'refund',
  'refund, in SOL',
  'closeOrder',
] as const satisfies SceneName[];
const FROM_DEPOSIT = ['sweep', 'acceptDeposit', 'returnDeposit'] as const;
const EXISTING = [...FROM_DEPOSIT, 'acceptDeposit, by anyone', 'refund', 'refund, in SOL', 'closeOrder'] as const;
const PAYEES = ['acceptDeposit', 'returnDeposit', 'refund', 'refund, in SOL'] as const;

const nameOf = (scene: (typeof ALL)[number]) => scene.replace(/, .*/, '') as 'pay' | 'refund' | 'acceptDeposit';
const theOrder = (setting: Setting) => order(setting, { payee: BOB, deadline: setting.now() + 1_800 });

const frozen = (owner: string) => (setting: Setting) => {
  putToken(setting, { owner, mint: USDC, amount: FLOAT, isFrozen: true });
  return undefined;
};

export const ORDERS_REFUSALS: readonly Refusal[] = [
  ...ALL.flatMap((scene) => [
    refusal(scene, 'unsupportedAsset', 'wrapped SOL pays no order', { args: { asset: 1 } }),
    refusal(scene, 'unsupportedAsset', 'there is no asset 3', { args: { asset: 3 } }),
    refusal(scene, 'zeroAmount', 'the amount of the terms is zero', { args: { amount: 0n } }),
    refusal(scene, 'invalidInstruction', 'the flag is 2', (_, ready) => {
      ready.data[66] = 2;
      return ready;
    }),
  ]),
  ...ALL.flatMap((scene) =>
    (
      [
        ['order id', { orderId: `0x${'12'.repeat(32)}` }],
        ['amount', { amount: 9_999_999n }],
        ['kind', { business: false }],
        ['deadline', { deadline: 1_800_010_000n }],
      ] as const
    ).map(([what, args]) =>
      refusal(scene, 'wrongAddress', `the order is of terms with another ${what}`, {
        // What is not created belongs to its terms.
        args,
      }),
    ),
  ),
  ...(['pay', 'pay, in SOL', 'openDeposit'] as const).flatMap((scene) => [
    refusal(scene, 'invalidDeadline', 'it is a second more than 366 days ahead', (s) => {
      const deadline = s.now() + 366 * DAY + 1;
      const one = order(s, { payee: BOB, asset: scene === 'pay, in SOL' ? 2 : 0, deadline });
      return scene === 'openDeposit' ? one.openDeposit() : one.pay(ALICE);
    }),
    refusal(scene, 'invalidDeadline', 'it is never', { args: { deadline: 2n ** 64n - 1n } }),
  ]),
  ...EXISTING.map((scene) =>
    refusal(scene, 'wrongKind', 'there is no such order', { accounts: { order: named('elsewhere') } }),
  ),
  ...EXISTING.map((scene) =>
    refusal(scene, 'wrongAddress', 'the order is another', (s, ready) => {
      const other = order(s, { id: 'other', payee: BOB });
      must(s, other.openDeposit());
      return changed(nameOf(scene), ready, { accounts: { order: other.account } });
    }),
  ),
  ...PAYEES.flatMap((scene) => [
    refusal(scene, 'notPayee', 'mallory signs', { accounts: { signer: MALLORY } }),
    refusal(scene, 'notPayee', 'the payer signs', { accounts: { signer: ALICE } }),
    refusal(scene, 'notPayee', 'an executor signs', { accounts: { signer: ROLES.executor } }),
    refusal(scene, 'wrongAddress', 'mallory is the payee of other terms', (_, ready) =>
      changed(nameOf(scene), ready, { args: { payee: MALLORY }, accounts: { signer: MALLORY } }),
    ),
  ]),

  ...(['pay', 'pay, in SOL', 'sweep'] as const).flatMap((scene) => [
    refusal(scene, 'alreadySettled', 'it was paid before', (s, ready) => {
      must(s, ready);
      return undefined;
    }),
    refusal(scene, 'expired', 'it is a second late', (s) => {
      s.later(1_801);
      return undefined;
    }),
    refusal(scene, 'paused', 'the program is paused', (s) => {
      pauseProgram(s);
      return undefined;
    }),
  ]),
  refusal('pay', 'alreadySettled', 'its deposit was swept', (s) => {
    const one = theOrder(s);
    must(s, one.openDeposit());
    deposit(s, one.account, 10n * MILLION);
    must(s, one.sweep());
    return undefined;
  }),
  refusal('sweep', 'alreadySettled', 'it was paid in another way', (s) => {
    must(s, theOrder(s).pay(ALICE));
    return undefined;
  }),
  refusal('pay', 'balanceTooLow', 'the payer has a unit less', (s) => {
    putToken(s, { owner: ALICE, mint: USDC, amount: 9_999_999n });
    return undefined;
  }),
  refusal('pay', 'wrongTokenOwner', "the money is another's", { accounts: { source: atOf(MALLORY) } }),
  refusal('pay', 'wrongMint', 'the money is wrapped SOL', { accounts: { source: atOf(ALICE, WRAPPED_SOL) } }),
  refusal('pay', 'invalidRecipient', 'the payee pays itself', (s) => theOrder(s).pay(BOB)),
  refusal('pay', 'accountFrozen', "the payer's account is frozen", frozen(ALICE)),
  ...(['pay', 'sweep', 'acceptDeposit, by anyone'] as const).flatMap((scene) => [
    refusal(scene, 'wrongAddress', "the account is not the payee's associated one", (s, ready) =>
      changed(nameOf(scene), ready, { accounts: { payee: secondAccount(s, BOB) } }),
    ),
    refusal(scene, 'wrongKind', 'the payee has no account', (s, ready) => {
      put(s, atOf(BOB), SYSTEM_PROGRAM, new Uint8Array(), 0n);
      return ready;
    }),
  ]),
  ...(['pay', 'sweep', 'acceptDeposit', 'acceptDeposit, by anyone'] as const).flatMap((scene) => [
    refusal(scene, 'wrongTokenOwner', 'mallory is paid', { accounts: { payee: atOf(MALLORY) } }),
    refusal(scene, 'wrongTokenOwner', 'the fee goes to mallory', { accounts: { treasury: atOf(MALLORY) } }),
    refusal(scene, 'wrongMint', 'the payee is paid wrapped SOL', { accounts: { payee: atOf(BOB, WRAPPED_SOL) } }),
    refusal(scene, 'wrongMint', "the treasury's account is of wrapped SOL", {
      accounts: { treasury: atOf(ROLES.treasury, WRAPPED_SOL) },
    }),
    refusal(scene, 'accountFrozen', "the payee's account is frozen", frozen(BOB)),
    refusal(scene, 'accountFrozen', "the treasury's account is frozen", frozen(ROLES.treasury)),
  ]),
  refusal('pay', 'wrongAddress', 'the payee funds, but does not pay, and names another account', (s) =>
    changed('pay', theOrder(s).pay(ALICE, BOB), { accounts: { payee: secondAccount(s, BOB) } }),
  ),
  ...(['pay', 'sweep', 'acceptDeposit, by anyone'] as const).map((scene) =>
    refusal(scene, 'invalidRecipient', 'the payee is the vault', (s) => {
      const one = order(s, { payee: s.vault });
      if (scene === 'pay') return one.pay(ALICE);
      must(s, one.openDeposit());
      deposit(s, one.account, 10n * MILLION);
      if (scene === 'sweep') return one.sweep();
      s.later(91 * DAY);
      return one.accept(MALLORY);
    }),
  ),
  refusal('pay, in SOL', 'invalidRecipient', 'the payee pays itself', (s) =>
    order(s, { payee: BOB, asset: 2 }).pay(BOB),
  ),
  refusal('pay, in SOL', 'wrongAddress', 'mallory is paid', { accounts: { payee: MALLORY } }),
  refusal('pay, in SOL', 'wrongAddress', 'the fee goes to mallory', { accounts: { treasury: MALLORY } }),
  refusal('pay, in SOL', 'wrongAddress', 'the source is not the payer', { accounts: { source: MALLORY } }),

  refusal('openDeposit', 'unsupportedAsset', 'the order is in SOL', (s) =>
    order(s, { payee: BOB, asset: 2 }).openDeposit(),
  ),
  refusal('openDeposit', 'wrongAddress', 'the mint is another', { accounts: { usdc: WRAPPED_SOL } }),
  refusal('openDeposit', 'wrongAddress', "the deposit is the order's account of another mint", (s, ready) =>
    changed('openDeposit', ready, { accounts: { deposit: atOf(theOrder(s).account, WRAPPED_SOL) } }),
  ),
  ...([...FROM_DEPOSIT, 'acceptDeposit, by anyone', 'closeOrder'] as const).map((scene) =>
    refusal(scene, 'wrongAddress', "the deposit is another account of the order's", (s, ready) => {
      const owner = accountOf(nameOf(scene), ready, 'order');
      return changed(nameOf(scene), ready, { accounts: { deposit: secondAccount(s, owner, { amount: 0n }) } });
    }),
  ),
  ...[...FROM_DEPOSIT, 'acceptDeposit, by anyone' as const].map((scene) =>
    refusal(scene, 'accountFrozen', 'the deposit is frozen', (s, ready) => {
      frozen(accountOf(nameOf(scene), ready, 'order'))(s);
      return undefined;
    }),
  ),
  refusal('sweep', 'depositIncomplete', 'the deposit is a unit short', (s, ready) => {
    deposit(s, accountOf('sweep', ready, 'order'), 9_999_999n);
    return undefined;
  }),
  ...(['acceptDeposit', 'acceptDeposit, by anyone'] as const).map((scene) =>
    refusal(scene, 'zeroAmount', 'the deposit is empty', (s, ready) => {
      deposit(s, accountOf('acceptDeposit', ready, 'order'), 0n);
      return undefined;
    }),
  ),
  refusal('acceptDeposit', 'notPayee', 'mallory calls on the last second of 90 days after the deadline', (s) => {
    const one = theOrder(s);
    s.later(1_800 + 90 * DAY);
    return one.accept(MALLORY);
  }),
  ...(['acceptDeposit', 'returnDeposit'] as const).map((scene) =>
    refusal(scene, 'depositCovered', 'it covers the order, until the last second', (s, ready) => {
      deposit(s, accountOf(scene, ready, 'order'), 10n * MILLION);
      s.later(1_800);
      return undefined;
    }),
  ),
  refusal('returnDeposit', 'notPayee', 'mallory calls when she may accept', (s) => {
    const one = theOrder(s);
    s.later(91 * DAY);
    return one.giveBack(atOf(BOB), MILLION, MALLORY);
  }),
  refusal('returnDeposit', 'zeroAmount', 'nothing is returned', { args: { part: 0n } }),
  refusal('returnDeposit', 'depositIncomplete', 'it holds less', { args: { part: 9_000_001n } }),
  refusal('returnDeposit', 'wrongMint', 'the account is of another mint', {
    accounts: { to: atOf(ALICE, WRAPPED_SOL) },
  }),
  refusal('returnDeposit', 'accountFrozen', 'the account is frozen', frozen(ALICE)),
  refusal('returnDeposit', 'invalidRecipient', 'it goes to itself', (_s, ready) =>
    changed('returnDeposit', ready, { accounts: { to: accountOf('returnDeposit', ready, 'deposit') } }),
  ),

  ...(['refund', 'refund, in SOL'] as const).flatMap((scene) => [
    refusal(scene, 'zeroAmount', 'nothing is refunded', { args: { part: 0n } }),
    refusal(scene, 'refundTooLarge', 'it is a unit more than was paid', { args: { part: 10_000_001n } }),
    refusal(scene, 'refundTooLarge', 'it sums up to more than was paid', (s, ready) => {
      must(s, ready, ready);
      return undefined;
    }),
    refusal(scene, 'overflow', 'the sum does not fit', (s, ready) => {
      must(s, ready);
      return changed('refund', ready, { args: { part: 2n ** 64n - 1n } });
    }),
    refusal(scene, 'invalidRecipient', 'it goes to where it comes from', (_, ready) =>
      changed('refund', ready, { accounts: { to: accountOf('refund', ready, 'source') } }),
    ),
  ]),
  ...(['refund', 'returnDeposit'] as const).map((scene) =>
    refusal(scene, 'invalidRecipient', 'it goes to the vault', (s, ready) =>
      changed(scene, ready, { accounts: { to: atOf(s.vault) } }),
    ),
  ),
  refusal('refund', 'notSettled', 'a deposit was opened, and nothing paid', (s) => {
    const other = order(s, { id: 'other', payee: BOB });
    must(s, other.openDeposit());
    return other.refund(atOf(ALICE), 1n);
  }),
  refusal('refund', 'wrongTokenOwner', "the money is the payer's own", (s, ready) =>
    changed('refund', ready, { accounts: { source: secondAccount(s, ALICE) } }),
  ),
  refusal('refund', 'wrongMint', 'it is paid back in wrapped SOL', {
    accounts: { source: atOf(BOB, WRAPPED_SOL), to: atOf(ALICE, WRAPPED_SOL) },
  }),
  refusal('refund', 'balanceTooLow', 'the payee has a unit less', (s) => {
    putToken(s, { owner: BOB, mint: USDC, amount: 3_999_999n });
    return undefined;
  }),
  refusal('refund', 'accountFrozen', 'the account to pay is frozen', frozen(ALICE)),
  refusal('refund, in SOL', 'wrongAddress', 'the source is not the payee', { accounts: { source: MALLORY } }),

  refusal('closeOrder', 'orderOpen', '90 days are not over', (s) => {
    const one = theOrder(s);
    must(s, one.pay(ALICE));
    s.later(1_800 + 90 * DAY);
    return one.close();
  }),
  refusal('closeOrder', 'orderOpen', 'the deposit holds a unit', (s, ready) => {
    deposit(s, accountOf('closeOrder', ready, 'order'), 1n);
    return undefined;
  }),
  refusal('closeOrder', 'wrongRentAddress', "mallory wants the order's rent", { accounts: { rentTo: MALLORY } }),
  refusal('closeOrder', 'wrongRentAddress', "mallory wants the deposit's rent", {
    accounts: { depositRentTo: MALLORY },
  }),
  refusal('closeOrder', 'accountFrozen', 'the deposit is frozen', (s, ready) => {
    putToken(s, { owner: accountOf('closeOrder', ready, 'order'), mint: USDC, isFrozen: true });
    return undefined;
  }),
  refusal('pay', 'exists', "an account of another kind lies at the order's address", (s, ready) => {
    const data = Buffer.alloc(104);
    data[0] = 7;
    put(s, accountOf('pay', ready, 'order'), s.program, data);
    return undefined;
  }),
];
