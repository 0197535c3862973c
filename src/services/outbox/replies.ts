// The outbox of chats: which replies are wanted and how far they have got. It holds no words; the bots render them when they send.
import { randomBytes } from 'node:crypto';
import type { Ctx } from '../../context.ts';
import { newId } from '../../context.ts';
import type { Json, Row, Tx } from '../../db.ts';
import { sqlRows } from '../../db.ts';
import { type ChatAddress, type ChatMessage, directChatId, guestQueryOf } from '../../domain/chat.ts';
import { xPostKey } from '../../domain/messageKey.ts';
import type { Refusal } from '../../domain/plan.ts';
import { RECEIVED_EDIT_MS } from '../../domain/received.ts';
import { enqueue } from '../../queues.ts';

export type ReplyKind =
  | 'intent'
  | 'intent_private'
  | 'intent_question'
  | 'guest_private'
  | 'help'
  | 'balance'
  | 'history'
  | 'limits'
  | 'react'
  | 'leaderboard'
  | 'paused'
  | 'error'
  | 'reaction'
  | 'open_chat'
  | 'link'
  | 'link_sent'
  | 'link_question'
  | 'connected'
  | 'disconnected'
  | 'notice'
  | 'right'
  | 'waiting'
  | 'thread_total'
  | 'received'
  | 'tab_claimed'
  | 'tab_refunded'
  | 'tab_reminder'
  | 'tab_name_hold'
  | 'order'
  | 'order_end'
  | 'order_money'
  | 'endpoint_disabled';
export type ReplyWish = {
  key: string;
  to: ChatAddress;
  replyTo: string | null;
  kind: ReplyKind;
  /** `userId`: the platform's id of whom it is said to, in whose language it is told; without it, an intent's sender or the direct chat's person. */
  data: Json;
  /** Whether this version is the first that tells of a payment: from the message to its showing is what people wait for. */
  isReceipt?: boolean;
};

/** Asks for a reply, or for a newer version of the one under the same key (which edits the sent message). @returns the row's id */
export async function wantReply(ctx: Ctx, tx: Tx, wish: ReplyWish): Promise<string> {
  const [id] = await wantReplies(ctx, tx, [wish]);
  if (!id) throw new Error('every wish has its row');
  return id;
}

type WantedReply = { id: string; key: string; version: number; failure: string | null };

/** The same for many, of which no two have the same key. @returns the rows' ids, in the order of the wishes */
export async function wantReplies(ctx: Ctx, tx: Tx, wishes: ReplyWish[]): Promise<string[]> {
  if (wishes.length === 0) return [];
  const rows = wishes.map(({ key, to, replyTo, kind, data, isReceipt = false }) => ({
    id: newId(ctx, 'rpl'),
    key,
    platform: to.platform,
    bot_id: to.botId,
    chat_id: to.chatId,
    reply_to_message_id: replyTo,
    kind,
    data,
    is_receipt: isReceipt,
  }));
  const now = ctx.clock.now();
  // What the platform refused for good stays refused, and a wait that it asked for is kept, whatever new there is to say.
  const wanted = await tx.$queryRaw<WantedReply[]>`
    insert into reply as known (id, key, platform, bot_id, chat_id, reply_to_message_id, kind, data, receipt_version, next_attempt_at, created_at)
      select id, key, platform, bot_id, chat_id, reply_to_message_id, kind, data, case when is_receipt then 1 end, at, at
      from jsonb_to_recordset(${sqlRows(rows)}) as w(id text, key text, platform text, bot_id text, chat_id text,
        reply_to_message_id text, kind text, data jsonb, is_receipt boolean), cast(${new Date(now)} as timestamptz) as at
      order by key
    on conflict (key) do update set version = known.version + 1, data = excluded.data,
      receipt_version = coalesce(known.receipt_version, excluded.receipt_version + known.version),
      open = known.open or known.failure is null,
      next_attempt_at = case
        when known.failure is not null or known.attempts > 0 then known.next_attempt_at
        -- Any number of payments may come in at once: their notice is edited every few seconds.
        when known.kind = 'received' then greatest(excluded.next_attempt_at, known.sent_at + ${RECEIVED_EDIT_MS} * interval '1 millisecond')
        else excluded.next_attempt_at end
    returning id, key, version, failure`;
  const due = wanted.filter((row) => row.failure === null);
  const [first] = due;
  if (first) await enqueue(tx, 'replies', jobId(first, due.length), { replyIds: due.map((row) => row.id) }, now);
  const idOf = new Map(wanted.map((row) => [row.key, row.id]));
  return wishes.map((wish) => idOf.get(wish.key) ?? '');
}

