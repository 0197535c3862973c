// What tips and buckets refuse.
import { bucketOf, SYSTEM_PROGRAM, WRAPPED_SOL } from '../../src/chain/solana/addresses.ts';
import { named, put, putToken } from './machine.ts';
import { refusal } from './refusals.ts';
import {
  ALICE,
  accountOf,
  BOB,
  bucketAt,
  bumpOf,
  changed,
  closeBucket,
  DAY,
  hourNow,
  limitsAt,
  MALLORY,
  nonceAt,
  ownerSets,
  pauseProgram,
  type SceneName,
  secondAccount,
} from './scenes.ts';
import {
  atOf,
  FLOAT,
  HOUR,
  limitsInstruction,
  MILLION,
  must,
  ROLES,
  type Setting,
  tabTip,
  tips,
  USDC,
} from './setting.ts';

const ZEROS = `0x${'00'.repeat(32)}` as const;
/** A key of this hash, and the time in its end. */
const keyOf = (hash: string, time: number | bigint) =>
  `0x${hash.padEnd(48, '0')}${BigInt(time).toString(16).padStart(16, '0')}` as const;
const MOST = 2n ** 64n - 1n;

function ofAlice(setting: Setting, change: Partial<Parameters<typeof putToken>[1]>): undefined {
  const delegate = { to: setting.spender, amount: FLOAT };
  putToken(setting, { owner: ALICE, mint: USDC, amount: FLOAT, delegate, ...change });
  return undefined;
}

/** The money of a message stands in `each` of a tip, and in the arguments of a tip to a tab. */
const message = (scene: 'tip' | 'tipToTab', args: Record<string, unknown>) =>
  scene === 'tip' ? { each: { args } } : { args };

const BOTH = ['tip', 'tipToTab'] as const satisfies SceneName[];

/** The message of a scene as one of the hour before, with everything that follows from its key. */
const ofTheHourBefore = (setting: Setting, scene: (typeof BOTH)[number]) => {
  const time = setting.now() - HOUR;
  return scene === 'tip' ? tips(setting, [{ from: ALICE, to: BOB, time }]) : tabTip(setting, { from: ALICE, time });
};

/** A bucket whose levels have no free slot, written as the program would have filled it. */
function fullBucket(setting: Setting, levels: number): void {
  const sizes = Array.from({ length: levels }, (_, level) => 16 << Math.min(level, 5));
  const data = Buffer.alloc(24 + sizes.reduce((sum, slots) => sum + 40 + 16 * slots, 0), 0xee);
  data[0] = 3;
  data[1] = bucketOf(setting.program, hourNow(setting), 0).bump;
  data.writeUInt16LE(0, 2);
  data.writeUInt32LE(levels, 4);
  data.writeBigUInt64LE(hourNow(setting), 8);
  data.writeBigUInt64LE(50_000n, 16);
  put(setting, bucketAt(setting), setting.program, data);
}

