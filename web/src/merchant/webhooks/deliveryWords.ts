// The status of a delivery and of its attempts, in words.
import {
  ATTEMPT_TIMEOUT_MS,
  type DeliveryFailure,
  MOST_ATTEMPTS,
  type ShownFailure,
} from '../../../../src/domain/delivery.ts';
import { timeUntil } from '../../app/format.ts';
import type { Tone } from '../../ui/tone.ts';
import type { Attempt, Delivery, FailedCount } from './shapes.ts';

export function statusOf({ status, attempt_count }: Pick<Delivery, 'status' | 'attempt_count'>): {
  word: string;
  tone: Tone;
} {
  if (status === 'delivered') return { word: 'Delivered', tone: 'good' };
  if (status === 'failed') return { word: 'Failed', tone: 'bad' };
  return { word: attempt_count === 0 ? 'Pending' : 'Retrying', tone: 'busy' };
}

const SECONDS_UP_TO_MS = 90_000;

/** `next try in 40 seconds`; null once it has ended. @param now Unix milliseconds, by the service's clock */
export function nextWords({ next_attempt_at }: Pick<Delivery, 'next_attempt_at'>, now: number): string | null {
  if (next_attempt_at === null) return null;
  const at = Date.parse(next_attempt_at);
  const left = at - now;
  if (left <= 0) return 'retrying now';
  if (left >= SECONDS_UP_TO_MS) return `next try ${timeUntil(at, now)}`;
  const seconds = Math.ceil(left / 1_000);
  return `next try in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
}

const FAILURES: Record<DeliveryFailure, string> = {
  exhausted: `All ${MOST_ATTEMPTS} attempts over about a day failed.`,
  endpoint_disabled: 'The endpoint was disabled before delivery.',
  endpoint_deleted: 'The endpoint was deleted before delivery.',
  gone: 'The endpoint returned 410 Gone.',
};

/** Why it failed, or null. */
export function failureWords({ failure, is_test }: Pick<Delivery, 'failure' | 'is_test'>): string | null {
  if (failure === null) return null;
  return failure === 'exhausted' && is_test ? 'Test events aren’t retried.' : FAILURES[failure];
}

const NO_ANSWER: Record<ShownFailure, string> = {
  timeout: `Timed out after ${ATTEMPT_TIMEOUT_MS / 1_000} seconds`,
  refused: 'Connection refused',
  reset: 'Connection reset',
  not_found: 'Host not found',
  tls: 'Invalid TLS certificate',
  url_refused: 'URL not allowed',
  proxy: 'Outbound proxy error',
  secret_unreadable: 'Signing secret unreadable: roll it',
  network: 'Network error',
};

/** The result of an attempt: `200`, `302: redirects are not followed`, `Connection refused`. */
export function attemptWords({ status, failure }: Pick<Attempt, 'status' | 'failure'>): string {
  if (status === null) return failure ? NO_ANSWER[failure] : 'No response';
  if (status >= 300 && status < 400) return `${status}: redirects are not followed`;
  return status === 410 ? '410: gone' : String(status);
}

export function isSuccess({ status }: Pick<Attempt, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300;
}

export function attemptsCount(count: number): string {
  return count === 1 ? '1 attempt' : `${count.toLocaleString()} attempts`;
}

/** `3 failed deliveries` */
export function failedWords({ count, has_more }: FailedCount): string {
  return has_more
    ? `${count.toLocaleString()}+ failed deliveries`
    : count === 1
      ? '1 failed delivery'
      : `${count.toLocaleString()} failed deliveries`;
}

/** Of several endpoints together. */
export function addFailed(counts: readonly FailedCount[]): FailedCount {
  return {
    count: counts.reduce((sum, { count }) => sum + count, 0),
    has_more: counts.some(({ has_more }) => has_more),
  };
}

function deliveries(count: number): string {
  return count === 1 ? '1 delivery' : `${count.toLocaleString()} deliveries`;
}

/** The result of resending what failed. */
export function replayedWords(count: number): string {
  if (count === 0) return 'There was nothing to resend.';
  return `${deliveries(count)} queued.`;
}
