// The state file: a node that was closed, or killed, continues with everything that it had written.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  base64Of,
  fundedKey,
  nameOf,
  post,
  type RpcAnswer,
  SOL,
  startTestSolana,
  transferOf,
} from '../../test/setup/solana.ts';
import { airdrop, mintTokens, placeMint, tokenAddress } from './genesis.ts';
import { localSolanaKey } from './keys.ts';
import { openBlockOf } from './ledger.ts';
import { advanceClock, stepSlots } from './slots.ts';

const STRANGER = localSolanaKey('stranger').address;
let folder: string;
let stateFile: string;
let child: ChildProcess | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ampersat-solana-'));
  stateFile = join(folder, 'chains', 'solana.state');
});
afterEach(async () => {
  await killChild();
  rmSync(folder, { recursive: true, force: true });
});

async function killChild(): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

async function spawnNode(): Promise<{ url: string; created: boolean }> {
  const script = join(import.meta.dirname, 'server.fixture.ts');
  child = spawn(process.execPath, ['--import', 'tsx', script, stateFile], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface({ input: child.stdout! }), 'line');
  return JSON.parse(String(line));
}

test('a closed node continues: balances, tokens, history, statuses, hashes, the clock, and what is not final', async () => {
  const node = await startTestSolana({ stateFile });
  expect(node.created).toBe(true);
  const alice = fundedKey(node.ledger, 'alice');
  const circle = localSolanaKey('circle');
  const usdc = localSolanaKey('usdc').address;
  placeMint(node.ledger, { address: usdc, mintAuthority: circle.address });
  await mintTokens(node.ledger, { mint: usdc, authority: circle, owner: alice.address, amount: 7_000_000n });
  for (let at = 0; at < 300; at++) airdrop(node.ledger, STRANGER, 1_000_000);
  advanceClock(node.ledger, 3_600_000);
  const pending = transferOf(node.ledger, { from: alice, to: STRANGER, lamports: SOL });
  const unsent = transferOf(node.ledger, { from: alice, to: STRANGER, lamports: SOL / 2 });
  await node.rpc('sendTransaction', base64Of(pending), { encoding: 'base64', preflightCommitment: 'processed' });
  stepSlots(node.ledger);
  await node.user('faults', { kind: 'fork', signature: nameOf(pending), slots: 3 });
  const token = await tokenAddress(alice.address, usdc);
  const questions: [string, ...unknown[]][] = [
    ['getGenesisHash'],
    ['getSlot', { commitment: 'processed' }],
    ['getBlockTime', openBlockOf(node.ledger).slot - 6],
    ['getBalance', alice.address, { commitment: 'processed' }],
    ['getBalance', alice.address, { commitment: 'finalized' }],
    ['getTokenAccountBalance', token],
    ['getSignaturesForAddress', STRANGER, { limit: 1_000, commitment: 'confirmed' }],
    ['getTransaction', nameOf(pending), { commitment: 'confirmed', encoding: 'jsonParsed' }],
    ['getSignatureStatuses', [nameOf(pending)]],
    ['getMinimumBalanceForRentExemption', 165],
  ];
  const before = await Promise.all(questions.map((question) => node.call(...question)));
  await node.close();
  expect(readdirSync(join(folder, 'chains'))).toEqual(['solana.state']);
  const again = await startTestSolana({ stateFile });
  expect(again.created).toBe(false);
  expect(await Promise.all(questions.map((question) => again.call(...question)))).toEqual(before);
  const sent = await again.call('sendTransaction', base64Of(unsent), {
    encoding: 'base64',
    preflightCommitment: 'processed',
  });
  expect(sent.result).toBe(nameOf(unsent));
  // The fork that was to come still comes, and keeps the rest.
  stepSlots(again.ledger, 2);
  const { value } = await again.rpc('getSignatureStatuses', [nameOf(pending), nameOf(unsent)]);
  expect(value).toMatchObject([null, { err: null }]);
  await again.close();
});

test('kill -9: what was final is there, and the chain goes on', async () => {
  const first = await spawnNode();
  const rpc = async (url: string, method: string, ...params: unknown[]) =>
    ((await (await post(url, { jsonrpc: '2.0', id: 1, method, params })).json()) as RpcAnswer).result as never;
  const sent = await rpc(first.url, 'requestAirdrop', STRANGER, 5 * SOL);
  await expect
    .poll(async () => (await rpc(first.url, 'getSignatureStatuses', [sent])) as object)
    .toMatchObject({ value: [{ confirmationStatus: 'finalized' }] });
  const written = () => {
    try {
      return readFileSync(stateFile).length;
    } catch {
      return 0;
    }
  };
  await expect.poll(written).toBeGreaterThan(0);
  const size = written();
  await rpc(first.url, 'requestAirdrop', localSolanaKey('another').address, SOL);
  await expect.poll(written).not.toBe(size);
  const slot: number = await rpc(first.url, 'getSlot', { commitment: 'processed' });
  await killChild();
  const second = await spawnNode();
  expect(second.created).toBe(false);
  expect(await rpc(second.url, 'getBalance', STRANGER)).toMatchObject({ value: 5 * SOL });
  expect(await rpc(second.url, 'getTransaction', sent)).toMatchObject({ meta: { err: null } });
  expect(await rpc(second.url, 'getSlot', { commitment: 'processed' })).toBeGreaterThanOrEqual(slot - 1);
  const next = await rpc(second.url, 'requestAirdrop', STRANGER, SOL);
  await expect
    .poll(async () => (await rpc(second.url, 'getSignatureStatuses', [next])) as object)
    .toMatchObject({ value: [{ confirmationStatus: 'finalized' }] });
});

test('a file that is no state is refused with a sentence', async () => {
  stateFile = join(folder, 'state');
  writeFileSync(stateFile, 'something else');
  await expect(startTestSolana({ stateFile })).rejects.toThrow(/cannot be read: .* Delete it to start over/);
});
