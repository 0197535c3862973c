// What blocks say about payments of orders: the events of the payment routers, and transfers of USDC to addresses that were given to one order each.
import {
  encodeEventTopics,
  erc20Abi,
  formatLog,
  isAddressEqual,
  type PublicClient,
  pad,
  parseEventLogs,
  toEventSelector,
  toHex,
} from 'viem';
import type { OrderRouter } from '../../domain/typedData/orders.ts';
import { paymentRouterAbi } from '../routers/abis/PaymentRouter.ts';
import { paymentEvents } from '../routers/payment.ts';
import type { BlockLog, Question, Stretch } from '../rpc/blockRanges.ts';
import type { Address, EvmChain, Hash, Hex } from '../rpc/client.ts';

/** Where a log stands. */
export type Place = { txHash: Hash; logIndex: number; block: bigint; blockHash: Hash; blockTime: Date };
type OfOrder = { router: OrderRouter; routerAddress: Address; key: Hex; onChainId: Hex };
type Money = { token: Address; units: bigint };

/** Amounts in smallest units, addresses checksummed. */
export type OrderEntry = Place &
  Money &
  (
    | ({ kind: 'settled'; payer: Address; payee: Address; feeUnits: bigint } & OfOrder)
    | ({ kind: 'refunded'; to: Address } & OfOrder)
    /** `accepted`: to the payee, less the fee; else back to whoever it says. */
    | ({ kind: 'deposit_moved'; to: Address; feeUnits: bigint; accepted: boolean } & OfOrder)
    | { kind: 'deposit'; from: Address; to: Address }
  );

/** Logs after which a stretch ends: they are worked on together, in one transaction. */
const MOST_LOGS = 500;
/** Addresses that one question for transfers names. */
const ADDRESSES_AT_ONCE = 500;

const ROUTERS: readonly OrderRouter[] = ['payment', 'business'];
const EVENTS = (['PaymentSettled', 'PaymentRefunded', 'DepositMoved'] as const).map((name) => {
  const event = paymentRouterAbi.find((item) => item.type === 'event' && item.name === name);
  if (event?.type !== 'event') throw new Error(`the payment router has no event ${name}`);
  return event;
});
const SELECTORS: ReadonlySet<Hex> = new Set(EVENTS.map((event) => toEventSelector(event)));
const [TRANSFER] = encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer' }) as [Hex];

/** What to ask for payments. @param watched deposit addresses that were handed out */
export function settlementQuestion(
  chain: EvmChain,
  watched: readonly Address[],
): Pick<Question, 'most' | 'agreed' | 'logs'> {
  const pages: Address[][] = [];
  for (let at = 0; at < watched.length; at += ADDRESSES_AT_ONCE) pages.push(watched.slice(at, at + ADDRESSES_AT_ONCE));
  return {
    most: MOST_LOGS,
    // What is believed here is taken for money.
    agreed: !chain.local,
    async logs(client, fromBlock, toBlock) {
      const ask = (address: Address[], topics: Topics) => askLogs(client, { address, topics, fromBlock, toBlock });
      const found = await Promise.all([
        ask(
          ROUTERS.map((name) => chain.routers[name]),
          [[...SELECTORS]],
        ),
        ...pages.map((page) => ask([chain.usdc], [TRANSFER, null, page.map((address) => pad(address))])),
      ]);
      return found.flat();
    },
  };
}

type Topics = (Hex | Hex[] | null)[];

/** Without the client's own decoding: what a log says is read once, when it is known to count. */
async function askLogs(
  client: PublicClient,
  { address, topics, fromBlock, toBlock }: { address: Address[]; topics: Topics; fromBlock: bigint; toBlock: bigint },
): Promise<BlockLog[]> {
  const range = { fromBlock: toHex(fromBlock), toBlock: toHex(toBlock) };
  const logs = await client.request({ method: 'eth_getLogs', params: [{ address, topics, ...range }] });
  return logs.map((log) => formatLog(log) as BlockLog);
}

/**
 * Reads what a stretch says, in its order. A log of any other contract, or one that is not what its name says, is left out, whatever the provider
 * was asked.
 */
export function readSettlements(chain: EvmChain, stretch: Stretch, watched: readonly Address[]): OrderEntry[] {
  const { logs } = stretch;
  const addresses = new Set(watched.map((address) => pad(address).toLowerCase()));
  const transfers = logs.filter(
    ({ address, topics }) =>
      isAddressEqual(address, chain.usdc) && topics[0] === TRANSFER && addresses.has(topics[2]?.toLowerCase() ?? ''),
  );
  const own = logs.filter(({ topics }) => topics[0] !== undefined && SELECTORS.has(topics[0]));
  const entries = [
    ...ROUTERS.flatMap((router) => routerEntries(chain, stretch, router, own)),
    ...parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs: transfers }).flatMap((log): OrderEntry[] => {
      const { from, to, value: units } = log.args;
      return placed(stretch, log).map((place) => ({ ...place, kind: 'deposit', from, to, token: chain.usdc, units }));
    }),
  ];
  return entries.sort((a, b) => Number(a.block - b.block) || a.logIndex - b.logIndex);
}

function routerEntries(chain: EvmChain, stretch: Stretch, router: OrderRouter, logs: BlockLog[]): OrderEntry[] {
  const routerAddress = chain.routers[router];
  return paymentEvents(chain, router, logs).flatMap((log): OrderEntry[] =>
    placed(stretch, log as BlockLog).flatMap((place): OrderEntry[] => {
      if (log.eventName === 'PaymentSettled') {
        const { key, orderId: onChainId, payer, payee, token, amount: units, fee: feeUnits } = log.args;
        const of = { router, routerAddress, key, onChainId };
        return [{ ...place, ...of, kind: 'settled', payer, payee, token, units, feeUnits }];
      }
      if (log.eventName === 'PaymentRefunded') {
        const { key, orderId: onChainId, to, token, amount: units } = log.args;
        return [{ ...place, router, routerAddress, key, onChainId, kind: 'refunded', to, token, units }];
      }
      if (log.eventName !== 'DepositMoved') return [];
      const { key, orderId: onChainId, to, token, amount: units, fee: feeUnits, accepted } = log.args;
      const of = { router, routerAddress, key, onChainId };
      return [{ ...place, ...of, kind: 'deposit_moved', to, token, units, feeUnits, accepted }];
    }),
  );
}

/** A log whose block is not in the stretch is of no block that we looked at. */
function placed({ blocks }: Stretch, log: BlockLog): Place[] {
  const block = blocks.get(log.blockNumber);
  if (!block || !log.transactionHash || !log.blockHash) return [];
  const { transactionHash: txHash, logIndex, blockNumber, blockHash } = log;
  return [{ txHash, logIndex, block: blockNumber, blockHash, blockTime: block.time }];
}
