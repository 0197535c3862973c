// Notices that an allowance runs low: after a charge, where it covers fewer than two more periods of what the wallet subscribes to.
import type { Chain } from '../../chain/chain.ts';
import { chargeStates } from '../../chain/charges.ts';
import { allowancesOf } from '../../chain/plans.ts';
import type { Ctx } from '../../context.ts';
import { LOW_ALLOWANCE_PERIODS } from '../../domain/subscription.ts';
import { NOTHING, type Write } from '../outgoing/kinds.ts';
import type { DueRow } from './chargeRows.ts';
import { notifySubscribers } from './notices.ts';
import { unitsOf } from './views.ts';

/** Reads what the wallets of charged subscriptions still allow. @returns what is written: the marks and the notices */
export async function notifyLowAllowances(ctx: Ctx, chain: Chain, charged: readonly DueRow[]): Promise<Write> {
  const states = await chargeStates(chain, charged);
  // Permit2’s allowance has an end of its own, which the wallet has seen.
  const rows = charged.filter((_, index) => states[index]?.viaPermit2 === false);
  if (rows.length === 0) return NOTHING;
  const subscribers = [...new Set(rows.map(({ subscriber }) => subscriber))];
  const allowances = await allowancesOf(chain, subscribers);
  const needs = await periodSums(ctx, chain, subscribers);
  const isLow = (subscriber: string) =>
    (allowances.get(subscriber) ?? 0n) < (needs.get(subscriber) ?? 0n) * BigInt(LOW_ALLOWANCE_PERIODS);
  const low = rows.filter(({ subscriber }) => isLow(subscriber)).map(({ id }) => id);
  const enough = rows.filter(({ subscriber }) => !isLow(subscriber)).map(({ id }) => id);
  return async (tx) => {
    await tx.subscription.updateMany({
      where: { id: { in: enough }, lowNotifiedAt: { not: null } },
      data: { lowNotifiedAt: null },
    });
    if (low.length === 0) return;
    const marked = await tx.subscription.updateManyAndReturn({
      where: { id: { in: low }, lowNotifiedAt: null, status: 'active' },
      data: { lowNotifiedAt: new Date(ctx.clock.now()) },
      select: { id: true, subscriber: true },
    });
    await notifySubscribers(
      ctx,
      tx,
      marked.map((row) => ({ row, chain: chain.name, kind: 'subscription_low' })),
    );
  };
}

/** What each wallet gives in one period of each of its subscriptions: the allowance is one for all of them. */
async function periodSums(ctx: Ctx, chain: Chain, subscribers: string[]): Promise<Map<string, bigint>> {
  const sums = await ctx.db.$queryRaw<{ subscriber: string; units: { toFixed(places: number): string } }[]>`
    select s.subscriber, sum(p.units) as units from subscription s join plan p on p.id = s.plan_id
    where s.chain = ${chain.name} and s.status = 'active' and s.subscriber = any(${subscribers})
    group by s.subscriber`;
  return new Map(sums.map(({ subscriber, units }) => [subscriber, unitsOf(units)]));
}
