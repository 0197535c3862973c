/**
 * Keeps a local chain's state in a file that is whole at every moment: dumps replace it in one step, and a dump is
 * taken only when its accounts belong to its last block. The dump before stays beside it.
 */
import { existsSync } from 'node:fs';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

/** Calls a JSON-RPC method of the chain. */
export type Rpc = (method: string, ...params: unknown[]) => Promise<unknown>;

/** The steady mining of a chain; `held` stops it for a while. */
export type Beat = { held: boolean };

/** The contract that keeps the hash of each block's parent (EIP-2935) tells which block the accounts belong to. */
const HISTORY_CONTRACT = '"0x0000f90827f1c53a10cb7a02335b175320002935":{';
const HISTORY_LENGTH = 8_191;
const DUMP_EVERY_MS = 1_000;
/** Blocks without transactions are dumped this often: a chain that is killed makes others in their place. */
const DUMP_EMPTY_EVERY_MS = 5_000;
/** A dump occupies the chain for about 10 ms a megabyte, so a big one is followed by a longer pause. */
const PAUSE_PER_DUMP = 5;
/** Blocks queued before mining was held back are still mined; a head that stays this long has none left. */
const SETTLED_MS = 50;
const SETTLE_ATTEMPTS = 5;
const LAST_DUMP_LIMIT_MS = 10_000;

const inflate = promisify(gunzip);

/**
 * Puts a readable state into place and says whether there is one. Throws when there was one and none can be read,
 * because a chain that silently starts empty would contradict the database.
 */
export async function restoreState(stateFile: string, log: (line: string) => void): Promise<boolean> {
  await mkdir(dirname(stateFile), { recursive: true });
  const candidates = [stateFile, previousOf(stateFile)].filter(existsSync);
  for (const candidate of candidates) {
    const content = await readFile(candidate);
    if (!isReadable(content)) {
      log(`the chain's state in ${candidate} is damaged`);
      continue;
    }
    if (candidate !== stateFile) await replace(stateFile, content);
    return true;
  }
  if (candidates.length === 0) return false;
  throw new Error(`The chain's state in ${stateFile} is damaged. Start with --fresh to start over.`);
}

/** Dumps what transactions changed every second (less often when the chain has grown big), and once more at `stop`, before the chain ends. */
export function keepState(stateFile: string, rpc: Rpc, beat: Beat): { stop(): Promise<void> } {
  let stopped = false;
  let dumped = { head: -1, at: 0 };
  let timer: NodeJS.Timeout;
  let dumping: Promise<void> = Promise.resolve();
  async function dumpChanges(): Promise<void> {
    const now = Date.now();
    const head = Number(await rpc('eth_blockNumber'));
    if (now - dumped.at < DUMP_EMPTY_EVERY_MS && !(await hasTransactions(rpc, dumped.head + 1, head))) return;
    await dumpState(stateFile, rpc, beat);
    dumped = { head, at: now };
  }
  const schedule = (delayMs: number) => {
    timer = setTimeout(() => {
      const begun = Date.now();
      // A dump that fails (the chain has ended, the disk is full) leaves the one before; the next is tried all the same.
      dumping = dumpChanges()
        .catch(() => {})
        .then(() => {
          if (!stopped) schedule(Math.max(DUMP_EVERY_MS, PAUSE_PER_DUMP * (Date.now() - begun)));
        });
    }, delayMs);
    timer.unref();
  };
  schedule(DUMP_EVERY_MS);
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      const last = dumping.then(() => dumpState(stateFile, rpc, beat)).catch(() => {});
      // A chain flooded with transactions may not settle; then the dump before this one stays.
      await Promise.race([last, sleep(LAST_DUMP_LIMIT_MS, undefined, { ref: false })]);
    },
  };
}

async function hasTransactions(rpc: Rpc, from: number, to: number): Promise<boolean> {
  for (let block = from; block <= to; block++)
    if (Number(await rpc('eth_getBlockTransactionCountByNumber', `0x${block.toString(16)}`)) > 0) return true;
  return false;
}

