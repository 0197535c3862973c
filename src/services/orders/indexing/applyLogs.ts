// What final blocks say about payments becomes rows, a batch at once: every log is stored once, and the ones that pay an order complete it.

import type { Chain } from '../../../chain/chain.ts';
import type { OrderEntry } from '../../../chain/orderEvents.ts';
import { orderKey } from '../../../chain/orders.ts';
import type { BlockRange } from '../../../chain/rpc/blockRanges.ts';
import type { EvmChain, Hex } from '../../../chain/rpc/client.ts';
import type { Ctx } from '../../../context.ts';
import { type Row, sqlRows, type Tx } from '../../../db.ts';
import type { OrderStatus } from '../../../domain/order.ts';
import {
  isUncounted,
  type JudgedLog,
  judgeLogs,
  orderAmounts,
  pays,
  type StoredLog,
} from '../../../domain/orderLog.ts';
import type { OrderRouter } from '../../../domain/typedData/orders.ts';
import { tellOrderMoney } from '../notices.ts';
import { creditOrders } from './credits.ts';
import { applyRefunds } from './refunds.ts';

export type HeldOrder = Pick<
  Row<'Order'>,
  'id' | 'chain' | 'router' | 'routerAddress' | 'token' | 'payee' | 'onChainId' | 'depositAddress' | 'endedAt' | 'chat'
> & {
  status: OrderStatus;
  deadline: bigint;
  units: bigint;
  feeUnits: bigint;
  receivedUnits: bigint;
  refundedUnits: bigint;
};

export type Judged = JudgedLog<OrderEntry, HeldOrder>;
/** What all logs of an order are worth; only of orders for which that changed. */
export type Amounts = ReadonlyMap<string, { receivedUnits: bigint; refundedUnits: bigint }>;

/**
 * Ingests what final blocks say.
 * @param entries in the chain's order
 */
export async function applyOrderLogs(ctx: Ctx, tx: Tx, chain: Chain, entries: OrderEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const orders = await holdOrders(tx, chain, entries);
  if (orders.length === 0) return;
  const stored = await storedLogs(
    tx,
    orders.map(({ id }) => id),
  );
  const paid = new Map(
    stored.flatMap(({ orderId, kind, outcome, block }) => (pays(kind, outcome) ? [[orderId, block]] : [])),
  );
  const known = new Set(stored.map(({ txHash, logIndex }) => `${txHash} ${logIndex}`));
  const unknown = entries.filter(({ txHash, logIndex }) => !known.has(`${txHash} ${logIndex}`));
  const judged = judgeLogs(chain.name, orders, paid, unknown, (order) => keyOf(chain, order));
  if (judged.length === 0) return;
  await storeLogs(tx, chain, judged);
  const amounts = amountsOf(judged, stored);
  const credited = judged.filter(({ entry, outcome }) => pays(entry.kind, outcome));
  const settling = await creditOrders(ctx, tx, credited, amounts);
  await writeAmounts(tx, new Map([...amounts].filter(([id]) => !settling.has(id))));
  const refunds = judged.filter(({ entry, outcome }) => entry.kind === 'refunded' && outcome === 'credited');
  await applyRefunds(ctx, tx, refunds);
  await notifyUncounted(ctx, tx, judged);
}

/** The once-only key of all of an order's terms at its router. */
function keyOf(chain: Chain, order: HeldOrder): Hex {
  const { onChainId, payee, token, units: amount, feeUnits: fee, deadline } = order;
  const terms = { orderId: onChainId as Hex, payee, token, amount, fee, deadline };
  return orderKey({ chain, router: order.router as OrderRouter, terms });
}

/** Logs what completes nothing, and notifies the chat where the order was created. */
async function notifyUncounted(ctx: Ctx, tx: Tx, judged: Judged[]): Promise<void> {
  const notified = new Map<string, HeldOrder>();
  for (const { entry, order, outcome } of judged) {
    if (!isUncounted({ kind: entry.kind, outcome, units: entry.units }, order.units)) continue;
    if (outcome !== 'credited')
      ctx.log.warn({ order: order.id, tx: entry.txHash, outcome }, 'a payment that no open order asks for');
    notified.set(order.id, order);
  }
  for (const order of notified.values()) await tellOrderMoney(ctx, tx, order);
}

