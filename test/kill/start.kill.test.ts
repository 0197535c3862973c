// The stack as a whole: it starts, stops and recovers, and leaves nothing behind.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { typeMessage, waitForAnswer } from '../../local/platforms/chatUser.ts';
import { wipePostgres } from '../../local/postgres/postgres.ts';
import { type Keypair, localSolanaKey } from '../../local/solana/keys.ts';
import type { LocalFile } from '../../local/stack/localFile.ts';
import { bundled, shellEnv, until } from '../setup/processes.ts';
import { post, SOL, signTransfer } from '../setup/solana.ts';

let dataDir: string;
let running: ChildProcess[];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'ampersat-start-'));
  chmodSync(dataDir, 0o711);
  running = [];
});
afterEach(async () => {
  for (const child of running) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGTERM');
    await ended(child);
  }
  await wipePostgres(join(dataDir, 'postgres'));
  rmSync(dataDir, { recursive: true, force: true });
});

type Started = { child: ChildProcess; output: () => string };
function stack(...args: string[]): Started {
  const options = ['--data-dir', dataDir, '--port', '0', '--chains', 'base,solana', ...args];
  const child = spawn(process.execPath, [bundled('start'), ...options], {
    env: shellEnv(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { child, output: () => text };
}
function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => child.once('exit', (code) => resolve(code)));
}
const localFile = () => JSON.parse(readFileSync(join(dataDir, 'local.json'), 'utf8')) as LocalFile;
const up = async (one: Started) => {
  await until(() => one.output().includes('Ampersat is up') || one.child.exitCode !== null, 'the stack is up', 60_000);
  expect(one.output()).toContain('Ampersat is up');
};
async function tip(text = '/tip @bob 1') {
  const local = localFile();
  const group = local.platforms.telegram.group_chat_id;
  const alice = local.accounts['alice']?.telegram ?? { id: 0, username: '' };
  const { message_id } = await typeMessage(local, alice, group, text);
  return waitForAnswer(
    local,
    group,
    (message) => message.reply_to_message?.message_id === message_id && /^✅ .*View 0x\S+$/.test(message.text),
    45_000,
  );
}
const MONTH_MS = 31 * 86_400_000;
/** What `ampersat clock` answers, in minutes. */
async function clock(...args: string[]): Promise<number> {
  const command = [bundled('cli'), '--data-dir', dataDir, '--json', 'clock', ...args];
  const { stdout } = await promisify(execFile)(process.execPath, command, { env: shellEnv() });
  const { now } = JSON.parse(stdout) as { now: string };
  return Date.parse(now) / 60_000;
}
/** Processes of this machine whose command line or open cluster is ours. */
async function leftovers(): Promise<string[]> {
  const { readdirSync } = await import('node:fs');
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return line.includes(dataDir) && !line.includes('vitest') ? [line] : [];
      } catch {
        return [];
      }
    });
}

/** USDC on Base. */
const balancesOf = async ({ base_url }: LocalFile): Promise<Map<string, string>> => {
  const answer = await fetch(`${base_url}/api/local/balances`);
  type Balance = { name: string; chain: string; asset: string; amount: string };
  const { balances } = (await answer.json()) as { balances: Balance[] };
  const own = balances.filter(({ chain, asset }) => chain === 'base' && asset === 'USDC');
  return new Map(own.map(({ name, amount }) => [name, amount]));
};

type SolanaValue<T> = { value: T };
async function solana<T>(method: string, ...params: unknown[]): Promise<T> {
  const url = localFile().chains.solana?.rpc_url ?? '';
  const answer = await post(url, { jsonrpc: '2.0', id: 1, method, params });
  const { result, error } = (await answer.json()) as { result: T; error?: { message: string } };
  if (error) throw new Error(error.message);
  return result;
}
const PROCESSED = { commitment: 'processed' };
async function lamportsOf(name: string): Promise<number> {
  const owner = localFile().accounts[name]?.solana_address;
  return (await solana<SolanaValue<number>>('getBalance', owner, PROCESSED)).value;
}
/** In minutes. */
const solanaClock = async () =>
  (await solana<number>('getBlockTime', await solana<number>('getSlot', { commitment: 'finalized' }))) / 60;
