// Orders: paid by a wallet or out of their deposit, refunded, and closed.
import { describe, expect, test } from 'vitest';
import { decodeOrder } from '../../src/chain/solana/accounts.ts';
import { SYSTEM_PROGRAM } from '../../src/chain/solana/addresses.ts';
import { balance, named, put, putToken, rentOf } from './machine.ts';
import { ORDERS_REFUSALS } from './ordersRefusals.ts';
import { testRefusals } from './refusals.ts';
import {
  ALICE,
  type Attempt,
  attempt,
  BOB,
  changed,
  DAY,
  deposit,
  MALLORY,
  pauseProgram,
  SCENES,
  sceneOf,
  secondAccount,
  tokenChanges,
  world,
} from './scenes.ts';
import { atOf, MILLION, must, order, ROLES, type Setting, USDC } from './setting.ts';

const ORDER_BYTES = 104;
const TOKEN_BYTES = 165;

const stateOf = (s: Setting, at: string) => decodeOrder(s.data(at) ?? new Uint8Array());
const gained = (s: Setting, { before }: Attempt, of: string) => s.lamports(of) - (before.get(of)?.lamports ?? 0n);

test('a payer pays in USDC: the payee gets the amount less 1 %, the treasury the rest, the funder pays the rent', () => {
  const { setting: s, ready } = SCENES.pay.make();
  const one = order(s, { payee: BOB });
  const outcome = attempt(s, ready);
  expect(outcome.error).toBeNull();
  const { orderId } = one.terms;
  expect(outcome.events).toEqual([
    {
      name: 'paymentSettled',
      orderKey: one.key,
      orderId,
      payer: ALICE,
      payee: BOB,
      asset: 0,
      amount: 10_000_000n,
      fee: 100_000n,
    },
  ]);
  expect(tokenChanges(outcome)).toEqual({
    'alice USDC': -10_000_000n,
    'bob USDC': 9_900_000n,
    'treasury USDC': 100_000n,
  });
  expect(stateOf(s, one.account)).toMatchObject({
    kind: 5,
    settled: true,
    rentTo: ROLES.executor,
    depositRentTo: SYSTEM_PROGRAM,
    refunded: 0n,
    settledAt: BigInt(s.now()),
  });
  expect(gained(s, outcome, ROLES.executor)).toBe(-rentOf(ORDER_BYTES));
});

test('a payer pays in SOL', () => {
  const { setting: s, ready } = SCENES['pay, in SOL'].make();
  const outcome = attempt(s, ready);
  expect(outcome.error).toBeNull();
  expect(outcome.events).toMatchObject([{ name: 'paymentSettled', payer: ALICE, payee: BOB, asset: 2, fee: 100_000n }]);
  expect([ALICE, BOB, ROLES.treasury, ROLES.executor].map((of) => gained(s, outcome, of))).toEqual([
    -10_000_000n,
    9_900_000n,
    100_000n,
    -rentOf(ORDER_BYTES),
  ]);
});

test.each([
  [49n, 0n],
  [50n, 1n],
  [149n, 1n],
  [150n, 2n],
  [2n ** 64n - 1n, 184_467_440_737_095_516n],
])('of %s units a business order has a fee of %s, another none', (amount, fee) => {
  for (const business of [true, false]) {
    const s = world();
    putToken(s, { owner: ALICE, mint: USDC, amount });
    putToken(s, { owner: BOB, mint: USDC, amount: 0n });
    putToken(s, { owner: ROLES.treasury, mint: USDC, amount: 0n });
    const outcome = attempt(s, order(s, { payee: BOB, business, amount }).pay(ALICE));
    expect(outcome.error).toBeNull();
    expect(balance(s, atOf(BOB))).toBe(business ? amount - fee : amount);
    expect(balance(s, atOf(ROLES.treasury))).toBe(business ? fee : 0n);
    expect(outcome.events).toMatchObject([{ amount, fee: business ? fee : 0n }]);
  }
});

