// Notices about a new price: to the subscribers of a plan that another one has replaced, page by page.
import type { Ctx } from '../../context.ts';
import { notifySubscribers } from './notices.ts';

const PAGE = 200;

/** @returns how many subscribers were looked at */
export async function notifyNewPrices(ctx: Ctx): Promise<number> {
  const plan = await ctx.db.plan.findFirst({
    where: { replacedById: { not: null }, newPriceNotified: false },
    orderBy: { id: 'asc' },
  });
  if (!plan) return 0;
  const count = await ctx.db.$transaction(async (tx) => {
    const rows = await tx.subscription.findMany({
      where: { planId: plan.id, status: 'active', newPriceNotifiedAt: null },
      orderBy: { id: 'asc' },
      take: PAGE,
    });
    await notifySubscribers(
      ctx,
      tx,
      rows.map((row) => ({ row, chain: plan.chain, kind: 'subscription_price' as const })),
    );
    await tx.subscription.updateMany({
      where: { id: { in: rows.map(({ id }) => id) } },
      data: { newPriceNotifiedAt: new Date(ctx.clock.now()) },
    });
    if (rows.length < PAGE) await tx.plan.update({ where: { id: plan.id }, data: { newPriceNotified: true } });
    return rows.length;
  });
  await ctx.queues.flush(ctx.db);
  return Math.max(count, 1);
}
