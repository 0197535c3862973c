// Reads the logs of a block range in one consistent view: every block is the child of the one before, every log lies in a block of that view, and
// where the filter requires it two endpoints return the same.
import { BaseError, type Log, type PublicClient } from 'viem';
import { AppError } from '../../domain/errors.ts';
import { readHash } from '../../domain/watchdog.ts';
import { type EvmChain, type Hash, reading } from './client.ts';
import { plainLog } from './logs.ts';

export type BlockFacts = { number: bigint; hash: Hash; parentHash: Hash; time: Date };
export type BlockLog = Log<bigint, number, false>;
/** `blocks` has the first, the last, those with logs and those whose hashes were requested. */
export type BlockRange = { from: bigint; to: bigint; logs: BlockLog[]; blocks: Map<bigint, BlockFacts> };
/** Which logs are read, and how far one endpoint is trusted. */
export type LogFilter = {
  /** Two endpoints must return the same, as long as two are configured. */
  agreed: boolean;
  logs(client: PublicClient, from: bigint, to: bigint): Promise<BlockLog[]>;
};
export type RangeRequest = LogFilter & {
  /** First and last block, both included. */
  from: bigint;
  to: bigint;
  /** From this block on every block's hash is read. */
  hashesFrom: bigint;
  /** Logs after which the range ends with its block, which bounds memory. The logs of one block stay together. */
  most: number;
};

/** Blocks per request: providers bound the size of an answer. */
const BLOCKS_AT_ONCE = 100;

/**
 * @returns the range, which may end early; "narrower" when the provider refuses so many blocks at once
 * @throws AppError `provider_unavailable` when no endpoint answers, the chain changed during the read, or two endpoints disagree
 */
export async function readBlockRange(chain: EvmChain, request: RangeRequest): Promise<BlockRange | 'narrower'> {
  const { endpoints, client } = chain;
  if (!request.agreed || endpoints.length < 2) return readFrom(chain, client, request);
  let first: BlockRange | undefined;
  let fault: unknown;
  for (const endpoint of endpoints) {
    try {
      // The second one must return exactly the range of the first one.
      const read = await readFrom(chain, endpoint, first ? sameRange(request, first) : request);
      if (read === 'narrower') return read;
      if (first) return agreeing(chain, first, read);
      first = read;
    } catch (error) {
      if (error instanceof AppError && error.message === DISAGREE) throw error;
      fault = error;
    }
  }
  throw fault;
}

function sameRange(request: RangeRequest, { to }: BlockRange): RangeRequest {
  return { ...request, to, hashesFrom: to, most: Number.POSITIVE_INFINITY };
}

const DISAGREE = 'Two endpoints do not show the same';

/** A block's hash covers all blocks before it. A log that an endpoint omits is as bad as one that it invents. */
function agreeing(chain: EvmChain, first: BlockRange, second: BlockRange): BlockRange {
  const [same, other] = [first.blocks.get(first.to)?.hash, second.blocks.get(first.to)?.hash];
  const isAlike = [...second.blocks.values()].every((block) => isSame(block, first.blocks.get(block.number)));
  if (same !== undefined && same === other && isAlike && fingerprint(first) === fingerprint(second)) return first;
  throw new AppError('provider_unavailable', DISAGREE, { cause: new Error(`on ${chain.facts.label}`) });
}

/** Also its time, which says when something was paid. */
function isSame({ hash, time }: BlockFacts, other: BlockFacts | undefined): boolean {
  return other?.hash === hash && other.time.getTime() === time.getTime();
}

function fingerprint({ logs }: BlockRange): string {
  return logs
    .map(({ blockNumber, blockHash, transactionHash, logIndex, address, topics, data }) =>
      [blockNumber, blockHash, transactionHash, logIndex, address, ...topics, data].join(' '),
    )
    .join('\n');
}

