// The message about money that waits for an account which was just connected: escrows, and tips that it typed before.
import type { Ctx } from '../../context.ts';
import type { Tx } from '../../db.ts';
import { type ChatAddress, directChatId } from '../../domain/chat.ts';
import type { ConnectedAccount } from '../accounts/connected.ts';
import { waitingFor } from '../escrow/waiting.ts';
import { wantReply } from '../outbox/replies.ts';
import { countPending } from '../tips/pendingTips.ts';

/** Links to the page where all of it is claimed at once; no message where nothing waits. */
export async function offerWaiting(ctx: Ctx, tx: Tx, chat: ChatAddress, account: ConnectedAccount): Promise<void> {
  const { by, platform, platformUserId, handleId } = account;
  const [escrows, tips] = [await waitingFor(tx, handleId), await countPending(ctx, tx, handleId)];
  if (escrows.count + tips === 0) return;
  const to = { platform, botId: chat.botId, chatId: directChatId(platform, platformUserId) };
  const data = { handleId, userId: platformUserId };
  await wantReply(ctx, tx, { key: `waiting:${by}`, to, replyTo: null, kind: 'waiting', data });
}
