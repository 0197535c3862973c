// Completes the orders that final blocks paid. Payments that we sent end with their own transactions (orders/payments/kind).
import type { Ctx } from '../../../context.ts';
import { sqlRows, type Tx } from '../../../db.ts';
import { moveOrders } from '../transitions.ts';
import type { Judged } from './logs.ts';

type Credit = { id: string; payer: string; txHash: string; endedAt: Date; completed: boolean; awaiting: boolean };

/** @param judged logs that pay their orders, at most one an order, whose rows the caller holds */
export async function creditOrders(ctx: Ctx, tx: Tx, judged: Judged[]): Promise<void> {
  if (judged.length === 0) return;
  const senders = await depositors(tx, judged);
  const credits = judged.flatMap(({ entry, order }): Credit[] => {
    if (entry.kind !== 'settled') return [];
    const { id, status } = order;
    const payer = senders.get(id) ?? entry.payer;
    const { txHash, blockTime: endedAt } = entry;
    return [{ id, payer, txHash, endedAt, completed: status === 'completed', awaiting: status === 'awaiting_payment' }];
  });
  await moveOrders(
    ctx,
    tx,
    credits.filter(({ awaiting }) => awaiting).map(({ id }) => ({ id, action: 'submit' })),
  );
  const open = credits.filter(({ completed }) => !completed);
  const moved = await moveOrders(
    ctx,
    tx,
    open.map(({ id, payer, txHash, endedAt }) => ({ id, action: 'settle', patch: { payer, txHash, endedAt } })),
  );
  if (moved.size < open.length) throw new Error('an order that is held moved all the same');
  await correct(
    tx,
    credits.filter(({ completed }) => completed),
  );
}

/** Whoever sent to an order's own address paid, not the address; where several did, nobody is named for the others. */
async function depositors(tx: Tx, judged: Judged[]): Promise<Map<string, string>> {
  const swept = judged.flatMap(({ entry, order }) =>
    entry.kind === 'settled' && entry.payer === order.depositAddress ? [order.id] : [],
  );
  if (swept.length === 0) return new Map();
  const rows = await tx.$queryRaw<{ id: string; sender: string }[]>`
    select order_id as id, min(from_address) as sender from order_log
    where order_id = any(${swept}::text[]) and kind = 'deposit' and outcome = 'credited'
    group by order_id having count(distinct from_address) = 1`;
  return new Map(rows.map(({ id, sender }) => [id, sender]));
}

/** Completed by a block that is gone, and paid again by another one: the order names the payment that there is. */
async function correct(tx: Tx, credits: Credit[]): Promise<void> {
  if (credits.length === 0) return;
  const wanted = credits.map(({ id, payer, txHash, endedAt }) => ({ id, payer, hash: txHash, at: endedAt }));
  await tx.$executeRaw`
    update payment_order o set payer = w.payer, tx_hash = w.hash, ended_at = w.at
    from jsonb_to_recordset(${sqlRows(wanted)}) as w(id text, payer text, hash text, at timestamptz)
    where o.id = w.id`;
}
