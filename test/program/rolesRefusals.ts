// What the instructions about roles, the pause and the shards refuse.
import { Rent } from 'litesvm';
import { programDataOf, SYSTEM_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL } from '../../src/chain/solana/addresses.ts';
import { encode } from '../../src/chain/solana/codec.ts';
import { named, put, putMint, putToken, setUpgradeAuthority } from './machine.ts';
import { refusal } from './refusals.ts';
import { ALICE, callerApplies, changed, hourNow, MALLORY, ownerSets, pauseProgram } from './scenes.ts';
import { HOUR, initialization, must, ROLES, type Setting, USDC } from './setting.ts';

const ZERO = SYSTEM_PROGRAM;
const OWNERS = ['proposeOwner', 'setGuardian', 'addExecutor', 'announceAuthority', 'announceTreasury'] as const;

/** The initialization with other executors than the two. */
function withExecutors(setting: Setting, keys: readonly string[], count = keys.length) {
  const ready = initialization(setting);
  const listed = Buffer.concat(keys.map((key) => encode({ key: 'address' }, { key })));
  ready.data = Buffer.concat([ready.data.subarray(0, 129), Buffer.from([count]), listed]);
  return ready;
}

const many = (count: number) => Array.from({ length: count }, (_, at) => named(`one of many ${at}`));

