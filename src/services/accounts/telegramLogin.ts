// Telegram Login: people go to Telegram with a plain address and come back with an answer that the bot's token has signed.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { LOGIN_ANSWER_AGE_MS, LOGIN_CLOCK_SKEW_MS } from '../../domain/limits.ts';
import type { ProvenAccount } from './loginProviders.ts';

/** `at` is when Telegram signed it, Unix milliseconds; `answerHash` names the answer, so that it is taken once. */
export type TelegramProof = ProvenAccount & { at: number; answerHash: string };

const fields = z.object({
  id: z.number().int().positive().max(Number.MAX_SAFE_INTEGER),
  username: z.string().min(1).max(100).optional(),
  auth_date: z.number().int().positive(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
});

export function isTelegramOffered(ctx: Ctx): boolean {
  return ctx.env.TELEGRAM_BOT_ID !== undefined && ctx.env.TELEGRAM_LOGIN_KEY !== undefined;
}

/** Where the browser goes. The state rides in the address to which Telegram sends it back. */
export function telegramUrl(ctx: Ctx, state: string): string {
  const { TELEGRAM_OAUTH_ROOT, TELEGRAM_BOT_ID, BASE_URL } = ctx.env;
  const back = new URL('/connections', BASE_URL);
  back.searchParams.set('state', state);
  const url = new URL(`${TELEGRAM_OAUTH_ROOT.replace(/\/+$/, '')}/auth`);
  url.searchParams.set('bot_id', TELEGRAM_BOT_ID ?? '');
  url.searchParams.set('origin', back.origin);
  url.searchParams.set('return_to', back.href);
  url.searchParams.set('request_access', 'write');
  return url.href;
}

/**
 * Reads what stood behind `tgAuthResult=`: base64url of JSON.
 * @returns `cancelled` when the person said no there, null for anything that Telegram has not signed for this bot within five minutes
 */
export function readTelegramAnswer(ctx: Ctx, text: string): TelegramProof | 'cancelled' | null {
  const answer = decode(text);
  if (answer === false) return 'cancelled';
  const known = fields.safeParse(answer);
  if (!known.success || !isSigned(ctx, answer as Record<string, unknown>, known.data.hash)) return null;
  const at = known.data.auth_date * 1_000;
  const now = ctx.clock.now();
  if (now - at > LOGIN_ANSWER_AGE_MS || at - now > LOGIN_CLOCK_SKEW_MS) return null;
  return {
    platformUserId: String(known.data.id),
    username: known.data.username ?? null,
    at: Math.min(at, now),
    answerHash: createHash('sha256').update(known.data.hash).digest('hex'),
  };
}

function decode(text: string): unknown {
  try {
    return text === 'false' ? false : JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}

/** The HMAC is over every field but itself, by name, one a line. */
function isSigned(ctx: Ctx, answer: Record<string, unknown>, hash: string): boolean {
  const { TELEGRAM_LOGIN_KEY } = ctx.env;
  if (!TELEGRAM_LOGIN_KEY) return false;
  const lines = Object.keys(answer)
    .filter((name) => name !== 'hash')
    .sort()
    .map((name) => `${name}=${String(answer[name])}`);
  const expected = createHmac('sha256', Buffer.from(TELEGRAM_LOGIN_KEY, 'hex')).update(lines.join('\n')).digest();
  return timingSafeEqual(expected, Buffer.from(hash, 'hex'));
}
