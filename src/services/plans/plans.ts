// A creator's plans: listed, found by key, and changed on the chain's word alone.

import { finalPlanState, ownCreate, planState } from '../../chain/plans.ts';
import { type Ctx, chainOf } from '../../context.ts';
import { CHAINS, type ChainName, chainLabel } from '../../domain/chains.ts';
import { AppError } from '../../domain/errors.ts';
import { isId } from '../../domain/ids.ts';
import { PLAN_STAGED_FOR_MS, type PlanStatus } from '../../domain/subscription.ts';
import type { SessionHandle } from '../accounts/sessions.ts';
import { record } from '../audit.ts';
import { wakeDeliveries } from '../events.ts';
import { lockKey } from '../locks.ts';
import { readCursor, writeCursor } from '../pagination.ts';
import { ANSWER_WITHIN_MS, pollWithin } from '../polling.ts';
import { transition } from '../transitions.ts';
import { confirmPlan, movePlan, pathTo } from './planMirror.ts';
import { applyWhenFinal, mismatch, proveTx } from './proof.ts';
import { callOf, type PlanWording, readWording, type StagedPlan, termsOf } from './staging.ts';
import { type Plan, type PlanView, type PublicPlan, publicPlan, viewPlan, viewPlans } from './views.ts';

type Patience = { waitMs?: number };
type Paging = { limit: number; cursor?: string | undefined };

