// A thief with an executor's key and nothing else: no move takes more than a sender's limits allow, a tab, or a bucket before its time.
import { PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TOKEN_PROGRAM, WRAPPED_SOL } from '../../src/chain/solana/addresses.ts';
import type { SolanaAddress } from '../../src/chain/solana/codec.ts';
import { balance } from './machine.ts';
import { ALICE, bucketAt, changed, closeBucket, DAY, limitsAt, MALLORY, nonceAt, ownerSets, world } from './scenes.ts';
import {
  atOf,
  campaign,
  claim,
  HOUR,
  limitsInstruction,
  limitsState,
  MILLION,
  messageKeyOf,
  must,
  openTab,
  order,
  plan,
  ROLES,
  refundTab,
  type Setting,
  tabAt,
  tabTip,
  tips,
  USDC,
} from './setting.ts';

const [PER_TIP, PER_DAY, MAX_FEE] = [20n * MILLION, 50n * MILLION, 100_000n];
/** From the beginning of its hour. */
const BUCKET_LIFE = 26 * HOUR;
const STOLEN = new Set<SolanaAddress>([ROLES.executor, MALLORY]);

const MOVES = [
  ...['tip', 'tip', 'tip', 'tip', 'twoTips', 'tipToTab', 'claim', 'claim', 'refund', 'closeBucket', 'closeBucket'],
  ...['raiseLimits', 'lowerLimits', 'unpause', 'closeLimits', 'openTab', 'pay', 'subscribe', 'campaign', 'transfer'],
  ...['becomeOwner', 'becomeAuthority', 'wait', 'wait', 'wait'],
] as const;
type Move = {
  name: (typeof MOVES)[number];
  amount: bigint;
  fee: bigint;
  key: number;
  age: number;
  minutes: number;
  mint: SolanaAddress;
  pick: number;
};

const moves = fc.array(
  fc.record<Move>({
    name: fc.constantFrom(...MOVES),
    amount: fc.oneof(fc.constantFrom(1n, PER_TIP, PER_TIP - MAX_FEE, PER_TIP + 1n), fc.bigInt(1n, 30n * MILLION)),
    fee: fc.constantFrom(0n, 50_000n, MAX_FEE, MAX_FEE + 1n),
    key: fc.nat(30),
    age: fc.constantFrom(0, 0, 0, HOUR, DAY - 60, DAY + 60),
    minutes: fc.constantFrom(1, 61, 300, 1_439, 1_500, 1_620, 10_080),
    mint: fc.constantFrom(USDC, WRAPPED_SOL),
    pick: fc.nat(3),
  }),
  { minLength: 30, maxLength: 60 },
);

test("with an executor's key alone nobody exceeds limits, takes a tab, closes a bucket early, or pays a message twice", () => {
  const done: Partial<Record<Move['name'], number>> = {};
  const most = { [USDC]: 0n, [WRAPPED_SOL]: 0n };
  const setting = world();
  const back = setting.checkpoint();
  fc.assert(
    fc.property(moves, (list) => {
      back();
      const theft = theftIn(setting);
      for (const move of list) {
        if (theft.play(move)) done[move.name] = (done[move.name] ?? 0) + 1;
        for (const mint of [USDC, WRAPPED_SOL]) most[mint] = max(most[mint] ?? 0n, theft.takenInADay(mint));
      }
    }),
    { numRuns: 25, seed: 21 },
  );
  // What a thief can do: draw up to the limits, send back what is late, lower, and clear what is old.
  expect(Object.keys(done).sort()).toEqual(
    ['closeBucket', 'lowerLimits', 'refund', 'tip', 'tipToTab', 'twoTips', 'wait'].sort(),
  );
  for (const mint of [USDC, WRAPPED_SOL]) expect(most[mint]).toBeGreaterThan(PER_DAY - PER_TIP);
});

