// The pause of the bot router with the guardian's key, by one endpoint's word for nonce and fees within bounds, and sent to all of them.
import { encodeFunctionData, type PublicClient } from 'viem';
import { botRouterAbi } from '../routers/abis/BotRouter.ts';
import { alike, answersUntil, takenByAny } from '../rpc/answers.ts';
import {
  type Call,
  type EvmChain,
  type Fees,
  type Hash,
  type Hex,
  type PrivateKeyAccount,
  signCall,
} from '../rpc/client.ts';

/** With the most executors that a router can have, and some room. */
const GAS = 600_000n;
/** An endpoint that names a higher fee has no say in what the guardian pays. */
const HIGHEST_FEE = 300_000_000_000n;
/** What a pause costs at most is kept so many times. */
const PAUSES_KEPT = 3n;

/** Where the pause stands by one endpoint's word. `waits`: nothing to send now, because a pause is in a block that may still be replaced. */
export async function standingOf(client: PublicClient, chain: EvmChain): Promise<'paused' | 'waits' | 'open'> {
  const read = { address: chain.routers.bot, abi: botRouterAbi, functionName: 'paused' } as const;
  if (!(await client.readContract(read))) return 'open';
  const deep = (await client.getBlockNumber({ cacheTime: 0 })) - BigInt(chain.confirmations) + 1n;
  return deep >= 0n && (await client.readContract({ ...read, blockNumber: deep })) ? 'paused' : 'waits';
}

/** What was signed at a nonce of the guardian, so that the next one replaces it there. */
export type Bids = Map<number, Fees>;
/**
 * How far beyond the nonce that enough endpoints have named one endpoint's word counts. A pause that is signed ahead is good for as long as its nonce is
 * to come: an endpoint that keeps it could pause again after the owner unpaused.
 */
const NONCES_AHEAD = 8;

/** The guardian's next nonce as enough endpoints name it; null while they do not. */
export async function guardianNonce(
  chain: EvmChain,
  guardian: PrivateKeyAccount,
  enough: number,
): Promise<number | null> {
  const [nonce] = (await alike(noncesOf(chain, guardian), String, enough)) ?? [];
  return nonce ?? null;
}

function noncesOf(chain: EvmChain, guardian: PrivateKeyAccount): Promise<number>[] {
  return chain.endpoints.map((client) => ownNonce(client, guardian));
}

/** The guardian's next nonce by one endpoint's word. */
export function ownNonce(client: PublicClient, { address }: PrivateKeyAccount): Promise<number> {
  return client.getTransactionCount({ address, blockTag: 'latest' });
}

/**
 * Signs a pause and sends it everywhere.
 * @param own the endpoint's {@link ownNonce}, read before it said that the router is not paused
 * @param known the nonce that enough endpoints named last
 * @throws Error where no endpoint takes it
 */
export async function sendPause(
  chain: EvmChain,
  client: PublicClient,
  guardian: PrivateKeyAccount,
  { bids, own, known }: { bids: Bids; own: number; known: number | null },
): Promise<Hash> {
  const market = await marketOf(client);
  const isNear = known === null || (own >= known && own <= known + NONCES_AHEAD);
  const nonce = isNear ? own : known;
  const data = encodeFunctionData({ abi: botRouterAbi, functionName: 'pause' });
  return sendAt(chain, guardian, bids, nonce, { call: { to: chain.routers.bot, data, gas: GAS }, market });
}

/**
 * Uses up the nonces of pauses that were signed and are in no block, so that no one can send them later. What is used already is refused by any node.
 */
