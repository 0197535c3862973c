// Transactions that halt a subscription which stayed unpaid: the executor's call, and only while it still cannot be charged.
import type { Chain } from '../../chain/chain.ts';
import { judgeCharges } from '../../chain/charges.ts';
import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import { countsTowardsHalt } from '../../domain/subscription.ts';
import { NOTHING, type Outgoing, type OutgoingKind, type Write } from '../outgoing/kinds.ts';
import { wake } from '../wake.ts';
import { finalLogs } from './finalLogs.ts';
import { applyPlanLogs } from './indexing.ts';
import { unitsOf } from './views.ts';

export const haltKind: OutgoingKind = {
  async check(ctx, chain, { subjectId: id }) {
    const found = await ctx.db.subscription.findUniqueOrThrow({ where: { id }, include: { plan: true } });
    if (found.status !== 'active') return NOTHING;
    const [verdict] = await judgeCharges(chain, [chargeOf(found)]);
    if (verdict?.kind === 'paused') return 'wait';
    // The money came: the next run charges it.
    if (verdict?.kind === 'payable') return (tx) => retryNow(tx, id);
    if (verdict?.kind !== 'failed') return NOTHING;
    // Nor does a plan that was deactivated, or a token that refuses, end anyone's subscription.
    return countsTowardsHalt(verdict.code) ? null : (tx) => retryNow(tx, id);
  },
  onFinal: applyHalt,
  onLost: async () => NOTHING,
};

async function applyHalt(ctx: Ctx, chain: Chain, outgoing: Outgoing): Promise<Write> {
  const { logs } = await finalLogs(chain, outgoing);
  return (tx) => applyPlanLogs(ctx, tx, chain, logs);
}

function chargeOf({ planKey, subscriber, plan }: Row<'Subscription'> & { plan: Row<'Plan'> }) {
  return { planKey, subscriber, creator: plan.creator, amount: unitsOf(plan.units), isDoubtful: true };
}

async function retryNow(tx: Parameters<Write>[0], id: string): Promise<void> {
  await tx.subscription.updateMany({ where: { id, status: 'active' }, data: { nextTryAt: null } });
  await wake(tx, 'charges');
}
