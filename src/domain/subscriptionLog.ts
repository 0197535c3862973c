// What the subscription router's events make of a subscription: a fold over the events of one subscriber of one plan.
import { lapsesAt, type SubscriptionStatus } from './subscription.ts';

/** An event of one subscriber of one plan, in final blocks. `ChargeFailed` changes nothing and is not among them. */
export type SubscriptionLog = {
  kind: 'subscribed' | 'charged' | 'cancelled' | 'halted';
  block: bigint;
  logIndex: number;
  txHash: string;
  at: Date;
  units: bigint;
  feeUnits: bigint;
  /** Of `subscribed` and `charged`. */
  nextChargeAt: Date | null;
  /** Of `cancelled`: the wallet of the subscriber or the creator. */
  by: string | null;
};

export type HaltReason = 'unpaid' | 'lapsed';
export type Folded = {
  status: Exclude<SubscriptionStatus, 'reverted'>;
  startTxHash: string;
  startedAt: Date;
  lastChargedAt: Date;
  nextChargeAt: Date;
  chargesPaid: number;
  paidUnits: bigint;
  feeUnits: bigint;
  endedAt: Date | null;
  endedBy: string | null;
  haltReason: HaltReason | null;
  endTxHash: string | null;
  /** The newest event in it. */
  block: bigint;
  logIndex: number;
};

/** One step in the life of a subscription, with how it is after it. `index` counts the subscriptions of the pair. */
export type Step = {
  index: number;
  kind: 'started' | 'charged' | 'cancelled' | 'halted';
  after: Folded;
  log: SubscriptionLog;
};

/** The order of the chain. */
export function byPlace(a: { block: bigint; logIndex: number }, b: { block: bigint; logIndex: number }): number {
  return Number(a.block - b.block) || a.logIndex - b.logIndex;
}

/**
 * Folds events, in the order of the chain, into subscriptions: each `subscribed` begins one.
 * @param from the newest subscription before these events, or null
 * @returns the subscriptions with their steps; the first is `from` where there is one
 */
export function foldSubscriptionLogs(
  logs: readonly SubscriptionLog[],
  periodS: number,
  from: Folded | null,
): { subscriptions: Folded[]; steps: Step[] } {
  const subscriptions: Folded[] = from ? [from] : [];
  const steps: Step[] = [];
  for (const log of logs) {
    const index = subscriptions.length - 1;
    const current = subscriptions[index];
    const put = (at: number, kind: Step['kind'], after: Folded) => {
      subscriptions[at] = after;
      steps.push({ index: at, kind, after, log });
    };
    const place = { block: log.block, logIndex: log.logIndex };
    if (log.kind === 'subscribed') {
      if (current?.status === 'active') {
        // The router takes a subscriber again only after the subscription before it ended, and of a lapse it emits nothing.
        const endedAt = new Date(lapsesAt(current.nextChargeAt, periodS));
        put(index, 'halted', { ...current, status: 'halted', endedAt, haltReason: 'lapsed' });
      }
      subscriptions.push(begun(log));
      continue;
    }
    if (!current) continue;
    switch (log.kind) {
      case 'charged': {
        const after = {
          ...current,
          ...place,
          // Also of a subscription that our clock ended before the chain's did.
          ...(current.haltReason === 'lapsed' ? REOPENED : {}),
          chargesPaid: current.chargesPaid + 1,
          paidUnits: current.paidUnits + log.units,
          feeUnits: current.feeUnits + log.feeUnits,
          lastChargedAt: log.at,
          nextChargeAt: log.nextChargeAt ?? current.nextChargeAt,
        };
        if (after.chargesPaid === 1) put(index, 'started', after);
        put(index, 'charged', after);
        break;
      }
      case 'cancelled':
        put(index, 'cancelled', {
          ...current,
          ...place,
          status: 'cancelled',
          endedAt: log.at,
          endedBy: log.by,
          haltReason: null,
          endTxHash: log.txHash,
        });
        break;
      case 'halted':
        put(index, 'halted', {
          ...current,
          ...place,
          status: 'halted',
          endedAt: log.at,
          haltReason: 'unpaid',
          endTxHash: log.txHash,
        });
        break;
    }
  }
  return { subscriptions, steps };
}

const REOPENED = { status: 'active', endedAt: null, haltReason: null } as const;

function begun({ txHash, at, nextChargeAt, block, logIndex }: SubscriptionLog): Folded {
  return {
    status: 'active',
    startTxHash: txHash,
    startedAt: at,
    lastChargedAt: at,
    nextChargeAt: nextChargeAt ?? at,
    chargesPaid: 0,
    paidUnits: 0n,
    feeUnits: 0n,
    endedAt: null,
    endedBy: null,
    haltReason: null,
    endTxHash: null,
    block,
    logIndex,
  };
}
