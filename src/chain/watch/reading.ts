// What the watchdog reads of one endpoint of an EVM chain. Every answer is that endpoint's word.
import { type Address, encodeEventTopics, type Hex, type PublicClient } from 'viem';
import { readBlockNumber, readHash } from '../../domain/watchdog.ts';
import { botRouterAbi } from '../routers/abis/BotRouter.ts';
import type { EvmChain } from '../rpc/client.ts';
import { type Signed, signedBy } from './evidence.ts';

/** What an executor alone can cause; and what an executor can cause, too. */
const EXECUTOR_ONLY = [
  'TipSettled',
  'TipFailed',
  'TabTipSettled',
  'CrossChainTipSettled',
  'GrantPaid',
  'GrantFailed',
] as const;
const ALSO_EXECUTOR = ['LimitsSet', 'SenderPausedSet', 'CampaignClosed'] as const;
const topicOf = (eventName: (typeof EXECUTOR_ONLY | typeof ALSO_EXECUTOR)[number]) =>
  encodeEventTopics({ abi: botRouterAbi, eventName })[0] as Hex;
const ONLY = new Set(EXECUTOR_ONLY.map(topicOf));
const TOPICS = [...ONLY, ...ALSO_EXECUTOR.map(topicOf)];

/** Endpoints by a name that no log and no row minds. */
export function endpointUrls(chain: EvmChain): string[] {
  return chain.endpoints.map(({ transport }) => String((transport as { url?: string }).url ?? ''));
}

/** The newest block by an endpoint's word, and its time in Unix seconds, 0 where it names none. @throws Error where it does not answer, or not with a block */
export async function headOf(client: PublicClient): Promise<{ number: number; hash: string; time: number }> {
  const found = await client.request({ method: 'eth_getBlockByNumber', params: ['latest', false] });
  const [number, hash] = [readBlockNumber(found?.number), readHash(found?.hash)];
  if (number === null || hash === null) throw new Error('it answers with no block');
  return { number, hash, time: readBlockNumber(found?.timestamp) ?? 0 };
}

/** The hash of a block by an endpoint's word; null where it has none. */
export async function blockHashAt(client: PublicClient, block: number): Promise<string | null> {
  const params = [hexOf(block), false] as const;
  const found = await client.request({ method: 'eth_getBlockByNumber', params: [...params] });
  return readHash(found?.hash);
}

export type Seen = { hash: string; block: number; blockHash: string; executorOnly: boolean };

/** The transactions of these blocks in which the router shows a power that executors have, one entry each. @throws Error */
export async function seenIn(client: PublicClient, router: Address, from: number, to: number): Promise<Seen[]> {
  const filter = { address: router, topics: [TOPICS], fromBlock: hexOf(from), toBlock: hexOf(to) };
  const logs = await client.request({ method: 'eth_getLogs', params: [filter] });
  if (!Array.isArray(logs)) throw new Error('it answers with no list of logs');
  const found = new Map<string, Seen>();
  for (const log of logs) {
    const [hash, blockHash] = [readHash(log?.transactionHash), readHash(log?.blockHash)];
    const block = readBlockNumber(log?.blockNumber);
    if (!hash || !blockHash || block === null || block < from || block > to || log.removed) continue;
    if (String(log.address).toLowerCase() !== router.toLowerCase()) continue;
    const executorOnly =
      ONLY.has(String(log.topics?.[0]).toLowerCase() as Hex) || found.get(hash)?.executorOnly === true;
    found.set(hash, { hash, block, blockHash, executorOnly });
  }
  return [...found.values()];
}

/** A transaction by its hash, and what its bytes prove; null where the endpoint does not show it. @throws Error */
export async function transactionOf(
  client: PublicClient,
  chain: EvmChain,
  hash: string,
): Promise<{ from: string | null; signed: Signed | null } | null> {
  const shown = await client.request({ method: 'eth_getTransactionByHash', params: [hash as Hex] });
  if (!shown) return null;
  const from = typeof shown.from === 'string' ? shown.from.toLowerCase() : null;
  return { from, signed: await signedBy(shown, chain.facts.chainId) };
}

/** The router's executors by an endpoint's word, in lower case. */
export async function executorsBy(client: PublicClient, router: Address): Promise<string[]> {
  const listed = await client.readContract({ address: router, abi: botRouterAbi, functionName: 'executors' });
  return listed.map((address) => address.toLowerCase());
}

export function hexOf(value: number): Hex {
  return `0x${value.toString(16)}`;
}