/** Plans of a workspace, the newest first. @throws AppError `parameter_invalid` for a cursor that is not ours */
export async function listOwnPlans(
  ctx: Ctx,
  handleId: string,
  { limit, cursor, mode }: Paging & { mode?: 'test' | 'live' | undefined },
): Promise<{ plans: PlanView[]; nextCursor: string | null }> {
  const below = cursor === undefined ? {} : { id: { lt: readCursor('plan', cursor) } };
  const livemode = mode === undefined ? {} : { livemode: mode === 'live' };
  const rows = await ctx.db.plan.findMany({
    where: { handleId, status: { not: 'dropped' }, ...livemode, ...below },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    plans: await viewPlans(ctx, ctx.db, page),
    nextCursor: rows.length > limit && last ? writeCursor(last.id) : null,
  };
}

/** The plan of a key that the chain knows: none or one. For anyone. */
export async function findPlansByKey(ctx: Ctx, planKey: string): Promise<PublicPlan[]> {
  const rows = await ctx.db.plan.findMany({
    where: { planKey: planKey.toLowerCase(), status: { in: ['active', 'inactive'] } },
  });
  return (await viewPlans(ctx, ctx.db, rows)).map(publicPlan);
}

/** @throws AppError `resource_missing`, also for a plan that was never created */
export async function planRow(ctx: Ctx, id: string): Promise<Plan> {
  const row = isId('plan', id) ? await ctx.db.plan.findUnique({ where: { id } }) : null;
  if (!row || row.status === 'dropped') throw new AppError('resource_missing', 'No such plan. Check the ID.');
  return row;
}

/** The same, of a creator. @throws AppError `resource_missing` for another workspace's */
export async function ownPlanRow(ctx: Ctx, handleId: string, id: string): Promise<Plan> {
  const row = await planRow(ctx, id);
  if (row.handleId !== handleId) throw new AppError('resource_missing', 'No such plan. Check the ID.');
  return row;
}

/** A plan of the caller's, with the call that creates it while it waits for that. @throws AppError `resource_missing` */
export async function getOwnPlan(
  ctx: Ctx,
  handle: SessionHandle,
  id: string,
): Promise<{ plan: PlanView } | StagedPlan> {
  const row = await ownPlanRow(ctx, handle.id, id);
  const plan = await viewPlan(ctx, ctx.db, row);
  return row.status === 'pending_create' ? { plan, ...callOf(chainOf(ctx, row.chain), row) } : { plan };
}

/** A plan as its page shows it, for anyone. @throws AppError `resource_missing` */
export async function getHostedPlan(ctx: Ctx, id: string) {
  const row = await planRow(ctx, id);
  const kind = row.handleId
    ? (await ctx.db.handle.findUnique({ where: { id: row.handleId }, select: { kind: true } }))?.kind
    : null;
  return {
    plan: publicPlan(await viewPlan(ctx, ctx.db, row)),
    chain_label: chainLabel(row.chain),
    chain_id: CHAINS[row.chain as ChainName].chainId || null,
    creator_kind: (kind ?? null) as 'personal' | 'business' | null,
  };
}

/**
 * The creator says that its wallet created a staged plan. Active once that is final; until then it stays `pending_create`, and the feed confirms it.
 * @throws AppError `resource_missing`; `tx_not_found`; `tx_mismatch` for a key that is not the plan's and for a transaction that did not create it;
 * `state_conflict` without a transaction, when the chain does not show the plan; `provider_unavailable`
 */
export async function confirmPlanCreated(
  ctx: Ctx,
  handle: SessionHandle,
  id: string,
  given: { txHash?: string | undefined; planKey: string },
  { waitMs = ANSWER_WITHIN_MS }: Patience = {},
): Promise<PlanView> {
  const row = await ownPlanRow(ctx, handle.id, id);
  if (given.planKey.toLowerCase() !== row.planKey.toLowerCase())
    throw mismatch('This is the key of another plan.', 'planKey');
  const isSame = given.txHash === undefined || given.txHash === row.createTxHash;
  if (row.status !== 'pending_create' && isSame) return viewPlan(ctx, ctx.db, row);
  const chain = chainOf(ctx, row.chain);
  if (given.txHash !== undefined) {
    const tx = await proveTx(chain, given.txHash, 'the plan wasn’t created');
    if (!tx.entries.some(({ kind, planKey }) => kind === 'created' && planKey === row.planKey))
      throw mismatch('This transaction didn’t create this plan.');
    await applyWhenFinal(ctx, chain, tx, waitMs);
    return viewPlan(ctx, ctx.db, await planRow(ctx, id));
  }
  if ((await planState(chain, row.planKey)) === 'unknown') {
    const words = ownCreate(chain, termsOf(row))
      ? 'Send createPlan from your wallet first.'
      : 'Sign its creation first.';
    throw new AppError('state_conflict', `The plan isn’t on the chain yet. ${words}`);
  }
  await followState(ctx, row, waitMs);
  return viewPlan(ctx, ctx.db, await planRow(ctx, id));
}

/**
 * The creator says that its wallet deactivated or reactivated a plan.
 * @throws AppError `resource_missing`; `tx_not_found`; `tx_mismatch` for a transaction that did not do it; `state_conflict` when the chain shows the
 * plan otherwise; `provider_unavailable`
 */
export async function confirmPlanState(
  ctx: Ctx,
  handle: SessionHandle,
  id: string,
  { action, txHash }: { action: 'deactivate' | 'reactivate'; txHash?: string | undefined },
  { waitMs = ANSWER_WITHIN_MS }: Patience = {},
): Promise<PlanView> {
  const row = await ownPlanRow(ctx, handle.id, id);
  if (row.status === 'pending_create') throw new AppError('state_conflict', 'This plan isn’t created yet.');
  const chain = chainOf(ctx, row.chain);
  const wanted = action === 'deactivate' ? 'inactive' : 'active';
  if (txHash !== undefined) {
    const tx = await proveTx(chain, txHash, `the plan wasn’t ${action}d`);
    const kind = action === 'deactivate' ? 'deactivated' : 'activated';
    if (!tx.entries.some((entry) => entry.kind === kind && entry.planKey === row.planKey))
      throw mismatch(`This transaction didn’t ${action} this plan.`);
    await applyWhenFinal(ctx, chain, tx, waitMs);
  } else {
    const state = await planState(chain, row.planKey);
    if (state !== wanted) {
      const words = `On the chain this plan is ${state}. Send ${action}Plan from your wallet first.`;
      throw new AppError('state_conflict', words);
    }
    await followState(ctx, row, waitMs);
  }
  return viewPlan(ctx, ctx.db, await planRow(ctx, id));
}

/** Brings a plan to the state that final blocks have, where that alone proves it. */
async function followState(ctx: Ctx, { id, chain: name, planKey }: Plan, waitMs: number): Promise<void> {
  const chain = chainOf(ctx, name);
  await pollWithin(ctx, waitMs, async () => {
    const state = await finalPlanState(chain, planKey);
    if (state === 'unknown') return null;
    const at = new Date(ctx.clock.now());
    const done = await ctx.db.$transaction(async (tx) => {
      const row = await tx.plan.findUniqueOrThrow({ where: { id }, select: { status: true } });
      const path = pathTo(row.status as PlanStatus, state);
      for (const action of path) {
        if (action === 'confirm') await confirmPlan(ctx, tx, id, { confirmedAt: at });
        else await movePlan(ctx, tx, id, action);
      }
      return path.length > 0;
    });
    return done ? true : null;
  });
  await wakeDeliveries(ctx);
}

/** Changes the texts of a plan; its price and period never change. @throws AppError `resource_missing`, `parameter_invalid` */
export async function updatePlan(ctx: Ctx, handle: SessionHandle, id: string, wording: PlanWording): Promise<PlanView> {
  const { id: own } = await ownPlanRow(ctx, handle.id, id);
  const data = readWording(wording);
  const row = await ctx.db.$transaction(async (tx) => {
    await lockKey(tx, `plan:${own}`);
    const before = await tx.plan.findUniqueOrThrow({ where: { id: own } });
    const after = await tx.plan.update({ where: { id: own }, data });
    await record(ctx, tx, {
      ...{ workspaceId: handle.id, livemode: after.livemode, action: 'plan.changed' },
      object: { kind: 'plan', id: own },
      before: textsOf(before),
      after: textsOf(after),
    });
    return after;
  });
  return viewPlan(ctx, ctx.db, row);
}

const textsOf = ({ name, description, imageUrl, returnUrl, metadata }: Plan) => ({
  ...{ name, description, image_url: imageUrl, return_url: returnUrl },
  metadata: JSON.stringify(metadata),
});

const PAGE = 200;

/** Drops what was staged a day ago and not created since. A chain that shows it after all still confirms it. */
export async function dropStagedPlans(ctx: Ctx): Promise<number> {
  const stale = await ctx.db.plan.findMany({
    where: { status: 'pending_create', createdAt: { lte: new Date(ctx.clock.now() - PLAN_STAGED_FOR_MS) } },
    select: { id: true },
    take: PAGE,
  });
  const moves = stale.map(({ id }) => ({ id, action: 'drop' as const }));
  return (await ctx.db.$transaction((tx) => transition(ctx, tx, 'plan', moves))).size;
}
