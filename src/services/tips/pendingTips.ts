// Tips that were typed before their sender was connected: kept for a day, shown with everything they would do, and sent by one confirmation on the page.

import type { Ctx } from '../../context.ts';
import type { Json, Row, Tx } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { type IntentDoubt, planFingerprint, type Refusal, type RefusedLeg } from '../../domain/plan.ts';
import { lockSender } from '../locks.ts';
import { planIntents } from './plan.ts';
import { confirmIntent, declineIntent, describePlan } from './preparation.ts';

/** One kept tip as its sender sees it. `legs` are what would be sent now; `fingerprint` is what a confirmation confirms. */
export type PendingTip = {
  id: string;
  platform: string;
  kind: string;
  /** Why its words ask, and what the sender wrote to go with it. */
  doubt: IntentDoubt | null;
  note: string | null;
  expiresAt: Date;
  legs: ReturnType<typeof describePlan>;
  refused: RefusedLeg[];
  /** Why it cannot be sent now, though it may be later. */
  refusal: Refusal | null;
  fingerprint: string | null;
};

/** The accounts of a handle that may be behind a kept tip, and what is kept for them. */
async function keptIntents(ctx: Ctx, db: Tx | Ctx['db'], handleId: string): Promise<Row<'Intent'>[]> {
  const accounts = await db.connection.findMany({
    where: { handleId, disconnectedAt: null },
    select: { platform: true, platformUserId: true },
  });
  if (accounts.length === 0) return [];
  return db.intent.findMany({
    where: {
      status: 'waiting',
      nextAttemptAt: { gt: new Date(ctx.clock.now()) },
      OR: accounts.map(({ platform, platformUserId }) => ({ platform, senderId: platformUserId })),
    },
    orderBy: { acceptedAt: 'asc' },
  });
}

/** How many tips wait for the confirmation of a handle. */
export async function countPending(ctx: Ctx, tx: Tx, handleId: string): Promise<number> {
  return (await keptIntents(ctx, tx, handleId)).length;
}

/** The commands that a handle typed before it was connected, planned with current balances. @throws AppError `provider_unavailable` */
export async function pendingTips(ctx: Ctx, handleId: string): Promise<PendingTip[]> {
  const intents = await keptIntents(ctx, ctx.db, handleId);
  if (intents.length === 0) return [];
  const outcomes = new Map((await Promise.all(await planIntents(ctx, intents))).flatMap((group) => [...group]));
  return intents.map((intent) => {
    const outcome = outcomes.get(intent.id);
    if (outcome && 'failed' in outcome) throw outcome.failed;
    const plan = outcome && 'plan' in outcome ? outcome.plan : null;
    return {
      id: intent.id,
      platform: intent.platform,
      kind: (intent.command as { kind: string }).kind,
      doubt: intent.doubt as IntentDoubt | null,
      note: (intent.command as { memo?: string }).memo ?? null,
      expiresAt: intent.nextAttemptAt,
      legs: plan ? describePlan(plan) : [],
      refused: plan?.refused ?? [],
      refusal: outcome && 'refusal' in outcome ? outcome.refusal : null,
      fingerprint: plan ? planFingerprint(plan.legs) : null,
    };
  });
}

/**
 * Sends a kept tip. If its plan differs from the shown one by then, the chat shows it for confirmation again.
 * @param fingerprint of the plan that was shown
 * @throws AppError `resource_missing`, `state_conflict` when it was answered or ran out, or when the account may not spend
 */
export async function confirmPending(ctx: Ctx, handleId: string, id: string, fingerprint: string): Promise<void> {
  await ctx.db.$transaction(async (tx) => {
    await lockSender(tx, handleId);
    const intent = await ownPending(ctx, tx, handleId, id);
    const account = { platform: intent.platform, platformUserId: intent.senderId };
    const maySpend = await tx.connection.findFirst({
      where: { ...account, handleId, canSpend: true, disconnectedAt: null },
    });
    if (!maySpend) throw new AppError('state_conflict', 'This account can’t send yet. Set spending limits first.');
    const patch = { senderHandleId: handleId, detail: { fingerprint } as Json };
    if (!(await confirmIntent(ctx, tx, id, patch))) throw new AppError('state_conflict', OVER);
  });
  await ctx.queues.flush(ctx.db);
}

/** Drops a kept tip. Same errors as {@link confirmPending}. */
export async function declinePending(ctx: Ctx, handleId: string, id: string): Promise<void> {
  await ctx.db.$transaction(async (tx) => {
    await ownPending(ctx, tx, handleId, id);
    if (!(await declineIntent(ctx, tx, id))) throw new AppError('state_conflict', OVER);
  });
  await ctx.queues.flush(ctx.db);
}

const OVER = 'This tip was already confirmed or declined, or it has expired.';

async function ownPending(ctx: Ctx, tx: Tx, handleId: string, id: string): Promise<Row<'Intent'>> {
  const own = (await keptIntents(ctx, tx, handleId)).find((intent) => intent.id === id);
  if (own) return own;
  const intent = await tx.intent.findUnique({ where: { id } });
  const account = intent && { platform: intent.platform, platformUserId: intent.senderId };
  const isTheirs =
    account && (await tx.connection.findFirst({ where: { ...account, handleId, disconnectedAt: null } }));
  throw isTheirs ? new AppError('state_conflict', OVER) : new AppError('resource_missing');
}
