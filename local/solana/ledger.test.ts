// The ledger behind the local Solana node: commitments, hashes that expire, forks, the clock, fees, and a history with a limit.
import { base58 } from '@scure/base';
import { expect, test } from 'vitest';
import { fundedKey, nameOf, SOL, transferOf } from '../../test/setup/solana.ts';
import { accountAt } from './accounts.ts';
import { submit } from './execution.ts';
import { forkWithout } from './fork.ts';
import {
  addProgram,
  airdrop,
  execute,
  fillFaucet,
  freezeAccount,
  mintTokens,
  placeMint,
  tokenAddress,
} from './genesis.ts';
import { localSolanaKey } from './keys.ts';
import { blockAt, HASH_AGE, type Ledger, type LedgerOptions, openBlockOf, timeOf } from './ledger.ts';
import { advanceClock, createLedger, expireHashes, moveClockTo, stepSlots } from './slots.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, tokenAccountOf } from './tokens.ts';
import { decodeTransaction, signTransaction } from './wire.ts';

function openLedger(options: LedgerOptions = {}): Ledger {
  const ledger = createLedger({ slotMs: 0, finalizedAfter: 4, ...options });
  fillFaucet(ledger);
  return ledger;
}
const balance = (ledger: Ledger, key: string, slot = openBlockOf(ledger).slot) =>
  Number(accountAt(ledger, key, slot)?.lamports ?? 0n);
const STRANGER = localSolanaKey('stranger').address;

test('an account is answered as it was after any block that is not long final', () => {
  const ledger = openLedger();
  const alice = fundedKey(ledger, 'alice');
  stepSlots(ledger, 3);
  const before = openBlockOf(ledger).slot - 1;
  submit(ledger, transferOf(ledger, { from: alice, to: STRANGER, lamports: SOL }));
  stepSlots(ledger);
  submit(ledger, transferOf(ledger, { from: alice, to: STRANGER, lamports: SOL }));
  expect([before, before + 1, before + 2].map((slot) => balance(ledger, STRANGER, slot))).toEqual([0, SOL, 2 * SOL]);
  expect(balance(ledger, STRANGER, blockAt(ledger, 'confirmed').slot)).toBe(SOL);
  expect(balance(ledger, STRANGER, blockAt(ledger, 'finalized').slot)).toBe(0);
  stepSlots(ledger, 4);
  expect(balance(ledger, STRANGER, blockAt(ledger, 'finalized').slot)).toBe(2 * SOL);
});

test('a transaction lands as long as the block height is at most its last valid one', () => {
  const ledger = openLedger();
  const alice = fundedKey(ledger, 'alice');
  const [last, late] = [1, 2].map((lamports) =>
    transferOf(ledger, { from: alice, to: STRANGER, lamports: lamports * SOL }),
  );
  stepSlots(ledger, HASH_AGE);
  expect(submit(ledger, last!)).toMatchObject({ error: null });
  stepSlots(ledger);
  expect(submit(ledger, late!)).toBe('BlockhashNotFound');
  expect(submit(ledger, last!)).toBe('AlreadyProcessed');
});

test('a fork removes a transaction and what depended on it, keeps the rest, and lets it land again', () => {
  const ledger = openLedger();
  const alice = fundedKey(ledger, 'alice');
  const bob = localSolanaKey('bob');
  stepSlots(ledger, 5);
  const gone = transferOf(ledger, { from: alice, to: bob.address, lamports: SOL });
  submit(ledger, gone);
  stepSlots(ledger);
  const dependent = transferOf(ledger, { from: bob, to: STRANGER, lamports: SOL / 2 });
  const other = transferOf(ledger, { from: alice, to: STRANGER, lamports: SOL });
  expect([submit(ledger, dependent), submit(ledger, other)]).toMatchObject([{ error: null }, { error: null }]);
  stepSlots(ledger);
  expect(forkWithout(ledger, nameOf(gone))).toBe(true);
  expect([gone, dependent, other].map((one) => ledger.transactions.has(nameOf(one)))).toEqual([false, false, true]);
  expect([balance(ledger, bob.address), balance(ledger, STRANGER)]).toEqual([0, SOL]);
  expect(ledger.byAddress.get(bob.address)).toBeUndefined();
  expect(balance(ledger, alice.address)).toBe(9 * SOL - 5_000);
  expect(submit(ledger, gone)).toMatchObject({ error: null });
  expect(balance(ledger, bob.address)).toBe(SOL);
  stepSlots(ledger, 4);
  expect(forkWithout(ledger, nameOf(gone))).toBe(false);
});