/** A job is named after the first reply and version in it: that pair is bumped once. */
function jobId({ id, version }: { id: string; version: number }, count: number): string {
  return `reply-${id}-${version}-${count}`;
}

/** Shows a reply that exists as it is now: its words are rendered anew. */
export function bumpReply(ctx: Ctx, tx: Tx, key: string): Promise<void> {
  return bumpReplies(ctx, tx, [key]);
}

/** The same for many. Keys without a reply are left out. */
export async function bumpReplies(ctx: Ctx, tx: Tx, keys: string[]): Promise<void> {
  if (keys.length === 0) return;
  const rows = await tx.reply.findMany({ where: { key: { in: keys } } });
  const wishes = rows.map(({ key, replyToMessageId: replyTo, kind, data, ...to }) => ({
    ...{ key, to, replyTo },
    kind: kind as ReplyKind,
    data: data as Json,
  }));
  await wantReplies(ctx, tx, wishes);
}

/** The one message of an intent in its chat: question, progress and receipt are its versions. */
export async function bumpIntentReply(ctx: Ctx, tx: Tx, intentId: string): Promise<string> {
  const [id] = await bumpIntentReplies(ctx, tx, [intentId]);
  if (!id) throw new Error(`no intent ${intentId}`);
  return id;
}

/** The same for many. @param isReceipt see {@link ReplyWish}. @returns the replies' ids */
export async function bumpIntentReplies(
  ctx: Ctx,
  tx: Tx,
  intentIds: string[],
  { isReceipt = false } = {},
): Promise<string[]> {
  if (intentIds.length === 0) return [];
  const intents = await tx.intent.findMany({
    where: { id: { in: intentIds } },
    select: { id: true, platform: true, botId: true, chatId: true, messageId: true },
  });
  const guests = intents.filter(({ chatId }) => guestQueryOf(chatId) !== null);
  const questions = await questionsOf(
    tx,
    guests.map(({ id }) => id),
  );
  return wantReplies(ctx, tx, [
    ...intents.map((intent) => ({
      key: `intent:${intent.id}`,
      to: intent,
      replyTo: intent.messageId,
      kind: 'intent' as const,
      data: { intentId: intent.id },
      isReceipt,
    })),
    ...questions,
  ]);
}

function questionKey(intentId: string): string {
  return `intent-question:${intentId}`;
}

/** The questions that were asked in the direct chat because the chat of the command shows no buttons: they follow what becomes of it. */
async function questionsOf(tx: Tx, intentIds: string[]): Promise<ReplyWish[]> {
  if (intentIds.length === 0) return [];
  const rows = await tx.reply.findMany({ where: { key: { in: intentIds.map(questionKey) } } });
  return rows.map(({ key, data, ...to }) => ({
    key,
    to,
    replyTo: null,
    kind: 'intent_question',
    data: data as Json,
  }));
}

/**
 * Asks with two buttons that only the sender can press, once, in this message. Where the bot is no member it asks in the direct chat: what is
 * pressed in a foreign chat could not be told apart by chat and message.
 */
