// Calls that cost us something and are free are counted: by network address, or by handle where there is one.
import { randomUUID } from 'node:crypto';
import type { Ctx } from '../context.ts';
import { AppError } from '../domain/errors.ts';
import { PICTURE_UPLOADS } from '../domain/picture.ts';
import { PUBLIC_CALLS, PUBLIC_READS, SMART_PAYMENTS } from '../domain/session.ts';
import { MANAGED_CALLS } from '../domain/subscription.ts';
import { URLS_LOOKED_AT } from '../domain/webhookEndpoint.ts';
import { hit, type Window } from './rateLimit.ts';

/** Signatures that a signed-in browser brings: each is checked on a chain. @throws AppError `rate_limited` with the time to wait */
export function countSignature(ctx: Ctx, handleId: string): Promise<void> {
  return count(ctx, `signed:${handleId}`);
}

/** URLs of endpoints that a workspace names, with a key or in a browser. @throws AppError `rate_limited` with the time to wait */
export function countWebhookUrl(ctx: Ctx, workspaceId: string): Promise<void> {
  return count(ctx, `webhook url:${workspaceId}`, URLS_LOOKED_AT);
}

/** Pictures that a handle uploads: each is decoded. @throws AppError `rate_limited` with the time to wait */
export function countPicture(ctx: Ctx, handleId: string): Promise<void> {
  return count(ctx, `picture:${handleId}`, PICTURE_UPLOADS);
}

/** Signed changes of plans and subscriptions by one workspace. @throws AppError `rate_limited` with the time to wait */
export function countManaged(ctx: Ctx, handleId: string): Promise<void> {
  return count(ctx, `deactivate:${handleId}`, MANAGED_CALLS);
}

/** Smart payments that a visitor begins. Same parameters and errors as {@link countPublicCall}. */
export function countSmartPayment(ctx: Ctx, who: string): Promise<void> {
  return count(ctx, `ip:smart:${who}`, SMART_PAYMENTS);
}

type PublicCall =
  | 'sign-in'
  | 'link'
  | 'login'
  | 'operator'
  | 'checkout'
  | 'payment'
  | 'order'
  | 'subscribe'
  | 'candidates'
  | 'leg';

/** @param who see `callerOf` in http. @throws AppError `rate_limited` with the time to wait */
export function countPublicCall(ctx: Ctx, what: PublicCall, who: string): Promise<void> {
  return count(ctx, `ip:${what}:${who}`);
}

/** What pages poll while a user waits, and the pictures that they show. Same parameters and errors as {@link countPublicCall}. */
export function countPublicRead(ctx: Ctx, what: 'checkout' | 'plan' | 'smart' | 'picture', who: string): Promise<void> {
  return count(ctx, `ip-read:${what}:${who}`, PUBLIC_READS);
}

async function count(ctx: Ctx, key: string, window: Window = PUBLIC_CALLS): Promise<void> {
  const now = ctx.clock.now();
  const call = { id: randomUUID(), limits: [{ key, window }] };
  const answer = await hit(ctx, ctx.db, call, now);
  if (!answer.allowed) throw new AppError('rate_limited', undefined, { retryAfterMs: answer.retryAt - now });
}
