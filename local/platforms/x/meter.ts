/** What calls cost and how many are allowed: charged by what an answer holds, counted in windows of 15 minutes a user and call. */
import { dayOf, record, type Store } from './store.ts';
import { creditsDepleted, tooMany } from './wire.ts';

/** Micro-USD, as X publishes them for pay-per-use. */
export const PRICES = {
  post: 5_000,
  user: 10_000,
  dm: 10_000,
  create: 15_000,
  createWithLink: 200_000,
  sendDm: 15_000,
  delete: 10_000,
};

const WINDOW_MS = 15 * 60_000;
/** Calls a user in 15 minutes. */
export const RATE_LIMITS: Readonly<Record<string, number>> = {
  mentions: 300,
  createPost: 100,
  deletePost: 50,
  me: 75,
  user: 300,
  userByUsername: 300,
  sendDm: 15,
  dmEvents: 15,
};

export type RateWindow = { used: number; resetMs: number };
export type Meter = {
  store: Store;
  limits: Record<string, number>;
  windows: Map<string, RateWindow>;
  /** Direct messages that were paid for, by the day: each once. */
  paid: { day: string; ids: Set<string> };
  /** What may still be spent, in micro-USD; null for as much as one likes. */
  credits: number | null;
};

/** Counts a call. @returns the headers that tell how many are left. @throws XProblem 429, or 402 when nothing is left to pay with */
export function countCall(meter: Meter, userId: string, call: string): Record<string, string> {
  const now = meter.store.nowMs();
  const limit = meter.limits[call] ?? 300;
  const key = `${userId}:${call}`;
  const known = meter.windows.get(key);
  const window = known && known.resetMs > now ? known : { used: 0, resetMs: now + WINDOW_MS };
  meter.windows.set(key, window);
  const isOver = window.used >= limit;
  if (!isOver) window.used += 1;
  const headers = {
    'x-rate-limit-limit': String(limit),
    'x-rate-limit-remaining': String(limit - window.used),
    'x-rate-limit-reset': String(Math.ceil(window.resetMs / 1_000)),
  };
  if (isOver) throw Object.assign(tooMany(), { headers });
  if (meter.credits !== null && meter.credits <= 0) throw Object.assign(creditsDepleted(), { headers });
  return headers;
}

export function charge(meter: Meter, call: string, micros: number): void {
  if (meter.credits !== null) meter.credits -= micros;
  record(meter.store, { type: 'charge', day: dayOf(meter.store.nowMs()), call, micros });
}

/** How many of these are to be paid for: X charges for the same thing once a UTC day. */
export function unpaid(meter: Meter, ids: string[]): number {
  const day = dayOf(meter.store.nowMs());
  if (meter.paid.day !== day) meter.paid = { day, ids: new Set() };
  const fresh = ids.filter((id) => !meter.paid.ids.has(id));
  for (const id of fresh) meter.paid.ids.add(id);
  return fresh.length;
}
