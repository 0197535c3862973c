// What creators and subscribers are sent when a subscription starts, is charged or ends.
import type { Ctx } from '../../context.ts';
import { decimalOf, type Tx } from '../../db.ts';
import type { SubscriptionEvent } from '../../domain/events.ts';
import type { Folded, Step } from '../../domain/subscriptionLog.ts';
import { type EventDraft, writeEvents } from '../events.ts';
import { notifySubscribers, type SubscriberNotice } from './notices.ts';
import { columnsOf, type Fold, PAID, type Pair } from './subscriptionRows.ts';
import {
  chargeViewOf,
  namesOf,
  type Plan,
  type Subscription,
  type SubscriptionView,
  subscriptionViewOf,
} from './views.ts';

const EVENTS: Record<Step['kind'], SubscriptionEvent> = {
  started: 'subscription.started',
  charged: 'subscription.charged',
  cancelled: 'subscription.cancelled',
  halted: 'subscription.halted',
};

/** Each step once, whatever a chain takes back and brings again. */
export async function publish(
  ctx: Ctx,
  tx: Tx,
  folds: readonly Fold[],
  idsOf: ReadonlyMap<Fold, string[]>,
): Promise<void> {
  const told = folds.filter(({ plan, steps }) => plan.handleId !== null && steps.length > 0);
  if (told.length === 0) return;
  const places = told.map(({ pair, plan }) => ({ chain: plan.chain, subscriber: pair.subscriber }));
  const names = await namesOf(tx, places, [...new Set(told.map(({ plan }) => plan))]);
  const drafts = told.flatMap((fold) =>
    fold.steps.map(({ index, kind, after, log }): EventDraft => {
      const { plan, pair } = fold;
      const id = idsOf.get(fold)?.[index] ?? '';
      const subscription = viewAfter(id, plan, pair, after, names);
      const charge = chargeViewOf(
        ctx,
        {
          ...log,
          units: decimalOf(log.units),
          feeUnits: decimalOf(log.feeUnits),
          subscriptionId: id,
          number: after.chargesPaid,
          chain: plan.chain,
        },
        plan,
      );
      return {
        handleId: plan.handleId ?? '',
        livemode: plan.livemode,
        type: EVENTS[kind],
        resourceId: id,
        uniqueKey: kind === 'charged' ? `${id}:charged:${after.chargesPaid}` : `${id}:${kind}`,
        object: { subscription: kind === 'charged' ? { ...subscription, charge } : subscription },
        previous: kind === 'cancelled' || kind === 'halted' ? { status: 'active' } : undefined,
      };
    }),
  );
  await writeEvents(ctx, tx, drafts);
}

/** The subscriber is notified of an end that was not theirs, and of renewals where they asked for it. */
export async function notifySteps(
  ctx: Ctx,
  tx: Tx,
  folds: readonly Fold[],
  idsOf: ReadonlyMap<Fold, string[]>,
): Promise<void> {
  const notices = folds.flatMap((fold) =>
    fold.steps.flatMap(({ index, kind, after }): SubscriberNotice[] => {
      const of = {
        chain: fold.plan.chain,
        row: { id: idsOf.get(fold)?.[index] ?? '', subscriber: fold.pair.subscriber },
      };
      if (kind === 'charged' && after.chargesPaid > 1)
        return [{ ...of, kind: 'subscription_charged', number: after.chargesPaid }];
      if (kind === 'halted') return [{ ...of, kind: 'subscription_halted' }];
      const isByOther = after.endedBy !== null && after.endedBy !== fold.pair.subscriber;
      return kind === 'cancelled' && isByOther ? [{ ...of, kind: 'subscription_cancelled' }] : [];
    }),
  );
  await notifySubscribers(ctx, tx, notices);
}

function viewAfter(
  id: string,
  plan: Plan,
  pair: Pair,
  after: Folded,
  names: Awaited<ReturnType<typeof namesOf>>,
): SubscriptionView {
  const row: Subscription = {
    id,
    chain: plan.chain,
    planId: plan.id,
    ...pair,
    startTxHash: after.startTxHash,
    startedAt: after.startedAt,
    status: after.status,
    ...columnsOf(after),
    ...PAID,
    chargeBatchId: null,
    lowNotifiedAt: null,
    newPriceNotifiedAt: null,
    rentReturnedAt: null,
  };
  return subscriptionViewOf(row, plan, names);
}
