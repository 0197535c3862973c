// The payment from elsewhere that this browser began, for an order or for something else with a name, so that a reload goes on with it.
import type { SentLegs } from './smartRun.ts';

/** `sent` has the wallet's own transaction of each leg, from the moment in which the wallet sent it. */
type Kept = { id: string; sent?: Record<number, string> };
export type KeptSmart = Kept & { candidateId: string; payer: string };

const keyOf = (orderId: string) => `smart:${orderId}`;

export function keepSmart<One extends Kept = KeptSmart>(orderId: string, kept: One): void {
  localStorage.setItem(keyOf(orderId), JSON.stringify(kept));
}

export function keptSmart<One extends Kept = KeptSmart>(orderId: string): One | null {
  try {
    return JSON.parse(localStorage.getItem(keyOf(orderId)) ?? 'null') as One | null;
  } catch {
    return null;
  }
}

/** What its wallet has sent, as it is kept. */
export function sentLegsOf(orderId: string): SentLegs {
  return { of: (n) => keptSmart(orderId)?.sent?.[n] ?? null, keep: (n, hash) => keepSent(orderId, n, hash) };
}

/** @param hash null for one that the chain refused: the leg can be sent again */
function keepSent(orderId: string, n: number, hash: string | null): void {
  const kept = keptSmart(orderId);
  if (!kept) return;
  const { [n]: _, ...others } = kept.sent ?? {};
  keepSmart(orderId, { ...kept, sent: hash === null ? others : { ...others, [n]: hash } });
}

const pastKeyOf = (orderId: string) => `smart-past:${orderId}`;

/** A payment that its bridge gave up still has the payer's money: it is shown beside what is paid next. */
export const keepPast = (orderId: string, paymentId: string) => localStorage.setItem(pastKeyOf(orderId), paymentId);
export const keptPast = (orderId: string) => localStorage.getItem(pastKeyOf(orderId));

export const forgetSmart = (orderId: string) => localStorage.removeItem(keyOf(orderId));
