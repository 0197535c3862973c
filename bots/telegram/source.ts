// Where Telegram's updates come from: our poll loop, or its webhook calls.
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Update } from '@grammyjs/types';
import { type Bot, GrammyError, webhookCallback } from 'grammy';
import type { Ctx } from '../../src/context.ts';
import { StartError } from '../../src/domain/errors.ts';

export const POLL_SECONDS = 30;
/** What we ask Telegram for; everything else stays with it. */
export const ALLOWED_UPDATES = ['message', 'callback_query', 'guest_message', 'message_reaction'] as const;

/**
 * Asks for updates one batch after the other and names the next offset only when everything before it is stored. Stopping confirms nothing:
 * what was fetched and not stored stays at Telegram and comes again. (grammY's own `stop` confirms the update that is under way.)
 */
export async function poll(ctx: Ctx, bot: Bot, store: (updates: Update[]) => Promise<void>): Promise<void> {
  await bot.api.deleteWebhook();
  const stopping = new AbortController();
  const done = run();
  ctx.shutdown.onClose('telegram polling', () => {
    stopping.abort();
    return done;
  });
  async function run(): Promise<void> {
    let offset: number | undefined;
    while (!ctx.shutdown.closing()) {
      try {
        const next = offset === undefined ? {} : { offset };
        const updates = await bot.api.getUpdates(
          { ...next, allowed_updates: [...ALLOWED_UPDATES], timeout: POLL_SECONDS, limit: 100 },
          stopping.signal as never,
        );
        const last = updates.at(-1);
        if (!last) continue;
        await store(updates);
        offset = last.update_id + 1;
      } catch (err) {
        if (ctx.shutdown.closing()) return;
        const conflict = err instanceof GrammyError && err.error_code === 409;
        ctx.log.error(
          { err },
          conflict ? 'another process polls this bot; stop it' : 'polling failed; it is tried again',
        );
        await pause(POLL_RETRY_MS, stopping.signal);
      }
    }
  }
}

const POLL_RETRY_MS = 2_000;

/** Waits, or less when the process closes. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal }).catch(() => {});
}

/** Webhook mode: Telegram calls us, proves itself with the secret token, and repeats what we did not answer with 200. */
export async function listen(ctx: Ctx, bot: Bot): Promise<void> {
  const { TELEGRAM_WEBHOOK_URL: url, TELEGRAM_WEBHOOK_SECRET: secret, TELEGRAM_WEBHOOK_PORT: port, HOST } = ctx.env;
  if (!url || !secret) throw new StartError('TELEGRAM_WEBHOOK_URL and TELEGRAM_WEBHOOK_SECRET go together.');
  const handle = webhookCallback(bot, 'http', { secretToken: secret, timeoutMilliseconds: 20_000, onTimeout: 'throw' });
  const path = new URL(url).pathname;
  const server = createServer((request, response) => {
    const declared = Number(request.headers['content-length'] ?? 0);
    if (request.method !== 'POST' || request.url !== path) return void response.writeHead(404).end();
    if (declared > MAX_UPDATE_BYTES) return void response.writeHead(413).end();
    handle(request, response).catch((err: unknown) => {
      ctx.log.error({ err }, 'a webhook call failed; Telegram repeats it');
      if (!response.headersSent) response.writeHead(500).end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(portProblem(cause, port)));
    server.listen(port, HOST, resolve);
  });
  ctx.shutdown.onClose('telegram webhook', () => new Promise((resolve) => server.close(resolve)));
  await bot.api.setWebhook(url, { secret_token: secret, allowed_updates: [...ALLOWED_UPDATES] });
}

const MAX_UPDATE_BYTES = 1_048_576;

function portProblem(cause: NodeJS.ErrnoException, port: number): Error {
  if (cause.code !== 'EADDRINUSE') return cause;
  return new StartError(`Port ${port} is in use. Stop the other program or set TELEGRAM_WEBHOOK_PORT.`, { cause });
}
