// What final blocks say about payments becomes our rows, a whole stretch at once: every log is kept once, and the ones that pay an order complete it.

import type { OrderEntry } from '../../../chain/logs/settlements.ts';
import { orderKey } from '../../../chain/routers/payment.ts';
import type { Stretch } from '../../../chain/rpc/blockRanges.ts';
import type { Address, EvmChain, Hex } from '../../../chain/rpc/client.ts';
import type { Ctx } from '../../../context.ts';
import { type Row, sqlRows, type Tx } from '../../../db.ts';
import type { OrderStatus } from '../../../domain/order.ts';
import type { OrderRouter } from '../../../domain/typedData/orders.ts';
import { tellOrderMoney } from '../notices.ts';
import { creditOrders } from './credits.ts';
import { applyRefunds } from './refunds.ts';

/** What an entry is worth for its order; see the column. */
export type Outcome =
  | 'credited'
  | 'other_terms'
  | 'other_payee'
  | 'not_payable'
  | 'already_paid'
  | 'other_token'
  | 'accepted'
  | 'sent_back';
export type Judged = { entry: OrderEntry; order: KnownOrder; outcome: Outcome };

export type KnownOrder = Pick<
  Row<'Order'>,
  'id' | 'chain' | 'router' | 'routerAddress' | 'token' | 'payee' | 'onChainId' | 'depositAddress' | 'endedAt' | 'chat'
> & {
  status: OrderStatus;
  deadline: bigint;
  units: bigint;
  feeUnits: bigint;
  /** A log that pays it is kept already. */
  credited: boolean;
};

/**
 * Takes in what a stretch of final blocks says. The caller holds the feed's checkpoint, so nobody else does so at the same time.
 * @param entries in the chain's order
 */
export async function applyOrderLogs(ctx: Ctx, tx: Tx, chain: EvmChain, entries: OrderEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const orders = await holdOrders(tx, chain, entries);
  const judged = judge(chain, orders, entries);
  const fresh = await keepLogs(tx, chain, judged);
  if (fresh.length === 0) return;
  const touched = [...new Set(fresh.map(({ order }) => order.id))];
  await recount(tx, touched);
  await creditOrders(
    ctx,
    tx,
    fresh.filter(({ entry, outcome }) => entry.kind === 'settled' && outcome === 'credited'),
  );
  await applyRefunds(
    ctx,
    tx,
    fresh.filter(({ entry, outcome }) => entry.kind === 'refunded' && outcome === 'credited'),
  );
  await tellUncounted(ctx, tx, fresh);
}

/** Money that came and completes nothing: for the log, and for the chat where it was asked for. Nobody is told of what never was the merchant's. */
async function tellUncounted(ctx: Ctx, tx: Tx, fresh: Judged[]): Promise<void> {
  const told = new Map<string, KnownOrder>();
  for (const { entry, order, outcome } of fresh) {
    if (outcome === 'other_payee' || (entry.kind !== 'deposit' && entry.kind !== 'settled')) continue;
    if (entry.kind === 'settled' && outcome === 'credited') continue;
    if (outcome !== 'credited')
      ctx.log.warn({ order: order.id, tx: entry.txHash, outcome }, 'a payment that no open order asks for');
    if (outcome !== 'credited' || entry.units < order.units) told.set(order.id, order);
  }
  for (const order of told.values()) await tellOrderMoney(ctx, tx, order);
}

type Texts = { units: string; feeUnits: string };

/** The orders that the entries are about, in the order of their ids, so that nobody waits in a circle; nobody moves them until the end. */
async function holdOrders(tx: Tx, chain: EvmChain, entries: OrderEntry[]): Promise<KnownOrder[]> {
  const named = new Set(entries.flatMap((entry) => (entry.kind === 'deposit' ? [] : [entry.onChainId.toLowerCase()])));
  const paid = new Set(entries.flatMap((entry) => (entry.kind === 'deposit' ? [entry.to] : [])));
  const rows = await tx.$queryRaw<(Omit<KnownOrder, 'units' | 'feeUnits' | 'credited'> & Texts)[]>`
    select id, chain, status, router, router_address as "routerAddress", token, payee, deadline, on_chain_id as "onChainId",
      units::text, fee_units::text as "feeUnits", deposit_address as "depositAddress", ended_at as "endedAt", chat
    from payment_order
    where on_chain_id = any(${[...named]}::text[]) or (chain = ${chain.name} and deposit_address = any(${[...paid]}::text[]))
    order by id for update`;
  const credited = await tx.orderLog.findMany({
    where: { orderId: { in: rows.map(({ id }) => id) }, kind: 'settled', outcome: 'credited' },
    select: { orderId: true },
  });
  const paidBefore = new Set(credited.map(({ orderId }) => orderId));
  return rows.map((row) => {
    const { id, units, feeUnits } = row;
    return { ...row, units: BigInt(units), feeUnits: BigInt(feeUnits), credited: paidBefore.has(id) };
  });
}

