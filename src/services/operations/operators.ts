// Operators: callers with the admin secret. A browser gets a cookie for twelve hours, programs send the secret itself.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { type Ctx, newId } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { newToken } from '../accounts/sessions.ts';

export const OPERATOR_TTL_MS = 12 * 3_600_000;

/** Whether a value is one of the secrets. Takes the same time whatever is wrong; nothing is right where nothing is configured. */
function isOneOf(given: string, secrets: readonly (string | undefined)[]): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const seen = digest(given);
  let right = false;
  for (const secret of secrets) {
    if (secret !== undefined && timingSafeEqual(seen, digest(secret))) right = true;
  }
  return right;
}

export function isAdminSecret(ctx: Ctx, given: string): boolean {
  return isOneOf(given, [ctx.env.ADMIN_SECRET]);
}

/** The metrics are for callers with the admin secret or with the token that opens nothing else. */
export function mayReadMetrics(ctx: Ctx, given: string): boolean {
  return isOneOf(given, [ctx.env.ADMIN_SECRET, ctx.env.METRICS_TOKEN]);
}

/** What is stored of a cookie. It hangs on the admin secret, so that a new one ends every session of the old one. Null where there is none. */
function hashUnderSecret({ env }: Ctx, token: string): string | null {
  if (env.ADMIN_SECRET === undefined) return null;
  return createHmac('sha256', env.ADMIN_SECRET).update(token).digest('hex');
}

/** @returns the value for the cookie. @throws AppError `admin_secret_invalid` */
export async function signInOperator(ctx: Ctx, secret: string): Promise<string> {
  const token = newToken();
  const tokenHash = hashUnderSecret(ctx, token);
  if (tokenHash === null || !isAdminSecret(ctx, secret))
    throw new AppError('admin_secret_invalid', 'Invalid admin secret.');
  const now = ctx.clock.now();
  await ctx.db.operatorSession.deleteMany({ where: { expiresAt: { lt: new Date(now) } } });
  const row = {
    id: newId(ctx, 'opr'),
    tokenHash,
    createdAt: new Date(now),
    expiresAt: new Date(now + OPERATOR_TTL_MS),
  };
  await ctx.db.operatorSession.create({ data: row });
  ctx.log.info({ operator: row.id }, 'an operator signed in');
  return token;
}

/** The id of an operator's session, or null when the cookie is worth nothing. */
export async function findOperator(ctx: Ctx, token: string): Promise<string | null> {
  const tokenHash = hashUnderSecret(ctx, token);
  const row = tokenHash === null ? null : await ctx.db.operatorSession.findUnique({ where: { tokenHash } });
  if (!row || row.revokedAt || row.expiresAt.getTime() <= ctx.clock.now()) return null;
  return row.id;
}

export async function signOutOperator(ctx: Ctx, token: string): Promise<void> {
  const tokenHash = hashUnderSecret(ctx, token);
  if (tokenHash === null) return;
  await ctx.db.operatorSession.updateMany({
    where: { tokenHash, revokedAt: null },
    data: { revokedAt: new Date(ctx.clock.now()) },
  });
}
