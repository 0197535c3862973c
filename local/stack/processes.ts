/**
 * Knows which operating system processes belong to a data directory: a lock so that one stack runs in it, and a ledger
 * of children, so that the next start can end what a kill -9 left behind. A process is recognised by its start time and
 * command line, because process ids are reused.
 */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const LEDGER = 'processes.jsonl';
const LOCK = 'lock';
/** A takeover of a stale lock takes about a millisecond; a claim older than this was left by a crash in the middle. */
const TAKEOVER_STALE_MS = 5_000;

export type RecordedProcess = { name: string; pid: number; identity: string };

/** Whether a process with this id runs. A zombie has ended already and counts as gone. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return !isZombie(pid);
}

/** Whether the process has ended but still holds its id, because its parent has not collected it. */
export function isZombie(pid: number): boolean {
  if (process.platform === 'linux') return readLinuxStat(pid)?.state === 'Z';
  return readPs(pid, 'stat=')?.startsWith('Z') ?? false;
}

/**
 * A text that differs between any two processes that ever had this id: boot, start time and command line.
 * Undefined when there is no such process.
 */
export function identifyProcess(pid: number): string | undefined {
  if (process.platform !== 'linux') return isZombie(pid) ? undefined : readPs(pid, 'lstart=,command=');
  const stat = readLinuxStat(pid);
  if (!stat || stat.state === 'Z') return undefined;
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${stat.startTicks} ${command}`;
  } catch {
    return undefined;
  }
}

/** Notes a child in the ledger of the data directory. Throws when the process has ended already. */
export function recordProcess(dataDir: string, { name, pid }: { name: string; pid: number }): void {
  const identity = identifyProcess(pid);
  if (!identity) throw new Error(`${name} (process ${pid}) ended before it could be recorded`);
  const line: RecordedProcess = { name, pid, identity };
  mkdirSync(dataDir, { recursive: true });
  appendFileSync(join(dataDir, LEDGER), `${JSON.stringify(line)}\n`);
}

/**
 * Ends every process that an earlier run recorded and that still runs as the same process: SIGTERM, and SIGKILL to
 * those that outlive `graceMs`. Empties the ledger and returns what it ended. Call it while holding the lock.
 */
export async function reapLeftovers(dataDir: string, { graceMs = 3_000 } = {}): Promise<RecordedProcess[]> {
  const leftovers = readLedger(dataDir).filter(isSameProcess);
  for (const leftover of leftovers) signal(leftover, 'SIGTERM');
  await waitForEnd(leftovers, graceMs);
  const stubborn = leftovers.filter(isSameProcess);
  for (const leftover of stubborn) signal(leftover, 'SIGKILL');
  await waitForEnd(stubborn, 2_000);
  const alive = stubborn.filter(isSameProcess);
  if (alive.length > 0) {
    const names = alive.map(({ name, pid }) => `${name} (process ${pid})`).join(', ');
    throw new Error(
      `Left over from an earlier run and impossible to end: ${names}. End them yourself and start again.`,
    );
  }
  rmSync(join(dataDir, LEDGER), { force: true });
  return leftovers;
}

/**
 * Claims the data directory for this process. Throws with the other process's id when a running one holds it; takes over
 * the lock of a process that has ended. `release` gives it back; so does the end of this process.
 */
export function lockDataDir(dataDir: string): { release(): void } {
  mkdirSync(dataDir, { recursive: true });
  const file = join(dataDir, LOCK);
  const identity = identifyProcess(process.pid);
  if (!identity) throw new Error('cannot identify this process');
  const mine = JSON.stringify({ pid: process.pid, identity });
  if (!claim(file, mine)) takeOver(dataDir, file, mine);
  return {
    release() {
      if (readText(file) === mine) rmSync(file, { force: true });
    },
  };
}

/** Writes the lock in one step, so that no process reads half of one. False when there is a lock already. */
function claim(file: string, content: string): boolean {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, content, { mode: 0o600 });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Replaces a dead process's lock. Only one process at a time may look and replace, or two could both win. */
function takeOver(dataDir: string, file: string, mine: string): void {
  const turn = `${file}.takeover`;
  if (existsSync(turn) && Date.now() - statSync(turn).mtimeMs > TAKEOVER_STALE_MS)
    rmSync(turn, { recursive: true, force: true });
  try {
    mkdirSync(turn);
  } catch {
    throw new Error(`Another Ampersat is just starting in ${resolve(dataDir)}. Try again in a few seconds.`);
  }
  try {
    const holder = readHolder(file);
    if (holder && isSameProcess(holder)) {
      throw new Error(
        `Ampersat already runs in ${resolve(dataDir)} (process ${holder.pid}). ` +
          `Stop it with Ctrl-C in its terminal or with \`kill ${holder.pid}\`, or start this one with another --data-dir.`,
      );
    }
    rmSync(file, { force: true });
    if (!claim(file, mine)) throw new Error(`Another Ampersat took ${resolve(dataDir)} first.`);
  } finally {
    rmSync(turn, { recursive: true, force: true });
  }
}

function readHolder(file: string): { pid: number; identity: string } | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function readLedger(dataDir: string): RecordedProcess[] {
  const lines = (readText(join(dataDir, LEDGER)) ?? '').split('\n');
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line) as RecordedProcess];
    } catch {
      // The last line is cut off when the run was killed while writing it.
      return [];
    }
  });
}

/** One that is ending has lost its command line before it lets go of its files and ports: then its start says who it is. */
function isSameProcess({ pid, identity }: { pid: number; identity: string }): boolean {
  const now = identifyProcess(pid);
  return now !== undefined && (now === identity || (now.endsWith(' ') && identity.startsWith(now)));
}

function signal(target: RecordedProcess, name: NodeJS.Signals): void {
  try {
    process.kill(target.pid, name);
  } catch {
    // It ended by itself in the meantime.
  }
}

async function waitForEnd(processes: RecordedProcess[], limitMs: number): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (Date.now() < deadline && processes.some(isSameProcess)) await sleep(20);
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** The command name in /proc/<pid>/stat may contain blanks and brackets, so the fields are counted from its last bracket. */
function readLinuxStat(pid: number): { state: string; startTicks: string } | undefined {
  const text = readText(`/proc/${pid}/stat`);
  if (!text) return undefined;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', startTicks: fields[19] ?? '' };
}

function readPs(pid: number, format: string): string | undefined {
  try {
    return execFileSync('ps', ['-ww', '-p', String(pid), '-o', format], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}
