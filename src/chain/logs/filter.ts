// Which logs a chain's feed requests: the events of all our routers by one eth_getLogs, and transfers of USDC to deposit addresses.
import { type Abi, encodeEventTopics, erc20Abi, formatLog, type PublicClient, pad, toEventSelector, toHex } from 'viem';
import { botRouterAbi } from '../routers/abis/BotRouter.ts';
import { escrowRouterAbi } from '../routers/abis/EscrowRouter.ts';
import { paymentRouterAbi } from '../routers/abis/PaymentRouter.ts';
import { subscriptionRouterAbi } from '../routers/abis/SubscriptionRouter.ts';
import type { BlockLog, LogFilter } from '../rpc/blockRanges.ts';
import type { Address, EvmChain, Hex } from '../rpc/client.ts';

export const PAYMENT_EVENTS: ReadonlySet<Hex> = selectorsOf(paymentRouterAbi, [
  'PaymentSettled',
  'PaymentRefunded',
  'DepositMoved',
]);
export const ESCROW_EVENTS: ReadonlySet<Hex> = selectorsOf(escrowRouterAbi, ['TabOpened', 'TabClaimed', 'TabRefunded']);
export const SUBSCRIPTION_EVENTS: ReadonlySet<Hex> = selectorsOf(subscriptionRouterAbi, [
  'PlanCreated',
  'PlanStateSet',
  'Subscribed',
  'Charged',
  'SubscriptionCancelled',
  'SubscriptionHalted',
]);
export const CAMPAIGN_EVENTS: ReadonlySet<Hex> = selectorsOf(botRouterAbi, [
  'CampaignOpened',
  'CampaignClosed',
  'GrantPaid',
]);
export const [TRANSFER] = encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer' }) as [Hex];
/** Addresses that one request for transfers names. */
const ADDRESSES_AT_ONCE = 500;

function selectorsOf(abi: Abi, names: string[]): ReadonlySet<Hex> {
  const events = abi.filter((item) => item.type === 'event').filter(({ name }) => names.includes(name));
  if (events.length !== names.length) throw new Error(`an event of ${names} is not in the ABI`);
  return new Set(events.map((event) => toEventSelector(event)));
}

/** @param watched deposit addresses that were shown to payers */
export function feedFilter(chain: EvmChain, watched: readonly Address[]): LogFilter {
  const { bot, payment, business, escrow, subscription } = chain.routers;
  const events = [...PAYMENT_EVENTS, ...ESCROW_EVENTS, ...SUBSCRIPTION_EVENTS, ...CAMPAIGN_EVENTS];
  const pages: Address[][] = [];
  for (let at = 0; at < watched.length; at += ADDRESSES_AT_ONCE) pages.push(watched.slice(at, at + ADDRESSES_AT_ONCE));
  return {
    // These logs count as money.
    agreed: !chain.local,
    async logs(client, fromBlock, toBlock) {
      const request = (address: Address[], topics: Topics) => readLogs(client, { address, topics, fromBlock, toBlock });
      const found = await Promise.all([
        request([bot, payment, business, escrow, subscription], [events]),
        ...pages.map((page) => request([chain.usdc], [TRANSFER, null, page.map((address) => pad(address))])),
      ]);
      return found.flat();
    },
  };
}

type Topics = (Hex | Hex[] | null)[];
type Request = { address: Address[]; topics: Topics; fromBlock: bigint; toBlock: bigint };

/** Past the client, which would decode every log. */
async function readLogs(client: PublicClient, { address, topics, fromBlock, toBlock }: Request): Promise<BlockLog[]> {
  const range = { fromBlock: toHex(fromBlock), toBlock: toHex(toBlock) };
  const logs = await client.request({ method: 'eth_getLogs', params: [{ address, topics, ...range }] });
  return logs.map((log) => formatLog(log) as BlockLog);
}
