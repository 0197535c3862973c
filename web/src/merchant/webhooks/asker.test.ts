// Pages that ask anew: one question at a time, none lost, however often something changes.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createAsker } from './asker.ts';

const SPACING_MS = 1_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Questions whose answers come when the test says so. */
function questions() {
  const answers: (() => void)[] = [];
  return {
    answers,
    ask: () => new Promise<void>((resolve) => answers.push(resolve)),
    count: () => answers.length,
  };
}

it('asks at once, and once more after the answer for all that changed meanwhile', async () => {
  const asked = questions();
  const asker = createAsker(asked.ask, SPACING_MS);
  asker.ask();
  expect(asked.count()).toBe(1);
  for (let change = 0; change < 5; change++) asker.ask();
  await vi.advanceTimersByTimeAsync(10 * SPACING_MS);
  expect(asked.count()).toBe(1);
  asked.answers[0]?.();
  await vi.advanceTimersByTimeAsync(SPACING_MS - 1);
  expect(asked.count()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked.count()).toBe(2);
  asked.answers[1]?.();
  await vi.advanceTimersByTimeAsync(10 * SPACING_MS);
  expect(asked.count()).toBe(2);
});

it('goes on after an answer that did not come, and stops when it is over', async () => {
  const asked = questions();
  let fails = true;
  const asker = createAsker(() => (fails ? Promise.reject(new Error('away')) : asked.ask()), SPACING_MS);
  asker.ask();
  asker.ask();
  fails = false;
  await vi.advanceTimersByTimeAsync(SPACING_MS);
  expect(asked.count()).toBe(1);
  asked.answers[0]?.();
  asker.ask();
  asker.end();
  await vi.advanceTimersByTimeAsync(10 * SPACING_MS);
  expect(asked.count()).toBe(1);
});
