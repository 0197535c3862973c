// The payment from elsewhere that this browser began for an order, so that a reload goes on with it.
/** `sent` has the wallet's own transaction of each leg, from the moment in which the wallet sent it. */
export type KeptSmart = { id: string; candidateId: string; payer: string; sent?: Record<number, string> };

const keyOf = (orderId: string) => `smart:${orderId}`;

export function keepSmart(orderId: string, kept: KeptSmart): void {
  localStorage.setItem(keyOf(orderId), JSON.stringify(kept));
}

export function keptSmart(orderId: string): KeptSmart | null {
  try {
    return JSON.parse(localStorage.getItem(keyOf(orderId)) ?? 'null') as KeptSmart | null;
  } catch {
    return null;
  }
}

/** @param hash null for one that the chain refused: the leg can be sent again */
export function keepSent(orderId: string, n: number, hash: string | null): void {
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
