// What an audit of the program found, each as a test of what has to hold.
import { PublicKey } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { limitsOf, tabIdOf, tabOf } from '../../src/chain/solana/addresses.ts';
import { balance, named, putToken } from './machine.ts';
import {
  atOf,
  campaign,
  FLOAT,
  HOUR,
  initialized,
  MILLION,
  messageKeyOf,
  must,
  openTab,
  order,
  person,
  plan,
  ROLES,
  refundTab,
  tabAt,
  tabTip,
  tips,
  USDC,
} from './setting.ts';

/** A wallet with USDC that has never used the program. */
function newcomer(setting: ReturnType<typeof initialized>, name: string) {
  const owner = named(name);
  setting.give(owner, 100_000_000_000n);
  putToken(setting, { owner, mint: USDC, amount: FLOAT });
  return owner;
}

const nonceOf = (second: number, random = 77n) => (BigInt(second) << 20n) + random;

test('the first tab of a wallet may land some time after it was signed', () => {
  const setting = initialized();
  const ann = newcomer(setting, 'ann');
  const nonce = nonceOf(setting.now());
  setting.later(60);
  expect(setting.run(openTab(setting, ann, nonce)).error).toBe(null);
  expect(balance(setting, atOf(setting.vault))).toBe(5n * MILLION);
});

test('no nonce is used twice by a wallet that closed its limits', () => {
  const setting = initialized();
  const ann = newcomer(setting, 'ann');
  const closing = () =>
    setting.build('closeLimits', {
      args: {},
      accounts: { owner: ann, limits: limitsOf(setting.program, ann).address, rentTo: ROLES.executor },
    });
  const nonce = nonceOf(setting.now());
  must(setting, openTab(setting, ann, nonce));
  must(setting, refundTab(setting, tabAt(setting, ann, nonce), ann));
  setting.later(HOUR);
  expect(setting.run(closing()).error).toBe('limitsInUse');
  setting.later(1);
  must(setting, closing());
  expect(setting.run(openTab(setting, ann, nonce)).error).toBe('invalidNonce');
  must(setting, openTab(setting, ann, nonceOf(setting.now() - 30)));
});

test('the rent of a deposit returns to its funder, whatever the payee does', () => {
  const setting = initialized();
  const payee = person(setting, 'payee');
  const terms = order(setting, { payee });
  must(setting, terms.openDeposit());
  must(setting, terms.openDeposit(payee));
  setting.later(91 * 86_400);
  expect(setting.run(terms.close(ROLES.executor, payee)).error).toBe('wrongRentAddress');
  must(setting, terms.close(ROLES.executor, ROLES.executor));
});

test('the rent of a deposit that a payer created is the payee’s', () => {
  const setting = initialized();
  const payee = person(setting, 'payee');
  for (const [id, first] of [
    ['a', 'deposit'],
    ['b', 'order'],
  ] as const) {
    const terms = order(setting, { payee, id });
    const create = () => putToken(setting, { owner: terms.account, mint: USDC });
    if (first === 'deposit') create();
    must(setting, first === 'deposit' ? terms.openDeposit() : terms.pay(person(setting, 'payer')));
    if (first === 'order') create();
    setting.later(91 * 86_400);
    expect(setting.run(terms.close(ROLES.executor, ROLES.executor)).error).toBe('wrongRentAddress');
    must(setting, terms.close(ROLES.executor, payee));
  }
});

test('a stranger does not choose among the token accounts of who is paid', () => {
  const setting = initialized();
  const [payee, payer] = [person(setting, 'payee'), person(setting, 'payer')];
  const hidden = putToken(setting, { owner: payee, mint: USDC }, named('hidden account'));
  const swept = order(setting, { payee });
  must(setting, swept.openDeposit());
  putToken(setting, { owner: swept.account, mint: USDC, amount: 10n * MILLION });
  const treasury = atOf(ROLES.treasury);
  const sweepTo = (caller: string, to: string) =>
    setting.build('sweep', {
      args: swept.terms,
      accounts: { caller, order: swept.account, deposit: swept.deposit, payee: to, treasury },
    });
  const paid = order(setting, { payee, id: 'paid' });
  const monthly = plan(setting, payee);
  must(setting, monthly.create());
  const { account, subscriptionAt } = monthly;
  const parties = { plan: account, subscription: subscriptionAt(payer), source: atOf(payer), treasury };
  expect(setting.run(sweepTo(payer, hidden)).error).toBe('wrongAddress');
  const funder = ROLES.executor;
  const payTo = setting.build('pay', {
    args: paid.terms,
    accounts: { payer, funder, order: paid.account, source: atOf(payer), payee: hidden, treasury },
  });
  expect(setting.run(payTo).error).toBe('wrongAddress');
  const subscribeTo = setting.build('subscribe', {
    args: { amount: 10n * MILLION, period: 86_400 },
    accounts: { payer: ROLES.executor, subscriber: payer, ...parties, creator: hidden },
  });
  expect(setting.run(subscribeTo).error).toBe('wrongAddress');
  must(setting, monthly.subscribe(payer));
  setting.later(86_400);
  const chargeTo = (caller: string) =>
    setting.build('charge', { args: {}, accounts: { caller, ...parties, creator: hidden } });
  expect(setting.run(chargeTo(payer)).error).toBe('wrongAddress');
  expect(balance(setting, hidden)).toBe(0n);
  // The owner itself may.
  must(setting, chargeTo(payee));
  const late = order(setting, { payee, id: 'late' });
  must(setting, late.openDeposit());
  putToken(setting, { owner: late.account, mint: USDC, amount: 10n * MILLION });
  const sweepLate = setting.build('sweep', {
    args: late.terms,
    accounts: { caller: payee, order: late.account, deposit: late.deposit, payee: hidden, treasury },
  });
  must(setting, sweepLate);
  expect(balance(setting, hidden)).toBe(2n * 9_900_000n);
});