test('an order is paid until its last second, also one whose deposit is open', () => {
  const s = world();
  const one = order(s, { payee: BOB });
  must(s, one.openDeposit());
  s.later(1_800);
  const outcome = attempt(s, one.pay(ALICE, ALICE));
  expect(outcome.error).toBeNull();
  expect(gained(s, outcome, ALICE)).toBe(0n);
});

test("a deposit is opened at the order's associated account, and its rent noted", () => {
  const { setting: s, ready } = SCENES.openDeposit.make();
  const one = order(s, { payee: BOB });
  const outcome = attempt(s, ready);
  expect(outcome.error).toBeNull();
  expect(outcome.events).toEqual([]);
  expect(stateOf(s, one.account)).toMatchObject({
    settled: false,
    rentTo: ROLES.executor,
    depositRentTo: ROLES.executor,
  });
  expect(gained(s, outcome, ROLES.executor)).toBe(-rentOf(ORDER_BYTES) - rentOf(TOKEN_BYTES));
  expect(s.lamports(one.deposit)).toBe(rentOf(TOKEN_BYTES));
});

test('a deposit that a payer created gives its rent to the payee in the end', () => {
  const s = world();
  const one = order(s, { payee: BOB });
  deposit(s, one.account, 0n);
  must(s, one.openDeposit());
  expect(stateOf(s, one.account)).toMatchObject({ rentTo: ROLES.executor, depositRentTo: SYSTEM_PROGRAM });
  s.later(91 * DAY);
  for (const other of [ROLES.executor, MALLORY, SYSTEM_PROGRAM]) {
    expect(attempt(s, one.close(ROLES.executor, other))).toMatchObject({ error: 'wrongRentAddress', moved: [] });
  }
  const outcome = attempt(s, one.close(ROLES.executor, BOB));
  expect(outcome.error).toBeNull();
  expect(gained(s, outcome, BOB)).toBe(rentOf(TOKEN_BYTES));
  expect(gained(s, outcome, ROLES.executor)).toBe(rentOf(ORDER_BYTES));
});

test('opening a deposit a second time leaves its rent to the one that paid it', () => {
  const s = world();
  const one = order(s, { payee: BOB });
  must(s, one.openDeposit());
  const again = attempt(s, one.openDeposit(BOB));
  expect(again).toMatchObject({ error: null, moved: [], events: [] });
  expect(stateOf(s, one.account)).toMatchObject({ rentTo: ROLES.executor, depositRentTo: ROLES.executor });
});

test.each([true, false])('a payee does not pay its own order in SOL (business: %s)', (business) => {
  const s = world();
  const one = order(s, { payee: BOB, asset: 2, business });
  expect(attempt(s, one.pay(BOB))).toMatchObject({ error: 'invalidRecipient', moved: [], events: [] });
  expect(attempt(s, one.pay(BOB, BOB))).toMatchObject({ error: 'invalidRecipient', moved: [], events: [] });
});

test.each(['pay', 'pay, in SOL', 'openDeposit'] as const)('%s: the terms may end 366 days from now', (name) => {
  const { setting: s } = sceneOf(name);
  const one = order(s, { payee: BOB, asset: name === 'pay, in SOL' ? 2 : 0, deadline: s.now() + 366 * DAY });
  must(s, name === 'openDeposit' ? one.openDeposit() : one.pay(ALICE));
});

