// What costs us something and nobody pays for is counted: by network address, or by handle where there is one.
import { randomUUID } from 'node:crypto';
import type { Ctx } from '../context.ts';
import { AppError } from '../domain/errors.ts';
import { PUBLIC_CALLS } from '../domain/session.ts';
import { hit } from './rateLimit.ts';

/** Signatures that a signed-in browser brings: each is checked on a chain. @throws AppError `rate_limited` with the time to wait */
export function countSigned(ctx: Ctx, handleId: string): Promise<void> {
  return count(ctx, `signed:${handleId}`);
}

/** @param who see `callerOf` in http. @throws AppError `rate_limited` with the time to wait */
export function countPublicCall(ctx: Ctx, what: 'sign-in' | 'link' | 'operator', who: string): Promise<void> {
  return count(ctx, `ip:${what}:${who}`);
}

async function count(ctx: Ctx, key: string): Promise<void> {
  const now = ctx.clock.now();
  const call = { id: randomUUID(), limits: [{ key, window: PUBLIC_CALLS }] };
  const answer = await ctx.db.$transaction((tx) => hit(ctx, tx, call, now));
  if (!answer.allowed) throw new AppError('rate_limited', undefined, { retryAfterMs: answer.retryAt - now });
}
