// The payment from elsewhere that this browser began, for an order or for something else with a name, so that a reload goes on with it.
import type { SentLegs } from './smartRun.ts';

type Kept = { id: string };
export type KeptSmart = Kept & { candidateId: string; payer: string };

/** A transaction that the wallet sent, and when, in Unix milliseconds. */
type Sent = Record<number, { hash: string; at: number }>;

const keyOf = (name: string) => `smart:${name}`;

export function keepSmart<One extends Kept = KeptSmart>(name: string, kept: One): void {
  localStorage.setItem(keyOf(name), JSON.stringify(kept));
}

/** One whose transaction the service has not seen comes first, whichever tab began it. */
export function keptSmart<One extends Kept = KeptSmart>(name: string): One | null {
  return unseenSmart<One>(name) ?? read<One>(keyOf(name));
}

export const forgetSmart = (name: string) => localStorage.removeItem(keyOf(name));

/** Of a payment that the service doesn't have, nothing is kept: it can't be shown, nor gone on with. */
export function forgetPayment(name: string, id: string): void {
  localStorage.removeItem(sentKeyOf(name, id));
  if (read<Kept>(keyOf(name))?.id === id) forgetSmart(name);
}

const sentKeyOf = (name: string, id: string) => `smart-sent:${name}:${id}`;

/** The payment of which the wallet sent what the service has not seen yet. */
export function unseenSmart<One extends Kept = KeptSmart>(name: string): One | null {
  const key = Object.keys(localStorage).find((one) => one.startsWith(sentKeyOf(name, '')));
  return key === undefined ? null : (read<{ kept: One }>(key)?.kept ?? null);
}

/** What the wallet sent for a payment, from the moment in which it did until the service sees it. */
export function sentLegsOf(name: string, kept: Kept): SentLegs & { since(n: number): number | null } {
  const key = sentKeyOf(name, kept.id);
  const sent = () => read<{ sent: Sent }>(key)?.sent ?? {};
  return {
    of: (n) => sent()[n]?.hash ?? null,
    since: (n) => sent()[n]?.at ?? null,
    keep(n, hash) {
      const { [n]: _, ...others } = sent();
      const next = hash === null ? others : { ...others, [n]: { hash, at: Date.now() } };
      if (Object.keys(next).length === 0) localStorage.removeItem(key);
      else localStorage.setItem(key, JSON.stringify({ kept, sent: next }));
    },
  };
}

const pastKeyOf = (orderId: string) => `smart-past:${orderId}`;

/** A payment that its bridge gave up still has the payer's money: it is shown beside what is paid next. */
export const keepPast = (orderId: string, paymentId: string) => localStorage.setItem(pastKeyOf(orderId), paymentId);
export const keptPast = (orderId: string) => localStorage.getItem(pastKeyOf(orderId));

function read<One>(key: string): One | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') as One | null;
  } catch {
    return null;
  }
}