export const TIPS_REFUSALS = [
  ...BOTH.flatMap((scene) => [
    refusal(scene, 'notExecutor', 'mallory signs', { accounts: { executor: MALLORY } }),
    refusal(scene, 'notExecutor', 'the sender signs', { accounts: { executor: ALICE } }),
    refusal(scene, 'notExecutor', 'the owner signs', { accounts: { executor: ROLES.owner } }),
    refusal(scene, 'notExecutor', 'the executor was added less than a day ago', (s, ready) => {
      must(s, ownerSets(s, 'addExecutor', MALLORY));
      return changed(scene, ready, { accounts: { executor: MALLORY } });
    }),
    refusal(scene, 'notExecutor', 'the executor was removed', (s) => {
      must(s, ownerSets(s, 'removeExecutor', ROLES.executor));
      return undefined;
    }),
    refusal(scene, 'notExecutor', 'the zero key signs', { accounts: { executor: SYSTEM_PROGRAM } }),
    refusal(scene, 'paused', 'the program is paused', (s) => {
      pauseProgram(s);
      return undefined;
    }),
    refusal(scene, 'expired', 'it is a second late', (s) => {
      s.later(901);
      return undefined;
    }),
    refusal(scene, 'wrongAddress', 'the message is of another hour than the new bucket', (s) =>
      changed(scene, ofTheHourBefore(s, scene), { accounts: { bucket: bucketAt(s) } }),
    ),
    refusal(scene, 'wrongBucket', 'the message is of another hour than the bucket', (s) => {
      must(s, tips(s, [{ key: 'before', from: MALLORY, to: BOB }]));
      return changed(scene, ofTheHourBefore(s, scene), { accounts: { bucket: bucketAt(s) } });
    }),
    refusal(scene, 'wrongBucket', 'the bucket is of another hour', (s, ready) => {
      must(s, tips(s, [{ key: 'before', from: MALLORY, to: BOB, time: s.now() - HOUR }]));
      return changed(scene, ready, { accounts: { bucket: bucketAt(s, hourNow(s) - 1n) } });
    }),
    refusal(scene, 'wrongAddress', 'the new bucket is at another address', (s, ready) =>
      changed(scene, ready, { accounts: { bucket: bucketAt(s, hourNow(s) - 1n) } }),
    ),
    refusal(scene, 'wrongAddress', 'the new bucket is of another shard', (s, ready) =>
      changed(scene, ready, { accounts: { bucket: bucketAt(s, hourNow(s), 1) } }),
    ),
    refusal(scene, 'alreadyProcessed', 'it was paid before', (s, ready) => {
      must(s, ready);
      return undefined;
    }),
    refusal(scene, 'alreadyProcessed', 'the other kind of tip paid the message', (s) => {
      const key = scene === 'tip' ? 'message' : 'tab';
      must(s, scene === 'tip' ? tabTip(s, { key, from: ALICE }) : tips(s, [{ key, from: ALICE, to: BOB }]));
      return undefined;
    }),
    refusal(scene, 'messageTooOld', 'the key is zero', message(scene, { messageKey: ZEROS })),
    refusal(scene, 'invalidKey', 'the hash of the key is zero', (s, ready) =>
      changed(scene, ready, message(scene, { messageKey: keyOf('', s.now()) })),
    ),
    refusal(scene, 'invalidKey', 'the first 16 bytes of the key are zero', (s, ready) =>
      changed(scene, ready, message(scene, { messageKey: keyOf(`${'00'.repeat(16)}${'77'.repeat(8)}`, s.now()) })),
    ),
    refusal(scene, 'invalidKey', 'its first 16 bytes are zero, in a bucket with free slots', (s, ready) => {
      must(s, tips(s, [{ key: 'before', from: MALLORY, to: BOB }]));
      return changed(scene, ready, message(scene, { messageKey: keyOf('', s.now()) }));
    }),
    refusal(scene, 'messageAhead', "the key is a wallet's nonce", (s, ready) =>
      changed(scene, ready, message(scene, { messageKey: keyOf('', nonceAt(s)) })),
    ),
    refusal(scene, 'messageAhead', 'the time of the key is never', (_, ready) =>
      changed(scene, ready, message(scene, { messageKey: keyOf('77'.repeat(24), MOST) })),
    ),
    refusal(scene, 'messageAhead', 'the time of the key is little-endian', (s, ready) => {
      const time = keyOf('', s.now()).slice(-16).match(/../g)?.reverse().join('');
      return changed(scene, ready, message(scene, { messageKey: `0x${'77'.repeat(24)}${time}` }));
    }),
    refusal(scene, 'bucketFull', 'the bucket has 128 levels', (s) => {
      fullBucket(s, 128);
      return undefined;
    }),
    refusal(scene, 'zeroAmount', 'the amount is zero', message(scene, { amount: 0n })),
    refusal(scene, 'limitPerTip', 'it exceeds the limit per tip', message(scene, { amount: FLOAT + 1n })),
    refusal(scene, 'limitPerTip', 'the sender has no limits for the asset', (s) => {
      must(s, limitsInstruction(s, ALICE, 0, 0n, FLOAT, FLOAT));
      return undefined;
    }),
    refusal(scene, 'limitPerDay', 'the day before took the rest', (s) => {
      must(s, limitsInstruction(s, ALICE, 0, FLOAT, 6n * MILLION, MILLION));
      must(s, tips(s, [{ key: 'before', from: ALICE, to: BOB, amount: MILLION, fee: 1n }]));
      must(s, limitsInstruction(s, ALICE, 0, FLOAT, 6n * MILLION, MILLION));
      return undefined;
    }),
    refusal(scene, 'senderPaused', 'an executor paused the sender', (s) => {
      const limits = limitsAt(s, ALICE);
      must(s, s.build('setPaused', { args: { paused: true }, accounts: { signer: ROLES.executor, limits } }));
      return undefined;
    }),
    refusal(scene, 'wrongAddress', "the limits are another's", (s, ready) =>
      changed(scene, ready, { accounts: { limits: limitsAt(s, MALLORY) } }),
    ),
    refusal(scene, 'wrongKind', 'the sender never set limits', (s, ready) =>
      changed(scene, ready, { accounts: { limits: limitsAt(s, ROLES.guardian) } }),
    ),
    refusal(scene, 'notApproved', 'the sender approved nothing', (s) => ofAlice(s, { delegate: undefined })),
    refusal(scene, 'notApproved', 'the sender approved another', (s) =>
      ofAlice(s, { delegate: { to: MALLORY, amount: FLOAT } }),
    ),
    refusal(scene, 'notApproved', 'an approval was revoked whose key is left in the account', (s) => {
      const data = Buffer.from(s.data(atOf(ALICE)) ?? []);
      data.writeUInt32LE(0, 72);
      put(s, atOf(ALICE), s.owner(atOf(ALICE)) ?? '', data);
      return undefined;
    }),
    refusal(scene, 'notApproved', 'the spender is the delegate of the account and not ours', (s, ready) => {
      ofAlice(s, {});
      return changed(scene, ready, { accounts: { spender: MALLORY } });
    }),
    refusal(scene, 'allowanceTooLow', 'the approval is a unit short', (s) =>
      ofAlice(s, { delegate: { to: s.spender, amount: (scene === 'tip' ? 5_050_000n : 5_000_000n) - 1n } }),
    ),
    refusal(scene, 'balanceTooLow', 'the balance is a unit short', (s) =>
      ofAlice(s, { amount: (scene === 'tip' ? 5_050_000n : 5_000_000n) - 1n }),
    ),
    refusal(scene, 'accountFrozen', 'the source is frozen', (s) => ofAlice(s, { isFrozen: true })),
    refusal(scene, 'wrongMint', 'the source is of another mint', (s, ready) => {
      const mint = named('other mint');
      const delegate = { to: s.spender, amount: FLOAT };
      const source = putToken(s, { owner: ALICE, mint, amount: FLOAT, delegate });
      return changed(scene, ready, { accounts: { source } });
    }),
  ]),
  refusal('tip', 'messageTooOld', 'the message is a second too old', (s) => {
    const late = tips(s, [{ from: ALICE, to: BOB, time: s.now() - DAY - 1 }]);
    return late;
  }),
  refusal('tipToTab', 'messageTooOld', 'the message is a second too old', (s) =>
    tabTip(s, { from: ALICE, time: s.now() - DAY - 1 }),
  ),
  refusal('tip', 'messageAhead', 'the message is a second too far ahead', (s) =>
    tips(s, [{ from: ALICE, to: BOB, time: s.now() + 601 }]),
  ),
  refusal('tipToTab', 'messageAhead', 'the message is a second too far ahead', (s) =>
    tabTip(s, { from: ALICE, time: s.now() + 601 }),
  ),
  refusal('tip', 'limitPerTip', 'amount and fee exceed it together', { each: { args: { amount: FLOAT - 49_999n } } }),
  refusal('tip', 'limitFee', 'the fee exceeds its limit', { each: { args: { fee: MILLION + 1n } } }),
  refusal('tip', 'overflow', 'amount and fee do not fit', { each: { args: { amount: MOST, fee: 1n } } }),
  refusal('tip', 'wrongTokenOwner', "the fee would go to mallory's account", { accounts: { treasury: atOf(MALLORY) } }),
  refusal('tip', 'wrongMint', "the treasury's account is of the other asset", {
    accounts: { treasury: atOf(ROLES.treasury, WRAPPED_SOL) },
  }),
  refusal('tip', 'wrongMint', "the recipient's account is of the other asset", (_, ready) =>
    changed('tip', ready, {
      accounts: { recipient: atOf(BOB, WRAPPED_SOL) },
      each: { args: { bump: bumpOf(BOB, WRAPPED_SOL) } },
    }),
  ),
  refusal('tip', 'wrongMint', 'recipient and treasury would be paid in the other asset', (_, ready) =>
    changed('tip', ready, {
      accounts: { recipient: atOf(BOB, WRAPPED_SOL), treasury: atOf(ROLES.treasury, WRAPPED_SOL) },
      each: { args: { bump: bumpOf(BOB, WRAPPED_SOL) } },
    }),
  ),
  refusal('tip', 'wrongAddress', 'the account is not the associated one of the recipient', (s, ready) =>
    changed('tip', ready, { accounts: { recipient: secondAccount(s, BOB) } }),
  ),
  refusal('tip', 'wrongAddress', 'the bump is another', { each: { args: { bump: bumpOf(BOB) - 1 } } }),
  refusal('tip', 'wrongAddress', 'the associated account changed hands', (s) => {
    putToken(s, { owner: MALLORY, mint: USDC }, atOf(BOB));
    return undefined;
  }),
  refusal('tip', 'accountFrozen', "the recipient's account is frozen", (s) => {
    putToken(s, { owner: BOB, mint: USDC, isFrozen: true });
    return undefined;
  }),
  refusal('tip', 'accountFrozen', "the treasury's account is frozen", (s) => {
    putToken(s, { owner: ROLES.treasury, mint: USDC, isFrozen: true });
    return undefined;
  }),
  refusal('tip', 'invalidRecipient', 'the sender is the recipient', (_, ready) =>
    changed('tip', ready, { accounts: { recipient: atOf(ALICE) }, each: { args: { bump: bumpOf(ALICE) } } }),
  ),
  refusal('tip', 'wrongAccounts', 'there is no leg', (s) => tips(s, [])),
  refusal('tip', 'wrongAccounts', 'there are nine legs', (s) =>
    tips(
      s,
      Array.from({ length: 9 }, (_, at) => ({ key: `${at}`, from: ALICE, to: BOB, amount: 1n, fee: 0n })),
    ),
  ),
  refusal('tip', 'alreadyProcessed', 'two legs have the same message', (s) =>
    tips(s, [
      { from: ALICE, to: BOB, amount: 1n },
      { from: ALICE, to: BOB, amount: 1n },
    ]),
  ),
  refusal('tip', 'limitPerDay', 'the second leg exceeds what the first left', (s) => {
    must(s, limitsInstruction(s, ALICE, 0, FLOAT, 9n * MILLION, MILLION));
    return tips(s, [
      { key: 'a', from: ALICE, to: BOB },
      { key: 'b', from: ALICE, to: BOB },
    ]);
  }),
  refusal('tip', 'allowanceTooLow', 'the first leg used the approval up', (s) => {
    ofAlice(s, { delegate: { to: s.spender, amount: 6n * MILLION } });
    return tips(s, [
      { key: 'a', from: ALICE, to: BOB },
      { key: 'b', from: ALICE, to: BOB },
    ]);
  }),
  refusal('tip', 'wrongMint', 'the second leg is in the other asset', (s) =>
    tips(s, [
      { key: 'a', from: ALICE, to: BOB },
      { key: 'b', from: ALICE, to: BOB, mint: WRAPPED_SOL },
    ]),
  ),
  refusal('tipToTab', 'invalidDeadline', 'it is less than an hour ahead', (s) =>
    tabTip(s, { from: ALICE, deadline: s.now() + HOUR - 1 }),
  ),
  refusal('tipToTab', 'invalidDeadline', 'it is more than 90 days ahead', (s) =>
    tabTip(s, { from: ALICE, deadline: s.now() + 90 * DAY + 1 }),
  ),
  refusal('tipToTab', 'wrongAddress', 'the tab is at another address', { accounts: { tab: named('elsewhere') } }),
  refusal('tipToTab', 'wrongAddress', "the vault's account is the other asset's", (s, ready) =>
    changed('tipToTab', ready, { accounts: { vaultAccount: atOf(s.vault, WRAPPED_SOL) } }),
  ),
  refusal('tipToTab', 'wrongAddress', 'the money would go to another account of the vault', (s, ready) =>
    changed('tipToTab', ready, { accounts: { vaultAccount: secondAccount(s, s.vault) } }),
  ),
  refusal('closeBucket', 'bucketInUse', 'it is not 25 hours old', (s) => {
    must(s, tips(s, [{ key: 'b', from: ALICE, to: BOB }]));
    const bucket = bucketAt(s);
    // The last second of the hour that is 25 hours later.
    s.later(26 * HOUR - 1 - (s.now() % HOUR));
    return closeBucket(s, bucket, [ROLES.executor]);
  }),
  refusal('closeBucket', 'wrongRentAddress', 'the payer is left out', (s, ready) =>
    closeBucket(s, accountOf('closeBucket', ready, 'bucket'), []),
  ),
  refusal('closeBucket', 'wrongRentAddress', 'mallory wants the rent', { accounts: { payer: MALLORY } }),
  refusal('closeBucket', 'wrongAccounts', 'another executor is listed too, who paid for no level', (s, ready) =>
    closeBucket(s, accountOf('closeBucket', ready, 'bucket'), [ROLES.executor, ROLES.executor2]),
  ),
];