function theftIn(s: Setting) {
  const setLimits = (asset: number) => limitsInstruction(s, ALICE, asset, PER_TIP, PER_DAY, MAX_FEE);
  for (const asset of [0, 1]) must(s, setLimits(asset));
  const nonces = [nonceAt(s, 1n), nonceAt(s, 2n)];
  for (const nonce of nonces) must(s, openTab(s, ALICE, nonce));
  const tabs = nonces.map((nonce) => tabAt(s, ALICE, nonce));
  const taken: { at: number; mint: SolanaAddress; amount: bigint }[] = [];
  const paid = new Set<string>();
  const buckets = new Map<SolanaAddress, bigint>();

  const takenInADay = (mint: SolanaAddress) =>
    taken.reduce((sum, one) => (one.mint === mint && one.at > s.now() - DAY ? sum + one.amount : sum), 0n);

  return { takenInADay, play };

  /** @returns whether it succeeded */
  function play(move: Move): boolean {
    if (move.name === 'wait') {
      s.later(move.minutes * 60);
      // Alice, who knows of nothing, keeps her limits as they are.
      for (const asset of [0, 1]) must(s, setLimits(asset));
      return true;
    }
    const before = sums();
    const limits = limitsState(s, ALICE);
    const { error } = s.run(signedByThief(instructionOf(move)));
    const after = sums();
    if (error !== null) {
      expect(after).toEqual(before);
      return false;
    }
    for (const [at, { mint, alice, vault }] of after.entries()) {
      const was = before[at];
      if (!was) throw new Error('both have the same mints');
      const [out, vaultOut] = [was.alice - alice, was.vault - vault];
      if (vaultOut > 0n) expect(out).toBe(-vaultOut);
      if (out > 0n) taken.push({ at: s.now(), mint, amount: out });
      expect(takenInADay(mint)).toBeLessThanOrEqual(PER_DAY);
    }
    checkTip(move);
    checkLimits(limits);
    checkBuckets();
    return true;
  }

  function sums() {
    return [USDC, WRAPPED_SOL].map((mint) => ({
      mint,
      alice: balance(s, atOf(ALICE, mint)),
      vault: balance(s, atOf(s.vault, mint)),
    }));
  }

  function checkTip({ name, key, age, amount, fee }: Move): void {
    if (name !== 'tip' && name !== 'tipToTab' && name !== 'twoTips') return;
    const messageKey = messageKeyOf(`key ${key}`, s.now() - age);
    expect(paid).not.toContain(messageKey);
    paid.add(messageKey);
    expect(age).toBeLessThanOrEqual(DAY);
    expect(amount + (name === 'tipToTab' ? 0n : fee)).toBeLessThanOrEqual(PER_TIP);
    if (name !== 'tipToTab') expect(fee).toBeLessThanOrEqual(MAX_FEE);
  }

  function checkLimits(before: ReturnType<typeof limitsState>): void {
    const after = limitsState(s, ALICE);
    for (const asset of ['usdc', 'wrapped'] as const) {
      for (const limit of ['perTip', 'perDay', 'maxFee'] as const) {
        expect(after?.[asset][limit]).toBeLessThanOrEqual(before?.[asset][limit] ?? 0n);
      }
    }
  }

  function checkBuckets(): void {
    for (const [bucket, hour] of buckets) {
      if (s.data(bucket)) continue;
      expect(BigInt(s.now())).toBeGreaterThanOrEqual(hour * BigInt(HOUR) + BigInt(BUCKET_LIFE));
      buckets.delete(bucket);
    }
    const hour = BigInt(Math.floor(s.now() / HOUR));
    for (let back = 0n; back <= 25n; back++) {
      if (s.data(bucketAt(s, hour - back))) buckets.set(bucketAt(s, hour - back), hour - back);
    }
  }

  function instructionOf({ name, amount, fee, key, age, mint, pick }: Move): TransactionInstruction {
    const asset = mint === USDC ? 0 : 1;
    const message = { key: `key ${key}`, from: ALICE, amount, mint, time: s.now() - age };
    const tab = tabs[pick % 2] as SolanaAddress;
    switch (name) {
      case 'tip':
        return tips(s, [{ ...message, to: MALLORY, fee }]);
      case 'twoTips':
        return tips(s, [
          { ...message, to: MALLORY, fee },
          { ...message, key: `other ${key}`, to: MALLORY, fee },
        ]);
      case 'tipToTab':
        return tabTip(s, message);
      case 'claim': {
        const authority = [ROLES.authority, ROLES.executor, MALLORY, ROLES.authority][pick] as SolanaAddress;
        return changed('claimTab', claim(s, tab, MALLORY), { accounts: { authority } });
      }
      case 'refund':
        return refundTab(s, tab, pick < 2 ? ALICE : MALLORY, { caller: pick === 3 ? ALICE : ROLES.executor });
      case 'closeBucket': {
        const bucket = [...buckets.keys()][key % Math.max(1, buckets.size)] ?? bucketAt(s);
        return closeBucket(s, bucket, [ROLES.executor]);
      }
      case 'raiseLimits':
        return limitsInstruction(s, ALICE, asset, amount * 10n, amount * 10n, MILLION);
      case 'lowerLimits':
        return s.build('lowerLimits', {
          args: { asset, perTip: amount, perDay: amount * 3n, maxFee: fee },
          accounts: { executor: ROLES.executor, limits: limitsAt(s, ALICE) },
        });
      case 'unpause':
        return s.build('setPaused', {
          args: { paused: false },
          accounts: { signer: pick < 2 ? ROLES.executor : ALICE, limits: limitsAt(s, ALICE) },
        });
      case 'closeLimits':
        return s.build('closeLimits', {
          args: {},
          accounts: { owner: ALICE, limits: limitsAt(s, ALICE), rentTo: ROLES.executor },
        });
      case 'openTab':
        return openTab(s, ALICE, nonceAt(s, BigInt(key)), { amount, mint });
      case 'pay':
        return order(s, { id: `order ${key}`, payee: MALLORY, amount }).pay(ALICE);
      case 'subscribe': {
        const one = plan(s, MALLORY, { amount });
        s.run(one.create());
        return one.subscribe(ALICE);
      }
      case 'campaign':
        return campaign(s, ALICE, { mint, total: amount }).open();
      case 'transfer':
        return transfer(atOf(pick < 2 ? ALICE : s.vault, mint), mint, amount);
      case 'becomeOwner':
        return ownerSets(s, pick < 2 ? 'proposeOwner' : 'addExecutor', MALLORY);
      case 'becomeAuthority':
        return ownerSets(s, pick < 2 ? 'announceAuthority' : 'announceTreasury', MALLORY);
      default:
        return SystemProgram.transfer({
          fromPubkey: new PublicKey(ALICE),
          toPubkey: new PublicKey(MALLORY),
          lamports: 1,
        });
    }
  }
}

/** As the thief can send it: nobody else has signed. */
function signedByThief(instruction: TransactionInstruction): TransactionInstruction {
  const keys = instruction.keys.map((meta) => ({
    ...meta,
    isSigner: meta.isSigner && STOLEN.has(meta.pubkey.toBase58()),
  }));
  return new TransactionInstruction({ programId: instruction.programId, keys, data: instruction.data });
}

/** Of the token program itself, by the executor as if it were the delegate. */
function transfer(from: SolanaAddress, mint: SolanaAddress, amount: bigint): TransactionInstruction {
  const data = Buffer.alloc(9);
  data.writeUInt8(3, 0);
  data.writeBigUInt64LE(amount, 1);
  return new TransactionInstruction({
    programId: new PublicKey(TOKEN_PROGRAM),
    keys: [
      { pubkey: new PublicKey(from), isSigner: false, isWritable: true },
      { pubkey: new PublicKey(atOf(MALLORY, mint)), isSigner: false, isWritable: true },
      { pubkey: new PublicKey(ROLES.executor), isSigner: true, isWritable: false },
    ],
    data,
  });
}

function max(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