export const ROLES_REFUSALS = [
  refusal('initialize', 'notUpgradeAuthority', 'the signer is not the upgrade authority', {
    accounts: { upgradeAuthority: MALLORY },
  }),
  refusal('initialize', 'notUpgradeAuthority', 'the program is final', (s) => {
    setUpgradeAuthority(s, null);
    return undefined;
  }),
  refusal('initialize', 'notUpgradeAuthority', 'the program is final, with the key still in place', (s) => {
    const { address } = programDataOf(s.program);
    const data = Buffer.from(s.data(address) ?? []);
    data[12] = 0;
    put(s, address, s.owner(address) ?? ZERO, data);
    return undefined;
  }),
  refusal('initialize', 'wrongAddress', "the program data is another program's", (s, ready) => {
    const { address } = programDataOf(s.program);
    put(s, named('other data'), s.owner(address) ?? ZERO, s.data(address) ?? new Uint8Array());
    return changed('initialize', ready, { accounts: { programData: named('other data') } });
  }),
  refusal('initialize', 'wrongMint', 'USDC has 9 decimals', (s) => {
    const data = Buffer.from(s.data(USDC) ?? []);
    data[44] = 9;
    put(s, USDC, TOKEN_PROGRAM, data);
    return undefined;
  }),
  refusal('initialize', 'wrongMint', 'USDC is a token account', (s, ready) =>
    changed('initialize', ready, { accounts: { usdc: putToken(s, { owner: ALICE, mint: USDC }) } }),
  ),
  refusal('initialize', 'wrongMint', "the vault's account is of another mint", (s, ready) => {
    putMint(s, named('other mint'));
    return changed('initialize', ready, {
      accounts: { vaultUsdc: putToken(s, { owner: s.vault, mint: named('other mint') }) },
    });
  }),
  refusal('initialize', 'wrongTokenOwner', "the vault's account is mallory's", (s, ready) =>
    changed('initialize', ready, { accounts: { vaultWrapped: putToken(s, { owner: MALLORY, mint: WRAPPED_SOL }) } }),
  ),
  refusal('initialize', 'wrongTokenOwner', "the vault's account can be closed by another", (s) => {
    putToken(s, { owner: s.vault, mint: USDC, closeAuthority: MALLORY });
    return undefined;
  }),
  refusal('initialize', 'accountFrozen', "the vault's account is frozen", (s) => {
    putToken(s, { owner: s.vault, mint: USDC, isFrozen: true });
    return undefined;
  }),
  refusal('initialize', 'exists', 'it was done before', (s, ready) => {
    must(s, ready);
    return undefined;
  }),
  refusal('initialize', 'invalidInstruction', 'an executor is missing', (s) => withExecutors(s, [ROLES.executor], 2)),
  refusal('initialize', 'tooManyExecutors', 'there are nine', (s) => withExecutors(s, many(9))),
  refusal('initialize', 'rolesNotDistinct', 'an executor is the owner', (s) => withExecutors(s, [ROLES.owner])),
  refusal('initialize', 'rolesNotDistinct', 'an executor is listed twice', (s) =>
    withExecutors(s, [ROLES.executor, ROLES.executor]),
  ),
  ...(['owner', 'guardian', 'authority', 'treasury'] as const).map((role) =>
    refusal('initialize', 'rolesNotDistinct', `the ${role} is the zero key`, { args: { [role]: ZERO } }),
  ),
  ...(['guardian', 'authority', 'treasury'] as const).map((role) =>
    refusal('initialize', 'rolesNotDistinct', `the ${role} is the owner`, { args: { [role]: ROLES.owner } }),
  ),
  refusal('initialize', 'unsupportedRent', 'the rent sysvar wants three years', (s) => {
    s.svm.setRent(new Rent(3_480n, 3, 50));
    return undefined;
  }),

  ...([...OWNERS, 'removeExecutor', 'unpause', 'setShards'] as const).flatMap((name) =>
    [ROLES.guardian, ROLES.authority, ROLES.treasury, ROLES.executor, MALLORY].map((signer) =>
      refusal(name, 'notOwner', `another signs: ${signer}`, { accounts: { owner: signer } }),
    ),
  ),
  ...OWNERS.flatMap((name) =>
    (['owner', 'guardian', 'authority', 'treasury', 'executor'] as const).map((role) =>
      refusal(name, 'rolesNotDistinct', `the key is the ${role}'s`, { args: { key: ROLES[role] } }),
    ),
  ),
  ...(['proposeOwner', 'announceAuthority', 'announceTreasury'] as const).flatMap((before) =>
    OWNERS.map((name) =>
      refusal(name, 'rolesNotDistinct', `the key is announced by ${before}`, (s, ready) => {
        must(s, ownerSets(s, before, named('announced')));
        return changed(name, ready, { args: { key: named('announced') } });
      }),
    ),
  ),
  refusal('setGuardian', 'rolesNotDistinct', 'the key is zero', { args: { key: ZERO } }),
  refusal('addExecutor', 'rolesNotDistinct', 'the key is zero', { args: { key: ZERO } }),
  refusal('addExecutor', 'tooManyExecutors', 'there are eight', (s) => {
    for (const key of many(6)) must(s, ownerSets(s, 'addExecutor', key));
    return undefined;
  }),
  refusal('removeExecutor', 'unknownExecutor', 'the key is none', { args: { key: MALLORY } }),
  refusal('removeExecutor', 'unknownExecutor', 'the key is zero', { args: { key: ZERO } }),
  refusal('removeExecutor', 'unknownExecutor', 'it was removed before', (s, ready) => {
    must(s, ready);
    return undefined;
  }),
  refusal('acceptOwner', 'notProposed', 'mallory accepts', { accounts: { caller: MALLORY } }),
  refusal('acceptOwner', 'notProposed', 'it was withdrawn', (s) => {
    must(s, ownerSets(s, 'proposeOwner', ZERO));
    return undefined;
  }),
  refusal('acceptOwner', 'notProposed', 'another was proposed since', (s) => {
    must(s, ownerSets(s, 'proposeOwner', named('someone else')));
    return undefined;
  }),
  ...(
    [
      ['applyAuthority', 'announceAuthority', 7],
      ['applyTreasury', 'announceTreasury', 2],
    ] as const
  ).flatMap(([name, announce, days]) => [
    refusal(name, 'nothingAnnounced', 'it was applied before', (s, ready) => {
      must(s, ready);
      return undefined;
    }),
    refusal(name, 'nothingAnnounced', 'it was withdrawn', (s) => {
      must(s, ownerSets(s, announce, ZERO));
      return undefined;
    }),
    refusal(name, 'tooEarly', 'another was announced since, a second too few ago', (s) => {
      must(s, ownerSets(s, announce, named('later one')));
      s.later(days * 86_400 - 1);
      return undefined;
    }),
  ]),
  refusal('applyAuthority', 'nothingAnnounced', 'only a treasury is announced', (s) => {
    must(s, callerApplies(s, 'applyAuthority', MALLORY), ownerSets(s, 'announceTreasury', named('t')));
    s.later(30 * 86_400);
    return undefined;
  }),
  ...[ROLES.executor, ROLES.authority, ROLES.treasury, MALLORY].map((signer) =>
    refusal('pause', 'notGuardian', `another signs: ${signer}`, { accounts: { guardian: signer } }),
  ),
  refusal('pause', 'invalidPause', 'it lasts no time', { args: { seconds: 0n } }),
  refusal('pause', 'invalidPause', 'it lasts a second more than 72 hours', { args: { seconds: 259_201n } }),
  refusal('pause', 'invalidPause', 'it lasts for ever', { args: { seconds: 2n ** 64n - 1n } }),
  refusal('pause', 'pauseTooSoon', 'one lasts', (s) => {
    pauseProgram(s);
    return undefined;
  }),
  refusal('pause', 'pauseTooSoon', 'work ran a second too few', (s) => {
    pauseProgram(s);
    s.later(2 * HOUR - 1);
    return undefined;
  }),
  refusal('setShards', 'invalidShards', 'there would be 512', { args: { bits: 9 } }),
  refusal('setShards', 'invalidShards', 'messages of that hour may come', (s, ready) =>
    changed('setShards', ready, { args: { fromHour: hourNow(s) + 1n } }),
  ),
  refusal('setShards', 'invalidShards', 'it is 169 hours ahead', (s, ready) =>
    changed('setShards', ready, { args: { fromHour: hourNow(s) + 169n } }),
  ),
  refusal('setShards', 'invalidShards', 'it is never', { args: { fromHour: 2n ** 64n - 1n } }),
  refusal('setShards', 'invalidShards', 'a change is announced', (s, ready) => {
    must(s, ready);
    return changed('setShards', ready, { args: { fromHour: hourNow(s) + 3n } });
  }),
  refusal('setShards', 'invalidShards', 'the last change is not 26 hours in force', (s, ready) => {
    must(s, ready);
    s.later(27 * HOUR);
    return changed('setShards', ready, { args: { fromHour: hourNow(s) + 2n } });
  }),
];