type Texts = 'units' | 'feeUnits' | 'receivedUnits' | 'refundedUnits';

/** The orders that the entries name, locked in the order of their ids, so that two batches do not deadlock. */
async function holdOrders(tx: Tx, chain: Chain, entries: OrderEntry[]): Promise<HeldOrder[]> {
  const named = new Set(entries.flatMap((entry) => (entry.kind === 'deposit' ? [] : [entry.onChainId.toLowerCase()])));
  const paid = new Set(entries.flatMap((entry) => (entry.kind === 'deposit' ? [entry.to] : [])));
  const rows = await tx.$queryRaw<(Omit<HeldOrder, Texts> & Record<Texts, string>)[]>`
    select id, chain, status, router, router_address as "routerAddress", token, payee, deadline, on_chain_id as "onChainId",
      units::text, fee_units::text as "feeUnits", received_units::text as "receivedUnits", refunded_units::text as "refundedUnits",
      deposit_address as "depositAddress", ended_at as "endedAt", chat
    from payment_order
    where on_chain_id = any(${[...named]}::text[]) or (chain = ${chain.name} and deposit_address = any(${[...paid]}::text[]))
    order by id for update`;
  return rows.map(({ units, feeUnits, receivedUnits, refundedUnits, ...row }) => ({
    ...row,
    units: BigInt(units),
    feeUnits: BigInt(feeUnits),
    receivedUnits: BigInt(receivedUnits),
    refundedUnits: BigInt(refundedUnits),
  }));
}

type KeptLog = StoredLog & { orderId: string; txHash: string; logIndex: number; block: bigint };

async function storedLogs(tx: Tx, orderIds: string[]): Promise<KeptLog[]> {
  const rows = await tx.$queryRaw<(Omit<KeptLog, 'units'> & { units: string })[]>`
    select order_id as "orderId", tx_hash as "txHash", log_index as "logIndex", kind, outcome, from_address as "from", units::text, block
    from order_log where order_id = any(${orderIds}::text[])`;
  return rows.map((row) => ({ ...row, units: BigInt(row.units) }));
}

async function storeLogs(tx: Tx, chain: Chain, judged: Judged[]): Promise<void> {
  const column = <Value>(of: (one: Judged) => Value): Value[] => judged.map(of);
  await tx.$executeRaw`
    insert into order_log (chain, tx_hash, log_index, block, block_hash, block_time, kind, order_id, outcome, router, key,
      from_address, to_address, token, units, fee_units)
    select ${chain.name}, l.* from unnest(
      ${column(({ entry }) => entry.txHash)}::text[],
      ${column(({ entry }) => entry.logIndex)}::int[],
      ${column(({ entry }) => entry.block)}::bigint[],
      ${column(({ entry }) => entry.blockHash)}::text[],
      ${column(({ entry }) => entry.blockTime)}::timestamptz[],
      ${column(({ entry }) => entry.kind)}::text[],
      ${column(({ order }) => order.id)}::text[],
      ${column(({ outcome }) => outcome)}::text[],
      ${column(({ entry, order }) => (entry.kind === 'deposit' ? order.routerAddress : entry.routerAddress))}::text[],
      ${column(({ entry }) => (entry.kind === 'deposit' ? null : entry.key))}::text[],
      ${column(({ entry }) => senderOf(entry))}::text[],
      ${column(({ entry }) => (entry.kind === 'settled' ? entry.payee : entry.to))}::text[],
      ${column(({ entry }) => entry.token)}::text[],
      ${column(({ entry }) => entry.units.toString())}::numeric[],
      ${column(({ entry }) => ('feeUnits' in entry ? entry.feeUnits.toString() : '0'))}::numeric[]
    ) as l
    on conflict do nothing`;
}

