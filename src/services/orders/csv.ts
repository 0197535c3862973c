// A workspace's orders as a file, in pieces that are read as they are taken.
import type { Ctx } from '../../context.ts';
import { csvLine } from '../../domain/csv.ts';
import { formatUnits } from '../../domain/money.ts';
import { type FoundOrder, type OrderFilters, type OrderPage, searchOrders } from './search.ts';
import { unitsOf, viewOrders } from './views.ts';

const PAGE = 500;
/** A file has at most this many lines; more orders are exported year by year with the filters. */
const MOST = 100_000;
const COLUMNS =
  'created,id,status,amount,currency,chain,fee,payout,received,refunded,description,recipient,payer,transaction,completed,origin,link,link_label,mode,metadata,reference';

export async function* orderCsv(ctx: Ctx, workspaceId: string, filters: OrderFilters): AsyncGenerator<string> {
  yield csvLine(COLUMNS.split(','));
  let cursor: string | undefined;
  for (let lines = 0; lines < MOST; lines += PAGE) {
    const page: OrderPage = await searchOrders(ctx, workspaceId, filters, { limit: PAGE, cursor });
    if (page.orders.length > 0) yield (await cellsOf(ctx, page.orders)).map(csvLine).join('');
    if (page.nextCursor === null) return;
    cursor = page.nextCursor;
  }
}

async function cellsOf(ctx: Ctx, rows: FoundOrder[]): Promise<string[][]> {
  const views = await viewOrders(ctx, ctx.db, rows);
  return views.map((view, index) => {
    const row = rows[index] as FoundOrder;
    const fee = unitsOf(row.feeUnits);
    return [
      view.created_at,
      view.id,
      view.status,
      view.amount,
      view.currency,
      view.chain,
      formatUnits(fee, row.decimals),
      formatUnits(unitsOf(row.units) - fee, row.decimals),
      view.amount_received,
      view.amount_refunded,
      view.description ?? '',
      // A name that begins with @ would be taken for a formula: the file has it without.
      view.recipient.slice(1),
      view.payer ?? '',
      view.txHash ?? '',
      view.completed_at ?? '',
      row.origin,
      view.payment_link ?? '',
      row.link?.label ?? '',
      view.livemode ? 'live' : 'test',
      JSON.stringify(view.metadata),
      view.client_reference_id ?? '',
    ];
  });
}
