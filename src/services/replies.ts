// The outbox of chats: which replies are wanted and how far they have got. It holds no words; the bots render them when they send.
import { randomBytes } from 'node:crypto';
import type { Ctx } from '../context.ts';
import { newId } from '../context.ts';
import type { Json, Row, Tx } from '../db.ts';
import type { ChatAddress } from '../domain/chat.ts';
import type { Refusal } from '../domain/plan.ts';
import { enqueue } from '../queues.ts';

export type ReplyKind =
  | 'intent'
  | 'intent_private'
  | 'help'
  | 'balance'
  | 'history'
  | 'limits'
  | 'paused'
  | 'error'
  | 'open_chat'
  | 'link'
  | 'link_sent'
  | 'link_question'
  | 'connected'
  | 'disconnected'
  | 'right';
export type ReplyWish = { key: string; to: ChatAddress; replyTo: string | null; kind: ReplyKind; data: Json };

/** Asks for a reply, or for a newer version of the one under the same key (which edits the sent message). */
export async function wantReply(ctx: Ctx, tx: Tx, wish: ReplyWish): Promise<string> {
  const now = ctx.clock.now();
  const at = new Date(now);
  const { key, to, replyTo, kind, data } = wish;
  const row = await tx.reply.upsert({
    where: { key },
    create: {
      id: newId(ctx, 'rpl'),
      key,
      platform: to.platform,
      botId: to.botId,
      chatId: to.chatId,
      replyToMessageId: replyTo,
      kind,
      data: data as object,
      nextAttemptAt: at,
      createdAt: at,
    },
    update: { version: { increment: 1 }, data: data as object },
  });
  // What the platform refused for good stays refused, and a wait that it asked for is kept, whatever new there is to say.
  await tx.reply.updateMany({
    where: { id: row.id, failure: null, attempts: 0 },
    data: { open: true, nextAttemptAt: at },
  });
  await tx.reply.updateMany({ where: { id: row.id, failure: null, attempts: { gt: 0 } }, data: { open: true } });
  if (row.failure !== null) return row.id;
  await enqueue(tx, 'replies', `reply-${row.id}-${row.version}`, { replyId: row.id }, now);
  return row.id;
}

/** Shows a reply that exists as it is now: its words are rendered anew. */
export async function bumpReply(ctx: Ctx, tx: Tx, key: string): Promise<void> {
  const row = await tx.reply.findUnique({ where: { key } });
  if (!row) return;
  const { replyToMessageId: replyTo, data } = row;
  await wantReply(ctx, tx, { key, to: row, replyTo, kind: row.kind as ReplyKind, data: data as Json });
}

/** The one message of an intent in its chat: question, progress and receipt are its versions. */
export async function bumpIntentReply(ctx: Ctx, tx: Tx, intentId: string): Promise<string> {
  const intent = await tx.intent.findUniqueOrThrow({ where: { id: intentId } });
  return wantReply(ctx, tx, {
    key: `intent:${intent.id}`,
    to: intent,
    replyTo: intent.messageId,
    kind: 'intent',
    data: { intentId: intent.id },
  });
}

/** Asks with two buttons that only the sender can press, once, in this message. */
export async function askWithButtons(ctx: Ctx, tx: Tx, intent: Row<'Intent'>, expiresAt: Date): Promise<void> {
  const replyId = await bumpIntentReply(ctx, tx, intent.id);
  await tx.button.createMany({
    data: ['confirm', 'decline'].map((action) => ({
      token: randomBytes(18).toString('base64url'),
      replyId,
      intentId: intent.id,
      action,
      platform: intent.platform,
      userId: intent.senderId,
      chatId: intent.chatId,
      expiresAt,
    })),
  });
}

/** What is nobody else's business: figures of a person's money. */
const PRIVATE_REFUSALS: ReadonlySet<Refusal['code']> = new Set([
  'balance_low',
  'allowance_low',
  'limit_per_tip',
  'limit_per_day',
  'limit_fee',
  'day_cap',
  'command_cap',
  'sender_paused',
  'sender_receive_only',
  'sender_no_wallet',
]);
export function isPrivateRefusal(refusal: Refusal): boolean {
  return PRIVATE_REFUSALS.has(refusal.code);
}

/** Says in the chat that nothing was sent; the figures go to the sender alone. */
export async function refuseIntentReply(ctx: Ctx, tx: Tx, intent: Row<'Intent'>): Promise<void> {
  await bumpIntentReply(ctx, tx, intent.id);
  const detail = (await tx.intent.findUniqueOrThrow({ where: { id: intent.id } })).detail as {
    refusal?: Refusal;
  } | null;
  if (intent.chatKind === 'dm' || !detail?.refusal || !isPrivateRefusal(detail.refusal)) return;
  await wantReply(ctx, tx, {
    key: `intent-private:${intent.id}`,
    to: { platform: intent.platform, botId: intent.botId, chatId: intent.senderId },
    replyTo: null,
    kind: 'intent_private',
    data: { intentId: intent.id },
  });
}

