// Chains and processes that the run's host starts (see host.ts) for a test file.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { RunningAnvil } from '../../local/chains/anvil.ts';
import { ROOT } from '../../src/root.ts';
import type { HostCalls, HostedAnvil, HostedChild } from './host.ts';

/** @returns where the host listens, and how to end it with everything that it started */
export async function startHost(): Promise<{ url: string; stop(): Promise<void> }> {
  const child = fork(join(import.meta.dirname, 'host.ts'), { cwd: ROOT, execArgv: ['--import', 'tsx'] });
  const [url] = (await once(child, 'message')) as [string];
  return {
    url,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

type Answer<Name extends keyof HostCalls> = Awaited<ReturnType<HostCalls[Name]>>;

async function call<Name extends keyof HostCalls>(
  name: Name,
  given: Parameters<HostCalls[Name]>[0],
): Promise<Answer<Name>> {
  const response = await fetch(`${inject('hostUrl')}/${name}`, { method: 'POST', body: JSON.stringify(given) });
  const { answer, error } = (await response.json()) as { answer: Answer<Name>; error?: string };
  if (error !== undefined) throw new Error(error);
  return answer;
}

export type HostedChain = Pick<RunningAnvil, 'rpcUrl' | 'port' | 'pid' | 'stop'>;

export async function hostedAnvil(options: HostedAnvil): Promise<HostedChain> {
  const anvil = await call('startAnvil', options);
  return { ...anvil, stop: () => call('stopAnvil', { pid: anvil.pid }) };
}

export type HostedProcess = { pid: number; ready(): Promise<void>; kill(): Promise<void>; stop(): Promise<void> };

/** A process of ours that stays dead when it is killed. */
export async function hostedChild(options: HostedChild): Promise<HostedProcess> {
  const { pid } = await call('startChild', options);
  return {
    pid,
    ready: () => call('isReady', { pid }),
    kill: () => call('killChild', { pid }),
    stop: () => call('stopChild', { pid }),
  };
}
