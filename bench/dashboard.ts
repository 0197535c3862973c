// A merchant's dashboard over a year of a busy shop: how long the service takes for the overview, each period against one bare sum of the same
// rows, and for the API log.
import type { Stack } from '../local/stack/stack.ts';
import { createContext } from '../src/context.ts';
import { readEnv } from '../src/env.ts';
import { readOverview, readPeriod } from '../src/services/orders/overview.ts';
import { insertOrders } from './dashboardRows.ts';
import type { Row } from './main.ts';
import { insertRequests, measureRequestLog } from './requestLogRows.ts';

const ORDERS = 50_000;
const ROUNDS = 7;
const GOAL_MS = 300;
const TZ = 'Europe/Berlin';
const PERIODS = ['today', '7d', '30d', '12m'] as const;

export async function measureDashboard(stack: Stack): Promise<Row[]> {
  const ctx = await createContext(readEnv({ ...stack.processEnv, LOG_LEVEL: 'silent' }), 'bench', { queueNames: [] });
  try {
    const { id } = await ctx.db.handle.findUniqueOrThrow({ where: { slug: 'shop' } });
    await insertOrders(ctx.db, { handleId: id, count: ORDERS, now: ctx.clock.now() });
    const rows: Row[] = [];
    for (const period of PERIODS) {
      const { before, end } = readPeriod(ctx, { period, tz: TZ });
      const figures = { ours: [] as number[], bare: [] as number[] };
      // In turns, so that a machine that slows down slows both. The first round fills caches.
      for (let round = 0; round <= ROUNDS; round++) {
        const bare = await timeOf(
          () => ctx.db.$queryRaw`
            select currency, sum(units)::text as units, count(*)::int as count from payment_order
            where handle_id = ${id} and not livemode
              and created_at >= ${new Date(before.start)}::timestamptz and created_at < ${new Date(end)}::timestamptz
            group by 1`,
        );
        const ours = await timeOf(() => readOverview(ctx, id, { period, tz: TZ, mode: 'test' }));
        if (round > 0)
          [figures.ours, figures.bare] = [
            [...figures.ours, ours],
            [...figures.bare, bare],
          ];
      }
      const [value, baseline] = [middle(figures.ours), middle(figures.bare)];
      rows.push({
        name: `overview of ${period}, ${ORDERS.toLocaleString('en')} orders`,
        value: Math.round(value),
        unit: 'ms',
        baseline: Math.round(baseline),
        ratio: Math.round((value / baseline) * 10) / 10,
        note: `goal ${GOAL_MS}, at most ${Math.round(Math.max(...figures.ours))}; baseline: one sum of these orders and those of the period before`,
      });
    }
    await insertRequests(ctx, { handleId: id });
    return [...rows, ...(await measureRequestLog(ctx, id))];
  } finally {
    await ctx.shutdown.close();
  }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function middle(figures: number[]): number {
  return [...figures].sort((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN;
}
