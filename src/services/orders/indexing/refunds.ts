// Events of the refunds that final blocks show, one each, from any sender.
import type { Ctx } from '../../../context.ts';
import { decimalOf, type Tx } from '../../../db.ts';
import { formatUnits } from '../../../domain/money.ts';
import { writeOrderEvents } from '../transitions.ts';
import { unitsOf } from '../views.ts';
import type { Judged } from './applyLogs.ts';

/** @param judged refunds of orders, in the chain's order, that are stored and counted already */
export async function applyRefunds(ctx: Ctx, tx: Tx, judged: Judged[]): Promise<void> {
  if (judged.length === 0) return;
  const rows = await tx.order.findMany({ where: { id: { in: judged.map(({ order }) => order.id) } } });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const left = new Map(rows.map((row) => [row.id, unitsOf(row.refundedUnits)]));
  // The last one of an order leads to what its row says; each before it to what the next one began with.
  const drafts = judged.toReversed().flatMap(({ entry, order: { id } }) => {
    const order = byId.get(id);
    if (!order) return [];
    const after = left.get(id) ?? 0n;
    const before = after - entry.units;
    left.set(id, before);
    return [
      {
        order: { ...order, refundedUnits: decimalOf(after) },
        type: 'order.refunded' as const,
        uniqueKey: `${id}:order.refunded:${entry.txHash}:${entry.logIndex}`,
        previous: { amount_refunded: formatUnits(before, order.decimals) },
      },
    ];
  });
  await writeOrderEvents(ctx, tx, drafts.toReversed());
}