test('what could never leave it again is not sent to the vault', () => {
  const setting = initialized();
  const [ann, ben] = [person(setting, 'ann'), person(setting, 'ben')];
  const { vault } = setting;
  const cause = campaign(setting, ann);
  must(setting, cause.open());
  const toVault = order(setting, { payee: vault });
  const paid = order(setting, { payee: ben, id: 'paid' });
  must(setting, toVault.openDeposit(), paid.pay(ann), paid.openDeposit());
  for (const { account } of [toVault, paid]) putToken(setting, { owner: account, mint: USDC, amount: 20n * MILLION });
  for (const attempt of [
    tips(setting, [{ from: ann, to: vault }]),
    cause.grant([{ index: 0, to: vault }]),
    toVault.pay(ann),
    toVault.sweep(),
    paid.giveBack(atOf(vault), MILLION),
    paid.refund(atOf(vault), MILLION),
  ]) {
    expect(setting.run(attempt).error).toBe('invalidRecipient');
  }
});

test('closed limits are told: all that follows the events knows that nothing may be drawn', () => {
  const setting = initialized();
  const ann = person(setting, 'ann');
  const limits = limitsOf(setting.program, ann).address;
  must(setting, setting.build('setPaused', { args: { paused: true }, accounts: { signer: ann, limits } }));
  const { events } = must(
    setting,
    setting.build('closeLimits', { args: {}, accounts: { owner: ann, limits, rentTo: ROLES.executor } }),
  );
  const none = { owner: ann, perTip: 0n, perDay: 0n, maxFee: 0n };
  expect(events).toMatchObject([
    { name: 'limitsSet', ...none },
    { name: 'limitsSet', ...none },
    { name: 'pausedSet', owner: ann, paused: false },
  ]);
});

test('a message key is processed once, whichever bucket an executor names', () => {
  const setting = initialized();
  const [ann, ben] = [person(setting, 'ann'), person(setting, 'ben')];
  const { now } = setting;
  const messageKey = messageKeyOf('message', now());
  /** A tip, or one to a tab, with this key and the bucket of another hour. */
  const replay = (tab: boolean) => {
    const time = now() - 2 * HOUR;
    const instruction = tab
      ? tabTip(setting, { key: 'message', from: ann, time })
      : tips(setting, [{ key: 'message', from: ann, to: ben, time }]);
    const at = instruction.data.indexOf(Buffer.from(messageKeyOf('message', time).slice(2), 'hex'));
    instruction.data.write(messageKey.slice(2), at, 'hex');
    const { address } = tabOf(setting.program, tabIdOf(setting.program, ann, messageKey));
    if (tab) instruction.keys[7] = { pubkey: new PublicKey(address), isSigner: false, isWritable: true };
    return setting.run(instruction).error;
  };
  must(setting, tips(setting, [{ key: 'message', from: ann, to: ben }]));
  expect(setting.run(tips(setting, [{ key: 'message', from: ann, to: ben }])).error).toBe('alreadyProcessed');
  expect(replay(false)).toBe('wrongAddress');
  expect(replay(true)).toBe('wrongAddress');
  expect(balance(setting, atOf(ben))).toBe(FLOAT + 5n * MILLION);
});

test('the owner cannot put a change of shards so far ahead that it is the last', () => {
  const setting = initialized();
  const hour = BigInt(Math.floor(setting.now() / HOUR));
  const change = (fromHour: bigint) =>
    setting.build('setShards', { args: { bits: 1, fromHour }, accounts: { owner: ROLES.owner } });
  expect(setting.run(change(2n ** 64n - 1n)).error).toBe('invalidShards');
  expect(setting.run(change(hour + 169n)).error).toBe('invalidShards');
  must(setting, change(hour + 168n));
});
