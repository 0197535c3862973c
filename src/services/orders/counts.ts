// How many orders of a workspace have each status, up to a bound: a tab of the dashboard needs no more.
import type { Ctx } from '../../context.ts';
import type { OrderStatus } from '../../domain/order.ts';
import { type Mode, usualMode } from '../chains.ts';

/** `has_more`: there are at least so many; the rest was not counted. */
export type OrderCounts = Record<OrderStatus, { count: number; has_more: boolean }>;

export const MOST_ORDERS_COUNTED = 1_000;
const STATUSES: OrderStatus[] = ['awaiting_payment', 'processing', 'completed', 'expired', 'cancelled'];

export async function countOrders(ctx: Ctx, workspaceId: string, mode: Mode = usualMode(ctx)): Promise<OrderCounts> {
  const livemode = mode === 'live';
  const most = MOST_ORDERS_COUNTED;
  const rows = await ctx.db.$queryRaw<{ status: OrderStatus; count: number }[]>`
    select s.status, c.count::int as count
    from unnest(${STATUSES}::text[]) as s (status)
      cross join lateral (
        select count(*) as count from (
          select from payment_order o
          where o.handle_id = ${workspaceId} and o.livemode = ${livemode} and o.status = s.status limit ${most + 1}
        ) found
      ) c`;
  return Object.fromEntries(
    rows.map(({ status, count }) => [status, { count: Math.min(count, most), has_more: count > most }]),
  ) as OrderCounts;
}
