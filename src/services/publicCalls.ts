// What anybody may call without an account is counted by network address.
import { randomUUID } from 'node:crypto';
import type { Ctx } from '../context.ts';
import { AppError } from '../domain/errors.ts';
import { PUBLIC_CALLS } from '../domain/session.ts';
import { hit } from './rateLimit.ts';

/** @param who see `callerOf` in http. @throws AppError `rate_limited` with the time to wait */
export async function countPublicCall(ctx: Ctx, what: 'sign-in' | 'link' | 'operator', who: string): Promise<void> {
  const now = ctx.clock.now();
  const call = { id: randomUUID(), limits: [{ key: `ip:${what}:${who}`, window: PUBLIC_CALLS }] };
  const answer = await ctx.db.$transaction((tx) => hit(ctx, tx, call, now));
  if (!answer.allowed) throw new AppError('rate_limited', undefined, { retryAfterMs: answer.retryAt - now });
}
