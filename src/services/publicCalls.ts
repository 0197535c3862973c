// What anybody may call without an account is counted by network address.
import type { Ctx } from '../context.ts';
import { AppError } from '../domain/errors.ts';
import { PUBLIC_CALLS } from '../domain/session.ts';
import { hit } from './rateLimit.ts';

/** @param who see `callerOf` in http. @throws AppError `rate_limited` with the time to wait */
export async function countPublicCall(ctx: Ctx, what: 'sign-in' | 'link', who: string): Promise<void> {
  const now = ctx.clock.now();
  const answer = await ctx.db.$transaction((tx) => hit(tx, `ip:${what}:${who}`, PUBLIC_CALLS, now));
  if (!answer.allowed) throw new AppError('rate_limited', undefined, { retryAfterMs: answer.retryAt - now });
}