export async function cancelPauses(
  chain: EvmChain,
  guardian: PrivateKeyAccount,
  { bids, known }: { bids: Bids; known: number | null },
): Promise<void> {
  const given = await answersUntil(noncesOf(chain, guardian), () => false, CANCEL_PATIENCE_MS);
  if (given.length === 0) return;
  const next = Math.max(Math.min(...given), known ?? 0);
  // One endpoint's word forgets none of them: what it calls used may be sent yet.
  for (const nonce of [...bids.keys()]) if (nonce < (known ?? 0)) bids.delete(nonce);
  const last = Math.max(-1, ...bids.keys());
  const markets = await answersUntil(chain.endpoints.map(marketOf), ({ length }) => length > 0);
  const market = markets[0];
  if (!market) return;
  const call = { to: guardian.address, data: '0x' as const, gas: 21_000n };
  // The last one first: it is replaced while it still waits for those before it.
  for (let nonce = last; nonce >= next && nonce > last - MOST_CANCELLED; nonce--) {
    const over: Bids = new Map([...bids].filter(([at]) => at === nonce));
    await sendAt(chain, guardian, over, nonce, { call, market }).catch(() => undefined);
  }
}

const CANCEL_PATIENCE_MS = 2_000;
const MOST_CANCELLED = 2 * NONCES_AHEAD;

async function marketOf(client: PublicClient): Promise<Fees> {
  const [block, tip] = await Promise.all([
    client.getBlock({ blockTag: 'latest' }),
    client.estimateMaxPriorityFeePerGas().catch(() => 1_000_000n),
  ]);
  return capped({ maxFee: (block.baseFeePerGas ?? 0n) * 4n + tip * 2n, priorityFee: tip * 2n });
}

async function sendAt(
  chain: EvmChain,
  guardian: PrivateKeyAccount,
  bids: Bids,
  nonce: number,
  { call, market }: { call: Omit<Call, 'nonce'>; market: Fees },
): Promise<Hash> {
  const last = bids.get(nonce);
  const higher = last ? capped(atLeast(market, last)) : market;
  bids.set(nonce, higher);
  // What replaces the last bid, and this endpoint's own price: a bid by the word of one that lies may be more than the guardian has, and then no node holds it.
  const prices =
    higher.maxFee === market.maxFee && higher.priorityFee === market.priorityFee ? [market] : [higher, market];
  const signed = await Promise.all(prices.map((fees) => signCall(chain, guardian, { ...call, nonce }, fees)));
  const send = (one: PublicClient, raw: Hex) => one.request({ method: 'eth_sendRawTransaction', params: [raw] });
  const sent = signed.flatMap(({ raw }) => chain.endpoints.map((one) => send(one, raw)));
  // One that hangs is not waited for, and one that refuses it has no say.
  await takenByAny(sent);
  return signed[0]?.hash as Hash;
}

/** A quarter above what was bid before: nodes take no replacement for less than a tenth. */
function atLeast(market: Fees, last: Fees): Fees {
  const bump = (fee: bigint) => fee + fee / 4n + 1n;
  const higher = (a: bigint, b: bigint) => (a > b ? a : b);
  return {
    maxFee: higher(market.maxFee, bump(last.maxFee)),
    priorityFee: higher(market.priorityFee, bump(last.priorityFee)),
  };
}

function capped({ maxFee, priorityFee }: Fees): Fees {
  const most = maxFee < HIGHEST_FEE ? maxFee : HIGHEST_FEE;
  return { maxFee: most, priorityFee: priorityFee < most ? priorityFee : most };
}

/** Why this key could not pause the router now, by an endpoint's word; null when it could. */
export async function guardianProblem(
  client: PublicClient,
  chain: EvmChain,
  guardian: PrivateKeyAccount,
): Promise<string | null> {
  const read = { address: chain.routers.bot, abi: botRouterAbi } as const;
  const [holder, balance, price] = await Promise.all([
    client.readContract({ ...read, functionName: 'guardian' }),
    client.getBalance({ address: guardian.address }),
    client.getGasPrice(),
  ]);
  if (holder.toLowerCase() !== guardian.address.toLowerCase())
    return `the router’s guardian is ${holder}, not ${guardian.address}`;
  if (balance < GAS * price * PAUSES_KEPT)
    return `${guardian.address} cannot pay for ${PAUSES_KEPT} pauses: send it ${chain.facts.native}`;
  return null;
}
