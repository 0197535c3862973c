// The subscription router's events of a block range, as entries that a room applies.
import { PLAN_ACTIVE, type PlanEntry } from '../planEvents.ts';
import { subscriptionEvents } from '../routers/subscription.ts';
import type { BlockLog, BlockRange } from '../rpc/blockRanges.ts';
import type { Address, EvmChain, Hex, TransactionReceipt } from '../rpc/client.ts';
import { SUBSCRIPTION_EVENTS } from './filter.ts';

/** A charge that the router refused within a batch: it changes nothing, so no room keeps it. */
export type FailedCharge = { planKey: Hex; subscriber: Address; reason: Hex };

type RouterEvent = ReturnType<typeof subscriptionEvents>[number];

/** In the chain's order. */
export function readPlanEntries(chain: EvmChain, { logs }: Pick<BlockRange, 'logs'>): PlanEntry[] {
  const own = logs.filter(({ topics: [selector] }) => selector !== undefined && SUBSCRIPTION_EVENTS.has(selector));
  return subscriptionEvents(chain, own).flatMap((event) => entryOf(event as RouterEvent & BlockLog) ?? []);
}

/** What one transaction did at the router. */
export function readPlanReceipt(
  chain: EvmChain,
  { logs }: Pick<TransactionReceipt, 'logs'>,
): { entries: PlanEntry[]; failed: FailedCharge[] } {
  const events = subscriptionEvents(chain, logs);
  return {
    entries: events.flatMap((event) => entryOf(event as RouterEvent & BlockLog) ?? []),
    failed: events.flatMap((event) => (event.eventName === 'ChargeFailed' ? [event.args] : [])),
  };
}

function entryOf(event: RouterEvent & BlockLog): PlanEntry | null {
  const { transactionHash: txHash, logIndex, blockNumber: block } = event;
  if (!('planKey' in event.args)) return null;
  const place = { txHash, logIndex, block, planKey: event.args.planKey };
  switch (event.eventName) {
    case 'PlanCreated': {
      const { creator, planIdHash, token, amount, period } = event.args;
      return { ...place, kind: 'created', creator, planIdHash, token, amount, period };
    }
    case 'PlanStateSet':
      return { ...place, kind: event.args.state === PLAN_ACTIVE ? 'activated' : 'deactivated' };
    case 'Subscribed': {
      const { subscriber, nextChargeAt } = event.args;
      return { ...place, kind: 'subscribed', subscriber, nextChargeAt };
    }
    case 'Charged': {
      const { subscriber, creator, amount, fee, nextChargeAt } = event.args;
      return { ...place, kind: 'charged', subscriber, creator, amount, fee, nextChargeAt };
    }
    case 'SubscriptionCancelled':
      return { ...place, kind: 'cancelled', subscriber: event.args.subscriber, by: event.args.by };
    case 'SubscriptionHalted':
      return { ...place, kind: 'halted', subscriber: event.args.subscriber, by: event.args.by };
    default:
      return null;
  }
}
