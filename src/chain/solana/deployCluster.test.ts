// Sending through an RPC endpoint: a transaction that got lost is sent again as it is, and signed again only when it can never land.
import { Keypair, SendTransactionError, SystemProgram, Transaction } from '@solana/web3.js';
import { beforeEach, expect, test } from 'vitest';
import { clusterOf, type DeployConnection } from './deployCluster.ts';

/** A node that keeps what it gets, and lands it when the test says. */
let node: {
  height: number;
  hashes: number;
  /** By signature: how often it came, and its outcome once it landed. */
  got: Map<string, { times: number; bytes: Buffer; outcome: { err: unknown } | null }>;
  onSend: (times: number, attempt: number) => 'land' | 'lose' | 'fail' | Error;
  waits: number;
};
beforeEach(() => {
  node = { height: 1_000, hashes: 0, got: new Map(), onSend: () => 'land', waits: 0 };
});

const hashNumber = (number: number) => Keypair.fromSeed(Buffer.alloc(32, number)).publicKey.toBase58();
const connection = {
  getLatestBlockhash: async () => {
    node.hashes += 1;
    return { blockhash: hashNumber(node.hashes), lastValidBlockHeight: node.height + 150 };
  },
  getBlockHeight: async () => node.height,
  sendRawTransaction: async (bytes: Buffer) => {
    const { signature } = Transaction.from(bytes);
    const name = signature!.toString('hex');
    const entry = node.got.get(name) ?? { times: 0, bytes, outcome: null };
    node.got.set(name, entry);
    entry.times += 1;
    const answer = node.onSend(entry.times, node.got.size);
    if (answer instanceof Error) throw answer;
    if (answer !== 'lose') entry.outcome = { err: answer === 'fail' ? { InstructionError: [0, { Custom: 1 }] } : null };
    return name;
  },
  getSignatureStatuses: async () => {
    const landed = [...node.got.values()].at(-1)?.outcome;
    return {
      context: { slot: 1 },
      value: [landed ? { ...landed, slot: 1, confirmations: 1, confirmationStatus: 'confirmed' } : null],
    };
  },
  getAccountInfo: async () => null,
  getMinimumBalanceForRentExemption: async (bytes: number) => bytes * 10,
} as unknown as DeployConnection;

const payer = Keypair.fromSeed(Buffer.alloc(32, 7));
/** Each wait is fifty blocks. */
const send = (unitPrice = 0n) => {
  const cluster = clusterOf(connection, unitPrice, async () => {
    node.waits += 1;
    node.height += 50;
  });
  const transfer = { fromPubkey: payer.publicKey, toPubkey: payer.publicKey, lamports: 1 };
  return cluster.sendAndConfirm([SystemProgram.transfer(transfer)], [payer], 6_000);
};

test('what lands is sent once, and its signature is answered', async () => {
  expect(await send()).toMatch(/^[1-9A-HJ-NP-Za-km-z]{86,88}$/);
  expect([...node.got.values()].map(({ times }) => times)).toEqual([1]);
});

test('what gets lost is sent again with the same bytes, and a failing network is not taken for an answer', async () => {
  node.onSend = (times) => (times === 1 ? 'lose' : times === 2 ? new Error('fetch failed') : 'land');
  await send();
  expect([...node.got.values()].map(({ times }) => times)).toEqual([3]);
});

test('a network that fails at the first time leaves open whether it landed: nothing is signed again before it expired', async () => {
  node.onSend = (times, attempt) =>
    attempt === 1 && times === 1 ? new Error('fetch failed') : attempt === 1 ? 'lose' : 'land';
  await send();
  expect(node.hashes).toBe(2);
  // 150 blocks, and one more.
  expect([...node.got.values()].map(({ times }) => times)).toEqual([5, 1]);
  const [first, second] = [...node.got.values()].map(({ bytes }) => Transaction.from(bytes).recentBlockhash);
  expect(first).not.toBe(second);
});

test('what landed at the last moment is not signed again', async () => {
  node.onSend = (times) => (times < 5 ? 'lose' : 'land');
  await send();
  expect(node.hashes).toBe(1);
});

test('what failed, and what the node refuses, ends it with a reason', async () => {
  node.onSend = () => 'fail';
  await expect(send()).rejects.toThrow(/^\w+ failed: \{"InstructionError":\[0,\{"Custom":1\}\]\}$/);
  node.onSend = () =>
    new SendTransactionError({ action: 'simulate', signature: 'x', transactionMessage: 'insufficient funds' });
  await expect(send()).rejects.toThrow(/^a transaction was refused: .*insufficient funds/);
});

test('a node that does not know the block hash yet gets it again', async () => {
  node.onSend = (times) =>
    times === 1
      ? new SendTransactionError({ action: 'simulate', signature: 'x', transactionMessage: 'Blockhash not found' })
      : 'land';
  await send();
  expect(node.hashes).toBe(1);
});

test('after five expired block hashes it gives up', async () => {
  node.onSend = () => 'lose';
  await expect(send()).rejects.toThrow('a transaction expired 5 times: raise the price of compute units');
  expect(node.hashes).toBe(5);
});

test('a price of compute units is set with a limit', async () => {
  await send(2_000_000n);
  const { instructions } = Transaction.from([...node.got.values()][0]!.bytes);
  expect(instructions.map(({ data }) => data[0])).toEqual([2, 3, 2]);
});
