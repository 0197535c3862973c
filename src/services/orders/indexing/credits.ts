// Completes the orders that final blocks paid. Payments that we sent end with their own transactions (orders/payments/kind).
import type { Ctx } from '../../../context.ts';
import { decimalOf, sqlRows, type Tx } from '../../../db.ts';
import { moveOrders } from '../transitions.ts';
import type { Amounts, HeldOrder, Judged } from './applyLogs.ts';

type Credit = { order: HeldOrder; payer: string; txHash: string; endedAt: Date };

/**
 * @param judged logs that pay their orders, at most one an order, whose rows the caller holds
 * @returns the orders that it completed, whose amounts are written
 */
export async function creditOrders(ctx: Ctx, tx: Tx, judged: Judged[], amounts: Amounts): Promise<Set<string>> {
  if (judged.length === 0) return new Set();
  const senders = await depositors(tx, judged);
  const credits = judged.flatMap(({ entry, order }): Credit[] => {
    if (entry.kind !== 'settled') return [];
    return [{ order, payer: senders.get(order.id) ?? entry.payer, txHash: entry.txHash, endedAt: entry.blockTime }];
  });
  const open = credits.filter(({ order }) => order.status !== 'completed');
  const moved = await moveOrders(
    ctx,
    tx,
    open.map(({ order: { id, status }, payer, txHash, endedAt }) => {
      const { receivedUnits, refundedUnits } = amounts.get(id) ?? {};
      const received = receivedUnits === undefined ? {} : { receivedUnits: decimalOf(receivedUnits) };
      const refunded = refundedUnits === undefined ? {} : { refundedUnits: decimalOf(refundedUnits) };
      const patch = { payer, txHash, endedAt, ...received, ...refunded };
      // A payment that its payer sent was never submitted by us.
      return { id, action: 'settle', patch, ...(status === 'awaiting_payment' ? { through: 'submit' } : {}) };
    }),
  );
  if (moved.size < open.length) throw new Error('an order changed its status while its row was held');
  await correct(
    tx,
    credits.filter(({ order }) => order.status === 'completed'),
  );
  return moved;
}

/**
 * Of a swept deposit address the one depositor is the payer, not the address; several depositors leave the address as payer. What a bridge delivers was
 * paid by the payer of its leg, and what the treasury passed on by its sender; in the native asset that is all that is known of deposits.
 */
async function depositors(tx: Tx, judged: Judged[]): Promise<Map<string, string>> {
  const swept = judged.flatMap(({ entry, order }) =>
    entry.kind === 'settled' && entry.payer === order.depositAddress ? [order.id] : [],
  );
  if (swept.length === 0) return new Map();
  const rows = await tx.$queryRaw<{ id: string; sender: string }[]>`
    select id, min(sender) as sender from (
      select o.order_id as id, coalesce((
        select l.payer from smart_leg l join smart_payment p on p.id = l.payment_id
        where p.order_id = o.order_id and l.via <> 'direct' and l.arrive_units = o.units
          and (lower(l.destination_hash) = lower(o.tx_hash) or (l.destination_hash is null and l.status = 'bridging'))
        order by l.destination_hash is null limit 1), passed_on.sender, o.from_address) as sender
      from order_log o left join lateral (
        select coalesce(t.from_address, o.to_address) as sender from treasury_transfer t
        where t.order_id = o.order_id and t.treasury = o.from_address and t.units = o.units limit 1
      ) passed_on on true
      where o.order_id = any(${swept}::text[]) and o.kind = 'deposit' and o.outcome = 'credited'
    ) senders group by id having count(distinct sender) = 1
    union all
    select o.id, min(l.payer) from smart_leg l join smart_payment p on p.id = l.payment_id join payment_order o on o.id = p.order_id
    where o.id = any(${swept}::text[]) and o.currency <> 'USDC' and l.status in ('bridging', 'arrived')
    group by o.id, o.units having count(distinct l.payer) = 1 and sum(l.arrive_units) >= o.units`;
  return new Map(rows.map(({ id, sender }) => [id, sender]));
}

/** An order that an orphaned block completed and another block paid again names the payment that exists. */
async function correct(tx: Tx, credits: Credit[]): Promise<void> {
  if (credits.length === 0) return;
  const rows = credits.map(({ order: { id }, payer, txHash, endedAt }) => ({ id, payer, hash: txHash, at: endedAt }));
  await tx.$executeRaw`
    update payment_order o set payer = w.payer, tx_hash = w.hash, ended_at = w.at
    from jsonb_to_recordset(${sqlRows(rows)}) as w(id text, payer text, hash text, at timestamptz)
    where o.id = w.id`;
}
