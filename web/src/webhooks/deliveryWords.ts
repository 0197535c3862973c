// How a delivery and its attempts stand, in words.
import {
  ATTEMPT_TIMEOUT_MS,
  type DeliveryFailure,
  MOST_ATTEMPTS,
  type ShownFailure,
} from '../../../src/domain/delivery.ts';
import { timeUntil } from '../format.ts';
import type { Tone } from '../ui/tone.ts';
import type { Attempt, Delivery, FailedCount } from './shapes.ts';

export function statusOf({ status, attempt_count }: Pick<Delivery, 'status' | 'attempt_count'>): {
  word: string;
  tone: Tone;
} {
  if (status === 'delivered') return { word: 'Delivered', tone: 'good' };
  if (status === 'failed') return { word: 'Failed', tone: 'bad' };
  return { word: attempt_count === 0 ? 'On its way' : 'To be retried', tone: 'busy' };
}

const SECONDS_UP_TO_MS = 90_000;

/** `next try in 40 seconds`; null once it is over. @param now Unix milliseconds, by the service's clock */
export function nextWords({ next_attempt_at }: Pick<Delivery, 'next_attempt_at'>, now: number): string | null {
  if (next_attempt_at === null) return null;
  const at = Date.parse(next_attempt_at);
  const left = at - now;
  if (left <= 0) return 'next try any moment';
  if (left >= SECONDS_UP_TO_MS) return `next try ${timeUntil(at, now)}`;
  const seconds = Math.ceil(left / 1_000);
  return `next try in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
}

const FAILURES: Record<DeliveryFailure, string> = {
  exhausted: `It was tried ${MOST_ATTEMPTS} times, the last time a day after the first.`,
  endpoint_disabled: 'The endpoint was disabled before it got through.',
  endpoint_deleted: 'The endpoint was deleted before it got through.',
  gone: 'The endpoint said that it is gone (410).',
};

/** Why it failed for good, or null. */
export function failureWords({ failure, is_test }: Pick<Delivery, 'failure' | 'is_test'>): string | null {
  if (failure === null) return null;
  return failure === 'exhausted' && is_test ? 'A test is tried once.' : FAILURES[failure];
}

const NO_ANSWER: Record<ShownFailure, string> = {
  timeout: `No answer within ${ATTEMPT_TIMEOUT_MS / 1_000} seconds`,
  refused: 'Connection refused',
  reset: 'Connection broken off',
  not_found: 'No public address of that name',
  tls: 'No valid certificate',
  url_refused: 'A URL that we do not call',
  proxy: 'Our way out did not work',
  secret_unreadable: 'We could not read the signing secret: roll it',
  network: 'The network did not work',
};

/** What came of an attempt: `200`, `302: redirects are not followed`, `Connection refused`. */
export function attemptWords({ status, failure }: Pick<Attempt, 'status' | 'failure'>): string {
  if (status === null) return failure ? NO_ANSWER[failure] : 'No answer';
  if (status >= 300 && status < 400) return `${status}: redirects are not followed`;
  return status === 410 ? '410: gone' : String(status);
}

export function wentWell({ status }: Pick<Attempt, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300;
}

export function attemptsCount(count: number): string {
  return count === 1 ? '1 attempt' : `${count} attempts`;
}

/** `3 deliveries failed for good` */
export function failedWords({ count, has_more }: FailedCount): string {
  return `${has_more ? `${count} or more deliveries` : deliveries(count)} failed for good`;
}

/** Of several endpoints together. */
export function addFailed(counts: readonly FailedCount[]): FailedCount {
  return {
    count: counts.reduce((sum, { count }) => sum + count, 0),
    has_more: counts.some(({ has_more }) => has_more),
  };
}

function deliveries(count: number): string {
  return count === 1 ? '1 delivery' : `${count} deliveries`;
}

/** What a replay of all that failed came to. */
export function replayedWords(count: number): string {
  if (count === 0) return 'There was nothing to send again.';
  return `${deliveries(count)} ${count === 1 ? 'is' : 'are'} on the way again.`;
}
