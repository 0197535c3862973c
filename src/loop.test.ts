// The pauses of a loop: short while there is something to do, long while there is not, over at once when somebody wakes it.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLog } from './log.ts';
import { every } from './loop.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A loop whose rounds answer what the test says, and how often it went round. */
function start(options?: Parameters<typeof every>[4], answer: unknown = 0) {
  const closers: (() => unknown)[] = [];
  let isClosing = false;
  const shutdown = {
    onClose: (_: string, close: () => unknown) => void closers.push(close),
    closing: () => isClosing,
    fail: () => {},
    onFail: () => {},
    close: async () => {
      isClosing = true;
      for (const close of closers) await close();
    },
  };
  const seen = { rounds: 0, answer: (): unknown => answer };
  const round = async () => {
    seen.rounds += 1;
    return seen.answer();
  };
  const loop = every({ log: createLog('test', 'silent'), shutdown }, 'of a test', 50, round, options);
  const after = async (ms: number) => {
    const before = seen.rounds;
    await vi.advanceTimersByTimeAsync(ms);
    return seen.rounds - before;
  };
  return { loop, seen, after, shutdown };
}

test('a round that finds nothing is followed by the long pause, one that finds something by the short one', async () => {
  const { seen, after } = start({ idleMs: 500 });
  expect(await after(0)).toBe(0);
  expect(seen.rounds).toBe(1);
  expect(await after(499)).toBe(0);
  expect(await after(1)).toBe(1);
  seen.answer = () => 3;
  expect(await after(500)).toBe(1);
  expect(await after(500)).toBe(10);
  seen.answer = () => 0;
  expect(await after(50)).toBe(1);
  expect(await after(499)).toBe(0);
});

test('without a long pause, and with an answer that is no number, every pause is the short one', async () => {
  const { seen, after } = start();
  expect(await after(500)).toBe(10);
  const other = start({ idleMs: 500 }, 'nothing to count');
  expect(await other.after(500)).toBe(10);
  expect(seen.rounds).toBeGreaterThan(10);
});

test('waking ends the long pause at once, as often as somebody wakes', async () => {
  const { loop, seen, after } = start({ idleMs: 500 });
  await after(100);
  for (let times = 2; times < 5; times++) {
    loop.wake();
    await after(0);
    expect(seen.rounds).toBe(times);
  }
  expect(await after(499)).toBe(0);
});

test('waking in the middle of a round is not lost: another round follows without the long pause', async () => {
  const { loop, seen, after } = start({ idleMs: 500 });
  let finish = () => {};
  seen.answer = () =>
    new Promise((resolve) => {
      finish = () => resolve(0);
    });
  await after(500);
  expect(seen.rounds).toBe(2);
  loop.wake();
  seen.answer = () => 0;
  finish();
  await after(0);
  expect(seen.rounds).toBe(3);
  expect(await after(499)).toBe(0);
});

test('waking ends the pause after a round that found something where that is allowed, and not before its floor', async () => {
  const { loop, seen, after } = start({ idleMs: 500, wokenMs: 20 }, 1);
  await after(0);
  expect(await after(49)).toBe(0);
  expect(await after(1)).toBe(1);
  await after(30);
  loop.wake();
  await after(0);
  expect(seen.rounds).toBe(3);
  // Within the floor it waits for its end, however often it is woken.
  for (let times = 0; times < 3; times++) loop.wake();
  expect(await after(19)).toBe(0);
  expect(await after(1)).toBe(1);
  expect(await after(49)).toBe(0);
  const other = start({ idleMs: 500 }, 1);
  await other.after(30);
  other.loop.wake();
  expect(await other.after(19)).toBe(0);
});

test('waking does not shorten the pause after a failure', async () => {
  const { loop, seen, after } = start({ idleMs: 500 });
  seen.answer = () => Promise.reject(new Error('the chain is away'));
  await after(500);
  const { rounds } = seen;
  loop.wake();
  await after(0);
  expect(seen.rounds).toBe(rounds);
  expect(await after(100)).toBe(1);
});

test('the end of the process ends the long pause, and no round follows', async () => {
  const { seen, after, shutdown } = start({ idleMs: 500 });
  await after(10);
  await shutdown.close();
  expect(await after(5_000)).toBe(0);
  expect(seen.rounds).toBe(1);
});

test('a round that is under way when the process ends is finished, and no pause follows', async () => {
  const { seen, after, shutdown } = start({ idleMs: 600_000 });
  let finish = () => {};
  seen.answer = () =>
    new Promise((resolve) => {
      finish = () => resolve(0);
    });
  await after(600_000);
  const closed = vi.fn();
  void shutdown.close().then(closed);
  await after(0);
  expect(closed).not.toHaveBeenCalled();
  finish();
  expect(await after(0)).toBe(0);
  expect(closed).toHaveBeenCalled();
});
