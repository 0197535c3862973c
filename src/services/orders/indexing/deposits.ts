// Transfers to orders' own addresses on chains whose feed does not have them: an address whose balance is not what our rows say is read.
import type { Chain } from '../../../chain/chain.ts';
import { readDeposits, readsDeposits } from '../../../chain/orderEvents.ts';
import { assetBalances } from '../../../chain/senders.ts';
import type { Ctx } from '../../../context.ts';
import type { Row } from '../../../db.ts';
import { applyOrderLogs } from './applyLogs.ts';
import { watchedOrders } from './feed.ts';

/** Orders whose balances are read at once. */
const PAGE = 200;

/**
 * One round over all addresses that were handed out, or over those of orders that have not ended: what final transactions sent there becomes rows.
 * @throws AppError `provider_unavailable`
 */
export async function noteDeposits(ctx: Ctx, chain: Chain, { ended }: { ended: boolean }): Promise<void> {
  if (!readsDeposits(chain)) return;
  const where = { ...watchedOrders(ctx, chain), ...(ended ? {} : { endedAt: null }) };
  for (let last: string | undefined = ''; last !== undefined && !ctx.shutdown.closing(); ) {
    const orders: Row<'Order'>[] = await ctx.db.order.findMany({
      where: { ...where, id: { gt: last } },
      orderBy: { id: 'asc' },
      take: PAGE,
    });
    await readChanged(ctx, chain, orders);
    last = orders.length === PAGE ? orders.at(-1)?.id : undefined;
  }
}

async function readChanged(ctx: Ctx, chain: Chain, orders: readonly Row<'Order'>[]): Promise<void> {
  const balances = await assetBalances(
    chain,
    orders.map(({ depositAddress }) => ({ token: chain.usdc, owner: depositAddress ?? '' })),
  );
  const known = await knownBalances(ctx, orders);
  for (const [index, order] of orders.entries())
    if (balances[index] !== (known.get(order.id) ?? 0n)) await readAddress(ctx, chain, order);
}

/** What lies at each order's address by our rows. */
async function knownBalances(ctx: Ctx, orders: readonly Row<'Order'>[]): Promise<Map<string, bigint>> {
  if (orders.length === 0) return new Map();
  const rows = await ctx.db.$queryRaw<{ id: string; units: string }[]>`
    select l.order_id as id, sum(case when l.kind = 'deposit' then l.units
      when l.kind = 'deposit_moved' or (l.kind = 'settled' and l.from_address = o.deposit_address) then -l.units else 0 end)::text as units
    from order_log l join payment_order o on o.id = l.order_id
    where l.order_id = any(${orders.map(({ id }) => id)}::text[]) group by l.order_id`;
  return new Map(rows.map(({ id, units }) => [id, BigInt(units)]));
}

async function readAddress(ctx: Ctx, chain: Chain, order: Row<'Order'>): Promise<void> {
  const stored = await ctx.db.orderLog.findMany({
    where: { orderId: order.id, kind: 'deposit' },
    select: { txHash: true },
  });
  const known = new Set(stored.map(({ txHash }) => txHash));
  const entries = await readDeposits(chain, order.depositAddress ?? '', known, ctx.clock.now());
  if (entries.length === 0) return;
  await ctx.db.$transaction((tx) => applyOrderLogs(ctx, tx, chain, entries));
  await ctx.queues.flush(ctx.db);
}
