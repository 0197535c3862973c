// The lifecycle of a delivery: one event on its way to one endpoint, its retry schedule, and the outcomes of each attempt.
import type { Lifecycle } from './lifecycle.ts';

export type DeliveryStatus = 'pending' | 'delivered' | 'failed';
export type DeliveryAction = 'acknowledge' | 'give_up' | 'replay';

/** A replay while it is pending starts the retry schedule again. Nothing else leaves what is over. */
export const DELIVERY: Lifecycle<DeliveryStatus, DeliveryAction> = {
  pending: { acknowledge: 'delivered', give_up: 'failed', replay: 'pending' },
  delivered: { replay: 'pending' },
  failed: { replay: 'pending' },
};

/** Why it failed permanently. */
export type DeliveryFailure = 'exhausted' | 'endpoint_disabled' | 'endpoint_deleted' | 'gone';

/**
 * Why an attempt has no answer, as merchants see it. `secret_unreadable`: the endpoint's secret was sealed under another WEBHOOK_KEY, so nothing
 * could be signed and nothing was sent. What is over a cap waits and is no failure.
 */
export const SHOWN_FAILURES = [
  'timeout',
  'refused',
  'reset',
  'not_found',
  'tls',
  'url_refused',
  'proxy',
  'network',
  'secret_unreadable',
] as const;
export type ShownFailure = (typeof SHOWN_FAILURES)[number];
/** The same as it is kept. `address_refused`: the address is one that we do not call. */
export type AttemptFailure = ShownFailure | 'address_refused';

/** A name of an internal address shows like one without an address: otherwise its owner could find out through it which internal names exist. */
export function shownFailure(failure: AttemptFailure | null): ShownFailure | null {
  return failure === 'address_refused' ? 'not_found' : failure;
}

const MINUTE_S = 60;
const HOUR_S = 3_600;
/** Seconds from the first try on at which an event is tried again (interface, Events). */
export const RETRY_SCHEDULE_S = [MINUTE_S, 5 * MINUTE_S, 15 * MINUTE_S, HOUR_S, 6 * HOUR_S, 24 * HOUR_S] as const;
/** The first attempt and every retry. */
export const MOST_ATTEMPTS = RETRY_SCHEDULE_S.length + 1;
/** Jitter delays by at most this share of a wait, and never hastens. */
export const MOST_JITTER = 0.1;
/** An attempt that takes longer has failed. */
export const ATTEMPT_TIMEOUT_MS = 10_000;
/** An endpoint that needs longer than this for an answer is slow: its deliveries wait by its own doing, and others must not wait for it. */
export const SLOW_MS = 2_000;
/** Of an answer this much is read and kept; the rest is cut off. */
export const ANSWER_BYTES = 2_048;
/** After this a process that leased a delivery counts as dead, and another one sends it. */
export const LEASE_MS = 30_000;
/** An endpoint without a successful attempt for this long, and with failed attempts on as many days, is disabled. */
export const FAILING_DAYS = 5;
/** A receiver may ask for this much patience and no more. */
export const MOST_PATIENCE_S = 24 * HOUR_S;
