// Plans as the chain has them: created by any wallet, deactivated and reactivated by their creator.

import type { Chain } from '../../chain/chain.ts';
import { placesOf } from '../../chain/planEvents.ts';
import { type Ctx, newId } from '../../context.ts';
import { decimalOf, type Tx } from '../../db.ts';
import { type PlanAction, type PlanStatus, planFee } from '../../domain/subscription.ts';
import { planStateAfter } from '../../domain/subscriptionLog.ts';
import { reaches } from '../../domain/walletReach.ts';
import { record } from '../audit.ts';
import { isLive } from '../chains.ts';
import { writeEvents } from '../events.ts';
import { transitionOne } from '../transitions.ts';
import { wake } from '../wake.ts';
import type { PlanLog } from './indexing.ts';
import { viewPlan } from './views.ts';

type Created = Extract<PlanLog, { kind: 'created' }>;

/** @param fresh entries of one transaction's batch, in the chain's order; those of subscribers are left alone */
export async function mirrorPlans(ctx: Ctx, tx: Tx, chain: Chain, fresh: readonly PlanLog[]): Promise<void> {
  for (const log of fresh) {
    if (log.kind === 'created') await applyCreated(ctx, tx, chain, log);
    // One that was closed while inactive can be made again.
    if (log.kind === 'created' || log.kind === 'activated' || log.kind === 'deactivated')
      await applyState(ctx, tx, chain, log.planKey);
  }
}

async function applyCreated(ctx: Ctx, tx: Tx, chain: Chain, log: Created): Promise<void> {
  const place = { chain_planKey: { chain: chain.name, planKey: log.planKey } };
  if (!(await tx.plan.findUnique({ where: place, select: { id: true } }))) {
    const creator = await workspaceOf(tx, chain, log.creator);
    await tx.plan.createMany({
      data: [
        {
          id: newId(ctx, 'plan'),
          chain: chain.name,
          planKey: log.planKey,
          planIdHash: log.planIdHash,
          handleId: creator,
          creator: log.creator,
          livemode: isLive(chain),
          status: 'pending_create',
          // Only its key is known: the creator may name it.
          name: `Plan ${log.planKey.slice(2, 10)}`,
          description: '',
          token: log.token,
          decimals: chain.facts.usdcDecimals,
          units: decimalOf(log.amount),
          feeUnits: decimalOf(planFee(log.amount)),
          periodS: log.period,
          createdAt: log.at,
        },
      ],
      skipDuplicates: true,
    });
  }
  const { id } = await tx.plan.findUniqueOrThrow({ where: place, select: { id: true } });
  await confirmPlan(ctx, tx, id, { createTxHash: log.txHash, confirmedAt: log.at });
}

/** A plan is on the chain. Its event is published once. */
export async function confirmPlan(
  ctx: Ctx,
  tx: Tx,
  id: string,
  patch: { createTxHash?: string; confirmedAt: Date },
): Promise<void> {
  if (!(await transitionOne(ctx, tx, 'plan', id, 'confirm', patch))) return;
  const row = await tx.plan.findUniqueOrThrow({ where: { id } });
  if (row.replacesId !== null)
    await tx.plan.updateMany({ where: { id: row.replacesId, replacedById: null }, data: { replacedById: id } });
  if (row.handleId === null) return;
  const plan = await viewPlan(ctx, tx, row);
  const event = { handleId: row.handleId, livemode: row.livemode, type: 'subscription.plan_created' as const };
  await writeEvents(ctx, tx, [{ ...event, resourceId: id, uniqueKey: `${id}:plan_created`, object: { plan } }]);
}

/** The workspace that a wallet is paid for: the handle that has it, or the business that named it as its payout address. */
async function workspaceOf(tx: Tx, chain: Chain, address: string): Promise<string | null> {
  const wallet = await tx.wallet.findUnique({ where: { family_address: { family: chain.facts.family, address } } });
  if (wallet && reaches(wallet, chain.name)) return wallet.handleId;
  const businesses = await tx.handle.findMany({
    where: { kind: 'business', businessAddress: address },
    select: { id: true, businessChains: true },
    orderBy: { createdAt: 'asc' },
  });
  const paid = businesses.filter(({ businessChains: on }) => on.length === 0 || on.includes(chain.name));
  // One address that several businesses named belongs to none of them alone.
  return paid.length === 1 ? (paid[0]?.id ?? null) : null;
}

/** Brings a plan to the state of its newest event, whatever order they came in. */
async function applyState(ctx: Ctx, tx: Tx, chain: Chain, planKey: string): Promise<void> {
  const row = await tx.plan.findUnique({ where: { chain_planKey: { chain: chain.name, planKey } } });
  if (!row) return void ctx.log.info({ chain: chain.name, planKey }, 'an event of a plan that we do not know');
  const logs = await tx.subscriptionLog.findMany({
    where: { chain: chain.name, planKey, subscriber: '' },
    select: { kind: true, block: true, logIndex: true, txHash: true },
  });
  const kinds = logs.map((log) => ({ ...log, kind: log.kind as 'created' | 'activated' | 'deactivated' }));
  const target: PlanStatus = planStateAfter(kinds, placesOf(chain)) ?? 'pending_create';
  for (const action of pathTo(row.status as PlanStatus, target)) await movePlan(ctx, tx, row.id, action);
  if (row.status === 'inactive' && target === 'active') await goOn(tx, row.id);
}

/** By the member who reports it, where that is how we learn of it; else by the service, which saw it on the chain. */
export async function movePlan(ctx: Ctx, tx: Tx, id: string, action: PlanAction): Promise<void> {
  if (!(await transitionOne(ctx, tx, 'plan', id, action))) return;
  if (action !== 'deactivate' && action !== 'reactivate') return;
  const { handleId, livemode, name } = await tx.plan.findUniqueOrThrow({ where: { id } });
  if (handleId === null) return;
  await record(ctx, tx, {
    ...{ workspaceId: handleId, livemode, action: `plan.${action}d` as const },
    object: { kind: 'plan', id },
    after: { name },
  });
}

/** What waited for the plan is charged now. */
async function goOn(tx: Tx, planId: string): Promise<void> {
  const where = { planId, status: 'active', failure: 'plan_inactive' };
  const { count } = await tx.subscription.updateMany({ where, data: { nextTryAt: null, failure: null } });
  if (count > 0) await wake(tx, 'charges');
}

/** The actions that lead from one status to another. */
export function pathTo(from: PlanStatus, to: PlanStatus): PlanAction[] {
  if (from === to || to === 'dropped') return [];
  if (to === 'pending_create') return from === 'dropped' ? [] : ['unconfirm'];
  const confirmed: PlanAction[] = from === 'pending_create' || from === 'dropped' ? ['confirm'] : [];
  if (to === 'inactive') return [...confirmed, 'deactivate'];
  return confirmed.length > 0 ? confirmed : ['reactivate'];
}

/** After a reorg: each plan as its remaining events have it. Nothing is published. */
export async function revertPlans(ctx: Ctx, tx: Tx, chain: Chain, planKeys: readonly string[]): Promise<void> {
  for (const planKey of new Set(planKeys)) await applyState(ctx, tx, chain, planKey);
}
