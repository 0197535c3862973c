// A workspace's orders as its dashboard lists them: searched, filtered, newest first, a page at a time.
import type { Ctx } from '../../context.ts';
import { type Row, sqlList, sqlPart } from '../../db.ts';
import { addDays, startOfDay } from '../../domain/days.ts';
import type { OrderStatus } from '../../domain/order.ts';
import { type Mode, usualMode } from '../chains.ts';
import { readCursor, writeCursor } from '../pagination.ts';
import { idsIn, type Period, within } from '../period.ts';

export type OrderFilters = {
  /** An id, a transaction, an address that paid, an amount; or part of the description, of a value of the metadata, of a link's label. */
  q?: string | undefined;
  /** `attention`: money arrived for it that was not credited and still has to be accepted or sent back. */
  status?: OrderStatus | 'attention' | undefined;
  chain?: string | undefined;
  currency?: string | undefined;
  livemode?: boolean | undefined;
  link?: string | undefined;
  created?: Period | undefined;
  /** Each of these keys with this value. */
  metadata?: Record<string, string> | undefined;
};

/** As the dashboard asks: days in `tz`, `YYYY-MM-DD`, both included. */
export type DashboardFilters = Omit<OrderFilters, 'livemode' | 'created' | 'metadata'> & {
  mode?: Mode | undefined;
  from?: string | undefined;
  to?: string | undefined;
  tz?: string | undefined;
};

export function filtersOf(
  ctx: Ctx,
  { mode = usualMode(ctx), from, to, tz = 'UTC', ...same }: DashboardFilters,
): OrderFilters {
  const since = from === undefined ? undefined : startOfDay(from, tz);
  const before = to === undefined ? undefined : startOfDay(addDays(to, 1), tz);
  return { ...same, livemode: mode === 'live', created: { from: since, before } };
}

export type FoundOrder = Row<'Order'> & { link: Row<'PaymentLink'> | null };
export type OrderPage = { orders: FoundOrder[]; nextCursor: string | null };
type Paging = { limit: number; cursor?: string | undefined };

/** The newest orders first. @throws AppError `parameter_invalid` for a cursor that is not ours */
export async function searchOrders(
  ctx: Ctx,
  workspaceId: string,
  filters: OrderFilters,
  { limit, cursor }: Paging,
): Promise<OrderPage> {
  const below = cursor === undefined ? null : readCursor('ord', cursor);
  const ids = await findIds(ctx, workspaceId, filters, limit + 1, below);
  const page = ids.slice(0, limit);
  const rows = await ctx.db.order.findMany({
    where: { id: { in: page } },
    include: { link: true },
    orderBy: { id: 'desc' },
  });
  const last = page.at(-1);
  return { orders: rows, nextCursor: ids.length > limit && last ? writeCursor(last) : null };
}

/** Ids sort by time, so a page goes on below the last one, whatever was inserted above it meanwhile. */
async function findIds(
  ctx: Ctx,
  workspaceId: string,
  { livemode, status, chain, currency, link, metadata, q, created = {} }: OrderFilters,
  limit: number,
  below: string | null,
): Promise<string[]> {
  const { first, behind } = idsIn('ord', created);
  const when = within(created);
  // The statement contains only the requested filters: PostgreSQL plans each combination on its own.
  const conditions = [
    sqlPart`o.handle_id = ${workspaceId}`,
    livemode === undefined ? null : sqlPart`o.livemode = ${livemode}`,
    below === null ? null : sqlPart`o.id < ${below}`,
    first === null ? null : sqlPart`o.id >= ${first}`,
    behind === null ? null : sqlPart`o.id < ${behind}`,
    when.gte === undefined ? null : sqlPart`o.created_at >= ${when.gte}`,
    when.lt === undefined ? null : sqlPart`o.created_at < ${when.lt}`,
    status === undefined ? null : status === 'attention' ? unsettled(ctx) : sqlPart`o.status = ${status}`,
    chain === undefined ? null : sqlPart`o.chain = ${chain}`,
    currency === undefined ? null : sqlPart`o.currency = ${currency}`,
    link === undefined ? null : sqlPart`o.link_id = ${link}`,
    metadata === undefined ? null : sqlPart`o.metadata @> ${JSON.stringify(metadata)}::jsonb`,
    q === undefined ? null : says(q),
  ].filter((one) => one !== null);
  const rows = await ctx.db.$queryRaw<{ id: string }[]>`
    select o.id from payment_order o where ${sqlList(conditions, ' and ')} order by o.id desc limit ${limit}`;
  return rows.map(({ id }) => id);
}

const AMOUNT = /^\d{1,30}(\.\d{1,18})?$/;

function says(q: string) {
  const like = `%${q.replace(/[\\%_]/g, '\\$&')}%`;
  const amount = AMOUNT.test(q) ? q : null;
  return sqlPart`(
    o.id = ${q} or lower(o.tx_hash) = lower(${q}) or lower(o.payer) = lower(${q}) or lower(o.deposit_address) = lower(${q})
    or o.description ilike ${like} or o.client_reference_id ilike ${like}
    or o.units = ${amount}::numeric * (10::numeric ^ o.decimals)
    or exists (select 1 from jsonb_each_text(o.metadata) as entry where entry.value ilike ${like})
    or exists (select 1 from payment_link l where l.id = o.link_id and l.label ilike ${like})
    or exists (select 1 from order_log g where g.order_id = o.id and (g.tx_hash = lower(${q}) or lower(g.from_address) = lower(${q}))))`;
}

/** For how many days a payment that reached the merchant's wallet but not the order is shown: we cannot know whether the merchant keeps it. */
const POINTED_AT_DAYS = 30;

/**
 * Of an order `o`: its payee was paid in a way that does not count and has not sent that back, or more arrived at the order's own address than was
 * moved from there. A payment that names the order and pays another wallet is not counted.
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
