// What follows when a platform account is connected to a handle, by a link or a login, in the transaction that writes the connection.
import type { Ctx } from '../../context.ts';
import type { Tx } from '../../db.ts';
import { type ChatAddress, directChatId } from '../../domain/chat.ts';
import { chatsToWarn, directChatWith } from '../outbox/directMessages.ts';
import { wantReply } from '../outbox/replies.ts';
import { wake } from '../wake.ts';
import { tellNewcomer } from './walletChanges.ts';

export type ConnectedAccount = {
  /** The id of the link or login that led to it: names the messages. */
  by: string;
  platform: string;
  platformUserId: string;
  username: string | null;
  handleId: string;
  /** The chat in which the account agreed, and which therefore knows; null when it was done on a page. */
  agreedIn: ChatAddress | null;
};

/** Offers, in a chat, the money that waits for an account; the rooms that hold it are below this one. */
export type OfferWaiting = (ctx: Ctx, tx: Tx, chat: ChatAddress, account: ConnectedAccount) => Promise<void>;

/** Run it under the locks of the account and of the handle, after the connection was written. */
export async function accountConnected(
  ctx: Ctx,
  tx: Tx,
  account: ConnectedAccount,
  offerWaiting: OfferWaiting,
): Promise<void> {
  await notifyOthers(ctx, tx, account);
  // Grants may wait for it.
  await wake(tx, 'grants');
  const { platform, platformUserId, handleId, by: id } = account;
  const chat = account.agreedIn ?? (await directChatWith(tx, platform, platformUserId));
  if (!chat) return;
  await tellNewcomer(ctx, tx, { ...chat, id, handleId });
  await offerWaiting(ctx, tx, chat, account);
}

/**
 * A connected account sees the handle’s money, so the handle's other chats are notified, also one that was disconnected just before. So is the
 * account's own chat, unless it agreed there: a stolen platform account does not go unnoticed.
 */
async function notifyOthers(ctx: Ctx, tx: Tx, account: ConnectedAccount): Promise<void> {
  const { by, platform, platformUserId, username, handleId, agreedIn } = account;
  const { slug: handle } = await tx.handle.findUniqueOrThrow({ where: { id: handleId }, select: { slug: true } });
  for (const to of await chatsToWarn(ctx, tx, handleId)) {
    if (agreedIn && to.platform === platform && to.chatId === directChatId(platform, platformUserId)) continue;
    const key = `connected:${by}:${to.platform}:${to.chatId}`;
    const data = { account: { platform, platformUserId, username, handle } };
    await wantReply(ctx, tx, { key, to, replyTo: null, kind: 'notice', data });
  }
}
