// The arithmetic of deliveries: when the next attempt is due, how much patience an answer asks for, and what becomes of a delivery by its outcome.
import {
  type AttemptFailure,
  type DeliveryFailure,
  MOST_ATTEMPTS,
  MOST_JITTER,
  MOST_PATIENCE_S,
  RETRY_SCHEDULE_S,
} from './delivery.ts';

/** What came of an attempt: an answer, or why there is none. `retryAfter` is the header as it came. */
export type AttemptOutcome =
  | { status: number; retryAfter: string | null; answer: string }
  | { failure: AttemptFailure };

/** The position in a retry schedule. `attempt` counts the attempts that were made on it before this one. */
export type Standing = { attempt: number; dueMs: number; startedMs: number; nowMs: number; isTest: boolean };

/** What becomes of the delivery; `nextMs` is there while it is pending. `endpointGone`: the receiver wants no more of any event. */
export type Fate =
  | { status: 'delivered' }
  | { status: 'pending'; nextMs: number }
  | { status: 'failed'; failure: DeliveryFailure; endpointGone: boolean };

/** An attempt that begins this much later than it was due moves the later ones: otherwise they would bunch after an outage. */
const LATE_MS = 60_000;

/**
 * When the next attempt is due after one that failed, in Unix milliseconds; null when the retry schedule is exhausted.
 * @param retryAfterMs how long the receiver asked us to wait: it delays and never hastens
 * @param jitter from 0 to 1: how much of the most jitter is added
 */
export function nextAttempt({
  attempt,
  dueMs,
  startedMs,
  nowMs,
  retryAfterMs,
  jitter,
}: Omit<Standing, 'isTest'> & { retryAfterMs: number | null; jitter: number }): number | null {
  const at = RETRY_SCHEDULE_S[attempt];
  if (attempt + 1 >= MOST_ATTEMPTS || at === undefined) return null;
  const gapMs = (at - (RETRY_SCHEDULE_S[attempt - 1] ?? 0)) * 1_000;
  const isMoved = attempt === 0 || startedMs - dueMs > LATE_MS;
  const base = isMoved ? startedMs : dueMs;
  const share = Math.min(1, Math.max(0, jitter)) * MOST_JITTER;
  return Math.max(Math.ceil(base + gapMs * (1 + share)), nowMs + (retryAfterMs ?? 0));
}

/** The three ways in which HTTP writes a date; the first is the one in use. */
const HTTP_DATES = [
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/**
 * Reads `Retry-After`: seconds or an HTTP date.
 * @returns how many milliseconds from now on to wait, at most {@link MOST_PATIENCE_S}; null when it says nothing that we can read, or the past
 */
export function readRetryAfter(text: string | null, nowMs: number): number | null {
  const said = text?.trim() ?? '';
  const ms = /^\d+$/.test(said) ? Number(said) * 1_000 : readHttpDate(said) - nowMs;
  return ms > 0 ? Math.min(ms, MOST_PATIENCE_S * 1_000) : null;
}

function readHttpDate(text: string): number {
  const form = HTTP_DATES.findIndex((pattern) => pattern.test(text));
  if (form < 0) return Number.NaN;
  return Date.parse(form === 2 ? `${text} GMT` : text);
}

export function isAcknowledged(outcome: AttemptOutcome): boolean {
  return 'status' in outcome && outcome.status >= 200 && outcome.status < 300;
}

/** What an outcome means for the delivery. Any 2xx delivers it, 410 ends the endpoint, anything else is retried while the schedule lasts. */
export function judgeAttempt(standing: Standing, outcome: AttemptOutcome, jitter: number): Fate {
  if (isAcknowledged(outcome)) return { status: 'delivered' };
  const endpointGone = 'status' in outcome && outcome.status === 410;
  if (endpointGone) return { status: 'failed', failure: 'gone', endpointGone };
  const retryAfterMs = 'status' in outcome ? readRetryAfter(outcome.retryAfter, standing.nowMs) : null;
  const nextMs = standing.isTest ? null : nextAttempt({ ...standing, retryAfterMs, jitter });
  return nextMs === null ? { status: 'failed', failure: 'exhausted', endpointGone } : { status: 'pending', nextMs };
}

/** Failures that say nothing about the receiver: they are never held against it. */
export const OUR_FAULTS = ['proxy', 'secret_unreadable'] as const satisfies readonly AttemptFailure[];

export function isOurFault(outcome: AttemptOutcome): boolean {
  return 'failure' in outcome && (OUR_FAULTS as readonly AttemptFailure[]).includes(outcome.failure);
}
