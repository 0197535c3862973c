// What the pages say of deliveries, endpoints and their figures.
import { describe, expect, it, test } from 'vitest';
import { EVENT_TYPES } from '../../../../src/domain/events.ts';
import { countsWords, resourceOf } from '../events/eventWords.ts';
import {
  addFailed,
  attemptWords,
  failedWords,
  failureWords,
  nextWords,
  replayedWords,
  statusOf,
} from './deliveryWords.ts';
import { addressesOf, isDisabledByUs, shortUrl, standingOf, urlProblem } from './endpointWords.ts';
import { latency, linesOf, shareWords } from './figures.ts';
import { resourcePath, TYPE_GROUPS, takes, takesWords } from './typeWords.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const at = (ms: number) => new Date(NOW + ms).toISOString();

describe('the next try', () => {
  test.each([
    [-5_000, 'retrying now'],
    [0, 'retrying now'],
    [400, 'next try in 1 second'],
    [59_001, 'next try in 60 seconds'],
    [89_999, 'next try in 90 seconds'],
    [90_000, 'next try in 2 minutes'],
    [15 * 60_000, 'next try in 15 minutes'],
    [6 * 3_600_000, 'next try in 6 hours'],
  ])('that is %d ms away is “%s”', (ms, words) => {
    expect(nextWords({ next_attempt_at: at(ms) }, NOW)).toBe(words);
  });

  it('is none once a delivery is over', () => {
    expect(nextWords({ next_attempt_at: null }, NOW)).toBeNull();
  });
});

test('a delivery that was not tried is on its way, and one that was is to be retried', () => {
  expect(statusOf({ status: 'pending', attempt_count: 0 }).word).toBe('Pending');
  expect(statusOf({ status: 'pending', attempt_count: 1 })).toEqual({ word: 'Retrying', tone: 'busy' });
  expect(statusOf({ status: 'delivered', attempt_count: 1 }).tone).toBe('good');
  expect(statusOf({ status: 'failed', attempt_count: 7 }).tone).toBe('bad');
});

test('a test that failed was tried once, not seven times', () => {
  expect(failureWords({ failure: 'exhausted', is_test: true })).toBe('Test events aren’t retried.');
  expect(failureWords({ failure: 'exhausted', is_test: false })).toMatch(/All 7 attempts/);
  expect(failureWords({ failure: 'gone', is_test: true })).toMatch(/410/);
  expect(failureWords({ failure: null, is_test: false })).toBeNull();
});

test.each([
  [{ status: 200, failure: null }, '200'],
  [{ status: 302, failure: null }, '302: redirects are not followed'],
  [{ status: 410, failure: null }, '410: gone'],
  [{ status: null, failure: 'timeout' as const }, 'Timed out after 10 seconds'],
  [{ status: null, failure: null }, 'No response'],
])('an attempt of %j came to “%s”', (attempt, words) => {
  expect(attemptWords(attempt)).toBe(words);
});

test('how many failed is said in words, and as at least so many where the rest was not counted', () => {
  const some = { count: 2, has_more: false };
  expect(failedWords({ count: 1, has_more: false })).toBe('1 failed delivery');
  expect(failedWords(some)).toBe('2 failed deliveries');
  expect(failedWords(addFailed([some, { count: 1_000, has_more: true }]))).toBe('1,002+ failed deliveries');
  expect(addFailed([])).toEqual({ count: 0, has_more: false });
  expect([0, 1, 2].map(replayedWords)).toEqual([
    'There was nothing to resend.',
    '1 delivery queued.',
    '2 deliveries queued.',
  ]);
});

describe('an endpoint', () => {
  const enabled = { status: 'enabled' as const, disabled_reason: null, failing_since: null };

  it('fails only while it is enabled', () => {
    expect(standingOf(enabled).word).toBe('Enabled');
    expect(standingOf({ ...enabled, failing_since: at(-1) }).word).toBe('Failing');
    const disabled = { status: 'disabled' as const, failing_since: at(-1) };
    expect(standingOf({ ...disabled, disabled_reason: 'by_owner' }).word).toBe('Disabled');
    expect(standingOf({ ...disabled, disabled_reason: 'gone' }).word).toBe('Disabled: gone');
    expect(standingOf({ ...disabled, disabled_reason: 'failing' }).sentence).toMatch(/5 days/);
  });

  it('was disabled by us or by its owner', () => {
    expect(isDisabledByUs({ status: 'enabled', disabled_reason: null })).toBe(false);
    expect(isDisabledByUs({ status: 'disabled', disabled_reason: 'by_owner' })).toBe(false);
    expect(isDisabledByUs({ status: 'disabled', disabled_reason: 'gone' })).toBe(true);
    expect(isDisabledByUs({ status: 'disabled', disabled_reason: 'failing' })).toBe(true);
  });

  test.each([
    ['', false, null],
    ['shop.example/hooks', false, 'Enter a full URL, like https://shop.example/webhooks.'],
    ['javascript:alert(1)', false, 'Enter a full URL, like https://shop.example/webhooks.'],
    ['http://127.0.0.1:3000/hooks', false, null],
    ['http://shop.example/hooks', true, 'Live endpoints must use https://.'],
    [' https://shop.example/hooks ', true, null],
  ])('may be at “%s” (live: %s): %s', (typed, livemode, problem) => {
    expect(urlProblem(typed, livemode)).toBe(problem);
  });

  it('is known by its address without what all have', () => {
    expect(shortUrl('https://shop.example/')).toBe('shop.example');
    expect(shortUrl('http://127.0.0.1:3000/hooks?key=1')).toBe('127.0.0.1:3000/hooks?key=1');
    const long = shortUrl(`https://shop.example/${'way/'.repeat(500)}the-till`);
    expect(long).toMatch(/^shop\.example\/way\/.*….*\/the-till$/);
    expect(long).toHaveLength(80);
  });

  it('says which events it takes', () => {
    expect(takesWords(['*'])).toBe('All events');
    expect(takesWords(['order.completed'])).toBe('order.completed');
    expect(takesWords(['order.completed', 'order.expired', 'escrow.claimed'])).toBe('3 event types');
  });
});

