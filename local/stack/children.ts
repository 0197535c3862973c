// Our own processes under the local stack: started with a log file each, waited for, started again when they die, stopped in order.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, createWriteStream, openSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { StartError } from '../../src/domain/errors.ts';
import { ROOT } from '../../src/root.ts';
import { recordProcess } from './processes.ts';

/** What is run of the bundle. */
const ENTRY = {
  api: 'dist/localApi.mjs',
  workers: 'dist/workers.mjs',
  bots: 'dist/bots.mjs',
  signer: 'dist/signer.mjs',
  watchdog: 'dist/watchdog.mjs',
} as const;
/** Prisma's query compiler is WebAssembly; without V8's second compiler for it a process needs 90 MB less, and plans queries more slowly. */
const LIFTOFF = ['--liftoff-only'];
/**
 * V8 lets a heap grow by its limit, not by its need: with this one catching up with blocks takes 250 MB instead of 390. Young objects get more
 * room, because a batch of blocks outlives several small collections: an eighth less CPU time.
 */
const HEAP = ['--max-old-space-size=384', '--max-semi-space-size=32'];
/** No receipt waits for the API or the signer; the workers index blocks. */
export const NODE_FLAGS: Record<keyof typeof ENTRY, readonly string[]> = {
  api: LIFTOFF,
  workers: HEAP,
  bots: [],
  signer: LIFTOFF,
  watchdog: LIFTOFF,
};
const MOVED_DATE = pathToFileURL(join(ROOT, 'dist/movedDate.mjs')).href;
const READY_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 10_000;
const RESTART_AFTER_MS = 500;

export type ChildProcessHandle = {
  ready: Promise<void>;
  pid(): number;
  kill(signal: NodeJS.Signals): void;
  /** Does nothing while it is not running. */
  send(message: object): void;
  onMessage(listener: (message: object) => void): void;
  onRestart(listener: (pid: number) => void): void;
  /** From now on its end is expected: Ctrl-C reaches every process of the terminal. */
  expectEnd(): void;
  stop(): Promise<void>;
};

export type ChildOptions = {
  name: keyof typeof ENTRY;
  env: Record<string, string | undefined>;
  logs: string;
  dataDir: string;
  log: (line: string) => void;
  /** How far its clock is ahead, in milliseconds, whenever it is started. */
  clockOffsetMs?: () => number;
  /** A test that kills a process may want it to stay dead. */
  restart?: boolean;
};

export function startChild({
  name,
  env,
  logs,
  dataDir,
  log,
  clockOffsetMs = () => 0,
  restart = true,
}: ChildOptions): ChildProcessHandle {
  let child: ChildProcess;
  let stopping = false;
  let listener: (pid: number) => void = () => {};
  let receive: (message: object) => void = () => {};
  let timer: NodeJS.Timeout | undefined;

  function launch(): Promise<void> {
    const file = join(logs, `${name}.log`);
    const out = openSync(file, 'a');
    child = spawn(process.execPath, [...NODE_FLAGS[name], '--import', MOVED_DATE, join(ROOT, ENTRY[name])], {
      cwd: ROOT,
      env: { ...env, LOCAL_CLOCK_OFFSET_MS: String(clockOffsetMs()) },
      stdio: ['ignore', out, 'pipe', 'ipc'],
    });
    closeSync(out);
    if (child.pid) recordProcess(dataDir, { name, pid: child.pid });
    let tail = '';
    const errors = createWriteStream(file, { flags: 'a' });
    child.stderr?.on('data', (chunk: Buffer) => {
      tail = (tail + chunk.toString()).slice(-2_000);
      errors.write(chunk);
    });
    return new Promise((resolve, reject) => {
      const late = setTimeout(
        () => reject(new StartError(`The ${name} process did not get ready in time; see ${file}.`)),
        READY_WITHIN_MS,
      );
      child.on('message', (message) => {
        receive(message as object);
        if ((message as { ready?: string }).ready !== name) return;
        clearTimeout(late);
        resolve();
      });
      child.on('exit', (code, signal) => {
        clearTimeout(late);
        errors.end();
        const lines = tail.trim().split('\n');
        reject(new StartError(lines.at(-1) || `The ${name} process ended (${signal ?? code}); see ${file}.`));
        if (stopping || !restart) return;
        log(`the ${name} process ended (${signal ?? code}); it is started again`);
        timer = setTimeout(() => {
          const again = launch();
          again.catch(() => {});
          if (child.pid) listener(child.pid);
        }, RESTART_AFTER_MS);
      });
    });
  }

  const first = launch();
  // A first start that fails is an answer, not something to repeat.
  const ready = first.catch((error: unknown) => {
    stopping = true;
    clearTimeout(timer);
    throw error;
  });
  ready.catch(() => {});

  return {
    ready,
    pid: () => child.pid ?? 0,
    kill: (signal) => void child.kill(signal),
    send: (message) => void (child.connected && child.send(message, () => {})),
    onMessage: (next) => {
      receive = next;
    },
    onRestart: (next) => {
      listener = next;
    },
    expectEnd: () => {
      stopping = true;
    },
    async stop() {
      stopping = true;
      clearTimeout(timer);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      child.kill('SIGTERM');
      const force = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
      await ended;
      clearTimeout(force);
    },
  };
}