/** Deletes a chain's state. The chain must have stopped. */
export async function wipeState(stateFile: string): Promise<void> {
  for (const file of [stateFile, previousOf(stateFile), draftOf(stateFile)]) await rm(file, { force: true });
}

async function dumpState(stateFile: string, rpc: Rpc, beat: Beat): Promise<void> {
  let state = await readState(rpc);
  // The chain reads its blocks and its accounts one after the other, so a block mined in between tears them apart.
  // Under load that happens every time; then mining rests for the one dump.
  if (!isWhole(state)) {
    state = await withoutMining(rpc, beat, async () => {
      for (let attempt = 1; ; attempt++) {
        await settle(rpc);
        const quiet = await readState(rpc);
        if (isWhole(quiet) || attempt === SETTLE_ATTEMPTS) return quiet;
      }
    });
  }
  if (isWhole(state)) await replace(stateFile, state);
}

async function settle(rpc: Rpc): Promise<void> {
  let head = await rpc('eth_blockNumber');
  for (;;) {
    await sleep(SETTLED_MS);
    const next = await rpc('eth_blockNumber');
    if (next === head) return;
    head = next;
  }
}

async function readState(rpc: Rpc): Promise<Buffer> {
  const hex = await rpc('anvil_dumpState');
  return inflate(Buffer.from(String(hex).slice(2), 'hex'));
}

/** Holds back all mining while `work` runs, and mines what has come in meanwhile. */
async function withoutMining<T>(rpc: Rpc, beat: Beat, work: () => Promise<T>): Promise<T> {
  const onDemand = (await rpc('anvil_getAutomine')) === true;
  beat.held = true;
  if (onDemand) await rpc('evm_setAutomine', false);
  try {
    return await work();
  } finally {
    beat.held = false;
    if (onDemand) {
      await rpc('evm_setAutomine', true);
      await rpc('evm_mine');
    }
  }
}

/** Whether the accounts of a dump are those after its last block; read off the text, because a parse would take long. */
export function isWhole(dump: Buffer): boolean {
  const best = Number(textAfter(dump, '"best_block_number":', 0, ','));
  const history = dump.indexOf(HISTORY_CONTRACT);
  if (Number.isNaN(best)) return false;
  if (best === 0 || history < 0) return true;
  const storageStart = dump.indexOf('"storage":{', history);
  const storage = dump.subarray(storageStart, dump.indexOf('}', storageStart));
  if (storage.length <= '"storage":{'.length) return true;
  const parentHash = (block: number) => {
    const header = dump.indexOf(`"number":"0x${block.toString(16)}"`, dump.indexOf('"blocks":['));
    return header < 0 ? undefined : textAfter(dump, '"parentHash":"', dump.lastIndexOf('{', header), '"');
  };
  const recorded = (block: number) => {
    const slot = (block % HISTORY_LENGTH).toString(16).padStart(64, '0');
    return textAfter(storage, `"0x${slot}":"`, 0, '"');
  };
  // The hash of the last block is recorded by the block after it; until then its slot holds one of long ago, or nothing.
  return recorded(best - 1) === parentHash(best) && recorded(best) === parentHash(best - HISTORY_LENGTH + 1);
}

function textAfter(buffer: Buffer, label: string, from: number, end: string): string | undefined {
  const at = buffer.indexOf(label, from);
  if (at < 0) return undefined;
  return buffer.toString('utf8', at + label.length, buffer.indexOf(end, at + label.length));
}

function isReadable(content: Buffer): boolean {
  try {
    return Array.isArray(JSON.parse(content.toString('utf8')).blocks);
  } catch {
    return false;
  }
}

async function replace(stateFile: string, content: Buffer): Promise<void> {
  await writeFile(draftOf(stateFile), content, { mode: 0o600 });
  if (existsSync(stateFile)) {
    await rm(previousOf(stateFile), { force: true });
    await link(stateFile, previousOf(stateFile));
  }
  await rename(draftOf(stateFile), stateFile);
}

function previousOf(stateFile: string): string {
  return `${stateFile}.previous`;
}

function draftOf(stateFile: string): string {
  return `${stateFile}.draft`;
}