test('90 days after the deadline anyone accepts what is left, to the associated account of the payee: no dust keeps an order', () => {
  const s = world();
  const one = order(s, { payee: BOB });
  must(s, one.openDeposit());
  deposit(s, one.account, 149n);
  s.later(1_800 + 90 * DAY);
  expect(attempt(s, one.accept(MALLORY))).toMatchObject({ error: 'notPayee', moved: [] });
  s.later(1);
  expect(attempt(s, one.close())).toMatchObject({ error: 'orderOpen', moved: [] });
  const outcome = attempt(s, one.accept(MALLORY));
  expect(outcome.error).toBeNull();
  expect(outcome.events).toEqual([
    {
      name: 'depositMoved',
      orderKey: one.key,
      orderId: one.terms.orderId,
      to: BOB,
      asset: 0,
      amount: 149n,
      fee: 1n,
      accepted: true,
    },
  ]);
  expect(tokenChanges(outcome)).toEqual({ [`${one.account} USDC`]: -149n, 'bob USDC': 148n, 'treasury USDC': 1n });
  expect(s.lamports(MALLORY)).toBe(outcome.before.get(MALLORY)?.lamports);
  must(s, one.close());
});

test('a payee that signs names any of its accounts, for what is accepted and for what is swept', () => {
  const s = world();
  const to = secondAccount(s, BOB, { amount: 0n });
  for (const [id, held, wait] of [
    ['early', 9n * MILLION, 0],
    ['late', 9n * MILLION, 91 * DAY],
  ] as const) {
    const one = order(s, { payee: BOB, id });
    must(s, one.openDeposit());
    deposit(s, one.account, held);
    s.later(wait);
    must(s, changed('acceptDeposit', one.accept(), { accounts: { payee: to } }));
  }
  const one = order(s, { payee: BOB, id: 'swept' });
  must(s, one.openDeposit());
  deposit(s, one.account, 10n * MILLION);
  must(s, changed('sweep', one.sweep(BOB), { accounts: { payee: to } }));
  expect(balance(s, to)).toBe(2n * 8_910_000n + 9_900_000n);
});

test('anyone sweeps a deposit that covers its order; what is beyond stays for the payee', () => {
  const { setting: s, ready } = SCENES.sweep.make();
  const one = order(s, { payee: BOB });
  const outcome = attempt(s, ready);
  expect(outcome.error).toBeNull();
  const { orderId } = one.terms;
  expect(outcome.events).toEqual([
    {
      name: 'paymentSettled',
      orderKey: one.key,
      orderId,
      payer: one.account,
      payee: BOB,
      asset: 0,
      amount: 10_000_000n,
      fee: 100_000n,
    },
  ]);
  expect(tokenChanges(outcome)).toEqual({
    [`${one.account} USDC`]: -10_000_000n,
    'bob USDC': 9_900_000n,
    'treasury USDC': 100_000n,
  });
  expect(stateOf(s, one.account)).toMatchObject({ settled: true, settledAt: BigInt(s.now()) });
  const rest = attempt(s, one.accept());
  expect(rest.events).toMatchObject([
    { name: 'depositMoved', to: BOB, amount: 2_000_000n, fee: 20_000n, accepted: true },
  ]);
});

test('the payee accepts what is too little, with its fee', () => {
  const { setting: s, ready } = SCENES.acceptDeposit.make();
  const one = order(s, { payee: BOB });
  const outcome = attempt(s, ready);
  expect(outcome.error).toBeNull();
  expect(outcome.events).toEqual([
    {
      name: 'depositMoved',
      orderKey: one.key,
      orderId: one.terms.orderId,
      to: BOB,
      asset: 0,
      amount: 9_000_000n,
      fee: 90_000n,
      accepted: true,
    },
  ]);
  expect(tokenChanges(outcome)).toEqual({
    [`${one.account} USDC`]: -9_000_000n,
    'bob USDC': 8_910_000n,
    'treasury USDC': 90_000n,
  });
  expect(stateOf(s, one.account)?.settled).toBe(false);
});

test('the payee returns a part of a deposit, without a fee; the event names the owner of the account', () => {
  const { setting: s, ready } = SCENES.returnDeposit.make();
  const one = order(s, { payee: BOB });
  const outcome = attempt(s, ready);
  expect(outcome.error).toBeNull();
  expect(outcome.events).toEqual([
    {
      name: 'depositMoved',
      orderKey: one.key,
      orderId: one.terms.orderId,
      to: ALICE,
      asset: 0,
      amount: 4_000_000n,
      fee: 0n,
      accepted: false,
    },
  ]);
  expect(tokenChanges(outcome)).toEqual({ [`${one.account} USDC`]: -4_000_000n, 'alice USDC': 4_000_000n });
});