/** From alice to bob, as her wallet does it. */
async function paySol(lamports: number): Promise<void> {
  const [alice, bob] = ['alice', 'bob'].map((name) => localSolanaKey(name)) as [Keypair, Keypair];
  expect(localFile().accounts['alice']?.solana_private_key).toBe(alice.secret);
  const { value } = await solana<SolanaValue<{ blockhash: string }>>('getLatestBlockhash', PROCESSED);
  const { raw } = signTransfer({ from: alice, to: bob.address, lamports, hash: value.blockhash });
  const sent = Buffer.from(raw).toString('base64');
  await solana('sendTransaction', sent, { encoding: 'base64', preflightCommitment: 'processed' });
}

// One folder over its life: each start has what the one before left behind.
test('the stack starts, stops cleanly, recovers from kill -9 in the middle of a tip, and forgets with --fresh', {
  timeout: 360_000,
}, async () => {
  const first = stack();
  await up(first);
  expect(statSync(join(dataDir, 'local.json')).mode & 0o777).toBe(0o600);
  const { base_url, checkout_base, accounts } = localFile();
  expect(checkout_base).toBe(base_url);
  expect(accounts['shop']?.kind).toBe('business');
  for (const [name, { handle, session, api_key }] of Object.entries(accounts)) {
    expect([session === null, api_key === null]).toEqual([handle === null, handle === null]);
    const answer = await fetch(`${base_url}/api/session`, { headers: { cookie: `service-session=${session}` } });
    const { account } = (await answer.json()) as { account: { handle: string } | null };
    expect(account?.handle, name).toBe(handle ?? undefined);
    const listed = await fetch(`${base_url}/v1/orders`, { headers: { authorization: `Bearer ${api_key}` } });
    expect([name, listed.status]).toEqual([name, handle === null ? 401 : 200]);
  }
  await tip();
  // The clock moves chains and processes together, and a payment a month later is one like today's.
  expect(await clock('--advance', '31d')).toBeCloseTo((Date.now() + MONTH_MS) / 60_000, -1);
  expect(await solanaClock()).toBeCloseTo((Date.now() + MONTH_MS) / 60_000, -1);
  const { genesis_hash: genesis } = localFile().chains.solana ?? {};
  await tip();
  const other = stack();
  expect(await ended(other.child)).toBe(1);
  expect(other.output()).toMatch(/already|runs/i);
  expect(other.output()).not.toContain('    at ');
  first.child.kill('SIGINT');
  expect(await ended(first.child)).toBe(0);
  expect(await leftovers()).toEqual([]);
  expect(existsSync(join(dataDir, 'local.json'))).toBe(false);

  const second = stack();
  await up(second);
  expect(await clock()).toBeCloseTo((Date.now() + MONTH_MS) / 60_000, -1);
  expect(await solanaClock()).toBeCloseTo((Date.now() + MONTH_MS) / 60_000, -1);
  await paySol(SOL);
  expect((await tip()).message_id).toBeGreaterThan(2);
  const local = localFile();
  // Programs that have a key of the start before continue to work.
  expect(Object.values(local.accounts).map(({ api_key }) => api_key)).toEqual(
    Object.values(accounts).map(({ api_key }) => api_key),
  );
  expect((await balancesOf(local)).get('bob')).toBe('1003.00');
  const alice = local.accounts['alice']?.telegram ?? { id: 0, username: '' };
  const group = local.platforms.telegram.group_chat_id;
  const { message_id } = await typeMessage(local, alice, group, '/tip @bob 3');
  for (const pid of Object.values(local.processes)) process.kill(pid, 'SIGKILL');
  second.child.kill('SIGKILL');
  await ended(second.child);

  const third = stack();
  await up(third);
  const again = localFile();
  await waitForAnswer(
    again,
    group,
    (message) => message.reply_to_message?.message_id === message_id && /^✅ .*View 0x\S+$/.test(message.text),
    60_000,
  );
  expect([again.chains.solana?.genesis_hash, await lamportsOf('bob')]).toEqual([genesis, 11 * SOL]);
  const paid = await balancesOf(again);
  expect([paid.get('bob'), paid.get('treasury')]).toEqual(['1006.00', '0.20']);
  third.child.kill('SIGTERM');
  expect(await ended(third.child)).toBe(0);

  const fresh = stack('--fresh');
  await up(fresh);
  expect((await balancesOf(localFile())).get('bob')).toBe('1000.00');
  expect(await lamportsOf('bob')).toBe(10 * SOL);
  expect(localFile().chains.solana?.genesis_hash).not.toBe(genesis);
  await tip();
});
