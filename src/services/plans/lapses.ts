// Subscriptions that the chain reads as halted because they stayed unpaid for three periods: it emits nothing, so the chain's state is read.
import type { Chain } from '../../chain/chain.ts';
import { chargeStates } from '../../chain/charges.ts';
import type { Ctx } from '../../context.ts';
import { LAPSES_AFTER_PERIODS, lapsesAt } from '../../domain/subscription.ts';
import { writeEvents } from '../events.ts';
import { transition } from '../transitions.ts';
import { notifySubscribers } from './notices.ts';
import { namesOf, subscriptionViewOf } from './views.ts';

const PAGE = 200;

/** Halts what lapsed on a chain. @returns how many @throws AppError `provider_unavailable` */
export async function haltLapsed(ctx: Ctx, chain: Chain): Promise<number> {
  const now = new Date(ctx.clock.now());
  const found = await ctx.db.$queryRaw<{ id: string }[]>`
    select s.id from subscription s join plan p on p.id = s.plan_id
    where s.chain = ${chain.name} and s.status = 'active'
      and s.next_charge_at + make_interval(secs => p.period_s * ${LAPSES_AFTER_PERIODS}) <= ${now}
    order by s.next_charge_at limit ${PAGE}`;
  if (found.length === 0) return 0;
  const rows = await ctx.db.subscription.findMany({
    where: { id: { in: found.map(({ id }) => id) } },
    include: { plan: true },
  });
  const states = await chargeStates(chain, rows);
  const lapsed = rows.filter((_, index) => states[index]?.state === 'halted');
  await ctx.db.$transaction(async (tx) => {
    const moves = lapsed.map((row) => ({
      id: row.id,
      action: 'halt' as const,
      from: 'active',
      patch: { haltReason: 'lapsed', endedAt: new Date(lapsesAt(row.nextChargeAt, row.plan.periodS)) },
    }));
    const moved = await transition(ctx, tx, 'subscription', moves);
    const ended = lapsed.filter(({ id }) => moved.has(id));
    const names = await namesOf(
      tx,
      ended,
      ended.map(({ plan }) => plan),
    );
    const drafts = ended.flatMap(({ plan, ...row }) => {
      if (plan.handleId === null) return [];
      const patch = moves.find(({ id }) => id === row.id)?.patch;
      const subscription = subscriptionViewOf({ ...row, status: 'halted', ...patch }, plan, names);
      return {
        handleId: plan.handleId,
        livemode: plan.livemode,
        type: 'subscription.halted' as const,
        resourceId: row.id,
        uniqueKey: `${row.id}:halted`,
        object: { subscription },
        previous: { status: 'active' },
      };
    });
    await writeEvents(ctx, tx, drafts);
    await notifySubscribers(
      ctx,
      tx,
      ended.map((row) => ({ row, chain: chain.name, kind: 'subscription_halted' })),
    );
  });
  await ctx.queues.flush(ctx.db);
  return lapsed.length;
}