test('an endpoint is said to be deleted only by those who know all that there are', () => {
  const known = addressesOf([{ id: 'whs_1', url: 'https://shop.example/' }]);
  expect(known('whs_1')).toBe('shop.example');
  expect(known('whs_2')).toBe('Deleted endpoint');
  expect(addressesOf(undefined)('whs_1')).toBe('…');
});

test('an endpoint takes an event of its own mode and of a type that it named, or of any', () => {
  const event = { livemode: false, type: 'order.completed' as const };
  expect(takes({ livemode: false, enabled_events: ['*'] }, event)).toBe(true);
  expect(takes({ livemode: false, enabled_events: ['order.completed'] }, event)).toBe(true);
  expect(takes({ livemode: false, enabled_events: ['order.created'] }, event)).toBe(false);
  expect(takes({ livemode: true, enabled_events: ['*'] }, event)).toBe(false);
});

test('every type of event belongs to one group', () => {
  expect(TYPE_GROUPS.flatMap(({ types }) => types).toSorted()).toEqual([...EVENT_TYPES].toSorted());
});

describe('figures', () => {
  const bucket = { time: 0, succeeded: 0, failed: 0, p50_ms: null, p95_ms: null };

  it('are summed over the whole span, and empty steps have no latency', () => {
    const lines = linesOf({
      step_seconds: 1_800,
      buckets: [
        bucket,
        { time: 1_800, succeeded: 3, failed: 1, p50_ms: 20, p95_ms: 90 },
        { time: 3_600, succeeded: 2, failed: 0, p50_ms: 30, p95_ms: 40 },
      ],
    });
    expect(lines.sums).toEqual({ succeeded: 5, failed: 1 });
    expect(lines.slowest).toBe(90);
    expect(lines.half).toEqual([null, 20, 30]);
    expect(linesOf({ step_seconds: 1_800, buckets: [bucket] }).slowest).toBeNull();
  });

  test.each([
    [0, 0, 'No attempts in this period'],
    [1, 0, 'Success rate 100% (1 attempt)'],
    [20, 0, 'Success rate 100% (20 attempts)'],
    [0, 1, 'Success rate 0% (1 attempt)'],
    [9_999, 1, 'Success rate 99.9% (10,000 attempts)'],
    [1, 2, 'Success rate 33.3% (3 attempts)'],
  ])('%d that succeeded and %d that failed: “%s”', (succeeded, failed, words) => {
    expect(shareWords({ succeeded, failed })).toBe(words);
  });

  it('are read as milliseconds, then seconds', () => {
    expect([latency(12.4), latency(999), latency(1_000), latency(9_940)]).toEqual([
      '12 ms',
      '999 ms',
      '1.0 s',
      '9.9 s',
    ]);
  });
});

describe('an event', () => {
  test.each([
    [{ pending: 0, retrying: 0, delivered: 0, failed: 0 }, undefined],
    [{ pending: 1, retrying: 0, delivered: 1, failed: 0 }, 'Pending'],
    [{ pending: 1, retrying: 1, delivered: 1, failed: 0 }, 'Retrying'],
    [{ pending: 0, retrying: 0, delivered: 2, failed: 0 }, 'Delivered'],
    [{ pending: 0, retrying: 0, delivered: 0, failed: 1 }, 'Failed'],
    [{ pending: 0, retrying: 1, delivered: 0, failed: 1 }, '1 failed'],
    [{ pending: 1, retrying: 0, delivered: 3, failed: 2 }, '2 failed'],
  ])('with deliveries %j is “%s”', (counts, word) => {
    expect(countsWords(counts)?.word).toBe(word);
  });

  it('leads to the page of what it is about', () => {
    const about = (object: Record<string, unknown>) => resourceOf({ data: { object } });
    expect(about({ order: { id: 'ord_1' } })).toBe('ord_1');
    expect([about({}), about({ order: null }), about({ order: { id: 7 } })]).toEqual([null, null, null]);
    expect(['ord_1', 'esc_1', 'sub_1'].map(resourcePath)).toEqual(['/orders/ord_1', '/tabs/esc_1', null]);
  });
});