/** A reply that still has something to say, or null when it is up to date, given up, or not due. */
export async function dueReply(ctx: Ctx, replyId: string) {
  const reply = await ctx.db.reply.findUnique({ where: { id: replyId }, include: { buttons: true } });
  if (!reply || reply.failure !== null || reply.sentVersion >= reply.version) return null;
  // A wait that the platform asked for is kept, however often the row is looked at.
  return reply.nextAttemptAt.getTime() > ctx.clock.now() ? null : reply;
}
export type DueReply = NonNullable<Awaited<ReturnType<typeof dueReply>>>;

/** Notes that the platform has shown this version. */
export async function replySent(ctx: Ctx, reply: DueReply, platformMessageId: string): Promise<void> {
  await ctx.db.$transaction(async (tx) => {
    await tx.reply.update({
      where: { id: reply.id },
      data: { sentVersion: reply.version, platformMessageId, attempts: 0, sentAt: new Date(ctx.clock.now()) },
    });
    const { version } = await tx.reply.findUniqueOrThrow({ where: { id: reply.id }, select: { version: true } });
    if (version === reply.version) await tx.reply.update({ where: { id: reply.id }, data: { open: false } });
    else {
      await enqueue(tx, 'replies', `reply-${reply.id}-${version}-again`, { replyId: reply.id }, ctx.clock.now());
    }
  });
  await ctx.queues.flush(ctx.db);
}

const REPLY_RETRY_MS = [1_000, 2_000, 5_000, 15_000, 60_000, 300_000];
const REPLY_ATTEMPTS = 40;

/** Notes that the platform did not take it, and when it may be tried again. @param retryAfterMs what the platform asked for */
export async function replyDelayed(ctx: Ctx, reply: DueReply, reason: string, retryAfterMs?: number): Promise<void> {
  const delay = retryAfterMs ?? REPLY_RETRY_MS[Math.min(reply.attempts, REPLY_RETRY_MS.length - 1)] ?? 300_000;
  const givenUp = reply.attempts + 1 >= REPLY_ATTEMPTS;
  await ctx.db.reply.update({
    where: { id: reply.id },
    data: {
      attempts: { increment: 1 },
      nextAttemptAt: new Date(ctx.clock.now() + delay),
      ...(givenUp ? { failure: reason, open: false } : {}),
    },
  });
}

/**
 * The platform refused for good. A private reply is kept for when the person opens the chat; when it answers something that was typed in a
 * group, a pointer there says so.
 */
export async function replyRefused(ctx: Ctx, reply: DueReply, reason: string): Promise<void> {
  const { origin } = reply.data as { origin?: { chatId: string; messageId: string } };
  if (origin) {
    const { platform, botId } = reply;
    await ctx.db.$transaction((tx) =>
      wantReply(ctx, tx, {
        key: `pointer:${reply.id}`,
        to: { platform, botId, chatId: origin.chatId },
        replyTo: origin.messageId,
        kind: 'open_chat',
        data: { refused: true },
      }),
    );
    await ctx.queues.flush(ctx.db);
  }
  await ctx.db.reply.update({
    where: { id: reply.id },
    data: { failure: reason, open: false, attempts: { increment: 1 } },
  });
}

/** Replies that go to the direct chat although they were asked for in a group. */
const PRIVATE_KINDS: ReplyKind[] = ['intent_private', 'balance', 'history', 'limits', 'link', 'connected'];
const REVIVE_WITHIN_MS = 24 * 3_600_000;

/** Somebody opened the direct chat: what could not be told there within the last day is told now. */
export async function reviveReplies(ctx: Ctx, tx: Tx, chat: ChatAddress): Promise<void> {
  const now = ctx.clock.now();
  const { platform, botId, chatId } = chat;
  const rows = await tx.reply.findMany({
    where: {
      platform,
      botId,
      chatId,
      kind: { in: PRIVATE_KINDS },
      failure: { not: null },
      sentVersion: 0,
      createdAt: { gt: new Date(now - REVIVE_WITHIN_MS) },
    },
    take: 5,
  });
  for (const row of rows) {
    await tx.reply.update({
      where: { id: row.id },
      data: { failure: null, open: true, version: { increment: 1 }, nextAttemptAt: new Date(now) },
    });
    await enqueue(tx, 'replies', `reply-${row.id}-${row.version + 1}`, { replyId: row.id }, now);
  }
}
