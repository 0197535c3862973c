// What a log of a final block means for an order: whether it counts, what it pays, and what all logs of an order are worth together.
import type { OrderStatus } from './order.ts';
import { isSameAddress } from './walletFamily.ts';

/** See the column `outcome` of an order's logs. */
export type LogOutcome =
  | 'credited'
  | 'other_terms'
  | 'other_payee'
  | 'not_payable'
  | 'already_paid'
  | 'other_token'
  | 'accepted'
  | 'sent_back';

/** Units in the token's smallest, addresses in any case. */
export type OrderLog = { token: string; units: bigint; blockTime: Date; block: bigint } & (
  | ({ kind: 'settled'; payer: string; payee: string; feeUnits: bigint } & RouterLog)
  | ({ kind: 'refunded' } & RouterLog)
  /** `accepted`: to the payee, less the fee. */
  | ({ kind: 'deposit_moved'; accepted: boolean } & RouterLog)
  | { kind: 'deposit'; from: string | null; to: string }
);
/** `router` is null where the key alone says it. */
type RouterLog = { router: string | null; routerAddress: string; key: string; onChainId: string };

export type LoggedOrder = {
  id: string;
  status: OrderStatus;
  chain: string;
  router: string;
  routerAddress: string;
  token: string;
  payee: string;
  units: bigint;
  feeUnits: bigint;
  /** Unix seconds. */
  deadline: bigint;
  onChainId: string;
  depositAddress: string | null;
  endedAt: Date | null;
};

/** What a settlement of the order's exact terms does. An order that was completed by an orphaned block is paid by what came in its place. */
const SETTLED: Readonly<Record<OrderStatus, LogOutcome>> = {
  awaiting_payment: 'credited',
  processing: 'credited',
  completed: 'credited',
  expired: 'not_payable',
  cancelled: 'not_payable',
};

/**
 * @param isPaid whether a log before this one pays the order
 * @param keyOf the key of all of the order's terms at its router, which a router's event must name
 */
export function outcomeOf<Log extends OrderLog, Order extends LoggedOrder>(
  chain: string,
  order: Order,
  log: Log,
  isPaid: boolean,
  keyOf: (order: Order) => string,
): LogOutcome {
  if (log.kind === 'deposit') return depositOutcome(order, log, isPaid);
  if (!hasTerms(chain, order, log, keyOf))
    return log.kind === 'settled' && !isSameAddress(log.payee, order.payee) ? 'other_payee' : 'other_terms';
  if (log.kind === 'deposit_moved') return log.accepted ? 'accepted' : 'sent_back';
  if (log.kind === 'refunded') return 'credited';
  return isPaid ? 'already_paid' : SETTLED[order.status];
}

/** By the chain's own times, so that the same blocks give the same outcome at any time of reading. */
function depositOutcome(order: LoggedOrder, { token, blockTime }: OrderLog, isPaid: boolean): LogOutcome {
  if (!isSameAddress(token, order.token)) return 'other_token';
  if (isPaid) return 'already_paid';
  const late = BigInt(Math.floor(blockTime.getTime() / 1_000)) > order.deadline;
  const cancelled = order.status === 'cancelled' && order.endedAt !== null && blockTime > order.endedAt;
  return late || cancelled ? 'not_payable' : 'credited';
}

/** Whether a router's event names exactly the stored terms. The key is compared last because hashing it costs the most. */
function hasTerms<Order extends LoggedOrder>(
  chain: string,
  order: Order,
  log: Exclude<OrderLog, { kind: 'deposit' }>,
  keyOf: (order: Order) => string,
): boolean {
  if (order.chain !== chain || !isSameAddress(order.routerAddress, log.routerAddress)) return false;
  if (log.router !== null && log.router !== order.router) return false;
  if (log.kind === 'settled') {
    const { token, payee, units, feeUnits } = log;
    if (!isSameAddress(token, order.token) || !isSameAddress(payee, order.payee)) return false;
    if (units !== order.units || feeUnits !== order.feeUnits) return false;
  }
  return isSameAddress(keyOf(order), log.key);
}

export type JudgedLog<Log, Order> = { entry: Log; order: Order; outcome: LogOutcome };

/**
 * Judges logs in the chain's order: a settlement after the one that pays an order does not pay it. Logs of no order in `orders` are left out.
 * @param paid by the id of an order that a stored log pays already: the block of that. Where transfers are read by themselves, one of a block before
 * it may come after it: it is part of what paid.
 */
export function judgeLogs<Log extends OrderLog, Order extends LoggedOrder>(
  chain: string,
  orders: readonly Order[],
  paid: ReadonlyMap<string, bigint>,
  logs: readonly Log[],
  keyOf: (order: Order) => string,
): JudgedLog<Log, Order>[] {
  const byId = new Map(orders.map((order) => [order.onChainId.toLowerCase(), order]));
  const byAddress = new Map(orders.flatMap((order) => (order.depositAddress ? [[order.depositAddress, order]] : [])));
  const paidNow = new Map(paid);
  return logs.flatMap((entry): JudgedLog<Log, Order>[] => {
    const order = entry.kind === 'deposit' ? byAddress.get(entry.to) : byId.get(entry.onChainId.toLowerCase());
    if (!order) return [];
    const paidIn = paidNow.get(order.id);
    const isPaid = paidIn !== undefined && !(entry.kind === 'deposit' && entry.block < paidIn);
    const outcome = outcomeOf(chain, order, entry, isPaid, keyOf);
    if (pays(entry.kind, outcome)) paidNow.set(order.id, entry.block);
    return [{ entry, order, outcome }];
  });
}

/** Whether a log completes its order. */
export function pays(kind: string, outcome: string): boolean {
  return kind === 'settled' && outcome === 'credited';
}

/** Outcomes of money that is the merchant's, though it may complete nothing. */
const WORTH: Readonly<Record<LogOutcome, boolean>> = {
  credited: true,
  not_payable: true,
  already_paid: true,
  other_terms: false,
  other_payee: false,
  other_token: false,
  accepted: false,
  sent_back: false,
};

export type StoredLog = { kind: string; outcome: string; from: string | null; units: bigint };

/**
 * What arrived for an order and what was sent back. A sweep moves what its deposits were, so of the two the larger sum counts: deposits in the
 * native asset leave no log of their own.
 */
export function orderAmounts(
  logs: readonly StoredLog[],
  depositAddress: string | null,
): { received: bigint; refunded: bigint } {
  let [direct, deposited, swept, refunded] = [0n, 0n, 0n, 0n];
  for (const { kind, outcome, from, units } of logs) {
    if (!WORTH[outcome as LogOutcome]) continue;
    if (kind === 'refunded') refunded += units;
    else if (kind === 'deposit') deposited += units;
    else if (kind === 'settled' && depositAddress !== null && from === depositAddress) swept += units;
    else if (kind === 'settled') direct += units;
  }
  return { received: direct + (deposited > swept ? deposited : swept), refunded };
}

/** Money that came and does not complete an order. `other_payee` never was the merchant's; deposits that make up the whole amount are awaited. */
export function isUncounted({ kind, outcome, units }: Omit<StoredLog, 'from'>, due: bigint): boolean {
  if (outcome === 'other_payee' || (kind !== 'deposit' && kind !== 'settled')) return false;
  if (pays(kind, outcome)) return false;
  return outcome !== 'credited' || units < due;
}
