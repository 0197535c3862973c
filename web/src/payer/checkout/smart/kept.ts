// The payment from elsewhere that this browser began for an order, so that a reload goes on with it.
export type KeptSmart = { id: string; candidateId: string; payer: string };

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

export const forgetSmart = (orderId: string) => localStorage.removeItem(keyOf(orderId));
