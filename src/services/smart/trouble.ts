// What operators have to know of smart payments: routes on which nothing arrives, and legs without an end.
import type { ReadCtx } from '../../context.ts';
import { BRIDGE_FAILURE, type BridgeName, LEG_SLOW_MS, LEG_STUCK_MS } from '../../domain/smartLeg.ts';

/** Legs that are listed at most. */
const MOST_STUCK = 100;
/** A failure is an operator's matter for so long. */
const FAILED_KEPT_MS = 7 * 24 * 3_600_000;

export type SlowRoute = { via: BridgeName; origin: string; destination: string; count: number; oldestMs: number };

/** Routes whose bridge has the money of a payer for long, and still has time to deliver. */
export async function listSlowRoutes(ctx: ReadCtx): Promise<SlowRoute[]> {
  const now = new Date(ctx.clock.now());
  const before = new Date(ctx.clock.now() - LEG_SLOW_MS);
  const rows = await ctx.db.$queryRaw<
    { via: BridgeName; origin: string; destination: string; count: number; oldest: Date }[]
  >`
    select l.via, l.chain as origin, p.chain as destination, count(*)::int as count, min(l.sent_at) as oldest
    from smart_leg l join smart_payment p on p.id = l.payment_id
    where l.status in ('sent', 'bridging') and l.via <> 'direct' and l.sent_at < ${before} and l.deadline > ${now}
    group by l.via, l.chain, p.chain order by min(l.sent_at)`;
  return rows.map(({ oldest, ...route }) => ({ ...route, oldestMs: ctx.clock.now() - oldest.getTime() }));
}

export type StuckLeg = {
  id: string;
  paymentId: string;
  via: string;
  requestId: string;
  chain: string;
  hasFailed: boolean;
};

/** Money that left a wallet and neither arrived nor came back long after its deadline, or that its bridge gave up. */
export async function listStuckLegs(ctx: ReadCtx): Promise<StuckLeg[]> {
  const deadline = { lt: new Date(ctx.clock.now() - LEG_STUCK_MS) };
  const endedAt = { gt: new Date(ctx.clock.now() - FAILED_KEPT_MS) };
  const legs = await ctx.db.smartLeg.findMany({
    where: {
      OR: [
        { status: { in: ['sent', 'bridging'] }, deadline },
        { status: 'failed', reason: BRIDGE_FAILURE, endedAt },
      ],
    },
    select: { id: true, paymentId: true, via: true, requestId: true, chain: true, status: true },
    orderBy: { id: 'asc' },
    take: MOST_STUCK,
  });
  return legs.map(({ status, ...leg }) => ({ ...leg, hasFailed: status === 'failed' }));
}
