// Plans, subscriptions and charges as a workspace's programs read them, in the mode of their key.
import type { Ctx } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { isId } from '../../domain/ids.ts';
import { readCursor, writeCursor } from '../pagination.ts';
import type { WorkspaceReader } from '../workspaces/workspaces.ts';
import { planRow } from './plans.ts';
import { addressEqual } from './subscriberWallets.ts';
import {
  type ChargeView,
  chargeViewOf,
  type Plan,
  type PlanView,
  type SubscriptionView,
  viewPlan,
  viewPlans,
  viewSubscriptions,
} from './views.ts';

export type ReadPage<T> = { data: T[]; nextCursor: string | null };
type Paging = { limit: number; cursor?: string | undefined };

/** What a reader's key sees: its workspace's, of its mode. */
function ownedBy({ workspaceId: handleId, livemode }: WorkspaceReader) {
  return { handleId, ...(livemode === undefined ? {} : { livemode }) };
}

function pageOf<R extends { id: string }>(rows: R[], limit: number): { page: R[]; nextCursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { page, nextCursor: rows.length > limit && last ? writeCursor(last.id) : null };
}

/** The newest first. @throws AppError `parameter_invalid` for a cursor that is not ours */
export async function readPlans(
  ctx: Ctx,
  reader: WorkspaceReader,
  { limit, cursor, status, chain }: Paging & { status?: string | undefined; chain?: string | undefined },
): Promise<ReadPage<PlanView>> {
  const rows = await ctx.db.plan.findMany({
    where: {
      ...ownedBy(reader),
      status: status ?? { not: 'dropped' },
      ...(chain === undefined ? {} : { chain }),
      ...(cursor === undefined ? {} : { id: { lt: readCursor('plan', cursor) } }),
    },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const { page, nextCursor } = pageOf(rows, limit);
  return { data: await viewPlans(ctx, ctx.db, page), nextCursor };
}

/** @throws AppError `resource_missing` */
export async function readPlanOf(ctx: Ctx, reader: WorkspaceReader, id: string): Promise<PlanView> {
  return viewPlan(ctx, ctx.db, await ownPlan(ctx, reader, id));
}

async function ownPlan(ctx: Ctx, reader: WorkspaceReader, id: string): Promise<Plan> {
  const row = await planRow(ctx, id);
  const isOwn = row.handleId === reader.workspaceId && (reader.livemode ?? row.livemode) === row.livemode;
  if (!isOwn) throw new AppError('resource_missing', 'No such plan. Check the ID.');
  return row;
}

export type SubscriptionFilter = {
  plan?: string | undefined;
  status?: string | undefined;
  /** An address, or a handle with or without its @. */
  subscriber?: string | undefined;
};

/** Subscriptions to the workspace's plans, the newest first. @throws AppError `resource_missing` for a plan that is not its own, `parameter_invalid` */
export async function readSubscriptions(
  ctx: Ctx,
  reader: WorkspaceReader,
  { plan, status, subscriber, limit, cursor }: Paging & SubscriptionFilter,
): Promise<ReadPage<SubscriptionView>> {
  const ofPlan = plan === undefined ? {} : { planId: (await ownPlan(ctx, reader, plan)).id };
  const ofSubscriber = subscriber === undefined ? {} : { subscriber: await walletNamed(ctx, subscriber) };
  const rows = await ctx.db.subscription.findMany({
    where: {
      plan: ownedBy(reader),
      ...ofPlan,
      ...ofSubscriber,
      status: status ?? { not: 'reverted' },
      ...(cursor === undefined ? {} : { id: { lt: readCursor('sub', cursor) } }),
    },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const { page, nextCursor } = pageOf(rows, limit);
  return { data: await viewSubscriptions(ctx.db, page), nextCursor };
}

async function walletNamed(ctx: Ctx, text: string) {
  const equal = addressEqual(text);
  if (equal) return equal;
  const slug = text.replace(/^@/, '').toLowerCase();
  const wallets = await ctx.db.wallet.findMany({ where: { handle: { slug } }, select: { address: true } });
  return { in: wallets.map(({ address }) => address) };
}

async function ownSubscription(ctx: Ctx, reader: WorkspaceReader, id: string) {
  const row = isId('sub', id)
    ? await ctx.db.subscription.findFirst({
        where: { id, plan: ownedBy(reader), status: { not: 'reverted' } },
        include: { plan: true },
      })
    : null;
  if (!row) throw new AppError('resource_missing', 'No such subscription. Check the ID.');
  return row;
}

/** @throws AppError `resource_missing` */
export async function readSubscriptionOf(ctx: Ctx, reader: WorkspaceReader, id: string): Promise<SubscriptionView> {
  const { plan: _, ...row } = await ownSubscription(ctx, reader, id);
  const [view] = await viewSubscriptions(ctx.db, [row]);
  if (!view) throw new Error('every row has its view');
  return view;
}

/** Charges of a subscription, the newest first. @throws AppError `resource_missing`, `parameter_invalid` */
export async function readCharges(
  ctx: Ctx,
  reader: WorkspaceReader,
  id: string,
  paging: Paging,
): Promise<ReadPage<ChargeView>> {
  const { plan } = await ownSubscription(ctx, reader, id);
  return chargesOf(ctx, id, plan, paging);
}

/** The same for anyone who may see the subscription. */
export async function chargesOf(
  ctx: Ctx,
  subscriptionId: string,
  plan: Pick<Plan, 'decimals'>,
  { limit, cursor }: Paging,
): Promise<ReadPage<ChargeView>> {
  const rows = await ctx.db.subscriptionLog.findMany({
    where: { subscriptionId, number: { lt: cursor === undefined ? 2_147_483_647 : numberOf(cursor) } },
    orderBy: { number: 'desc' },
    take: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const nextCursor = rows.length > limit && last ? String(last.number) : null;
  return { data: page.map((log) => chargeViewOf(ctx, log, plan)), nextCursor };
}

function numberOf(cursor: string): number {
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor);
  throw new AppError('parameter_invalid', 'Invalid cursor. Pass the next_cursor of the previous page.', {
    param: 'cursor',
  });
}
