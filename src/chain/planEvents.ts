// What happened to plans and subscriptions, in one shape for chains of all families.
import type { PlacesOf } from '../domain/subscriptionLog.ts';
import type { Chain } from './chain.ts';
import type { SolanaReceipt } from './receipt.ts';
import type { SolanaChain } from './solana/client.ts';

/** `logIndex` is the place in the block, or on Solana in the transaction. */
type Place = { txHash: string; logIndex: number; block: bigint; planKey: string };
type OfSubscriber = { subscriber: string };

/** Amounts in smallest units, addresses as rows hold them, `nextChargeAt` in Unix seconds. */
export type PlanEntry = Place &
  (
    | { kind: 'created'; creator: string; planIdHash: string; token: string; amount: bigint; period: number }
    | { kind: 'activated' | 'deactivated' }
    | ({ kind: 'subscribed'; nextChargeAt: bigint } & OfSubscriber)
    | ({ kind: 'charged'; creator: string; amount: bigint; fee: bigint; nextChargeAt: bigint } & OfSubscriber)
    | ({ kind: 'cancelled' | 'halted'; by: string } & OfSubscriber)
  );

/** Whose place the `logIndex` of an entry is. */
export function placesOf(chain: Chain): PlacesOf {
  return chain.family === 'solana' ? 'transaction' : 'block';
}

/** The contract's number of a plan's state. */
export const PLAN_ACTIVE = 1;

/** The program's events of a transaction, in their order. */
export function planEntriesOfSolana(chain: SolanaChain, { events, hash, block }: SolanaReceipt): PlanEntry[] {
  return events.flatMap((event, logIndex): PlanEntry[] => {
    if (!('planKey' in event)) return [];
    const place = { txHash: hash, logIndex, block, planKey: event.planKey };
    switch (event.name) {
      case 'planCreated': {
        const { creator, planIdHash, amount, period } = event;
        return [{ ...place, kind: 'created', creator, planIdHash, token: chain.usdc, amount, period }];
      }
      case 'planStateSet':
        return [{ ...place, kind: event.state === PLAN_ACTIVE ? 'activated' : 'deactivated' }];
      case 'subscribed':
        return [{ ...place, kind: 'subscribed', subscriber: event.subscriber, nextChargeAt: event.nextChargeAt }];
      case 'charged': {
        const { subscriber, creator, amount, fee, nextChargeAt } = event;
        return [{ ...place, kind: 'charged', subscriber, creator, amount, fee, nextChargeAt }];
      }
      case 'subscriptionCancelled':
        return [{ ...place, kind: 'cancelled', subscriber: event.subscriber, by: event.by }];
      case 'subscriptionHalted':
        return [{ ...place, kind: 'halted', subscriber: event.subscriber, by: event.by }];
      default:
        return [];
    }
  });
}
