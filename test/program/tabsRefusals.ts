// What opening, claiming and refunding a tab refuse.
import { SYSTEM_PROGRAM, WRAPPED_SOL } from '../../src/chain/solana/addresses.ts';
import { named, putToken } from './machine.ts';
import { refusal } from './refusals.ts';
import {
  ALICE,
  accountOf,
  BOB,
  callerApplies,
  changed,
  DAY,
  limitsAt,
  MALLORY,
  nonceAt,
  ownerSets,
  secondAccount,
} from './scenes.ts';
import { atOf, claim, HOUR, must, openTab, ROLES, refundTab, tabAt, USDC } from './setting.ts';

const REFUNDS = ['refundTab', 'refundTab, by the sender'] as const;
const ENDS = ['claimTab', 'refundTab', 'refundTab, by the sender'] as const;
const of = (scene: (typeof ENDS)[number]) => (scene === 'claimTab' ? 'claimTab' : 'refundTab');

export const TABS_REFUSALS = [
  refusal('openTab', 'zeroAmount', 'it would hold nothing', { args: { amount: 0n } }),
  refusal('openTab', 'invalidDeadline', 'it is a second too near', (s, ready) =>
    changed('openTab', ready, { args: { deadline: BigInt(s.now() + HOUR - 1) } }),
  ),
  refusal('openTab', 'invalidDeadline', 'it is a second too far', (s, ready) =>
    changed('openTab', ready, { args: { deadline: BigInt(s.now() + 90 * DAY + 1) } }),
  ),
  refusal('openTab', 'invalidDeadline', 'it is never', { args: { deadline: 2n ** 64n - 1n } }),
  refusal('openTab', 'invalidNonce', 'the nonce was used', (s, ready) => {
    must(s, ready);
    must(s, refundTab(s, accountOf('openTab', ready, 'tab'), ALICE));
    return undefined;
  }),
  refusal('openTab', 'invalidNonce', 'a later one was used', (s) => {
    must(s, openTab(s, ALICE, nonceAt(s, 2n)));
    return undefined;
  }),
  refusal('openTab', 'invalidNonce', 'it lies an hour ahead', (s) => openTab(s, ALICE, BigInt(s.now() + HOUR) << 20n)),
  refusal('openTab, in wrapped SOL, without limits', 'invalidNonce', 'it lies an hour before its limits', (s) =>
    openTab(s, ALICE, BigInt(s.now() - HOUR) << 20n, { mint: WRAPPED_SOL }),
  ),
  refusal('openTab', 'wrongAddress', 'the tab is at another address', { accounts: { tab: named('elsewhere') } }),
  refusal('openTab', 'wrongAddress', "the limits are another's", (s, ready) =>
    changed('openTab', ready, { accounts: { limits: limitsAt(s, MALLORY) } }),
  ),
  refusal('openTab', 'wrongAddress', "the vault's account is the other asset's", (s, ready) =>
    changed('openTab', ready, { accounts: { vaultAccount: atOf(s.vault, WRAPPED_SOL) } }),
  ),
  refusal('openTab', 'wrongTokenOwner', "the money is another's", { accounts: { source: atOf(BOB) } }),
  refusal('openTab', 'wrongMint', 'the money is of another mint', (s, ready) =>
    changed('openTab', ready, { accounts: { source: putToken(s, { owner: ALICE, mint: named('m'), amount: 9n }) } }),
  ),
  refusal('openTab', 'balanceTooLow', 'the sender has a unit less', (s) => {
    putToken(s, { owner: ALICE, mint: USDC, amount: 4_999_999n });
    return undefined;
  }),
  refusal('openTab', 'accountFrozen', "the sender's account is frozen", (s) => {
    putToken(s, { owner: ALICE, mint: USDC, amount: 5_000_000n, isFrozen: true });
    return undefined;
  }),
  refusal('openTab', 'accountFrozen', "the vault's account is frozen", (s) => {
    putToken(s, { owner: s.vault, mint: USDC, isFrozen: true });
    return undefined;
  }),
  refusal('openTab', 'balanceTooLow', 'the vault would fill itself', (s, ready) =>
    changed('openTab', ready, { accounts: { source: secondAccount(s, ALICE, { amount: 1n }) } }),
  ),

  refusal('claimTab', 'notExecutor', 'mallory signs as one', { accounts: { executor: MALLORY } }),
  refusal('claimTab', 'notExecutor', 'the authority signs for both', { accounts: { executor: ROLES.authority } }),
  refusal('claimTab', 'notExecutor', 'the zero key signs', { accounts: { executor: SYSTEM_PROGRAM } }),
  refusal('claimTab', 'notAuthority', 'an executor signs for both', { accounts: { authority: ROLES.executor } }),
  refusal('claimTab', 'notAuthority', 'mallory signs as the authority', { accounts: { authority: MALLORY } }),
  refusal('claimTab', 'notAuthority', 'the next authority signs, which is announced', (s, ready) => {
    must(s, ownerSets(s, 'announceAuthority', MALLORY));
    return changed('claimTab', ready, { accounts: { authority: MALLORY } });
  }),
  refusal('claimTab', 'notAuthority', 'the last authority signs', (s) => {
    const tab = tabAt(s, ALICE, nonceAt(s));
    must(s, ownerSets(s, 'announceAuthority', named('next authority')));
    s.later(7 * DAY);
    must(s, callerApplies(s, 'applyAuthority', MALLORY));
    return claim(s, tab, BOB);
  }),
  refusal('claimTab', 'expired', 'the attestation is a second too old', (s) => {
    s.later(301);
    return undefined;
  }),
  refusal('claimTab', 'attestationTooLong', 'it lasts a second more than 10 minutes', (s, ready) =>
    changed('claimTab', ready, { args: { notAfter: BigInt(s.now() + 601) } }),
  ),
  refusal('claimTab', 'wrongTokenOwner', "the account is another's than the recipient", {
    accounts: { to: atOf(MALLORY) },
  }),
  refusal('claimTab', 'wrongTokenOwner', 'the sender takes it as a recipient', { args: { recipient: ALICE } }),
  refusal('claimTab', 'invalidRecipient', "the vault's account is paid", (s, ready) =>
    changed('claimTab', ready, { args: { recipient: s.vault }, accounts: { to: atOf(s.vault) } }),
  ),
  refusal('claimTab', 'invalidRecipient', 'another account of the vault is paid', (s, ready) =>
    changed('claimTab', ready, { args: { recipient: s.vault }, accounts: { to: secondAccount(s, s.vault) } }),
  ),

  ...ENDS.flatMap((scene) => [
    refusal(scene, 'tabNotOpen', 'it ended before', (s, ready) => {
      must(s, ready);
      return undefined;
    }),
    refusal(scene, 'tabNotOpen', 'there never was one', { accounts: { tab: named('elsewhere') } }),
    refusal(scene, 'wrongKind', 'the limits are given as a tab', (s, ready) =>
      changed(of(scene), ready, { accounts: { tab: limitsAt(s, ALICE) } }),
    ),
    refusal(scene, 'wrongRentAddress', 'mallory wants the rent', { accounts: { rentTo: MALLORY } }),
    refusal(scene, 'wrongAddress', "it is paid out of the other asset's account", (s, ready) =>
      changed(of(scene), ready, { accounts: { vaultAccount: atOf(s.vault, WRAPPED_SOL) } }),
    ),
    refusal(scene, 'wrongAddress', 'it is paid out of another account of the vault', (s, ready) =>
      changed(of(scene), ready, { accounts: { vaultAccount: secondAccount(s, s.vault) } }),
    ),
    refusal(scene, 'accountFrozen', "the vault's account is frozen", (s) => {
      putToken(s, { owner: s.vault, mint: USDC, amount: 5_000_000n, isFrozen: true });
      return undefined;
    }),
    refusal(scene, 'accountFrozen', 'the account to pay is frozen', (s) => {
      const owner = scene === 'claimTab' ? BOB : ALICE;
      putToken(s, { owner, mint: USDC, isFrozen: true });
      return undefined;
    }),
  ]),
  refusal('claimTab', 'wrongMint', 'the account to pay is of the other asset', {
    accounts: { to: atOf(BOB, WRAPPED_SOL) },
  }),
  ...REFUNDS.flatMap((scene) => [
    refusal(scene, 'wrongMint', 'the account to pay is of the other asset', {
      accounts: { to: atOf(ALICE, WRAPPED_SOL) },
    }),
    refusal(scene, 'wrongTokenOwner', 'mallory is paid', { accounts: { to: atOf(MALLORY) } }),
  ]),
  refusal('refundTab', 'wrongAddress', "it is not the sender's associated account", (s, ready) =>
    changed('refundTab', ready, { accounts: { to: secondAccount(s, ALICE) } }),
  ),
  refusal('refundTab, by the sender', 'notRefundable', 'mallory calls before the deadline', {
    accounts: { caller: MALLORY },
  }),
  refusal('refundTab, by the sender', 'notRefundable', 'an executor calls a second before the deadline', (s, ready) => {
    s.later(7 * DAY - 1);
    return changed('refundTab', ready, { accounts: { caller: ROLES.executor } });
  }),
  refusal('refundTab, by the sender', 'notRefundable', 'it is not revocable', (s) => {
    must(s, openTab(s, ALICE, nonceAt(s, 2n), { revocable: false }));
    return refundTab(s, tabAt(s, ALICE, nonceAt(s, 2n)), ALICE);
  }),
  refusal('refundTab, by the sender', 'notRefundable', 'mallory calls while the authority changes', (s) => {
    must(s, openTab(s, ALICE, nonceAt(s, 2n), { revocable: false }));
    must(s, ownerSets(s, 'announceAuthority', named('next authority')));
    return refundTab(s, tabAt(s, ALICE, nonceAt(s, 2n)), ALICE, { caller: MALLORY });
  }),
  refusal('refundTab, by the sender', 'notRefundable', 'it was opened after the authority changed', (s) => {
    must(s, ownerSets(s, 'announceAuthority', named('next authority')));
    s.later(7 * DAY);
    must(s, callerApplies(s, 'applyAuthority', MALLORY));
    s.later(1);
    const nonce = nonceAt(s);
    must(s, openTab(s, ALICE, nonce, { revocable: false }));
    return refundTab(s, tabAt(s, ALICE, nonce), ALICE);
  }),
];
