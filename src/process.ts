// The life of a process: configuration, context, work, and an orderly end on a signal or when its parent is gone.
import { hostname } from 'node:os';
import { type Ctx, createContext, verifyChains } from './context.ts';
import { StartError } from './domain/errors.ts';
import { scrub } from './domain/scrub.ts';
import { readEnv } from './env.ts';
import { every } from './loop.ts';
import type { QueueName } from './queues.ts';
import { beat, endBeat } from './services/operations/heartbeats.ts';

/** An orderly end that takes longer than this is cut off: rows make that safe. */
const CLOSE_WITHIN_MS = 9_000;
const BEAT_EVERY_MS = 10_000;

/** Runs one of our processes; a failed start prints one line and exits with 1. */
export async function runProcess(
  name: string,
  start: (ctx: Ctx) => Promise<void>,
  { verify = true, ...options }: { queueNames?: QueueName[]; verify?: boolean } = {},
): Promise<void> {
  let ctx: Ctx | undefined;
  const end = (code: number) => {
    setTimeout(() => process.exit(code), CLOSE_WITHIN_MS).unref();
    void (ctx?.shutdown.close() ?? Promise.resolve()).then(() => process.exit(code));
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end(0));
  process.once('disconnect', () => end(0));
  // An unhandled rejection leaves an unknown state: better to end and be started again, rows make that safe.
  process.once('unhandledRejection', (err) => {
    ctx?.log.fatal({ err }, 'an unexpected failure ends this process');
    end(1);
  });
  try {
    ctx = await createContext(readEnv(), name, options);
    ctx.shutdown.onFail((reason) => {
      ctx?.log.fatal({ reason }, 'this process must not go on');
      process.stderr.write(`${reason}\n`);
      end(1);
    });
    if (verify) await verifyChains(ctx);
    await start(ctx);
    keepBeating(ctx, name);
    ctx.log.info('ready');
    process.send?.({ ready: name });
  } catch (error) {
    const line =
      error instanceof StartError ? error.message : `The ${name} process cannot start: ${scrub(String(error))}`;
    process.stderr.write(`${line}\n`);
    if (!(error instanceof StartError)) ctx?.log.error({ err: error }, 'start failed');
    end(1);
  }
}

/** Says every few seconds that this process runs, what it holds, and by how much it was late. */
export function keepBeating(ctx: Ctx, name: string): void {
  const instance = `${hostname()}-${process.pid}`;
  const startedAt = new Date(ctx.clock.now());
  let due = performance.now();
  ctx.shutdown.onClose('beat', () => endBeat(ctx, name, instance));
  every(ctx, 'beat', BEAT_EVERY_MS, async () => {
    const lagMs = Math.max(0, performance.now() - due);
    await beat(ctx, { process: name, instance, startedAt, rssBytes: process.memoryUsage.rss(), lagMs });
    due = performance.now() + BEAT_EVERY_MS;
  });
}
