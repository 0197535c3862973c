// What the instructions about spending limits refuse.
import { refusal } from './refusals.ts';
import { ALICE, BOB, changed, limitsAt, MALLORY, nonceAt } from './scenes.ts';
import { FLOAT, HOUR, must, openTab, ROLES, tips } from './setting.ts';

export const LIMITS_REFUSALS = [
  ...(['setLimits', 'setLimits, the first', 'lowerLimits'] as const).map((scene) =>
    refusal(scene, 'unsupportedAsset', 'SOL has no limits', { args: { asset: 2 } }),
  ),
  refusal('setLimits', 'wrongAddress', "the limits are another's", (s, ready) =>
    changed('setLimits', ready, { accounts: { limits: limitsAt(s, MALLORY) } }),
  ),
  refusal('setLimits, the first', 'missingSignature', 'the payer does not sign', (_, ready) => {
    ready.keys = ready.keys.map((meta, at) => (at === 1 ? { ...meta, isSigner: false } : meta));
    return ready;
  }),
  refusal('setLimits, the first', 'wrongAddress', 'they would be at another address', (s, ready) =>
    changed('setLimits', ready, { accounts: { limits: limitsAt(s, ROLES.guardian) } }),
  ),
  ...(['perTip', 'perDay', 'maxFee'] as const).map((limit) =>
    refusal('lowerLimits', 'limitRaised', `${limit} would rise`, { args: { [limit]: FLOAT + 1n } }),
  ),
  ...(['perTip', 'perDay', 'maxFee'] as const).map((limit) =>
    refusal('lowerLimits', 'limitRaised', `${limit} would rise again`, (s, ready) => {
      must(s, ready);
      return changed('lowerLimits', ready, { args: { perTip: 0n, perDay: 0n, maxFee: 0n, [limit]: 10n } });
    }),
  ),
  refusal('lowerLimits', 'notExecutor', 'the owner signs', { accounts: { executor: ALICE } }),
  refusal('lowerLimits', 'notExecutor', 'the guardian signs', { accounts: { executor: ROLES.guardian } }),
  refusal('setPaused', 'notExecutor', 'mallory signs', { accounts: { signer: MALLORY } }),
  refusal('setPaused', 'notOwner', 'an executor ends a pause', { args: { paused: false } }),
  refusal('setPaused', 'invalidInstruction', 'the flag is 2', (_, ready) => {
    ready.data[1] = 2;
    return ready;
  }),
  refusal('closeLimits', 'notOwner', 'mallory closes them', { accounts: { owner: MALLORY } }),
  refusal('closeLimits', 'wrongRentAddress', 'mallory wants the rent', { accounts: { rentTo: MALLORY } }),
  refusal('closeLimits', 'wrongRentAddress', 'the owner wants the rent that another paid', {
    accounts: { rentTo: ALICE },
  }),
  refusal('closeLimits', 'limitsInUse', 'a tip counts', (s) => {
    must(s, tips(s, [{ from: ALICE, to: BOB, amount: 1n, fee: 0n }]));
    s.later(24 * HOUR);
    return undefined;
  }),
  refusal('closeLimits', 'limitsInUse', 'a tab was opened in this second', (s) => {
    must(s, openTab(s, ALICE, nonceAt(s)));
    return undefined;
  }),
  refusal('closeLimits', 'limitsInUse', 'a tab was opened an hour ago, to the second', (s) => {
    must(s, openTab(s, ALICE, nonceAt(s)));
    s.later(HOUR);
    return undefined;
  }),
];
