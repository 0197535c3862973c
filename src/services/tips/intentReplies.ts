// The messages of an intent: one in its chat, whose versions are question, progress and receipt, and those in the sender's direct chat.
import { randomBytes } from 'node:crypto';
import type { Ctx } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import { directChatId, guestQueryOf } from '../../domain/chat.ts';
import { isPrivateRefusal, type Refusal } from '../../domain/plan.ts';
import { type ReplyInput, wantReplies, wantReply } from '../outbox/replies.ts';

/** Shows an intent as it is now. @returns the reply's id */
export async function bumpIntentReply(ctx: Ctx, tx: Tx, intentId: string): Promise<string> {
  const [id] = await bumpIntentReplies(ctx, tx, [intentId]);
  if (!id) throw new Error(`no intent ${intentId}`);
  return id;
}

/** The same for many. @param isReceipt see {@link ReplyInput}. @returns the replies' ids */
export async function bumpIntentReplies(
  ctx: Ctx,
  tx: Tx,
  intentIds: string[],
  { isReceipt = false } = {},
): Promise<string[]> {
  if (intentIds.length === 0) return [];
  const intents = await tx.intent.findMany({
    where: { id: { in: intentIds } },
    select: { id: true, platform: true, botId: true, chatId: true, messageId: true, senderId: true },
  });
  const replies = intents.map(
    (intent): ReplyInput => ({
      key: `intent:${intent.id}`,
      to: intent,
      replyTo: intent.messageId,
      kind: 'intent',
      data: { intentId: intent.id },
      isReceipt,
    }),
  );
  return wantReplies(ctx, tx, [...replies, ...(await questionsOf(tx, intents.filter(isGuest)))]);
}

/** Where the bot is no member, nothing tells two presses in that chat apart: it asks in the direct chat. */
function isGuest({ chatId }: Pick<Row<'Intent'>, 'chatId'>): boolean {
  return guestQueryOf(chatId) !== null;
}

type Asked = Pick<Row<'Intent'>, 'id' | 'platform' | 'botId' | 'senderId'>;

function questionOf({ id, platform, botId, senderId }: Asked): ReplyInput {
  return {
    key: `intent-question:${id}`,
    to: { platform, botId, chatId: directChatId(platform, senderId) },
    replyTo: null,
    kind: 'intent_question',
    data: { intentId: id, userId: senderId },
  };
}

/** The questions that went to direct chats: they follow the outcome of their intents. */
async function questionsOf(tx: Tx, guests: Asked[]): Promise<ReplyInput[]> {
  if (guests.length === 0) return [];
  const questions = guests.map(questionOf);
  const keys = questions.map(({ key }) => key);
  const asked = await tx.reply.findMany({ where: { key: { in: keys } }, select: { key: true } });
  return questions.filter(({ key }) => asked.some((row) => row.key === key));
}

/** Asks with two buttons that only the sender can press, once, in this message. */
export async function askWithButtons(ctx: Ctx, tx: Tx, intent: Row<'Intent'>, expiresAt: Date): Promise<void> {
  const { id: intentId, platform, senderId: userId } = intent;
  const questionId = isGuest(intent) ? await wantReply(ctx, tx, questionOf(intent)) : null;
  const replyId = await bumpIntentReply(ctx, tx, intentId);
  await tx.button.createMany({
    data: ['confirm', 'decline'].map((action) => ({
      ...{ token: randomBytes(18).toString('base64url'), replyId: questionId ?? replyId, intentId, action },
      ...{ platform, userId, chatId: isGuest(intent) ? directChatId(platform, userId) : intent.chatId, expiresAt },
    })),
  });
}

/** Shows in the chat that nothing was sent; the figures go to the sender alone. */
export async function refuseIntentReplies(
  ctx: Ctx,
  tx: Tx,
  refused: { intent: Row<'Intent'>; refusal: Refusal }[],
): Promise<void> {
  await bumpIntentReplies(
    ctx,
    tx,
    refused.map(({ intent }) => intent.id),
  );
  const inPrivate = refused.filter(({ intent, refusal }) => intent.chatKind !== 'dm' && isPrivateRefusal(refusal));
  await wantReplies(
    ctx,
    tx,
    inPrivate.map(({ intent: { id, platform, botId, senderId, privateChatId } }) => ({
      key: `intent-private:${id}`,
      to: { platform, botId, chatId: privateChatId ?? directChatId(platform, senderId) },
      replyTo: null,
      kind: 'intent_private',
      data: { intentId: id },
    })),
  );
}
