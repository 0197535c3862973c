// Initializing, the roles and their delays, the pause and the shards of buckets.

import { PublicKey, TransactionInstruction } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import { programDataOf, SYSTEM_PROGRAM, WRAPPED_SOL } from '../../src/chain/solana/addresses.ts';
import { encode } from '../../src/chain/solana/codec.ts';
import { named, rentOf } from './machine.ts';
import { testRefusals } from './refusals.ts';
import { ROLES_REFUSALS } from './rolesRefusals.ts';
import {
  ALICE,
  attempt,
  BOB,
  bucketAt,
  callerApplies,
  changed,
  DAY,
  hourNow,
  MALLORY,
  ownerSets,
  pauseProgram,
  SCENES,
  world,
} from './scenes.ts';
import { atOf, deployed, HOUR, initialization, initialized, messageKeyOf, must, ROLES, tips, USDC } from './setting.ts';

const ROLE = {
  owner: 1,
  proposed: 2,
  guardian: 3,
  executor: 4,
  removed: 5,
  authorityAnnounced: 6,
  authority: 7,
  treasuryAnnounced: 8,
  treasury: 9,
};

const roleSet = (role: number, key: string, at: number) => ({
  name: 'roleSet' as const,
  role,
  key,
  effectiveAt: BigInt(at),
});

test('the upgrade authority initializes the program once: roles are in force at once, the rent is paid by the payer', () => {
  const s = deployed();
  const outcome = attempt(s, initialization(s));
  expect(outcome.error).toBeNull();
  const now = s.now();
  expect(outcome.events).toEqual([
    roleSet(ROLE.owner, ROLES.owner, now),
    roleSet(ROLE.guardian, ROLES.guardian, now),
    roleSet(ROLE.authority, ROLES.authority, now),
    roleSet(ROLE.treasury, ROLES.treasury, now),
    roleSet(ROLE.executor, ROLES.executor, now),
    roleSet(ROLE.executor, ROLES.executor2, now),
  ]);
  expect(s.configState()).toMatchObject({
    kind: 1,
    owner: ROLES.owner,
    proposedOwner: SYSTEM_PROGRAM,
    guardian: ROLES.guardian,
    authority: ROLES.authority,
    nextAuthority: SYSTEM_PROGRAM,
    treasury: ROLES.treasury,
    nextTreasury: SYSTEM_PROGRAM,
    usdc: USDC,
    vaultUsdc: atOf(s.vault),
    vaultWrapped: atOf(s.vault, WRAPPED_SOL),
    pausedUntil: 0n,
    shardBits: 0,
    nextShardBits: 0,
    executors: [
      { key: ROLES.executor, activeFrom: BigInt(now) },
      { key: ROLES.executor2, activeFrom: BigInt(now) },
    ],
  });
  const paid = (outcome.before.get(ROLES.upgrade)?.lamports ?? 0n) - s.lamports(ROLES.upgrade);
  expect(paid).toBe(rentOf(s.data(s.config)?.length ?? 0));
  expect(s.lamports(s.config)).toBe(paid);
  expect(programDataOf(s.program).address).not.toBe(s.config);
});

test('another owner is proposed, accepts, and has the role alone', () => {
  const s = initialized();
  const next = named('next owner');
  expect(must(s, ownerSets(s, 'proposeOwner', next)).events).toEqual([roleSet(ROLE.proposed, next, s.now())]);
  expect(s.configState()).toMatchObject({ owner: ROLES.owner, proposedOwner: next });
  expect(must(s, callerApplies(s, 'acceptOwner', next)).events).toEqual([roleSet(ROLE.owner, next, s.now())]);
  expect(s.configState()).toMatchObject({ owner: next, proposedOwner: SYSTEM_PROGRAM });
  expect(attempt(s, ownerSets(s, 'setGuardian', named('g')))).toMatchObject({ error: 'notOwner', moved: [] });
});

