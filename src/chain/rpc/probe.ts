// One look at a chain from outside of any payment: which endpoints answer, how soon, how fresh, what the keys hold, and what the native asset costs.
import { type Address, type PublicClient, parseAbi } from 'viem';
import type { ChainName } from '../../domain/chains.ts';
import type { MicroUsd } from '../../domain/money.ts';
import type { EvmChain } from './client.ts';
import { nativePrice } from './prices.ts';

export type EndpointProbe = {
  latencyMs: number | null;
  head: bigint | null;
  /** Milliseconds since the newest block's own time. */
  headAgeMs: number | null;
  /** Why it is of no use now, in words without its address; null when it is well. */
  problem: string | null;
  /** Looks in a row that found it of no use. */
  failures: number;
};

export type KeyProbe = { balance: bigint; nonce: number };

export type ChainProbe = {
  chain: ChainName;
  /** When it was taken, Unix milliseconds. */
  at: number;
  endpoints: EndpointProbe[];
  /** By address: as it was when the chain last answered. */
  keys: ReadonlyMap<string, KeyProbe>;
  /** What a transaction would bid for a unit of gas now, in wei. */
  gasPrice: bigint | null;
  price: { micros: MicroUsd | null; stale: string | null; ageSeconds: number | null } | null;
};

/** A live chain whose newest block is older than this many block times, or a minute, stands still. */
const STILL_AFTER_BLOCKS = 30;
const STILL_AFTER_MS = 60_000;

/**
 * Asks every endpoint, then one that is well for the rest. It never throws and ends within a few seconds, whatever does not answer.
 * @param addresses the keys to look at; @param now Unix milliseconds; @param previous the look before
 */
export async function probeChain(
  chain: EvmChain,
  addresses: readonly string[],
  now: number,
  previous?: ChainProbe,
): Promise<ChainProbe> {
  const endpoints = await Promise.all(
    chain.endpoints.map(async (client, index) => {
      const seen = await probeEndpoint(chain, client, now);
      const failures = seen.problem === null ? 0 : (previous?.endpoints[index]?.failures ?? 0) + 1;
      return { ...seen, failures };
    }),
  );
  const well = chain.endpoints[endpoints.findIndex((one) => one.problem === null)];
  const unknown = { keys: previous?.keys ?? new Map(), gasPrice: previous?.gasPrice ?? null, price: null };
  const rest = well ? await within(probeRest(chain, well, addresses)).catch(() => unknown) : unknown;
  return { chain: chain.name, at: now, endpoints, ...rest };
}

/** The clients are more patient than a look may be. */
const ANSWER_WITHIN_MS = 3_000;

async function within<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), ANSWER_WITHIN_MS);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

async function probeEndpoint(
  chain: EvmChain,
  client: PublicClient,
  now: number,
): Promise<Omit<EndpointProbe, 'failures'>> {
  const started = performance.now();
  try {
    const [id, block] = await within(Promise.all([client.getChainId(), client.getBlock()]));
    const latencyMs = performance.now() - started;
    const headAgeMs = Math.max(0, now - Number(block.timestamp) * 1_000);
    const still = Math.max(STILL_AFTER_MS, chain.facts.blockTimeMs * STILL_AFTER_BLOCKS);
    let problem: string | null = null;
    if (id !== chain.facts.chainId) problem = `is chain ${id}, not ${chain.facts.chainId}`;
    // A local chain makes blocks only when something happens.
    else if (!chain.local && headAgeMs > still) problem = `its newest block is ${Math.round(headAgeMs / 1_000)} s old`;
    return { latencyMs, head: block.number, headAgeMs, problem };
  } catch {
    return { latencyMs: null, head: null, headAgeMs: null, problem: 'does not answer' };
  }
}

async function probeRest(
  chain: EvmChain,
  client: PublicClient,
  addresses: readonly string[],
): Promise<Pick<ChainProbe, 'keys' | 'gasPrice' | 'price'>> {
  const [keys, gasPrice, price] = await Promise.all([
    Promise.all(
      addresses.map(async (text) => {
        const address = text as Address;
        const [balance, nonce] = await Promise.all([
          client.getBalance({ address }),
          client.getTransactionCount({ address }),
        ]);
        return [text, { balance, nonce }] as const;
      }),
    ),
    client.getGasPrice(),
    probePrice({ ...chain, client }).catch(() => null),
  ]);
  return { keys: new Map(keys), gasPrice, price };
}

const feedAbi = parseAbi([
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
]);

async function probePrice(chain: EvmChain): Promise<ChainProbe['price']> {
  const [answer, block, rounds] = await Promise.all([
    nativePrice(chain),
    chain.client.getBlock(),
    Promise.all(
      chain.priceFeeds.map((address) =>
        chain.client.readContract({ address, abi: feedAbi, functionName: 'latestRoundData' }),
      ),
    ),
  ]);
  const oldest = rounds.map(([, , , updatedAt]) => updatedAt).reduce((a, b) => (a < b ? a : b), block.timestamp);
  return {
    micros: 'price' in answer ? answer.price : null,
    stale: 'stale' in answer ? answer.stale : null,
    ageSeconds: Math.max(0, Number(block.timestamp - oldest)),
  };
}