function senderOf(entry: OrderEntry): string | null {
  if (entry.kind === 'settled') return entry.payer;
  return entry.kind === 'deposit' ? entry.from : null;
}

function amountsOf(judged: Judged[], stored: KeptLog[]): Amounts {
  const orders = new Map(judged.map(({ order }) => [order.id, order]));
  const fresh = judged.map(({ entry, order, outcome }) => {
    return { orderId: order.id, kind: entry.kind, outcome, from: senderOf(entry), units: entry.units };
  });
  const logs = byOrder([...stored, ...fresh]);
  const amounts = new Map<string, { receivedUnits: bigint; refundedUnits: bigint }>();
  for (const order of orders.values()) {
    const { received, refunded } = orderAmounts(logs.get(order.id) ?? [], order.depositAddress);
    if (received !== order.receivedUnits || refunded !== order.refundedUnits)
      amounts.set(order.id, { receivedUnits: received, refundedUnits: refunded });
  }
  return amounts;
}

function byOrder(logs: readonly (StoredLog & { orderId: string })[]): Map<string, StoredLog[]> {
  const groups = new Map<string, StoredLog[]>();
  for (const log of logs) {
    const group = groups.get(log.orderId);
    if (group) group.push(log);
    else groups.set(log.orderId, [log]);
  }
  return groups;
}

async function writeAmounts(tx: Tx, amounts: Amounts): Promise<void> {
  if (amounts.size === 0) return;
  const rows = [...amounts].map(([id, { receivedUnits, refundedUnits }]) => ({ id, receivedUnits, refundedUnits }));
  await tx.$executeRaw`
    update payment_order o set received_units = w."receivedUnits", refunded_units = w."refundedUnits"
    from jsonb_to_recordset(${sqlRows(rows)}) as w(id text, "receivedUnits" numeric, "refundedUnits" numeric) where o.id = w.id`;
}

/**
 * Drops logs that were proven one by one, before the indexer came to their blocks, and whose blocks are others now. What the blocks contain is
 * ingested again.
 */
export async function dropForeignLogs(tx: Tx, chain: EvmChain, { from, to, blocks }: BlockRange): Promise<void> {
  const stored = await tx.$queryRaw<{ block: bigint; blockHash: string }[]>`
    select distinct block, block_hash as "blockHash" from order_log
    where chain = ${chain.name} and block between ${from} and ${to}`;
  const foreign = stored.filter(({ block, blockHash }) => blocks.get(block)?.hash !== blockHash);
  if (foreign.length === 0) return;
  const range = { chain: chain.name, block: { gte: from, lte: to } };
  await dropLogs(tx, { ...range, blockHash: { in: foreign.map(({ blockHash }) => blockHash) } });
}

/** Drops the logs of orphaned blocks, and what they were worth. An order that was completed stays so: nothing leads out of that. */
export async function revertLogs(tx: Tx, chain: EvmChain, block: bigint): Promise<void> {
  await dropLogs(tx, { chain: chain.name, block: { gt: block } });
}

type Which = NonNullable<NonNullable<Parameters<Tx['orderLog']['findMany']>[0]>['where']>;

async function dropLogs(tx: Tx, which: Which): Promise<void> {
  const orphaned = await tx.orderLog.findMany({ where: which, select: { orderId: true }, distinct: ['orderId'] });
  if (orphaned.length === 0) return;
  const orderIds = orphaned.map(({ orderId }) => orderId);
  const orders = await tx.$queryRaw<{ id: string; depositAddress: string | null }[]>`
    select id, deposit_address as "depositAddress" from payment_order where id = any(${orderIds}::text[]) order by id for update`;
  await tx.orderLog.deleteMany({ where: which });
  const left = byOrder(await storedLogs(tx, orderIds));
  const amounts = orders.map(({ id, depositAddress }) => {
    const { received, refunded } = orderAmounts(left.get(id) ?? [], depositAddress);
    return [id, { receivedUnits: received, refundedUnits: refunded }] as const;
  });
  await writeAmounts(tx, new Map(amounts));
}
