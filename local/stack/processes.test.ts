import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { identifyProcess, isAlive, lockDataDir, reapLeftovers, recordProcess } from './processes.ts';

let dataDir: string;
let children: ChildProcess[] = [];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'ampersat-processes-test-'));
});

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
  rmSync(dataDir, { recursive: true, force: true });
});

/** A child that says when it is ready. @param onSigterm what it does instead of ending */
async function spawnChild(onSigterm?: string): Promise<number> {
  const code = `${onSigterm === undefined ? '' : `process.on('SIGTERM', () => {${onSigterm}});`} setInterval(() => {}, 1e6); console.log('ready')`;
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  await once(child.stdout, 'data');
  return child.pid!;
}

describe('reapLeftovers', () => {
  test('ends what an earlier run recorded, also what ignores SIGTERM', async () => {
    const willing = await spawnChild();
    const stubborn = await spawnChild('');
    recordProcess(dataDir, { name: 'willing', pid: willing });
    recordProcess(dataDir, { name: 'stubborn', pid: stubborn });
    const reaped = await reapLeftovers(dataDir, { graceMs: 200 });
    expect(reaped.map(({ name }) => name)).toEqual(['willing', 'stubborn']);
    expect([isAlive(willing), isAlive(stubborn)]).toEqual([false, false]);
    expect(await reapLeftovers(dataDir)).toEqual([]);
  });

  test('waits for one that has lost its command line already, as whoever ends has', async () => {
    const ending = await spawnChild("process.title = ''");
    recordProcess(dataDir, { name: 'ending', pid: ending });
    await reapLeftovers(dataDir, { graceMs: 500 });
    expect(isAlive(ending)).toBe(false);
  });

  test('spares a process that got the id of a recorded one', async () => {
    const pid = await spawnChild();
    recordProcess(dataDir, { name: 'gone', pid });
    const ledger = join(dataDir, 'processes.jsonl');
    const line = JSON.parse(readFileSync(ledger, 'utf8'));
    const [boot, start, ...command] = line.identity.split(' ');
    writeFileSync(
      ledger,
      `${JSON.stringify({ ...line, identity: [boot, Number(start) - 1, ...command].join(' ') })}\n`,
    );
    expect(await reapLeftovers(dataDir)).toEqual([]);
    expect(isAlive(pid)).toBe(true);
  });

  test('reads a ledger whose last line was cut off by a kill', async () => {
    const pid = await spawnChild();
    recordProcess(dataDir, { name: 'child', pid });
    writeFileSync(join(dataDir, 'processes.jsonl'), '{"name":"cut', { flag: 'a' });
    expect(await reapLeftovers(dataDir)).toHaveLength(1);
  });

  test('a process that has ended cannot be recorded', async () => {
    const pid = await spawnChild();
    const ended = once(children[0]!, 'exit');
    process.kill(pid, 'SIGKILL');
    await ended;
    expect(() => recordProcess(dataDir, { name: 'child', pid })).toThrow('ended before');
  });
});

describe('lockDataDir', () => {
  test('lets one process in, names it to the next, and is free again after release', () => {
    const lock = lockDataDir(dataDir);
    expect(() => lockDataDir(dataDir)).toThrow(`already runs in ${dataDir} (process ${process.pid})`);
    expect(() => lockDataDir(dataDir)).toThrow('--data-dir');
    lock.release();
    lockDataDir(dataDir).release();
    expect(existsSync(join(dataDir, 'lock'))).toBe(false);
  });

  test('takes over the lock of a process that was killed, and of one whose id was reused', async () => {
    const pid = await spawnChild();
    const identity = identifyProcess(pid)!;
    writeFileSync(join(dataDir, 'lock'), JSON.stringify({ pid, identity }));
    expect(() => lockDataDir(dataDir)).toThrow(`kill ${pid}`);
    const ended = once(children[0]!, 'exit');
    process.kill(pid, 'SIGKILL');
    await ended;
    lockDataDir(dataDir).release();
    writeFileSync(join(dataDir, 'lock'), JSON.stringify({ pid: process.pid, identity }));
    lockDataDir(dataDir).release();
  });

  test('waits for nobody who crashed while taking over', () => {
    writeFileSync(join(dataDir, 'lock'), '');
    const turn = join(dataDir, 'lock.takeover');
    mkdirSync(turn);
    expect(() => lockDataDir(dataDir)).toThrow('just starting');
    utimesSync(turn, 0, 0);
    lockDataDir(dataDir).release();
  });

  test('of many contenders for a stale lock exactly one wins', async () => {
    writeFileSync(join(dataDir, 'lock'), JSON.stringify({ pid: 1, identity: 'nobody' }));
    const script = `
      import { lockDataDir } from ${JSON.stringify(join(import.meta.dirname, './processes.ts'))};
      try { lockDataDir(process.argv[1]); console.log('won'); setInterval(() => {}, 1e6); } catch { console.log('lost'); }`;
    const answers = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const args = ['--import', 'tsx', '--input-type=module', '-e', script, dataDir];
        const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
        children.push(child);
        const [data] = (await once(child.stdout, 'data')) as [Buffer];
        return data.toString().trim();
      }),
    );
    expect(answers.filter((answer) => answer === 'won')).toHaveLength(1);
  });
});
