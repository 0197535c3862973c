// Tells the recipient of a send in their direct chat, once it is final, as for tips: not on X, where a message costs money, and not who turned notices off.
import type { Ctx } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import { formatUnits } from '../../domain/money.ts';
import { unitsOf } from '../orders/views.ts';
import { directChatsWith } from '../outbox/directMessages.ts';
import type { DueReply } from '../outbox/due.ts';
import { wantReply } from '../outbox/replies.ts';

/** In the transaction that completes the send. */
export async function notifyRecipient(ctx: Ctx, tx: Tx, { id, recipientHandleId }: Row<'Send'>): Promise<void> {
  if (recipientHandleId === null) return;
  const accounts = await tx.$queryRaw<{ platform: string; platformUserId: string }[]>`
    select c.platform, c.platform_user_id as "platformUserId" from connection c
    left join seen_user s on s.platform = c.platform and s.platform_user_id = c.platform_user_id
    where c.handle_id = ${recipientHandleId} and c.disconnected_at is null and c.platform in ('telegram', 'discord')
      and not exists (
        select 1 from received_off o where o.reader in (c.handle_id, c.platform || ':' || c.platform_user_id))
    order by s.last_seen_at desc nulls last, c.platform`;
  const open = (await directChatsWith(tx, accounts)).filter(({ isClosed }) => !isClosed);
  const isOf = (one: (typeof open)[number], account: (typeof accounts)[number]) =>
    one.platform === account.platform && one.platformUserId === account.platformUserId;
  const chat = accounts.flatMap((account) => open.find((one) => isOf(one, account)) ?? [])[0];
  if (!chat) return;
  await wantReply(ctx, tx, {
    key: `send-received:${id}`,
    to: chat.chat,
    replyTo: null,
    kind: 'send_received',
    data: { sendId: id, userId: chat.platformUserId },
  });
}

export type SendNotice = { amount: string; from: string };

/** What the notice shows; null where the account is no longer the recipient's. */
export async function sendNotice(ctx: Ctx, { platform, data }: DueReply<'send_received'>): Promise<SendNotice | null> {
  const row = await ctx.db.send.findUnique({ where: { id: data.sendId } });
  if (!row?.recipientHandleId) return null;
  const [connected, sender] = await Promise.all([
    ctx.db.connection.count({
      where: { platform, platformUserId: data.userId, handleId: row.recipientHandleId, disconnectedAt: null },
    }),
    ctx.db.handle.findUniqueOrThrow({ where: { id: row.handleId }, select: { slug: true } }),
  ]);
  if (connected === 0) return null;
  const amount = formatUnits(unitsOf(row.units), row.decimals);
  return { amount, from: `${sender.slug}@ampersat` };
}