async function readFrom(
  chain: EvmChain,
  client: PublicClient,
  request: RangeRequest,
): Promise<BlockRange | 'narrower'> {
  const { from, hashesFrom } = request;
  const found = await readLogs(chain, client, request);
  if (found === 'narrower') return found;
  const { logs, to } = cutAt(request, found);
  const wanted = new Set([from, to, ...logs.map((log) => log.blockNumber)]);
  for (let number = hashesFrom > from ? hashesFrom : from; number <= to; number++) wanted.add(number);
  const blocks = await readBlocks(chain, client, [...wanted]);
  for (const { number, parentHash } of blocks.values()) {
    const parent = blocks.get(number - 1n);
    if (parent && parent.hash !== parentHash) throw changedMeanwhile(chain);
  }
  if (logs.some((log) => blocks.get(log.blockNumber)?.hash !== log.blockHash)) throw changedMeanwhile(chain);
  return { from, to, logs, blocks };
}

async function readLogs(
  chain: EvmChain,
  client: PublicClient,
  { from, to, logs }: RangeRequest,
): Promise<BlockLog[] | 'narrower'> {
  try {
    const found = (await logs(client, from, to)).map(plainLog);
    return found.sort((a, b) => Number(a.blockNumber - b.blockNumber) || a.logIndex - b.logIndex);
  } catch (error) {
    if (to > from && refuses(error)) return 'narrower';
    throw new AppError('provider_unavailable', `${chain.facts.label} does not answer`, { cause: error });
  }
}

/** Ends the range before the block with which there would be too many logs. */
function cutAt({ from, to, most }: RangeRequest, logs: BlockLog[]): { logs: BlockLog[]; to: bigint } {
  const beyond = logs[most];
  if (!beyond) return { logs, to };
  const first = logs[0]?.blockNumber ?? from;
  const last = beyond.blockNumber === first ? first : beyond.blockNumber - 1n;
  return { logs: logs.filter((log) => log.blockNumber <= last), to: last };
}

/** Providers have no common error for "too many logs": any error answer, an answer that is too large, and a timeout may go away with fewer blocks. */
function refuses(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  return (
    error.walk((inner) => {
      const { name, status } = inner as { name?: string; status?: number };
      const refusal = name === 'RpcRequestError' || name === 'TimeoutError' || name === 'ResponseBodyTooLargeError';
      return refusal || (name === 'HttpRequestError' && status !== undefined);
    }) !== null
  );
}

async function readBlocks(chain: EvmChain, client: PublicClient, numbers: bigint[]): Promise<Map<bigint, BlockFacts>> {
  const facts = new Map<bigint, BlockFacts>();
  for (let at = 0; at < numbers.length; at += BLOCKS_AT_ONCE) {
    const some = numbers.slice(at, at + BLOCKS_AT_ONCE);
    for (const block of await Promise.all(some.map((number) => blockFacts(chain, number, client)))) {
      if (!block) throw changedMeanwhile(chain);
      facts.set(block.number, block);
    }
  }
  return facts;
}

/** A block as the chain has it now, or null while there is none. @throws AppError `provider_unavailable` */
export async function blockFacts(
  chain: EvmChain,
  number: bigint | 'latest',
  client: PublicClient = chain.client,
): Promise<BlockFacts | null> {
  const at = number === 'latest' ? number : (`0x${number.toString(16)}` as const);
  // Past the client, which would parse every field.
  const block = await reading(chain, () => client.request({ method: 'eth_getBlockByNumber', params: [at, false] }));
  const [hash, parentHash] = [readHash(block?.hash), readHash(block?.parentHash)] as [Hash | null, Hash | null];
  // Nothing else is stored as a hash.
  if (!block || !hash || !parentHash || block.number === null) return null;
  return { number: BigInt(block.number), hash, parentHash, time: new Date(Number(block.timestamp) * 1_000) };
}

export function changedMeanwhile(chain: EvmChain): AppError {
  return new AppError('provider_unavailable', `${chain.facts.label} changed while it was read`);
}
