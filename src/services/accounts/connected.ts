// What happens whenever a platform account got connected to a handle, by whatever way: one place, in the transaction that wrote the connection.
import type { Ctx } from '../../context.ts';
import type { Tx } from '../../db.ts';
import { type ChatAddress, directChatId } from '../../domain/chat.ts';
import { waitingFor } from '../escrow/waiting.ts';
import { chatsToWarn, directChatWith } from '../outbox/directMessages.ts';
import { wantReply } from '../outbox/replies.ts';
import { countPending } from '../tips/pendingTips.ts';
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

/** Run it under the locks of the account and of the handle, after the connection was written. */
export async function accountConnected(ctx: Ctx, tx: Tx, account: ConnectedAccount): Promise<void> {
  await tellOthers(ctx, tx, account);
  const { platform, platformUserId, handleId, by: id } = account;
  const chat = account.agreedIn ?? (await directChatWith(tx, platform, platformUserId));
  if (!chat) return;
  await tellNewcomer(ctx, tx, { ...chat, id, handleId });
  await offerWhatWaits(ctx, tx, chat, account);
}

/** Money that waits in tabs, and what was typed before: both are on one page, where everything is claimed in one go. */
async function offerWhatWaits(ctx: Ctx, tx: Tx, chat: ChatAddress, account: ConnectedAccount): Promise<void> {
  const { by, platform, platformUserId, handleId } = account;
  const [tabs, tips] = [await waitingFor(tx, handleId), await countPending(ctx, tx, handleId)];
  if (tabs.count + tips === 0) return;
  const to = { platform, botId: chat.botId, chatId: directChatId(platform, platformUserId) };
  const data = { handleId, userId: platformUserId };
  await wantReply(ctx, tx, { key: `waiting:${by}`, to, replyTo: null, kind: 'waiting', data });
}

/**
 * Whoever connects sees the handle’s money from then on, so its other chats are told, also one that was disconnected just before. So is the
 * account's own chat, unless it was asked there: whoever took over somebody's account at a platform must not stay unseen.
 */
async function tellOthers(ctx: Ctx, tx: Tx, account: ConnectedAccount): Promise<void> {
  const { by, platform, platformUserId, username, handleId, agreedIn } = account;
  const { slug: handle } = await tx.handle.findUniqueOrThrow({ where: { id: handleId }, select: { slug: true } });
  for (const to of await chatsToWarn(ctx, tx, handleId)) {
    if (agreedIn && to.platform === platform && to.chatId === directChatId(platform, platformUserId)) continue;
    const key = `connected:${by}:${to.platform}:${to.chatId}`;
    const data = { account: { platform, platformUserId, username, handle } };
    await wantReply(ctx, tx, { key, to, replyTo: null, kind: 'notice', data });
  }
}
