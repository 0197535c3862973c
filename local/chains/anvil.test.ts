import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isAlive } from '../stack/processes.ts';
import { type RunningAnvil, type StartAnvilOptions, startAnvil } from './anvil.ts';
import { isWhole, wipeState } from './anvilState.ts';

const RECIPIENT = '0x00000000000000000000000000000000000000aa';
let directory: string;
let stateFile: string;
let running: RunningAnvil[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'ampersat-anvil-test-'));
  stateFile = join(directory, 'chains', 'base.json');
});

afterEach(async () => {
  for (const chain of running) await chain.stop();
  running = [];
  await rm(directory, { recursive: true, force: true });
});

async function start(options: Partial<StartAnvilOptions> = {}): Promise<RunningAnvil> {
  const chain = await startAnvil({ chainId: 8453, stateFile, ...options });
  running.push(chain);
  return chain;
}

async function rpc<T = string>(chain: RunningAnvil, method: string, ...params: unknown[]): Promise<T> {
  const response = await fetch(chain.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const answer = (await response.json()) as { result: T; error?: { message: string } };
  if (answer.error) throw new Error(answer.error.message);
  return answer.result;
}

async function pay(chain: RunningAnvil, from = 0): Promise<string> {
  const accounts = await rpc<string[]>(chain, 'eth_accounts');
  return rpc(chain, 'eth_sendTransaction', { from: accounts[from], to: RECIPIENT, value: '0x1' });
}

async function untilMined(chain: RunningAnvil, hash: string): Promise<void> {
  await vi.waitFor(async () => expect(await rpc(chain, 'eth_getTransactionReceipt', hash)).not.toBeNull(), 20_000);
}

async function untilDumped(hash: string): Promise<void> {
  await vi.waitFor(() => expect(readFileSync(stateFile, 'utf8')).toContain(hash), { timeout: 30_000, interval: 20 });
}

describe('startAnvil', () => {
  test('mines when a transaction comes, long before the next block is due', async () => {
    const chain = await start({ stateFile: undefined, blockTimeSeconds: 600 });
    expect(Number(await rpc(chain, 'eth_chainId'))).toBe(8453);
    await untilMined(chain, await pay(chain));
    expect(Number(await rpc(chain, 'eth_blockNumber'))).toBe(1);
  });

  test('mines at its pace when nothing comes', async () => {
    const chain = await start({ stateFile: undefined });
    const waiting = { timeout: 20_000, interval: 50 };
    await vi.waitFor(async () => expect(Number(await rpc(chain, 'eth_blockNumber'))).toBeGreaterThan(1), waiting);
    const [first, second] = await Promise.all(
      ['0x1', '0x2'].map((number) => rpc<{ timestamp: string }>(chain, 'eth_getBlockByNumber', number, false)),
    );
    expect(Number(second?.timestamp) - Number(first?.timestamp)).toBeGreaterThanOrEqual(1);
  });

  test('mines only when told with neither pace nor demand', async () => {
    const chain = await start({ stateFile: undefined, blockTimeSeconds: 0, mixedMining: false });
    await pay(chain);
    expect(await rpc(chain, 'txpool_status')).toMatchObject({ pending: '0x1' });
    await rpc(chain, 'evm_mine');
    expect(await rpc(chain, 'txpool_status')).toMatchObject({ pending: '0x0' });
  });

  test('keeps balances, blocks and receipts over a restart, and its clock goes on', async () => {
    const first = await start();
    expect(first.created).toBe(true);
    const hash = await pay(first);
    await untilMined(first, hash);
    await first.stop();
    expect(isAlive(first.pid)).toBe(false);

    const second = await start();
    expect(second.created).toBe(false);
    expect(await rpc(second, 'eth_getBalance', RECIPIENT, 'latest')).toBe('0x1');
    expect(await rpc(second, 'eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
    await untilMined(second, await pay(second));
    const block = await rpc<{ timestamp: string }>(second, 'eth_getBlockByNumber', 'latest', false);
    expect(Math.abs(Number(block.timestamp) - Date.now() / 1000)).toBeLessThan(30);
  });

  test('comes back from kill -9 with the last dump', async () => {
    const first = await start();
    const hash = await pay(first);
    await untilDumped(hash);
    process.kill(first.pid, 'SIGKILL');
    await first.ended;
    const second = await start();
    expect(await rpc(second, 'eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
    expect(await rpc(second, 'eth_getBalance', RECIPIENT, 'latest')).toBe('0x1');
  });

  test('uses the dump before when the newest is torn', async () => {
    const first = await start();
    const hash = await pay(first);
    await untilDumped(hash);
    await vi.waitFor(() => expect(readFileSync(`${stateFile}.previous`, 'utf8')).toContain(hash), 30_000);
    await first.stop();
    const content = readFileSync(stateFile, 'utf8');
    writeFileSync(stateFile, content.slice(0, content.length / 2));

    const lines: string[] = [];
    const second = await start({ log: (line) => lines.push(line) });
    expect(lines).toEqual([`the chain's state in ${stateFile} is damaged`]);
    expect(await rpc(second, 'eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
  });

  test('refuses to begin anew over states that cannot be read, until they are wiped', async () => {
    const first = await start();
    await first.stop();
    writeFileSync(stateFile, '{"block":');
    await rm(`${stateFile}.previous`, { force: true });
    await expect(start()).rejects.toThrow(/damaged. Start with --fresh/);
    await wipeState(stateFile);
    expect((await start()).created).toBe(true);
  });

  test('dumps under load hold together: no account is ahead of the blocks', async () => {
    const chain = await start();
    let flooding = true;
    const flood = [0, 1].map(async (from) => {
      while (flooding) {
        const hash = await pay(chain, from);
        while ((await rpc(chain, 'eth_getTransactionReceipt', hash)) === null) await Promise.resolve();
      }
    });
    // Read when there is a new one only: this process is the one that dumps.
    const dumps = new Map<number, string>();
    try {
      await vi.waitFor(
        () => {
          const writtenAt = statSync(stateFile, { throwIfNoEntry: false })?.mtimeMs;
          if (writtenAt && !dumps.has(writtenAt)) dumps.set(writtenAt, readFileSync(stateFile, 'utf8'));
          expect(dumps.size).toBeGreaterThanOrEqual(3);
        },
        { timeout: 40_000, interval: 20 },
      );
    } finally {
      flooding = false;
      await Promise.all(flood);
    }
    for (const text of dumps.values()) {
      expect(isWhole(Buffer.from(text))).toBe(true);
      const dump = JSON.parse(text) as {
        accounts: Record<string, { nonce: number }>;
        blocks: { transactions: unknown[] }[];
      };
      const sent = Object.values(dump.accounts).reduce((sum, { nonce }) => sum + nonce, 0);
      expect(sent).toBe(dump.blocks.reduce((sum, { transactions }) => sum + transactions.length, 0));
    }
  });

  test('says which port is taken, and notes the process before it answers', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as { port: number };
    await expect(start({ port })).rejects.toThrow(`port ${port} is taken by another program`);
    holder.close();
    const noted: number[] = [];
    const chain = await start({ onSpawn: (pid) => noted.push(pid) });
    expect(noted).toEqual([chain.pid]);
  });

  test('says why the program refused to start', async () => {
    await expect(start({ extraArgs: ['--no-such-option'] })).rejects.toThrow(
      /chain 8453 did not start.*--no-such-option/s,
    );
  });
});
