// When the checkout of an order was first opened: written once, and only while the order can be paid.
import type { Ctx } from '../../context.ts';
import { orderRow } from './views.ts';

/** @throws AppError `resource_missing` */
export async function noteOpened(ctx: Ctx, id: string): Promise<void> {
  const { openedAt } = await orderRow(ctx, id);
  if (openedAt !== null) return;
  const now = ctx.clock.now();
  await ctx.db.order.updateMany({
    where: {
      id,
      openedAt: null,
      status: { in: ['awaiting_payment', 'processing'] },
      deadline: { gte: BigInt(Math.floor(now / 1_000)) },
    },
    data: { openedAt: new Date(now) },
  });
}
