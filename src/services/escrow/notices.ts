// Notices about an escrow in the direct chats of its sender and its recipient. The bots have the texts.
import type { Ctx } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import type { ChatAddress } from '../../domain/chat.ts';
import { readEscrowSlug } from '../../domain/escrowSlug.ts';
import type { ReplyKind } from '../outbox/content.ts';
import { directChatsOf, directChatWith } from '../outbox/directMessages.ts';
import { wantReplies } from '../outbox/replies.ts';
import { reservedFor } from './rows.ts';

type EscrowNoticeKind = Extract<ReplyKind, `tab_${string}`>;
type EscrowPlace = Pick<Row<'Escrow'>, 'chain' | 'tabId'>;

/** Tells the sender of an escrow, where a chat of theirs is known. The same notice about the same escrow is one message. */
export async function tellSender(
  ctx: Ctx,
  tx: Tx,
  { chain, tabId }: EscrowPlace,
  kind: EscrowNoticeKind,
): Promise<void> {
  const row = await tx.escrow.findUnique({ where: { chain_tabId: { chain, tabId } } });
  if (row?.senderHandleId) await tell(ctx, tx, row.id, kind, await directChatsOf(tx, row.senderHandleId));
}

/** Notifies the sender and the recipient: also an account that is not connected yet, if the bot may write to it. */
export async function tellBoth(ctx: Ctx, tx: Tx, row: Row<'Escrow'>, kind: EscrowNoticeKind): Promise<void> {
  const recipient = await reservedFor(tx, row);
  const handles = [row.senderHandleId, recipient].filter((id) => id !== null);
  const chats = (await Promise.all(handles.map((id) => directChatsOf(tx, id)))).flat();
  const slug = row.handleSlug === null ? null : readEscrowSlug(row.handleSlug);
  if (recipient === null && slug?.kind === 'id') {
    const chat = await directChatWith(tx, slug.platform, slug.id);
    if (chat) chats.push(chat);
  }
  await tell(ctx, tx, row.id, kind, chats);
}

async function tell(ctx: Ctx, tx: Tx, escrowId: string, kind: EscrowNoticeKind, chats: ChatAddress[]): Promise<void> {
  const wishes = chats.map((to) => ({
    key: `${kind}:${escrowId}:${to.platform}:${to.chatId}`,
    to,
    replyTo: null,
    kind,
    data: { escrowId },
  }));
  // A person may stand on both sides.
  await wantReplies(ctx, tx, [...new Map(wishes.map((wish) => [wish.key, wish])).values()]);
}
