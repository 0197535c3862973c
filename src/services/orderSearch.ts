// A workspace's orders as its dashboard lists them: searched, filtered, newest first, a page at a time.
import type { Ctx } from '../context.ts';
import { type Row, sqlList, sqlPart } from '../db.ts';
import { addDays, startOfDay } from '../domain/days.ts';
import type { OrderStatus } from '../domain/order.ts';
import { readCursor, writeCursor } from './cursor.ts';

export type OrderFilters = {
  /** An id, a transaction, an address that paid, an amount; or part of the description, of a value of the metadata, of a link's label. */
  q?: string | undefined;
  /** `attention`: money arrived for it that was not credited and still has to be accepted or sent back. */
  status?: OrderStatus | 'attention' | undefined;
  chain?: string | undefined;
  currency?: string | undefined;
  mode?: 'test' | 'live' | undefined;
  link?: string | undefined;
  /** Days in `tz`, `YYYY-MM-DD`, both included. */
  from?: string | undefined;
  to?: string | undefined;
  tz?: string | undefined;
};

export type FoundOrder = Row<'Order'> & { link: Row<'PaymentLink'> | null };
export type OrderPage = { orders: FoundOrder[]; nextCursor: string | null };

/** The newest orders first. @throws AppError `parameter_invalid` for a cursor that is not ours */
export async function searchOrders(
  ctx: Ctx,
  workspaceId: string,
  filters: OrderFilters,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<OrderPage> {
  const ids = await findIds(
    ctx,
    workspaceId,
    filters,
    limit + 1,
    cursor === undefined ? null : readCursor('ord', cursor),
  );
  const page = ids.slice(0, limit);
  const rows = await ctx.db.order.findMany({
    where: { id: { in: page } },
    include: { link: true },
    orderBy: { id: 'desc' },
  });
  const last = page.at(-1);
  return { orders: rows, nextCursor: ids.length > limit && last ? writeCursor(last) : null };
}

const AMOUNT = /^\d{1,30}(\.\d{1,18})?$/;

/** Ids sort by time, so a page goes on below the last one, whatever was inserted above it meanwhile. */
async function findIds(
  ctx: Ctx,
  workspaceId: string,
  { mode, from, to, tz = 'UTC', ...filters }: OrderFilters,
  limit: number,
  below: string | null,
): Promise<string[]> {
  const { q = null, status = null, chain = null, currency = null, link = null } = filters;
  const livemode = mode === undefined ? null : mode === 'live';
  const since = from === undefined ? null : new Date(startOfDay(from, tz));
  const until = to === undefined ? null : new Date(startOfDay(addDays(to, 1), tz));
  const like = q === null ? null : `%${q.replace(/[\\%_]/g, '\\$&')}%`;
  const amount = q !== null && AMOUNT.test(q) ? q : null;
  const rows = await ctx.db.$queryRaw<{ id: string }[]>`
    select o.id from payment_order o
    where o.handle_id = ${workspaceId}
      and (${livemode}::boolean is null or o.livemode = ${livemode}::boolean)
      and (${below}::text is null or o.id < ${below}::text)
      and (${status}::text is null or ${status} = 'attention' or o.status = ${status})
      and (${status}::text is distinct from 'attention' or ${unsettled(ctx)})
      and (${chain}::text is null or o.chain = ${chain})
      and (${currency}::text is null or o.currency = ${currency})
      and (${link}::text is null or o.link_id = ${link})
      and (${since}::timestamptz is null or o.created_at >= ${since}::timestamptz)
      and (${until}::timestamptz is null or o.created_at < ${until}::timestamptz)
      and (${like}::text is null
        or o.id = ${q} or lower(o.tx_hash) = lower(${q}) or lower(o.payer) = lower(${q}) or lower(o.deposit_address) = lower(${q})
        or o.description ilike ${like}
        or o.units = ${amount}::numeric * (10::numeric ^ o.decimals)
        or exists (select 1 from jsonb_each_text(o.metadata) as entry where entry.value ilike ${like})
        or exists (select 1 from payment_link l where l.id = o.link_id and l.label ilike ${like})
        or exists (select 1 from order_log g where g.order_id = o.id and (g.tx_hash = lower(${q}) or lower(g.from_address) = lower(${q}))))
    order by o.id desc limit ${limit}`;
  return rows.map(({ id }) => id);
}

/** How long a payment that reached the merchant's wallet but not the order is pointed at, in days: nobody can tell whether it is to be kept. */
const POINTED_AT_DAYS = 30;

/**
 * Of an order `o`: its payee was paid in a way that does not count and has not sent that back, or more arrived at the order's own address than was
 * moved from there. Whoever names the order and pays somebody else is no matter of this merchant's.
 */
function unsettled(ctx: Ctx) {
  const since = new Date(ctx.clock.now() - POINTED_AT_DAYS * 86_400_000);
  return sqlPart`(
    exists (select 1 from order_log g where g.order_id = o.id and g.kind = 'settled' and g.outcome <> 'credited'
      and lower(g.to_address) = lower(o.payee) and g.block_time > ${since}::timestamptz
      and g.units > (select coalesce(sum(r.units), 0) from order_log r where r.order_id = o.id and r.kind = 'refunded' and r.key = g.key))
    or (o.status not in ('awaiting_payment', 'processing') and o.deposit_address is not null and exists (
      select 1 from order_log g where g.order_id = o.id and (g.kind in ('deposit', 'deposit_moved')
        or (g.kind = 'settled' and lower(g.from_address) = lower(o.deposit_address)))
      group by g.token having sum(case g.kind when 'deposit' then g.units else -g.units end) > 0)))`;
}

/** Of these orders, those for which something arrived that the merchant still has to decide about. */
export async function findUnsettled(ctx: Ctx, ids: string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await ctx.db.$queryRaw<{ id: string }[]>`
    select o.id from payment_order o where o.id in (${sqlList(ids)}) and ${unsettled(ctx)}`;
  return new Set(rows.map(({ id }) => id));
}
