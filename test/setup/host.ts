// The process that starts chains and processes of ours for all test files of a run: a fork copies the pages of its parent one by one, and a worker
// of the tests has a hundred thousand of them.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { type RunningAnvil, type StartAnvilOptions, startAnvil } from '../../local/chains/anvil.ts';
import { type ChildOptions, type ChildProcessHandle, startChild } from '../../local/stack/children.ts';

export type HostedAnvil = Omit<StartAnvilOptions, 'onSpawn' | 'log'>;
/** `clockAheadMs`: how far its clock is ahead of the machine’s. */
export type HostedChild = Omit<ChildOptions, 'log' | 'restart' | 'clockOffsetMs'> & { clockAheadMs?: number };

const chains = new Map<number, RunningAnvil>();
const children = new Map<number, ChildProcessHandle>();

const found = <T>(all: Map<number, T>, pid: number): T => {
  const one = all.get(pid);
  if (!one) throw new Error(`this process did not start ${pid}`);
  return one;
};

const calls = {
  async startAnvil(options: HostedAnvil) {
    const anvil = await startAnvil(options);
    chains.set(anvil.pid, anvil);
    const { rpcUrl, port, pid, created } = anvil;
    return { rpcUrl, port, pid, created };
  },
  async stopAnvil({ pid }: { pid: number }) {
    const anvil = found(chains, pid);
    chains.delete(pid);
    await anvil.stop();
  },
  async startChild({ clockAheadMs = 0, ...options }: HostedChild) {
    const child = startChild({ ...options, log: () => {}, clockOffsetMs: () => clockAheadMs, restart: false });
    const pid = child.pid();
    children.set(pid, child);
    return { pid };
  },
  isReady: ({ pid }: { pid: number }) => found(children, pid).ready,
  killChild: async ({ pid }: { pid: number }) => found(children, pid).kill('SIGKILL'),
  stopChild: ({ pid }: { pid: number }) => found(children, pid).stop(),
};

export type HostCalls = typeof calls;

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const call = calls[(request.url ?? '').slice(1) as keyof HostCalls] as (given: unknown) => Promise<unknown>;
  try {
    const answer = await call(JSON.parse(Buffer.concat(chunks).toString()));
    response.end(JSON.stringify({ answer }));
  } catch (error) {
    response.writeHead(500).end(JSON.stringify({ error: (error as Error).message }));
  }
});
// A child may take a minute until it is ready.
server.requestTimeout = 0;
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

async function end(): Promise<void> {
  await Promise.allSettled([...children.values()].map((child) => child.stop()));
  await Promise.allSettled([...chains.values()].map((chain) => chain.stop()));
  process.exit(0);
}
process.once('SIGTERM', end);
// The run was killed.
process.once('disconnect', end);
// Ctrl-C reaches every process of a terminal; the run says when it is over.
process.on('SIGINT', () => {});
