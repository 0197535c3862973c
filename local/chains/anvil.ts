/**
 * Runs one local EVM chain as a child process: mines on demand and at a steady pace, keeps its state in a file across
 * restarts, and comes back from a kill -9 with the newest state that is whole.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, openSync, readSync, unlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, isPortFree } from '../stack/ports.ts';
import { type Beat, keepState, type Rpc, restoreState } from './anvilState.ts';

const START_LIMIT_MS = 20_000;
const STOP_LIMIT_MS = 10_000;
/** Far above what a local block holds, so that the block size never decides about a batch. */
const GAS_LIMIT = 400_000_000;
/** Blocks whose state is kept, in memory: by default each is also written to the home folder, 5 GB in an hour. Deeper than any reorg here. */
const STATES = 256;

export type StartAnvilOptions = {
  chainId: number;
  /** 0 or none: any free port. */
  port?: number;
  /** Where the chain is kept; without it the chain ends with its process. */
  stateFile?: string;
  /** A block at least this often, 1 by default; 0 for none of its own. */
  blockTimeSeconds?: number;
  /** Default: also mine whenever a transaction arrives. False: only at the pace, or never when that is 0. */
  mixedMining?: boolean;
  host?: string;
  extraArgs?: string[];
  /** Called as soon as the process exists, before it answers: the place to note it for a later clean-up. */
  onSpawn?: (pid: number) => void;
  /** Receives one line when the newest state could not be used. */
  log?: (line: string) => void;
};

export type RunningAnvil = {
  rpcUrl: string;
  port: number;
  pid: number;
  /** The chain began at its genesis with this start. */
  created: boolean;
  /** Resolves when the process ends, for whatever reason. */
  ended: Promise<void>;
  stop(): Promise<void>;
};

/** Starts a chain and waits until it answers. Throws an Error that says what to do when it cannot. */
export async function startAnvil(options: StartAnvilOptions): Promise<RunningAnvil> {
  const binary = findBinary();
  const { stateFile, log = () => {} } = options;
  const restored = stateFile ? await restoreState(stateFile, log) : false;
  const wanted = options.port ?? 0;
  // A port found free can be gone a moment later, so an unnamed one is worth another try.
  for (let attempt = 1; ; attempt++) {
    const port = wanted === 0 ? await freePort() : wanted;
    if (await isPortFree(port)) {
      const started = await launch(binary, port, options, restored);
      if (typeof started !== 'string') return { ...started, created: !restored };
      if (!/already in use/.test(started)) throw new Error(`The chain ${options.chainId} did not start: ${started}`);
    }
    if (wanted !== 0 || attempt === 3) {
      throw new Error(
        `The chain ${options.chainId} cannot start: port ${port} is taken by another program. Free it or choose another.`,
      );
    }
  }
}

/** The program itself and not npm's wrapper, which hides exit codes and signals. */
function findBinary(): string {
  const platform = process.platform === 'darwin' ? 'darwin' : 'linux';
  const name = `@foundry-rs/anvil-${platform}-${process.arch === 'arm64' ? 'arm64' : 'amd64'}`;
  try {
    const wrapper = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json');
    const binary = join(dirname(createRequire(wrapper).resolve(`${name}/package.json`)), 'bin/anvil');
    if (existsSync(binary)) return binary;
    throw new Error(`${binary} is missing`);
  } catch (cause) {
    const advice = 'Run `npm install` again, or name RPC URLs of your own.';
    throw new Error(`The program that runs local chains (${name}) is not installed. ${advice}`, { cause });
  }
}

async function launch(
  binary: string,
  port: number,
  options: StartAnvilOptions,
  restored: boolean,
): Promise<Omit<RunningAnvil, 'created'> | string> {
  const { chainId, stateFile, host = '127.0.0.1', blockTimeSeconds = 1, mixedMining = true, extraArgs = [] } = options;
  const args = ['--silent', '--host', host, '--port', String(port), '--chain-id', String(chainId)];
  args.push('--gas-limit', String(GAS_LIMIT), '--prune-history', String(STATES));
  if (!mixedMining) args.push(...(blockTimeSeconds > 0 ? ['--block-time', String(blockTimeSeconds)] : ['--no-mining']));
  if (stateFile && restored) args.push('--load-state', stateFile);

  // Messages go to a file without a name: a pipe would break, and end the chain, when this process is killed.
  const messagesPath = join(tmpdir(), `ampersat-anvil-${randomUUID()}`);
  const messages = openSync(messagesPath, 'wx+', 0o600);
  unlinkSync(messagesPath);
  // A process group of its own: Ctrl-C in the terminal must reach the stack, which stops the chains in its own order.
  const child = spawn(binary, [...args, ...extraArgs], { stdio: ['ignore', messages, messages], detached: true });
  child.unref();
  let failure: string | undefined;
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      failure = error.message;
      resolve();
    });
    child.once('exit', (code, signal) => {
      failure ??= `exit ${code ?? signal}`;
      resolve();
    });
  });
  if (child.pid !== undefined) options.onSpawn?.(child.pid);
  const rpcUrl = `http://${host}:${port}`;
  const rpc = connect(rpcUrl);
  const deadline = Date.now() + START_LIMIT_MS;
  try {
    while (failure === undefined && (await askChainId(rpc)) !== chainId) {
      if (Date.now() > deadline) {
        child.kill('SIGKILL');
        return `no answer within ${START_LIMIT_MS / 1000} s`;
      }
      await sleep(10);
    }
    if (failure !== undefined || child.pid === undefined) return `${failure}. ${readMessages(messages)}`;
  } finally {
    closeSync(messages);
  }

  const beat: Beat = { held: false };
  const pace = mixedMining && blockTimeSeconds > 0 ? mineEvery(blockTimeSeconds, rpc, beat) : undefined;
  const state = stateFile ? keepState(stateFile, rpc, beat) : undefined;
  const { pid } = child;
  // A crash of this process by an exception must not leave the chain behind; only a kill -9 can.
  const terminate = () => child.kill('SIGTERM');
  process.once('exit', terminate);
  return {
    rpcUrl,
    port,
    pid,
    ended,
    async stop() {
      process.off('exit', terminate);
      clearInterval(pace);
      await state?.stop();
      // Waiting for its end has to keep this process alive, which its running did not.
      child.ref();
      child.kill('SIGTERM');
      const hanging = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
      await ended;
      clearTimeout(hanging);
    },
  };
}

/**
 * Mines a block at a steady pace beside the mining on demand. The chain has a mode of its own for both together, but
 * while that is on, mining cannot be held back for a dump of the state.
 */
function mineEvery(seconds: number, rpc: Rpc, beat: Beat): NodeJS.Timeout {
  let busy = false;
  const mine = async () => {
    if (busy || beat.held) return;
    busy = true;
    await rpc('evm_mine').catch(() => {});
    busy = false;
  };
  return setInterval(mine, seconds * 1_000).unref();
}

function connect(rpcUrl: string): Rpc {
  return async (method, ...params) => {
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(30_000),
    });
    const answer = (await response.json()) as { result?: unknown; error?: { message: string } };
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result;
  };
}

async function askChainId(rpc: Rpc): Promise<number | undefined> {
  try {
    return Number(await rpc('eth_chainId'));
  } catch {
    return undefined;
  }
}

function readMessages(file: number): string {
  const buffer = Buffer.alloc(2_000);
  return buffer.toString('utf8', 0, readSync(file, buffer, 0, buffer.length, 0)).trim();
}
