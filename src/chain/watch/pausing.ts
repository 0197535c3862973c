// The pause of the bot router with the guardian's key, by one endpoint's word for nonce and fees, and sent to all of them.
import { encodeFunctionData, type PublicClient } from 'viem';
import { botRouterAbi } from '../routers/abis/BotRouter.ts';
import { type EvmChain, type Fees, type Hash, type PrivateKeyAccount, signCall } from '../rpc/client.ts';

/** With the most executors that a router can have, and some room. */
const GAS = 600_000n;
/** An endpoint that names a higher fee has no say in what the guardian pays. */
const HIGHEST_FEE = 300_000_000_000n;
/** What a pause costs at most is kept so many times. */
const PAUSES_KEPT = 3n;

export function isPausedBy(client: PublicClient, chain: EvmChain): Promise<boolean> {
  return client.readContract({ address: chain.routers.bot, abi: botRouterAbi, functionName: 'paused' });
}

/** Bids of one endpoint, so that each next one replaces the last at the same nonce. */
export type Bid = { nonce: number; fees: Fees } | null;

/** Signs a pause and sends it everywhere. @returns what was bid, for the next try */
export async function sendPause(
  chain: EvmChain,
  client: PublicClient,
  guardian: PrivateKeyAccount,
  last: Bid,
): Promise<{ bid: Bid; hash: Hash }> {
  const [nonce, block, tip] = await Promise.all([
    client.getTransactionCount({ address: guardian.address, blockTag: 'latest' }),
    client.getBlock({ blockTag: 'latest' }),
    client.estimateMaxPriorityFeePerGas().catch(() => 1_000_000n),
  ]);
  const market = capped({ maxFee: (block.baseFeePerGas ?? 0n) * 4n + tip * 2n, priorityFee: tip * 2n });
  const fees = last?.nonce === nonce ? capped(atLeast(market, last.fees)) : market;
  const data = encodeFunctionData({ abi: botRouterAbi, functionName: 'pause' });
  const { raw, hash } = await signCall(chain, guardian, { to: chain.routers.bot, data, gas: GAS, nonce }, fees);
  const send = (one: PublicClient) => one.request({ method: 'eth_sendRawTransaction', params: [raw] });
  const sent = chain.endpoints.map((one) => send(one));
  // One that hangs is not waited for, and one that refuses it has no say.
  await Promise.any(sent).catch(() => undefined);
  return { bid: { nonce, fees }, hash };
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
