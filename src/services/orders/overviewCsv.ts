// The money of an overview as a file: a line for each part of the period and each currency, so that their sums are the overview's figures.
import type { Ctx } from '../../context.ts';
import { type CsvCell, csvLine } from '../../domain/csv.ts';
import type { OverviewPeriod } from '../../domain/overview.ts';
import { type OverviewQuery, readOverviewMoney } from './overview.ts';

const COLUMNS = 'start,end,currency,gross,fees,refunds,net,payments,refund_count,mode';

/** Moments are ISO 8601 in UTC, the end is not included. @throws AppError `parameter_invalid` before the first line, for days that make no period */
export async function overviewCsv(
  ctx: Ctx,
  workspaceId: string,
  query: OverviewQuery,
): Promise<{ period: OverviewPeriod; lines: AsyncIterable<string> }> {
  const { period, currencies } = await readOverviewMoney(ctx, workspaceId, query);
  const ends = [...period.parts.slice(1), period.end];
  const cells = period.parts.flatMap((start, part) =>
    currencies.map(({ currency, parts }) => {
      const money = parts[part];
      if (!money) throw new Error('each currency has all parts');
      const { gross, fees, refunds, net, payments, refunded } = money;
      const [from, to] = [start, ends[part] ?? period.end].map((at) => new Date(at).toISOString());
      const figures = [gross, fees, refunds, net, String(payments), String(refunded)].map((figure) => ({ figure }));
      return [from ?? '', to ?? '', currency, ...figures, query.mode];
    }),
  );
  return { period, lines: linesOf([COLUMNS.split(','), ...cells]) };
}

async function* linesOf(rows: CsvCell[][]): AsyncGenerator<string> {
  for (const row of rows) yield csvLine(row);
}
