// Reads the logs of a stretch of blocks in one consistent view: every block is the child of the one before, every log lies in a block of that
// view; where it is asked for, two endpoints must show the same.
import { BaseError, type Log, type PublicClient } from 'viem';
import { AppError } from '../../domain/errors.ts';
import { type EvmChain, type Hash, reading } from './client.ts';

export type BlockFacts = { number: bigint; hash: Hash; parentHash: Hash; time: Date };
/** A log of a block; nothing else is asked for. */
export type BlockLog = Log<bigint, number, false>;
export type Stretch = { from: bigint; to: bigint; logs: BlockLog[]; blocks: Map<bigint, BlockFacts> };
export type Question = {
  /** First and last block, both included. */
  from: bigint;
  to: bigint;
  /** From this block on every block's hash is read. */
  hashesFrom: bigint;
  /** Logs after which the stretch ends with its block, so that no transaction is long; one block's are never torn apart. */
  most: number;
  /** Two endpoints must show the same, as long as there are two. */
  agreed: boolean;
  /** What is asked of one endpoint. */
  logs(client: PublicClient, from: bigint, to: bigint): Promise<BlockLog[]>;
};

/** Blocks that are asked for at once: providers bound what comes in one request. */
const BLOCKS_AT_ONCE = 100;

/**
 * @returns the stretch, which may end early; "narrower" when the provider refuses so many blocks at once
 * @throws AppError `provider_unavailable` when nobody answers, the chain moved while it was read, or two endpoints do not agree
 */
export async function readStretch(chain: EvmChain, question: Question): Promise<Stretch | 'narrower'> {
  const { endpoints, client } = chain;
  if (!question.agreed || endpoints.length < 2) return readFrom(chain, client, question);
  const stretches: Stretch[] = [];
  let fault: unknown;
  for (const endpoint of endpoints) {
    try {
      const [first] = stretches;
      // The second one is asked for what the first one showed.
      const read = await readFrom(chain, endpoint, first ? secondLook(question, first) : question);
      if (read === 'narrower') return read;
      if (first) return agreeing(chain, first, read);
      stretches.push(read);
    } catch (error) {
      if (error instanceof AppError && error.message === DISAGREE) throw error;
      fault = error;
    }
  }
  throw fault;
}

function secondLook(question: Question, { to }: Stretch): Question {
  return { ...question, to, hashesFrom: to, most: Number.POSITIVE_INFINITY };
}

const DISAGREE = 'Two endpoints do not show the same';

/** A hash stands for all that lies before it. What an endpoint leaves out is as bad as what it invents. */
function agreeing(chain: EvmChain, first: Stretch, second: Stretch): Stretch {
  const [same, other] = [first.blocks.get(first.to)?.hash, second.blocks.get(first.to)?.hash];
  if (same !== undefined && same === other && fingerprint(first) === fingerprint(second)) return first;
  throw new AppError('provider_unavailable', DISAGREE, { cause: new Error(`on ${chain.facts.label}`) });
}

function fingerprint({ logs }: Stretch): string {
  return logs
    .map((log) => [log.blockHash, log.transactionHash, log.logIndex, log.address, ...log.topics, log.data].join(' '))
    .join('\n')
    .toLowerCase();
}

async function readFrom(chain: EvmChain, client: PublicClient, question: Question): Promise<Stretch | 'narrower'> {
  const { from, hashesFrom } = question;
  const found = await askLogs(chain, client, question);
  if (found === 'narrower') return found;
  const { logs, to } = cutAt(question, found);
  const wanted = new Set([from, to, ...logs.map((log) => log.blockNumber)]);
  for (let number = hashesFrom > from ? hashesFrom : from; number <= to; number++) wanted.add(number);
  const blocks = await readBlocks(chain, client, [...wanted]);
  for (const { number, parentHash } of blocks.values()) {
    const parent = blocks.get(number - 1n);
    if (parent && parent.hash !== parentHash) throw movedMeanwhile(chain);
  }
  if (logs.some((log) => blocks.get(log.blockNumber)?.hash !== log.blockHash)) throw movedMeanwhile(chain);
  return { from, to, logs, blocks };
}

async function askLogs(
  chain: EvmChain,
  client: PublicClient,
  { from, to, logs }: Question,
): Promise<BlockLog[] | 'narrower'> {
  try {
    const found = await logs(client, from, to);
    return found.sort((a, b) => Number(a.blockNumber - b.blockNumber) || a.logIndex - b.logIndex);
  } catch (error) {
    if (to > from && refuses(error)) return 'narrower';
    throw new AppError('provider_unavailable', `${chain.facts.label} does not answer`, { cause: error });
  }
}

/** Ends the stretch before the block with which there would be too many logs. */
function cutAt({ from, to, most }: Question, logs: BlockLog[]): { logs: BlockLog[]; to: bigint } {
  const beyond = logs[most];
  if (!beyond) return { logs, to };
  const first = logs[0]?.blockNumber ?? from;
  const last = beyond.blockNumber === first ? first : beyond.blockNumber - 1n;
  return { logs: logs.filter((log) => log.blockNumber <= last), to: last };
}

/** Providers have no common word for "too many"; one that answers at all, or too much, or takes too long for it, may like fewer blocks better. */
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
      if (!block) throw movedMeanwhile(chain);
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
  // Without the client's reading of every field: few are wanted, and it is asked for often.
  const block = await reading(chain, () => client.request({ method: 'eth_getBlockByNumber', params: [at, false] }));
  if (!block?.hash || block.number === null) return null;
  const { hash, parentHash } = block;
  return { number: BigInt(block.number), hash, parentHash, time: new Date(Number(block.timestamp) * 1_000) };
}

export function movedMeanwhile(chain: EvmChain): AppError {
  return new AppError('provider_unavailable', `${chain.facts.label} moved while it was read`);
}
