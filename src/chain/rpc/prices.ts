// The spot price of a chain's native asset, from on-chain feeds (Chainlink's AggregatorV3 interface): fresh, in agreement and of a rollup whose
// sequencer is up, or none.
import { parseAbi } from 'viem';
import type { MicroUsd } from '../../domain/money.ts';
import { scaleUnits } from '../../domain/money.ts';
import { type Address, type EvmChain, reading } from './client.ts';

const feedAbi = parseAbi([
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
  'function decimals() view returns (uint8)',
]);

/** Feeds of native assets have a heartbeat of at most an hour; a little slack for the block it lands in. */
const MAX_AGE_SECONDS = 3_900n;
const MAX_DEVIATION_PERCENT = 1n;

/** After an outage the first blocks have the prices of before it. */
const GRACE_SECONDS = 3_600n;
/** What the uptime feed answers while the sequencer is up. */
const UP = 0n;

export type PriceAnswer = { price: MicroUsd } | { stale: string };

/**
 * Micro-USD for one whole unit of what the feeds price; they stand on this chain.
 * @returns `stale` with the reason when a feed is old, odd or off by over 1 % from another: the caller refuses rather than guesses
 * @throws AppError `provider_unavailable`
 */
export async function nativePrice(chain: EvmChain, feeds: readonly Address[] = chain.priceFeeds): Promise<PriceAnswer> {
  const now = await reading(chain, async () => (await chain.client.getBlock()).timestamp);
  const outage = await sequencerOutage(chain, now);
  if (outage) return { stale: outage };
  const prices: MicroUsd[] = [];
  for (const address of feeds) {
    const [round, decimals] = await reading(chain, () =>
      Promise.all([
        chain.client.readContract({ address, abi: feedAbi, functionName: 'latestRoundData' }),
        chain.client.readContract({ address, abi: feedAbi, functionName: 'decimals' }),
      ]),
    );
    const [, answer, , updatedAt] = round;
    if (answer <= 0n) return { stale: 'a price feed has no price' };
    if (now > updatedAt + MAX_AGE_SECONDS) return { stale: 'a price feed has not been updated for over an hour' };
    prices.push(scaleUnits(answer, decimals, 6));
  }
  const sorted = prices.toSorted((a, b) => (a < b ? -1 : 1));
  const [low, high] = [sorted[0], sorted.at(-1)];
  if (low === undefined || high === undefined) return { stale: 'there is no price feed' };
  if ((high - low) * 100n > low * MAX_DEVIATION_PERCENT) return { stale: 'two price feeds disagree by more than 1 %' };
  return { price: prices[0] ?? low };
}

/** @returns why prices are not used: the sequencer is down, or came back within the last hour; null otherwise */
async function sequencerOutage(chain: EvmChain, now: bigint): Promise<string | null> {
  const { sequencerFeed: address } = chain;
  if (address === null) return null;
  const [, answer, startedAt] = await reading(chain, () =>
    chain.client.readContract({ address, abi: feedAbi, functionName: 'latestRoundData' }),
  );
  // A feed that has never been updated says nothing.
  if (startedAt === 0n) return 'the sequencer’s uptime is unknown';
  if (answer !== UP) return 'the chain’s sequencer is down';
  return now - startedAt < GRACE_SECONDS ? 'the chain’s sequencer came back less than an hour ago' : null;
}
