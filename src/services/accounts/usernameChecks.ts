// What accounts are called now, as their platforms say themselves. Neither the API nor the signer has a platform's token, so a row asks and the
// bots process answers it.

import { type Ctx, newId } from '../../context.ts';
import type { Tx } from '../../db.ts';
import type { PlatformAccount } from '../outbox/directMessages.ts';
import { wake } from '../wake.ts';
import { noteSeen } from './connections.ts';

export type OpenNameCheck = PlatformAccount & { id: string };

const RETRY_MS = [1_000, 2_000, 5_000, 15_000, 60_000];

/** Asks what these accounts are called, each once at a time. @param claimId the claim that needs to know; null to bring our rows up to date */
export async function wantNames(ctx: Ctx, tx: Tx, accounts: PlatformAccount[], claimId: string | null): Promise<void> {
  const open = await tx.nameCheck.findMany({ where: { claimId, checkedAt: null, OR: accounts.map(justAccount) } });
  const missing = accounts.filter((one) => !open.some((check) => isSame(check, one)));
  const now = new Date(ctx.clock.now());
  await tx.nameCheck.createMany({
    data: missing.map((account) => ({
      id: newId(ctx, 'nck'),
      ...justAccount(account),
      claimId,
      wantedAt: now,
      nextAttemptAt: now,
    })),
  });
  await wake(tx, 'names');
}

function justAccount({ platform, platformUserId }: PlatformAccount): PlatformAccount {
  return { platform, platformUserId };
}

function isSame(a: PlatformAccount, b: PlatformAccount): boolean {
  return a.platform === b.platform && a.platformUserId === b.platformUserId;
}

/** Checks that are due on these platforms, those that wait longest first. */
export function openNameChecks(ctx: Ctx, platforms: string[], most: number): Promise<OpenNameCheck[]> {
  return ctx.db.nameCheck.findMany({
    where: { checkedAt: null, platform: { in: platforms }, nextAttemptAt: { lte: new Date(ctx.clock.now()) } },
    orderBy: { nextAttemptAt: 'asc' },
    select: { id: true, platform: true, platformUserId: true },
    take: most,
  });
}

/** Notes what the platform said; it is a sighting as well. @param username null for an account without one, or that is gone */
export async function answerNameCheck(ctx: Ctx, check: OpenNameCheck, username: string | null): Promise<void> {
  const { id, platform, platformUserId } = check;
  const now = ctx.clock.now();
  const name = username?.toLowerCase() ?? null;
  await ctx.db.$transaction(async (tx) => {
    const { count } = await tx.nameCheck.updateMany({
      where: { id, checkedAt: null },
      data: { checkedAt: new Date(now), username: name },
    });
    if (count === 0) return;
    const seen = await tx.seenUser.findUnique({
      where: { platform_platformUserId: { platform, platformUserId } },
      select: { isBot: true },
    });
    await noteSeen(tx, platform, [{ id: platformUserId, username: name, isBot: seen?.isBot ?? false }], now);
  });
}

/** The platform did not answer: asked again after a growing pause. */
export async function delayNameCheck(ctx: Ctx, { id }: OpenNameCheck): Promise<void> {
  const row = await ctx.db.nameCheck.findUnique({ where: { id }, select: { attempts: true } });
  if (!row) return;
  const delay = RETRY_MS[Math.min(row.attempts, RETRY_MS.length - 1)] ?? 60_000;
  await ctx.db.nameCheck.updateMany({
    where: { id, checkedAt: null },
    data: { attempts: { increment: 1 }, nextAttemptAt: new Date(ctx.clock.now() + delay) },
  });
}