test('the guardian is replaced at once', () => {
  const s = initialized();
  expect(must(s, ownerSets(s, 'setGuardian', named('g'))).events).toEqual([
    roleSet(ROLE.guardian, named('g'), s.now()),
  ]);
  expect(s.configState().guardian).toBe(named('g'));
});

test('an executor is in force after a day and out of force at once', () => {
  const s = world();
  const { events } = must(s, ownerSets(s, 'addExecutor', MALLORY));
  expect(events).toEqual([roleSet(ROLE.executor, MALLORY, s.now() + DAY)]);
  s.later(DAY - 1);
  const early = tips(s, [{ from: ALICE, to: BOB }], { executor: MALLORY });
  expect(attempt(s, early)).toMatchObject({ error: 'notExecutor', moved: [] });
  s.later(1);
  must(s, tips(s, [{ from: ALICE, to: BOB }], { executor: MALLORY }));
  expect(must(s, ownerSets(s, 'removeExecutor', MALLORY)).events).toEqual([roleSet(ROLE.removed, MALLORY, s.now())]);
  expect(s.configState().executors.map(({ key }) => key)).toEqual([ROLES.executor, ROLES.executor2]);
  const late = tips(s, [{ key: 'late', from: ALICE, to: BOB }], { executor: MALLORY });
  expect(attempt(s, late)).toMatchObject({ error: 'notExecutor', moved: [] });
});

test('eight executors fit, and a free place is used again', () => {
  const s = initialized();
  for (let at = 3; at <= 8; at++) must(s, ownerSets(s, 'addExecutor', named(`executor ${at}`)));
  must(s, ownerSets(s, 'removeExecutor', ROLES.executor));
  must(s, ownerSets(s, 'addExecutor', named('executor 9')));
  expect(s.configState().executors.map(({ key }) => key)[0]).toBe(named('executor 9'));
  expect(s.configState().executors).toHaveLength(8);
});

test.each([
  ['authority', 7, ROLE.authorityAnnounced, ROLE.authority, 'announceAuthority', 'applyAuthority', 'nextAuthority'],
  ['treasury', 2, ROLE.treasuryAnnounced, ROLE.treasury, 'announceTreasury', 'applyTreasury', 'nextTreasury'],
] as const)(
  'another %s is in force after %i days, and withdrawn before',
  (role, days, said, done, announce, apply, next) => {
    const s = initialized();
    const key = named('the next one');
    s.give(MALLORY, 1_000_000_000n);
    expect(must(s, ownerSets(s, announce, key)).events).toEqual([roleSet(said, key, s.now() + days * DAY)]);
    expect(s.configState()).toMatchObject({ [role]: ROLES[role], [next]: key });
    expect(must(s, ownerSets(s, announce, SYSTEM_PROGRAM)).events).toEqual([roleSet(said, SYSTEM_PROGRAM, 0)]);
    expect(s.configState()).toMatchObject({ [role]: ROLES[role], [next]: SYSTEM_PROGRAM });
    must(s, ownerSets(s, announce, key));
    s.later(days * DAY - 1);
    expect(attempt(s, callerApplies(s, apply, MALLORY))).toMatchObject({ error: 'tooEarly', moved: [] });
    s.later(1);
    expect(must(s, callerApplies(s, apply, MALLORY)).events).toEqual([roleSet(done, key, s.now())]);
    expect(s.configState()).toMatchObject({ [role]: key, [next]: SYSTEM_PROGRAM });
  },
);