/** In the chain's order: what comes after the payment of an order does not pay it. What is about no order of ours is left out. */
function judge(chain: EvmChain, orders: KnownOrder[], entries: OrderEntry[]): Judged[] {
  const byId = new Map(orders.map((order) => [order.onChainId.toLowerCase(), order]));
  const byAddress = new Map(orders.flatMap((order) => (order.depositAddress ? [[order.depositAddress, order]] : [])));
  const paid = new Set(orders.flatMap(({ id, credited }) => (credited ? [id] : [])));
  return entries.flatMap((entry): Judged[] => {
    const order = entry.kind === 'deposit' ? byAddress.get(entry.to) : byId.get(entry.onChainId.toLowerCase());
    if (!order) return [];
    const outcome = outcomeOf(chain, order, entry, paid.has(order.id));
    if (entry.kind === 'settled' && outcome === 'credited') paid.add(order.id);
    return [{ entry, order, outcome }];
  });
}

function outcomeOf(chain: EvmChain, order: KnownOrder, entry: OrderEntry, paid: boolean): Outcome {
  if (entry.kind === 'deposit') return depositOutcome(order, entry, paid);
  if (!hasTerms(chain, order, entry))
    return entry.kind === 'settled' && !same(entry.payee, order.payee) ? 'other_payee' : 'other_terms';
  if (entry.kind === 'deposit_moved') return entry.accepted ? 'accepted' : 'sent_back';
  if (entry.kind === 'refunded') return 'credited';
  if (paid) return 'already_paid';
  // An order that was completed by a block that is gone is paid by whatever came in its place.
  const payable: OrderStatus[] = ['awaiting_payment', 'processing', 'completed'];
  return payable.includes(order.status) ? 'credited' : 'not_payable';
}

/** By the chain's own times, so that the same blocks give the same outcome whenever they are read. */
function depositOutcome(order: KnownOrder, { token, blockTime }: OrderEntry, paid: boolean): Outcome {
  if (!same(token, order.token)) return 'other_token';
  if (paid) return 'already_paid';
  const late = BigInt(Math.floor(blockTime.getTime() / 1_000)) > order.deadline;
  const cancelled = order.status === 'cancelled' && order.endedAt !== null && blockTime > order.endedAt;
  return late || cancelled ? 'not_payable' : 'credited';
}

