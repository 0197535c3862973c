// How a look goes on EVM: each endpoint's newest block, then the keys' balances and nonces, the price of gas and of the native asset.
import { type Address, type PublicClient, parseAbi } from 'viem';
import { type ChainProbe, type Look, type Rest, stillProblem } from '../probing.ts';
import { gasForTips } from '../routers/bot.ts';
import type { EvmChain } from './client.ts';
import { nativePrice } from './prices.ts';

/** A full batch of tips. */
export const BATCH_GAS = gasForTips(20);

export function evmLook(chain: EvmChain, addresses: readonly string[], now: number): Look<PublicClient> {
  return {
    endpoints: chain.endpoints,
    async see(client) {
      const [id, block] = await Promise.all([client.getChainId(), client.getBlock()]);
      const headAgeMs = Math.max(0, now - Number(block.timestamp) * 1_000);
      let problem: string | null = null;
      if (id !== chain.facts.chainId) problem = `is chain ${id}, not ${chain.facts.chainId}`;
      // A local chain makes blocks only when something happens.
      else if (!chain.local) problem = stillProblem(headAgeMs, chain.facts.blockTimeMs);
      return { head: block.number, headAgeMs, problem };
    },
    rest: (client) => readRest(chain, client, addresses),
  };
}

async function readRest(chain: EvmChain, client: PublicClient, addresses: readonly string[]): Promise<Rest> {
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
  return { keys: new Map(keys), batchCost: gasPrice * BATCH_GAS, price, contracts: null };
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