test('a transaction that fails on the other fork lands there as failed', () => {
  const ledger = openLedger();
  const alice = fundedKey(ledger, 'alice', SOL);
  const bob = fundedKey(ledger, 'bob', SOL);
  stepSlots(ledger, 5);
  const gone = transferOf(ledger, { from: alice, to: bob.address, lamports: SOL / 2 });
  submit(ledger, gone);
  const spend = transferOf(ledger, { from: bob, to: STRANGER, lamports: 1.2 * SOL });
  submit(ledger, spend);
  forkWithout(ledger, nameOf(gone));
  expect(ledger.transactions.get(nameOf(spend))?.error).toEqual({ InstructionError: [0, { Custom: 1 }] });
  expect(balance(ledger, bob.address)).toBe(SOL - 5_000);
});

test('the clock moves a year in one jump: hashes expire, what was pending is final, each commitment has a valid hash', () => {
  const ledger = openLedger({ slotMs: 400 });
  const alice = fundedKey(ledger, 'alice');
  const late = transferOf(ledger, { from: alice, to: STRANGER, lamports: SOL });
  const [before, slot] = [timeOf(ledger), openBlockOf(ledger).slot];
  const year = 365 * 86_400_000;
  advanceClock(ledger, year);
  expect(ledger.blocks.size).toBeLessThan(50);
  expect(openBlockOf(ledger).slot - slot).toBeCloseTo(year / 400, -2);
  expect(timeOf(ledger) - before).toBeGreaterThanOrEqual(year);
  expect(Number(ledger.svm.getClock().unixTimestamp)).toBe(Math.floor(openBlockOf(ledger).timeMs / 1_000));
  expect(submit(ledger, late)).toBe('BlockhashNotFound');
  expect(balance(ledger, alice.address, blockAt(ledger, 'finalized').slot)).toBe(10 * SOL);
  const { hash } = blockAt(ledger, 'finalized');
  expect(submit(ledger, transferOf(ledger, { from: alice, to: STRANGER, lamports: SOL, hash }))).toMatchObject({
    error: null,
  });
});

test('the clock of the chain never goes back, also when the one it follows does', () => {
  let now = 1_800_000_000_000;
  const ledger = openLedger({ clock: () => now });
  now += 60_000;
  stepSlots(ledger);
  const later = openBlockOf(ledger).timeMs;
  expect(later).toBe(now);
  now -= 30_000;
  stepSlots(ledger, 3);
  expect(openBlockOf(ledger).timeMs).toBe(later);
  moveClockTo(ledger, later + 5_000);
  expect(openBlockOf(ledger).timeMs).toBe(later + 5_000);
  expect(() => advanceClock(ledger, -1)).toThrow(RangeError);
});

test('expired hashes end what was signed with them at once', () => {
  const ledger = openLedger();
  const alice = fundedKey(ledger, 'alice');
  const late = transferOf(ledger, { from: alice, to: STRANGER, lamports: SOL });
  expireHashes(ledger);
  expect(submit(ledger, late)).toBe('BlockhashNotFound');
  expect(submit(ledger, transferOf(ledger, { from: alice, to: STRANGER, lamports: SOL }))).toMatchObject({
    error: null,
  });
});

