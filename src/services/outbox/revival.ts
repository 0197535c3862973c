// Replies that a direct chat refused are shown once the person opens it.
import type { Ctx } from '../../context.ts';
import type { Tx } from '../../db.ts';
import type { ChatAddress } from '../../domain/chat.ts';
import type { ReplyKind } from './content.ts';
import { enqueueReplies } from './jobs.ts';

/** Kinds that go to the direct chat although a group asked for them. */
const PRIVATE_KINDS: ReplyKind[] = [
  'intent_private',
  'intent_question',
  'balance',
  'history',
  'limits',
  'subscriptions',
  'plan',
  'me',
  'deposit',
  'withdraw',
  'react',
  'link',
  'connected',
  'notice',
  'received',
  'waiting',
  'tab_claimed',
  'tab_refunded',
  'tab_reminder',
  'tab_name_hold',
  'subscription_failing',
  'subscription_halted',
  'subscription_cancelled',
  'subscription_low',
  'subscription_price',
  'subscription_charged',
  'grant',
  'send_received',
  'order_end',
  'order_money',
  'endpoint_disabled',
];
const REVIVE_WITHIN_MS = 24 * 3_600_000;
const AT_ONCE = 5;

/** A person opened the direct chat: what it refused within the last day is shown now. */
export async function reviveReplies(ctx: Ctx, tx: Tx, { platform, botId, chatId }: ChatAddress): Promise<void> {
  const now = ctx.clock.now();
  const rows = await tx.reply.findMany({
    where: {
      ...{ platform, botId, chatId },
      kind: { in: PRIVATE_KINDS },
      failure: { not: null },
      sentVersion: 0,
      createdAt: { gt: new Date(now - REVIVE_WITHIN_MS) },
    },
    take: AT_ONCE,
  });
  for (const row of rows) {
    const revived = await tx.reply.update({
      where: { id: row.id },
      data: { failure: null, open: true, version: { increment: 1 }, nextAttemptAt: new Date(now) },
    });
    await enqueueReplies(tx, [revived], now);
  }
}
