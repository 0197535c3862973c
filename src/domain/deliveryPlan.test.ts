// The retry schedule to the millisecond, the values of Retry-After, and the outcomes of a delivery.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ATTEMPT_TIMEOUT_MS, MOST_ATTEMPTS, RETRY_SCHEDULE_S } from './delivery.ts';
import { type AttemptOutcome, judgeAttempt, nextAttempt, readRetryAfter } from './deliveryPlan.ts';

const T0 = Date.parse('2026-11-23T12:00:00Z');
const DAY_MS = 86_400_000;
const onTime = { nowMs: T0, startedMs: T0, dueMs: T0, retryAfterMs: null, jitter: 0 };

test('an attempt may take ten seconds, and there are seven', () => {
  expect([ATTEMPT_TIMEOUT_MS, MOST_ATTEMPTS]).toEqual([10_000, 7]);
});

describe('the retry schedule', () => {
  test('tries at 1 m, 5 m, 15 m, 1 h, 6 h and 24 h after the first try, and then no more', () => {
    const offsets: (number | null)[] = [];
    let dueMs: number | null = T0;
    for (let attempt = 0; dueMs !== null; attempt++) {
      offsets.push((dueMs - T0) / 1_000);
      dueMs = nextAttempt({ ...onTime, attempt, dueMs, startedMs: dueMs, nowMs: dueMs });
    }
    expect(offsets).toEqual([0, 60, 300, 900, 3_600, 21_600, 86_400]);
  });

  test.each([
    { name: 'the first one counts from its start, however late', attempt: 0, late: 5_000, next: 5_000 + 60_000 },
    { name: 'a later one from when it was due', attempt: 1, late: 59_000, next: 240_000 },
    { name: 'unless it began more than a minute late', attempt: 1, late: 60_001, next: 60_001 + 240_000 },
    { name: 'as after an outage of a day', attempt: 4, late: DAY_MS, next: DAY_MS + 5 * 3_600_000 },
  ])('$name', ({ attempt, late, next }) => {
    const startedMs = T0 + late;
    expect(nextAttempt({ ...onTime, attempt, startedMs, nowMs: startedMs + 10_000 })).toBe(T0 + next);
  });

  const attempts = fc.integer({ min: 0, max: MOST_ATTEMPTS - 2 });
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const delay = fc.integer({ min: 0, max: 3 * DAY_MS });

  test('jitter delays by at most a tenth of the wait and never hastens', () => {
    fc.assert(
      fc.property(attempts, share, delay, (attempt, jitter, late) => {
        const at = { ...onTime, attempt, startedMs: T0 + late, nowMs: T0 + late };
        const [plain, next] = [nextAttempt(at) ?? 0, nextAttempt({ ...at, jitter }) ?? 0];
        const gapMs = ((RETRY_SCHEDULE_S[attempt] ?? 0) - (RETRY_SCHEDULE_S[attempt - 1] ?? 0)) * 1_000;
        expect(next).toBeGreaterThanOrEqual(plain);
        expect(next).toBeLessThanOrEqual(Math.ceil(plain + gapMs / 10));
      }),
    );
  });

  test('never bunches: whatever is late, the next wait is at least the scheduled one less a minute', () => {
    fc.assert(
      fc.property(attempts, share, delay, fc.integer({ min: 0, max: 10_000 }), (attempt, jitter, late, took) => {
        const startedMs = T0 + late;
        const next = nextAttempt({ ...onTime, attempt, jitter, startedMs, nowMs: startedMs + took }) ?? 0;
        const gapMs = ((RETRY_SCHEDULE_S[attempt] ?? 0) - (RETRY_SCHEDULE_S[attempt - 1] ?? 0)) * 1_000;
        expect(next - startedMs).toBeGreaterThanOrEqual(attempt === 0 ? gapMs : gapMs - 60_000);
      }),
    );
  });

  test('Retry-After only delays further, and nobody waits longer than a day for it', () => {
    fc.assert(
      fc.property(attempts, share, fc.bigInt({ min: 0n, max: 10n ** 30n }), (attempt, jitter, seconds) => {
        const retryAfterMs = readRetryAfter(String(seconds), T0);
        const plain = nextAttempt({ ...onTime, attempt, jitter }) ?? 0;
        const next = nextAttempt({ ...onTime, attempt, jitter, retryAfterMs }) ?? 0;
        expect(next).toBe(Math.max(plain, T0 + Math.min(Number(seconds) * 1_000, DAY_MS)));
      }),
    );
  });
});

test.each([
  ['120', 120_000],
  [' 7 ', 7_000],
  ['0', null],
  ['99999999999999999999999999', DAY_MS],
  ['Mon, 23 Nov 2026 12:01:30 GMT', 90_000],
  ['Monday, 23-Nov-26 12:01:30 GMT', 90_000],
  ['Mon Nov 23 12:01:30 2026', 90_000],
  ['Fri, 31 Dec 9999 23:59:59 GMT', DAY_MS],
  ['Mon, 23 Nov 2026 11:59:00 GMT', null],
  ['Mon, 99 Nov 2026 12:01:30 GMT', null],
  ['2026-11-24', null],
  ['-5', null],
  ['1.5', null],
  ['1e9', null],
  ['soon', null],
  ['', null],
  [null, null],
])('Retry-After %j waits %j ms', (text, ms) => {
  expect(readRetryAfter(text, T0)).toBe(ms);
});

test('Retry-After: no text breaks the reading, and it is null or within a day', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const ms = readRetryAfter(text, T0);
      expect(ms === null || (ms > 0 && ms <= DAY_MS)).toBe(true);
    }),
  );
});

describe('what becomes of a delivery', () => {
  const standing = { attempt: 2, dueMs: T0, startedMs: T0, nowMs: T0, isTest: false };
  const answer = (status: number, retryAfter: string | null = null): AttemptOutcome => ({
    status,
    retryAfter,
    answer: '',
  });

  test('any 2xx delivers it and 410 ends the endpoint; every other status is tried again', () => {
    for (let status = 200; status < 600; status++) {
      const fate = judgeAttempt(standing, answer(status), 0);
      if (status < 300) expect(fate).toEqual({ status: 'delivered' });
      else if (status === 410) expect(fate).toEqual({ status: 'failed', failure: 'gone', endpointGone: true });
      else expect(fate).toEqual({ status: 'pending', nextMs: T0 + 600_000 });
    }
  });

  test('Retry-After of any failure is heard, that of a 2xx is not', () => {
    for (const status of [302, 429, 500, 503])
      expect(judgeAttempt(standing, answer(status, '3600'), 0)).toEqual({ status: 'pending', nextMs: T0 + 3_600_000 });
    expect(judgeAttempt(standing, answer(200, '3600'), 0)).toEqual({ status: 'delivered' });
  });

  test('the seventh failure is the last, and a test is tried once', () => {
    const exhausted = { status: 'failed', failure: 'exhausted', endpointGone: false };
    expect(judgeAttempt({ ...standing, attempt: 5 }, { failure: 'timeout' }, 0).status).toBe('pending');
    expect(judgeAttempt({ ...standing, attempt: 6 }, { failure: 'timeout' }, 0)).toEqual(exhausted);
    expect(judgeAttempt({ ...standing, attempt: 6 }, answer(503, '60'), 0)).toEqual(exhausted);
    expect(judgeAttempt({ ...standing, attempt: 0, isTest: true }, answer(500), 0)).toEqual(exhausted);
    expect(judgeAttempt({ ...standing, attempt: 6 }, answer(204), 0)).toEqual({ status: 'delivered' });
  });
});
