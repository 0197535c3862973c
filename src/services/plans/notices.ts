// Notices to subscribers in their direct chats. The bots have the texts.
import type { Ctx } from '../../context.ts';
import type { Tx } from '../../db.ts';
import type { ChargeFailure, FailureNotice } from '../../domain/subscription.ts';
import { directChatsOf } from '../outbox/directMessages.ts';
import { wantReplies } from '../outbox/replies.ts';
import { ownersOf } from './views.ts';

type Of = { chain: string; row: { id: string; subscriber: string } };
export type SubscriberNotice = Of &
  (
    | { kind: 'subscription_failing'; stage: FailureNotice; code: ChargeFailure }
    | { kind: 'subscription_halted' }
    | { kind: 'subscription_cancelled' }
    | { kind: 'subscription_low' }
    | { kind: 'subscription_price' }
    /** Only to those who asked for it. */
    | { kind: 'subscription_charged'; number: number }
  );

/** Where a chat of theirs is known. The same notice about the same period is one message. */
export async function notifySubscribers(ctx: Ctx, tx: Tx, notices: readonly SubscriberNotice[]): Promise<void> {
  if (notices.length === 0) return;
  const owners = await ownersOf(
    tx,
    notices.map(({ chain, row }) => ({ chain, subscriber: row.subscriber })),
  );
  const wanting = await wantCharges(
    tx,
    notices.some(({ kind }) => kind === 'subscription_charged') ? [...owners.values()].map(({ id }) => id) : [],
  );
  const day = Math.floor(ctx.clock.now() / 86_400_000);
  for (const notice of notices) {
    const owner = owners.get(`${notice.chain} ${notice.row.subscriber}`);
    if (!owner || (notice.kind === 'subscription_charged' && !wanting.has(owner.id))) continue;
    const { id: subscriptionId } = notice.row;
    const about =
      notice.kind === 'subscription_failing'
        ? `${notice.stage}:${day}`
        : notice.kind === 'subscription_charged'
          ? String(notice.number)
          : String(day);
    const chats = await directChatsOf(tx, owner.id);
    const inputs = chats.map((to) => {
      const common = {
        key: `${notice.kind}:${subscriptionId}:${about}:${to.platform}:${to.chatId}`,
        to,
        replyTo: null,
      };
      if (notice.kind === 'subscription_failing')
        return { ...common, kind: notice.kind, data: { subscriptionId, stage: notice.stage, code: notice.code } };
      if (notice.kind === 'subscription_charged')
        return { ...common, kind: notice.kind, data: { subscriptionId, number: notice.number } };
      return { ...common, kind: notice.kind, data: { subscriptionId } };
    });
    await wantReplies(ctx, tx, inputs);
  }
}

async function wantCharges(tx: Tx, handleIds: readonly string[]): Promise<Set<string>> {
  if (handleIds.length === 0) return new Set();
  const rows = await tx.handle.findMany({
    where: { id: { in: [...handleIds] }, chargeNotices: true },
    select: { id: true },
  });
  return new Set(rows.map(({ id }) => id));
}

export async function receivesChargeNotices(ctx: Ctx, handleId: string): Promise<boolean> {
  const where = { id: handleId };
  return (await ctx.db.handle.findUniqueOrThrow({ where, select: { chargeNotices: true } })).chargeNotices;
}

export async function chooseChargeNotices(ctx: Ctx, handleId: string, on: boolean): Promise<void> {
  await ctx.db.handle.update({ where: { id: handleId }, data: { chargeNotices: on } });
}
