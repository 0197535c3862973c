// What an audit of the program found, each as a test of what has to hold.
import { expect, test } from 'vitest';
import { limitsOf } from '../../src/chain/solana/addresses.ts';
import { balance, named, putToken } from './machine.ts';
import {
  atOf,
  FLOAT,
  HOUR,
  initialized,
  MILLION,
  must,
  openTab,
  order,
  person,
  ROLES,
  refundTab,
  tabAt,
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
