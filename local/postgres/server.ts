/** The PostgreSQL server process of a cluster: finds one that runs, starts one, stops one. */
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, isPortFree } from '../stack/ports.ts';
import { identifyProcess, isAlive, isZombie } from '../stack/processes.ts';
import type { Account } from './binaries.ts';
import type { Home } from './home.ts';

const START_LIMIT_MS = 30_000;
const STOP_LIMIT_MS = 10_000;

/**
 * The server that already runs on this cluster. Removes a pid file that would keep a new server from starting for ever:
 * that of a zombie whose parent does not collect it (its backends end with it), and that of an id which another program has now.
 */
export async function findSurvivor(cluster: string): Promise<{ pid: number; port: number } | undefined> {
  const deadline = Date.now() + STOP_LIMIT_MS;
  for (;;) {
    const file = readPidFile(cluster);
    if (!file) return undefined;
    if (isZombie(file.pid)) {
      for (let waited = 0; waited < 4_000 && isZombie(file.pid); waited += 100) await sleep(100);
      if (isZombie(file.pid)) await rm(join(cluster, 'postmaster.pid'), { force: true });
      continue;
    }
    if (!isAlive(file.pid)) return undefined;
    if (!identifyProcess(file.pid)?.includes(cluster)) {
      await rm(join(cluster, 'postmaster.pid'), { force: true });
      return undefined;
    }
    if (!file.stopping && file.port > 0) return { pid: file.pid, port: file.port };
    if (Date.now() > deadline)
      throw new Error(`PostgreSQL (process ${file.pid}) neither runs nor stops. End it and start again.`);
    await sleep(50);
  }
}

/** Line 1 is the process id, line 4 the port, line 8 the state. The later lines appear while the server starts. */
function readPidFile(cluster: string): { pid: number; port: number; stopping: boolean } | undefined {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), port: Number(lines[3]), stopping: lines[7]?.trim() === 'stopping' };
  } catch {
    return undefined;
  }
}

/** Starts a server on the cluster and waits until it is ready. Throws an Error with what it last said when it ends. */
export async function launch(
  home: Home,
  binaries: string,
  account: Account,
  options: { port?: number; durable?: boolean },
): Promise<{ pid: number; port: number }> {
  const wanted = options.port ?? 0;
  // A port found free can be gone a moment later, so an unnamed one is worth another try.
  for (let attempt = 1; ; attempt++) {
    const port = wanted === 0 ? await freePort() : wanted;
    const failure = await launchOn(port, home, binaries, account, options.durable ?? true);
    if (typeof failure === 'number') return { pid: failure, port };
    const taken = /Address already in use/.test(failure) || !(await isPortFree(port));
    if (taken && wanted !== 0)
      throw new Error(`PostgreSQL cannot start: port ${port} is taken by another program. Free it or choose another.`);
    if (!taken || attempt === 3) throw new Error(`PostgreSQL ended while starting: ${failure}`);
  }
}

/** Starts the server and waits until it says in its pid file that it is ready. Returns its process id, or why it ended. */
async function launchOn(
  port: number,
  home: Home,
  binaries: string,
  account: Account,
  durable: boolean,
): Promise<number | string> {
  const settings = ['max_connections=200', 'shared_buffers=128MB', 'log_checkpoints=off', 'log_min_messages=log'];
  if (!durable) settings.push('fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'autovacuum=off');
  const log = openSync(home.log, 'w', 0o600);
  const child = spawn(
    join(binaries, 'bin/postgres'),
    [
      '-D',
      home.cluster,
      '-h',
      '127.0.0.1',
      '-p',
      String(port),
      '-k',
      '',
      ...settings.flatMap((setting) => ['-c', setting]),
    ],
    // A process group of its own: Ctrl-C in the terminal must reach the stack, which stops the database last.
    { ...account, cwd: '/', stdio: ['ignore', log, log], detached: true },
  );
  closeSync(log);
  child.unref();
  let ended: string | undefined;
  child.once('error', (error) => {
    ended = error.message;
  });
  child.once('exit', (code, signal) => {
    ended = `exit ${code ?? signal}`;
  });
  const deadline = Date.now() + START_LIMIT_MS;
  while (ended === undefined) {
    if (child.pid !== undefined && isReady(home.cluster, child.pid)) return child.pid;
    if (Date.now() > deadline) {
      child.kill('SIGQUIT');
      ended = `not ready after ${START_LIMIT_MS / 1000} s`;
    }
    await sleep(10);
  }
  return `${ended}. ${readFileSync(home.log, 'utf8').trim().slice(-1_000)}`;
}

function isReady(cluster: string, pid: number): boolean {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}

/** Fast shutdown (open transactions are rolled back), and an immediate one when that hangs: the log makes it safe. */
export async function stopServer(cluster: string, pid: number): Promise<void> {
  for (const name of ['SIGINT', 'SIGQUIT'] as const) {
    kill(pid, name);
    const deadline = Date.now() + STOP_LIMIT_MS;
    while (isAlive(pid) && Date.now() < deadline) await sleep(10);
    if (!isAlive(pid)) return;
  }
  throw new Error(`PostgreSQL (process ${pid}) in ${cluster} does not stop.`);
}

/** Sends a signal, also to what has just ended. */
export function kill(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended already.
  }
}