test('a deposit that covers its order is the payee’s to move when it is late, or in a pause', () => {
  for (const wait of [(s: Setting) => s.later(1_801), (s: Setting) => pauseProgram(s)]) {
    const { setting: s } = SCENES.sweep.make();
    const one = order(s, { payee: BOB });
    expect(attempt(s, one.accept())).toMatchObject({ error: 'depositCovered', moved: [] });
    wait(s);
    must(s, one.giveBack(atOf(ALICE), MILLION));
    must(s, one.accept());
  }
});

test.each(['refund', 'refund, in SOL'] as const)('%s: parts sum up to what was paid', (name) => {
  const { setting: s, ready } = SCENES[name].make();
  const isSol = name !== 'refund';
  const one = order(s, { payee: BOB, asset: isSol ? 2 : 0 });
  const outcome = attempt(s, ready);
  expect(outcome.error).toBeNull();
  expect(outcome.events).toEqual([
    {
      name: 'paymentRefunded',
      orderKey: one.key,
      orderId: one.terms.orderId,
      to: ALICE,
      asset: isSol ? 2 : 0,
      amount: 4_000_000n,
      refundedTotal: 4_000_000n,
    },
  ]);
  if (isSol) expect([gained(s, outcome, ALICE), gained(s, outcome, BOB)]).toEqual([4_000_000n, -4_000_000n]);
  else expect(tokenChanges(outcome)).toEqual({ 'bob USDC': -4_000_000n, 'alice USDC': 4_000_000n });
  expect(must(s, one.refund(isSol ? ALICE : atOf(ALICE), 6n * MILLION)).events).toMatchObject([
    { refundedTotal: 10_000_000n },
  ]);
  expect(stateOf(s, one.account)?.refunded).toBe(10_000_000n);
});

test('90 days after its deadline anyone closes an order: each rent returns to the one that paid it', () => {
  const s = world();
  const one = order(s, { payee: BOB });
  must(s, one.pay(ALICE, MALLORY));
  must(s, one.openDeposit(ROLES.executor));
  s.later(1_801 + 90 * DAY);
  const outcome = attempt(s, one.close(MALLORY, ROLES.executor));
  expect(outcome.error).toBeNull();
  expect(outcome.events).toEqual([]);
  expect(gained(s, outcome, MALLORY)).toBe(rentOf(ORDER_BYTES));
  expect(gained(s, outcome, ROLES.executor)).toBe(rentOf(TOKEN_BYTES));
  expect([s.account(one.account), s.account(one.deposit)]).toEqual([null, null]);
});

test('what reaches a deposit after its order was closed is still the payee’s', () => {
  const s = world();
  const one = order(s, { payee: BOB });
  must(s, one.pay(ALICE));
  s.later(91 * DAY);
  must(s, one.close());
  deposit(s, one.account, 10n * MILLION);
  must(s, one.openDeposit());
  expect(attempt(s, one.sweep())).toMatchObject({ error: 'expired', moved: [] });
  must(s, one.accept());
});

test('a payee without an account cannot be paid, and a payee is never a token account', () => {
  const s = world();
  expect(attempt(s, order(s, { payee: named('new wallet') }).pay(ALICE))).toMatchObject({
    error: 'wrongKind',
    moved: [],
  });
  put(s, named('lamports'), s.program, new Uint8Array(1));
  expect(attempt(s, order(s, { payee: atOf(BOB) }).pay(ALICE))).toMatchObject({ error: 'wrongKind', moved: [] });
});

describe('refused', () => testRefusals(ORDERS_REFUSALS));
