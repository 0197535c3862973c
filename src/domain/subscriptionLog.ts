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

/** Whose place a `logIndex` is: a block's; or only a transaction's, where nothing tells which transaction of a block came first. */
export type PlacesOf = 'block' | 'transaction';

/**
 * The order of the chain. Of two transactions of a block without places, the one comes first that is possible first: what is active is charged, then
 * ends, and only what has ended begins again.
 * @param before how the subscription stood before them
 */
function inOrder(
  logs: readonly SubscriptionLog[],
  before: Folded['status'] | null,
  placesOf: PlacesOf,
): readonly SubscriptionLog[] {
  if (placesOf === 'block') return logs;
  const ordered: SubscriptionLog[] = [];
  let status = before;
  for (const block of [...new Set(logs.map((log) => log.block))].sort((a, b) => Number(a - b))) {
    const ofBlock = logs.filter((log) => log.block === block);
    const transactions = [...new Set(ofBlock.map(({ txHash }) => txHash))].map((hash) =>
      ofBlock.filter(({ txHash }) => txHash === hash).sort((a, b) => a.logIndex - b.logIndex),
    );
    while (transactions.length > 0) {
      const wanted = NEXT[status ?? 'none'];
      const rankOf = ([first]: SubscriptionLog[]) => wanted.indexOf(first?.kind ?? 'subscribed');
      const [next = []] = [...transactions].sort((a, b) => rankOf(a) - rankOf(b));
      transactions.splice(transactions.indexOf(next), 1);
      ordered.push(...next);
      const last = next.at(-1)?.kind;
      status = last === 'cancelled' || last === 'halted' ? last : 'active';
    }
  }
  return ordered;
}

/** What can come next, the likeliest first. */
const NEXT: Readonly<Record<Folded['status'] | 'none', readonly SubscriptionLog['kind'][]>> = {
  none: ['subscribed', 'charged', 'halted', 'cancelled'],
  active: ['charged', 'halted', 'cancelled', 'subscribed'],
  halted: ['subscribed', 'cancelled', 'charged', 'halted'],
  cancelled: ['subscribed', 'charged', 'halted', 'cancelled'],
};

type PlanLog = { kind: 'created' | 'activated' | 'deactivated'; block: bigint; logIndex: number; txHash: string };

/** How a plan stands after all of its events; null without any. They alternate: an inactive plan alone is closed, made again, or activated. */
export function planStateAfter(logs: readonly PlanLog[], placesOf: PlacesOf): 'active' | 'inactive' | null {
  const newest = logs.reduce<bigint | null>((most, { block }) => (most === null || block > most ? block : most), null);
  const last = logs.filter(({ block }) => block === newest).sort((a, b) => b.logIndex - a.logIndex);
  const [first] = last;
  if (!first) return null;
  const isCertain = placesOf === 'block' || last.every(({ txHash }) => txHash === first.txHash);
  if (isCertain) return first.kind === 'deactivated' ? 'inactive' : 'active';
  const ended = logs.filter(({ kind }) => kind === 'deactivated').length;
  return ended * 2 >= logs.length ? 'inactive' : 'active';
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
  placesOf: PlacesOf = 'block',
): { subscriptions: Folded[]; steps: Step[] } {
  const subscriptions: Folded[] = from ? [from] : [];
  const steps: Step[] = [];
  for (const log of inOrder(logs, from?.status ?? null, placesOf)) {
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