export async function askWithButtons(ctx: Ctx, tx: Tx, intent: Row<'Intent'>, expiresAt: Date): Promise<void> {
  const isGuest = guestQueryOf(intent.chatId) !== null;
  const chatId = isGuest ? directChatId(intent.platform, intent.senderId) : intent.chatId;
  if (isGuest) {
    const to = { platform: intent.platform, botId: intent.botId, chatId };
    const data = { intentId: intent.id, userId: intent.senderId };
    await wantReply(ctx, tx, { key: questionKey(intent.id), to, replyTo: null, kind: 'intent_question', data });
  }
  const bumped = await bumpIntentReply(ctx, tx, intent.id);
  const { id: replyId } = isGuest
    ? await tx.reply.findUniqueOrThrow({ where: { key: questionKey(intent.id) }, select: { id: true } })
    : { id: bumped };
  await tx.button.createMany({
    data: ['confirm', 'decline'].map((action) => ({
      token: randomBytes(18).toString('base64url'),
      replyId,
      intentId: intent.id,
      action,
      platform: intent.platform,
      userId: intent.senderId,
      chatId,
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
  'server_cap',
  'sender_paused',
  'sender_receive_only',
  'sender_no_wallet',
]);
export function isPrivateRefusal(refusal: Refusal): boolean {
  return PRIVATE_REFUSALS.has(refusal.code);
}

/** Says in the chat that nothing was sent; figures go to the sender alone. */
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
    inPrivate.map(({ intent }) => ({
      key: `intent-private:${intent.id}`,
      to: {
        platform: intent.platform,
        botId: intent.botId,
        chatId: intent.privateChatId ?? directChatId(intent.platform, intent.senderId),
      },
      replyTo: null,
      kind: 'intent_private',
      data: { intentId: intent.id },
    })),
  );
}

/** Those of the replies that still have something to do: not up to date, or with a twin to find; not given up, and due. */
export async function dueReplies(ctx: Ctx, replyIds: string[]) {
  const replies = await ctx.db.reply.findMany({ where: { id: { in: replyIds } }, include: { buttons: true } });
  // A wait that the platform asked for is kept, however often the row is looked at.
  return replies.filter(
    (reply) =>
      reply.failure === null &&
      (reply.sentVersion < reply.version || reply.seeksTwins) &&
      reply.nextAttemptAt.getTime() <= ctx.clock.now(),
  );
}
export type DueReply = Awaited<ReturnType<typeof dueReplies>>[number];

/** The direct message that a pointer in public speaks of. */
export async function directReplyOf(ctx: Ctx, pointer: DueReply): Promise<Row<'Reply'> | null> {
  return ctx.db.reply.findUnique({ where: { id: pointer.key.slice('pointer:'.length) } });
}

export async function replyByKey(ctx: Ctx, key: string): Promise<Row<'Reply'> | null> {
  return ctx.db.reply.findUnique({ where: { key } });
}

/** Ids of everybody whom the answered post names, but for its author. */
export async function mentionedIn(ctx: Ctx, reply: DueReply): Promise<string[]> {
  const { botId, replyToMessageId } = reply;
  if (replyToMessageId === null) return [];
  // An edited post is known by the first id of its history, which its refusal's own key has.
  const keys = [xPostKey(botId, replyToMessageId), reply.key.replace(/^answer:/, '')];
  const entry = await ctx.db.inbox.findFirst({ where: { key: { in: keys } } });
  const { message } = (entry?.payload ?? {}) as { message?: ChatMessage };
  const entities = message?.input.entities as { mentions?: { id?: string }[] } | undefined;
  const ids = (entities?.mentions ?? []).flatMap(({ id }) => id ?? []);
  return [...new Set(ids)].filter((id) => id !== message?.sender.id && id !== botId);
}

/**
 * `said` where messages cannot be changed; `isSilent` there for a version that was passed over; `hasTwins` when an earlier call may have left a message
 * that is to be found.
 */
export type SentReply = {
  id: string;
  version: number;
  platformMessageId: string | null;
  said?: string;
  isSilent?: boolean;
  hasTwins?: boolean;
};

/** Notes which versions the platform has shown; what became newer meanwhile is woken again. No reply is named twice. */
export async function repliesSent(ctx: Ctx, sent: SentReply[]): Promise<void> {
  const now = ctx.clock.now();
  const rows = sent.map(({ id, version, platformMessageId, said = null, isSilent = false, hasTwins = false }) => ({
    id,
    version,
    shown_as: platformMessageId,
    said,
    is_silent: isSilent,
    has_twins: hasTwins,
  }));
  const again = await ctx.db.$transaction(async (tx) => {
    const newer = await tx.$queryRaw<{ id: string; version: number }[]>`
      with shown as (
        select * from jsonb_to_recordset(${sqlRows(rows)}) as s(id text, version int, shown_as text, said text, is_silent boolean, has_twins boolean)
      ), held as (
        select id from reply where id in (select id from shown) order by key for update
      ), noted as (
        update reply r
          set sent_version = s.version, platform_message_id = s.shown_as, said = coalesce(s.said, r.said), attempts = 0,
            sent_at = ${new Date(now)}::timestamptz,
            seeks_twins = r.seeks_twins or s.has_twins,
            open = r.version > s.version or r.seeks_twins or s.has_twins,
            receipt_sent_at = case when s.is_silent then r.receipt_sent_at when r.receipt_version <= s.version then coalesce(r.receipt_sent_at, ${new Date(now)}::timestamptz) end
          from shown s join held h on h.id = s.id where r.id = s.id
          returning r.id, r.version, r.open
      )
      select id, version from noted where open`;
    const [first] = newer;
    if (first)
      await enqueue(
        tx,
        'replies',
        `${jobId(first, newer.length)}-again`,
        { replyIds: newer.map((row) => row.id) },
        now,
      );
    return newer.length > 0;
  });
  if (again) await ctx.queues.flush(ctx.db);
}

const REPLY_RETRY_MS = [1_000, 2_000, 5_000, 15_000, 60_000, 300_000];
const REPLY_ATTEMPTS = 40;

/**
 * Notes that the platform did not take it, and when it may be tried again.
 * @param retryAfterMs what the platform asked for; @param isUntaken it surely did not: what was begun only now has left nothing behind
 */
export async function replyDelayed(
  ctx: Ctx,
  reply: DueReply,
  reason: string,
  { retryAfterMs, isUntaken = retryAfterMs !== undefined }: { retryAfterMs?: number; isUntaken?: boolean } = {},
): Promise<void> {
  const delay = retryAfterMs ?? REPLY_RETRY_MS[Math.min(reply.attempts, REPLY_RETRY_MS.length - 1)] ?? 300_000;
  const givenUp = reply.attempts + 1 >= REPLY_ATTEMPTS;
  await ctx.db.reply.update({
    where: { id: reply.id },
    data: {
      attempts: { increment: 1 },
      nextAttemptAt: new Date(ctx.clock.now() + delay),
      ...(isUntaken && reply.begunAt === null ? { begunAt: null } : {}),
      ...(givenUp ? { failure: reason, failedAt: new Date(ctx.clock.now()), open: false } : {}),
    },
  });
}

/**
 * The platform refused for good. A private reply is kept for when the person opens the chat; when it answers something that was typed in a
 * group, a pointer there says so.
 */
export async function replyRefused(ctx: Ctx, reply: DueReply, reason: string): Promise<void> {
  if (await moveToDirectChat(ctx, reply)) return;
  const { origin, userId } = reply.data as { origin?: { chatId: string; messageId: string }; userId?: string };
  if (origin) {
    const { platform, botId } = reply;
    await ctx.db.$transaction((tx) =>
      wantReply(ctx, tx, {
        key: `pointer:${reply.id}`,
        to: { platform, botId, chatId: origin.chatId },
        replyTo: origin.messageId,
        kind: 'open_chat',
        data: { refused: true, ...(userId === undefined ? {} : { userId }) },
      }),
    );
    await ctx.queues.flush(ctx.db);
  }
  await ctx.db.reply.update({
    where: { id: reply.id },
    data: { failure: reason, failedAt: new Date(ctx.clock.now()), open: false, attempts: { increment: 1 } },
  });
}

/** What can be said no more where the bot was summoned (its query is over, its answer was deleted) goes on in the direct chat. */
async function moveToDirectChat(ctx: Ctx, reply: DueReply): Promise<boolean> {
  const { userId, intentId } = reply.data as { userId?: string; intentId?: string };
  if (guestQueryOf(reply.chatId) === null || reply.kind === 'guest_private' || reply.kind === 'link_sent') return false;
  const intent = intentId === undefined ? null : await ctx.db.intent.findUnique({ where: { id: intentId } });
  const owner = userId ?? intent?.senderId;
  if (owner === undefined) return false;
  const now = ctx.clock.now();
  await ctx.db.$transaction(async (tx) => {
    await tx.reply.update({
      where: { id: reply.id },
      data: {
        chatId: directChatId(reply.platform, owner),
        replyToMessageId: null,
        platformMessageId: null,
        begunAt: null,
        attempts: 0,
        nextAttemptAt: new Date(now),
      },
    });
    await enqueue(tx, 'replies', `${jobId(reply, 1)}-moved`, { replyIds: [reply.id] }, now);
  });
  await ctx.queues.flush(ctx.db);
  return true;
}

/** Replies that go to the direct chat although they were asked for in a group. */
const PRIVATE_KINDS: ReplyKind[] = [
  'intent_private',
  'intent_question',
  'balance',
  'history',
  'limits',
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
  'order_end',
  'order_money',
  'endpoint_disabled',
];
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
    await enqueue(tx, 'replies', `reply-${row.id}-${row.version + 1}-1`, { replyIds: [row.id] }, now);
  }
}
