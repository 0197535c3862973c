// When the workers say what comes again and again: seldom, and soon where a backend that was away for a moment did not hear it.
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Ctx } from '../src/context.ts';
import { AppError } from '../src/domain/errors.ts';
import { createLog } from '../src/log.ts';
import { runCron } from './cron.ts';

test('what could not be said is said again within seconds, and what was said is said again after a minute', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const said: number[] = [];
  const schedule = async () => {
    said.push(Date.now());
    if (said.length === 1) throw new AppError('provider_unavailable');
  };
  const ctx = {
    env: {},
    chains: {},
    log: createLog('test', 'silent'),
    queues: { schedule, consume: () => {} },
    shutdown: { closing: () => false, onClose: () => {} },
  };
  runCron(ctx as unknown as Ctx, {} as never);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(said).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(50_000);
  expect(said).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(said).toHaveLength(3);
});