test('the guardian pauses, the owner ends it, and the next pause comes after as long as the last one lasted', () => {
  const s = initialized();
  const pause = (seconds: bigint, guardian = ROLES.guardian) =>
    s.build('pause', { args: { seconds }, accounts: { guardian } });
  const unpause = s.build('unpause', { args: {}, accounts: { owner: ROLES.owner } });
  const longest = 72n * 3_600n;
  expect(must(s, pause(longest)).events).toEqual([
    { name: 'pauseSet', by: ROLES.guardian, until: BigInt(s.now()) + longest },
  ]);
  s.later(HOUR);
  expect(must(s, unpause).events).toEqual([{ name: 'pauseSet', by: ROLES.owner, until: BigInt(s.now()) }]);
  s.later(HOUR - 1);
  expect(attempt(s, pause(1n))).toMatchObject({ error: 'pauseTooSoon', moved: [] });
  s.later(1);
  must(s, pause(1n, ROLES.owner));
  s.later(2);
  const ended = s.configState().pausedUntil;
  must(s, unpause);
  expect(s.configState().pausedUntil).toBe(ended);
});

test('shards split the buckets of later hours by the first byte of the key', () => {
  const s = world();
  const { ready } = SCENES.setShards.make();
  expect(must(s, ready).events).toEqual([]);
  expect(s.configState()).toMatchObject({ shardBits: 0, nextShardBits: 4, shardsFrom: hourNow(s) + 2n });
  must(s, tips(s, [{ key: 'now', from: ALICE, to: BOB }]));
  s.later(2 * HOUR);
  const keyOf = (first: string) => `0x${first}${messageKeyOf('message', s.now()).slice(4)}`;
  const messageKey = keyOf('f0');
  const tip = changed('tip', tips(s, [{ from: ALICE, to: BOB }]), { each: { args: { messageKey } } });
  const inShard = (shard: number) => changed('tip', tip, { accounts: { bucket: bucketAt(s, hourNow(s), shard) } });
  expect(attempt(s, inShard(0))).toMatchObject({ error: 'wrongAddress', moved: [] });
  must(s, inShard(15));
  const other = changed('tip', tip, { each: { args: { messageKey: keyOf('0f') } } });
  const wrong = changed('tip', other, { accounts: { bucket: bucketAt(s, hourNow(s), 15) } });
  expect(attempt(s, wrong)).toMatchObject({ error: 'wrongBucket', moved: [] });
  s.later(26 * HOUR);
  must(s, s.build('setShards', { args: { bits: 8, fromHour: hourNow(s) + 168n }, accounts: { owner: ROLES.owner } }));
});

test('no other program, and no wallet, makes events: config signs them, which only this program can', () => {
  const s = initialized();
  const data = Buffer.concat([
    Buffer.from([255, 20]),
    encode({ role: 'u8', key: 'address', at: 'u64' }, { role: 1, key: MALLORY, at: 0n }),
  ]);
  const event = (key: string, isSigner: boolean) =>
    new TransactionInstruction({
      programId: new PublicKey(s.program),
      keys: [{ pubkey: new PublicKey(key), isSigner, isWritable: false }],
      data,
    });
  expect(s.run(event(s.config, false)).error).toBe('missingSignature');
  expect(s.run(event(MALLORY, true)).error).toBe('wrongKind');
  const none = new TransactionInstruction({ programId: new PublicKey(s.program), keys: [], data });
  expect(s.run(none).error).toBe('wrongAccounts');
});

test('unknown instructions are refused', () => {
  const s = initialized();
  pauseProgram(s);
  const { keys, programId } = s.build('unpause', { args: {}, accounts: { owner: ROLES.owner } });
  const known = new Set([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 16, 17, 18, 19, 24, 25, 26, 32, 33, 34]);
  for (let tag = 40; tag <= 46; tag++) known.add(tag);
  for (let tag = 48; tag <= 59; tag++) known.add(tag);
  for (let tag = 0; tag < 255; tag++) {
    if (known.has(tag)) continue;
    expect(s.run(new TransactionInstruction({ programId, keys, data: Buffer.from([tag]) })).error).toBe(
      'invalidInstruction',
    );
  }
  expect(s.run(new TransactionInstruction({ programId, keys, data: Buffer.alloc(0) })).error).toBe(
    'invalidInstruction',
  );
});

describe('refused', () => testRefusals(ROLES_REFUSALS));
