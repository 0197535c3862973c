// Which transaction this browser's wallet sent for an order: until the chain shows it, a reloaded page must not request a second payment.
const keyOf = (orderId: string) => `sent:${orderId}`;

/** `at` is Unix milliseconds. */
export type Sent = { hash: string; at: number };

export function keepSent(orderId: string, hash: string): void {
  localStorage.setItem(keyOf(orderId), JSON.stringify({ hash, at: Date.now() } satisfies Sent));
}

export function sentFor(orderId: string): Sent | null {
  try {
    return JSON.parse(localStorage.getItem(keyOf(orderId)) ?? 'null') as Sent | null;
  } catch {
    return null;
  }
}

export function forgetSent(orderId: string): void {
  localStorage.removeItem(keyOf(orderId));
}
