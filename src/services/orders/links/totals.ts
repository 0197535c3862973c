// What payment links have brought in: how many orders began with each, how many of them were paid, and how much that was.
import type { Ctx } from '../../../context.ts';
import { sqlList } from '../../../db.ts';
import { chainLabel } from '../../../domain/chains.ts';
import { formatUnits } from '../../../domain/money.ts';
import type { PaymentLinkView } from './views.ts';

/** `paid_amount` in the link's currency, before refunds. */
export type LinkTotals = { orders: number; paid: number; paid_amount: string; last_paid_at: string | null };
export type MerchantLink = PaymentLinkView & { chain_label: string; totals: LinkTotals };

type Row = { link_id: string; orders: number; paid: number; units: string; decimals: number; last: Date | null };
const NONE: LinkTotals = { orders: 0, paid: 0, paid_amount: '0.00', last_paid_at: null };

export async function withTotals(ctx: Ctx, links: PaymentLinkView[]): Promise<MerchantLink[]> {
  const ids = links.map(({ id }) => id);
  // A link has one currency on one chain, so all of its orders have the same decimals.
  const rows =
    ids.length === 0
      ? []
      : await ctx.db.$queryRaw<Row[]>`
          select link_id, count(*)::int as orders, count(*) filter (where status = 'completed')::int as paid, max(decimals)::int as decimals,
            coalesce(sum(units) filter (where status = 'completed'), 0)::text as units,
            max(ended_at) filter (where status = 'completed') as last
          from payment_order where link_id in (${sqlList(ids)}) group by link_id`;
  const byId = new Map(rows.map((row) => [row.link_id, row]));
  return links.map((link) => {
    const row = byId.get(link.id);
    const totals = row
      ? {
          orders: row.orders,
          paid: row.paid,
          paid_amount: formatUnits(BigInt(row.units), row.decimals),
          last_paid_at: row.last?.toISOString() ?? null,
        }
      : NONE;
    return { ...link, chain_label: chainLabel(link.chain), totals };
  });
}
