// The life of a process: configuration, context, work, and an orderly end on a signal or when its parent is gone.
import { type Ctx, createContext } from './context.ts';
import { StartError } from './domain/errors.ts';
import { readEnv } from './env.ts';
import { scrub } from './log.ts';

/** An orderly end that takes longer than this is cut off: rows make that safe. */
const CLOSE_WITHIN_MS = 9_000;

/** Runs one of our processes; a failed start prints one line and exits with 1. */
export async function runProcess(name: string, start: (ctx: Ctx) => Promise<void>): Promise<void> {
  let ctx: Ctx | undefined;
  const end = (code: number) => {
    setTimeout(() => process.exit(code), CLOSE_WITHIN_MS).unref();
    void (ctx?.shutdown.close() ?? Promise.resolve()).then(() => process.exit(code));
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end(0));
  process.once('disconnect', () => end(0));
  // A failure that nobody awaited leaves an unknown state: better to end and be started again, rows make that safe.
  process.once('unhandledRejection', (err) => {
    ctx?.log.fatal({ err }, 'an unexpected failure ends this process');
    end(1);
  });
  try {
    ctx = await createContext(readEnv(), name);
    await start(ctx);
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