/** Whether an event of a router is about exactly what was frozen: that router, and the key of all of the order's terms. */
function hasTerms(chain: EvmChain, order: KnownOrder, entry: Exclude<OrderEntry, { kind: 'deposit' }>): boolean {
  if (order.chain !== chain.name || order.router !== entry.router) return false;
  if (!same(order.routerAddress, entry.routerAddress)) return false;
  const { onChainId, payee, token, units: amount, feeUnits: fee, deadline } = order;
  const terms = { orderId: onChainId as Hex, payee: payee as Address, token: token as Address, amount, fee, deadline };
  if (!same(orderKey(chain, order.router as OrderRouter, terms), entry.key)) return false;
  if (entry.kind !== 'settled') return true;
  return same(entry.token, token) && same(entry.payee, payee) && entry.units === amount && entry.feeUnits === fee;
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** Keeps every log once. @returns those that are new */
async function keepLogs(tx: Tx, chain: EvmChain, judged: Judged[]): Promise<Judged[]> {
  if (judged.length === 0) return [];
  const rows = judged.map(({ entry, order, outcome }) => ({
    tx_hash: entry.txHash,
    log_index: entry.logIndex,
    block: entry.block,
    block_hash: entry.blockHash,
    block_time: entry.blockTime,
    kind: entry.kind,
    order_id: order.id,
    outcome,
    router: entry.kind === 'deposit' ? order.routerAddress : entry.routerAddress,
    key: entry.kind === 'deposit' ? null : entry.key,
    from_address: entry.kind === 'settled' ? entry.payer : entry.kind === 'deposit' ? entry.from : null,
    to_address: entry.kind === 'settled' ? entry.payee : entry.to,
    token: entry.token,
    units: entry.units,
    fee_units: entry.kind === 'settled' || entry.kind === 'deposit_moved' ? entry.feeUnits : 0n,
  }));
  const kept = await tx.$queryRaw<{ tx_hash: string; log_index: number }[]>`
    insert into order_log (chain, tx_hash, log_index, block, block_hash, block_time, kind, order_id, outcome, router, key,
      from_address, to_address, token, units, fee_units)
    select ${chain.name}, l.* from jsonb_to_recordset(${sqlRows(rows)}) as l(tx_hash text, log_index int, block bigint, block_hash text,
      block_time timestamptz, kind text, order_id text, outcome text, router text, key text, from_address text, to_address text,
      token text, units numeric, fee_units numeric)
    on conflict do nothing returning tx_hash, log_index`;
  const fresh = new Set(kept.map((row) => `${row.tx_hash} ${row.log_index}`));
  return judged.filter(({ entry }) => fresh.has(`${entry.txHash} ${entry.logIndex}`));
}

/**
 * What arrived for orders, and what was sent back, from the logs that are kept. A sweep moves on what its deposits were; deposits in the native
 * asset leave no log of their own.
 */
async function recount(tx: Tx, orderIds: string[]): Promise<void> {
  await tx.$executeRaw`
    update payment_order o set received_units = s.received, refunded_units = s.refunded
    from unnest(${orderIds}::text[]) as w(id) join payment_order p on p.id = w.id cross join lateral (
      select coalesce(sum(l.units) filter (where l.kind = 'settled' and l.from_address is distinct from p.deposit_address), 0)
          + greatest(coalesce(sum(l.units) filter (where l.kind = 'deposit'), 0),
            coalesce(sum(l.units) filter (where l.kind = 'settled' and l.from_address = p.deposit_address), 0)) as received,
        coalesce(sum(l.units) filter (where l.kind = 'refunded'), 0) as refunded
      from order_log l where l.order_id = p.id and l.outcome in ('credited', 'not_payable', 'already_paid')
    ) s
    where o.id = w.id and (o.received_units <> s.received or o.refunded_units <> s.refunded)`;
}

/**
 * Logs that were proven one by one, before the indexer came to their blocks, and whose blocks are others now. What is in the blocks is taken in
 * anew.
 */
export async function dropStrangers(tx: Tx, chain: EvmChain, { from, to, blocks }: Stretch): Promise<void> {
  const range = { chain: chain.name, block: { gte: from, lte: to } };
  const known = await tx.orderLog.findMany({
    where: range,
    select: { orderId: true, block: true, blockHash: true },
    distinct: ['orderId', 'blockHash'],
  });
  const strangers = known.filter(({ block, blockHash }) => blocks.get(block)?.hash !== blockHash);
  if (strangers.length > 0)
    await dropLogs(tx, { ...range, blockHash: { in: strangers.map(({ blockHash }) => blockHash) } });
}

/** Logs of blocks that are gone, and what they were counted for. An order that was completed stays so: nothing leads out of that. */
export async function takeBackLogs(tx: Tx, chain: EvmChain, block: bigint): Promise<void> {
  await dropLogs(tx, { chain: chain.name, block: { gt: block } });
}

type Which = NonNullable<NonNullable<Parameters<Tx['orderLog']['findMany']>[0]>['where']>;

async function dropLogs(tx: Tx, which: Which): Promise<void> {
  const gone = await tx.orderLog.findMany({ where: which, select: { orderId: true }, distinct: ['orderId'] });
  if (gone.length === 0) return;
  const orderIds = gone.map(({ orderId }) => orderId);
  await tx.$queryRaw`select 1 from payment_order where id = any(${orderIds}::text[]) order by id for update`;
  await tx.orderLog.deleteMany({ where: which });
  await recount(tx, orderIds);
}