test.each([
  { limit: null, price: null },
  { limit: 1_000, price: 1_000_001 },
  { limit: null, price: 1_000_000 },
  { limit: 1_400_000, price: 7 },
])('the fee that is answered is the fee that is paid: %o', ({ limit, price }) => {
  const ledger = openLedger();
  const alice = fundedKey(ledger, 'alice');
  const budget = (kind: number, bytes: number, value: number) => {
    const data = Buffer.alloc(1 + bytes);
    data[0] = kind;
    data.writeUInt32LE(value, 1);
    return { program: 'ComputeBudget111111111111111111111111111111', accounts: [], data };
  };
  const transfer = Buffer.alloc(12);
  transfer.writeUInt32LE(2);
  const accounts = [
    { address: alice.address, signer: true, writable: true },
    { address: alice.address, writable: true },
  ];
  const calls = [
    ...(price === null ? [] : [budget(3, 8, price)]),
    { program: '11111111111111111111111111111111', accounts, data: transfer },
    { program: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', accounts: [], data: Buffer.from('order') },
  ];
  const landed = submitCalls(ledger, alice, [...(limit === null ? [] : [budget(2, 4, limit)]), ...calls]);
  expect(landed.fee).toBe((landed.preBalances[0] as number) - (landed.postBalances[0] as number));
});

function submitCalls(
  ledger: Ledger,
  payer: ReturnType<typeof localSolanaKey>,
  calls: Parameters<typeof signTransaction>[2],
) {
  const landed = submit(ledger, decodeTransaction(signTransaction([payer], blockAt(ledger, 'processed').hash, calls)));
  if (typeof landed !== 'object' || !('signature' in landed)) throw new Error(JSON.stringify(landed));
  return landed;
}

test('USDC of the genesis: minted, frozen, thawed; a look-alike of Token-2022 has another address', async () => {
  const ledger = openLedger();
  const circle = localSolanaKey('circle');
  const alice = fundedKey(ledger, 'alice');
  const mints = { [TOKEN_PROGRAM]: 'usdc', [TOKEN_2022_PROGRAM]: 'look-alike' };
  for (const [program, name] of Object.entries(mints)) {
    const mint = localSolanaKey(name).address;
    placeMint(ledger, { address: mint, mintAuthority: circle.address, freezeAuthority: circle.address, program });
    await mintTokens(ledger, { mint, authority: circle, owner: alice.address, amount: 5_000_000n, program });
    const account = await tokenAddress(alice.address, mint, program);
    const token = () => tokenAccountOf(accountAt(ledger, account, openBlockOf(ledger).slot));
    expect(token()).toMatchObject({ amount: 5_000_000n, mint, owner: alice.address, program, state: 'initialized' });
    freezeAccount(ledger, { mint, account, authority: circle, program });
    expect(token()?.state).toBe('frozen');
    freezeAccount(ledger, { mint, account, authority: circle, isFrozen: false, program });
    expect(token()?.state).toBe('initialized');
  }
  expect(() => execute(ledger, [alice], [{ program: TOKEN_PROGRAM, accounts: [], data: new Uint8Array([3]) }])).toThrow(
    /Error processing Instruction 1/,
  );
});

test('the newest transactions are kept, and old ones are forgotten with their index', () => {
  const ledger = openLedger({ mostTransactions: 600 });
  const first = airdrop(ledger, STRANGER, 1_000_000);
  for (let at = 0; at < 1_300; at++) {
    if (at % 100 === 0) stepSlots(ledger);
    airdrop(ledger, STRANGER, 1_000_000);
  }
  stepSlots(ledger, 5);
  expect(ledger.transactions.has(first)).toBe(false);
  expect(ledger.transactions.size).toBeLessThanOrEqual(600);
  expect(ledger.byAddress.get(STRANGER)?.length).toBe(ledger.transactions.size);
  expect(ledger.transactionCount).toBe(1_301);
  expect([...ledger.blocks.values()].flatMap(({ signatures }) => signatures).length).toBe(ledger.transactions.size);
});

test('a chain without transactions keeps a limited number of blocks, whatever its first block holds', () => {
  const ledger = openLedger();
  const first = airdrop(ledger, STRANGER, SOL);
  for (let at = 0; at < 20; at++) stepSlots(ledger, 100);
  expect(ledger.blocks.size).toBeLessThan(1_210);
  expect(ledger.hashHeights.size).toBeLessThan(1_210);
  expect(ledger.transactions.has(first)).toBe(true);
  expect([ledger.versions.size, ledger.entries.length]).toEqual([0, 0]);
});

test('a program is added without a deployment, and is called', () => {
  const ledger = openLedger();
  const alice = fundedKey(ledger, 'alice');
  const program = localSolanaKey('program').address;
  const call = [{ program, accounts: [], data: Buffer.from('hello') }];
  expect(() => execute(ledger, [alice], call)).toThrow(/program/);
  addProgram(ledger, program, memoProgram(ledger));
  expect(execute(ledger, [alice], call).logs.join()).toContain('hello');
});

/** The bytes of a program that every chain has. */
function memoProgram(ledger: Ledger): Uint8Array {
  const account = accountAt(ledger, 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', openBlockOf(ledger).slot)!;
  if (account.data.length !== 36) return account.data;
  // Loader v3: the account names the one that has the bytes, after a header.
  const data = accountAt(ledger, base58.encode(account.data.subarray(4)), openBlockOf(ledger).slot)!;
  return data.data.subarray(45);
}
