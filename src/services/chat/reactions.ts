// Tips by reaction: each account's setting, who wrote which message where that matters, and which reaction becomes a tip.
import type { Ctx } from '../../context.ts';
import { sqlRows, type Tx } from '../../db.ts';
import { type ChatAddress, type ChatMessage, type ChatServer, privateChatId } from '../../domain/chat.ts';
import type { Platform, TransferCommand } from '../../domain/command.ts';
import { relayFeeUsd } from '../../domain/fees.ts';
import { MIN_TIP } from '../../domain/limits.ts';
import { formatUsd } from '../../domain/money.ts';
import { plainEmoji, readReactionWish } from '../../domain/settingWords.ts';
import { findConnection, type SeenUser } from '../accounts/connections.ts';
import type { ReplyData } from '../outbox/content.ts';
import { wantReply } from '../outbox/replies.ts';
import { answer } from './commands.ts';
import { closeEntry } from './entries.ts';
import { answerError } from './errorReplies.ts';
import { type News, recordNews } from './inbox.ts';

export type ReactionSetting = { emoji: string; amount: string };
/** The outcome of a `/react`: `receive_only` when the wallet has not signed what the account may spend, `range` when the amount is below the least or, with the fee, above the cap of one command. */
export type ReactionOutcome = ReplyData<'react'>['outcome'];

/** A message in a group; `isPayable` when a person wrote it who could be tipped for it. `at` in Unix milliseconds. */
export type GroupMessage = { chatId: string; messageId: string; authorId: string; isPayable: boolean; at: number };

/** Emoji that an account added to a message, under the message key that such a tip has. `at` in Unix milliseconds. */
export type Reaction = ChatAddress & {
  platform: Platform;
  key: string;
  messageId: string;
  user: SeenUser;
  emojis: string[];
  /** Whose rules hold there, where a platform has such. */
  server?: ChatServer;
  at: number;
};

/** What reactions of this account tip now, or null. A setting that was made under an earlier connection is void. */
export async function reactionSetting(ctx: Ctx, platform: string, userId: string): Promise<ReactionSetting | null> {
  const row = await ctx.db.reactionTip.findUnique({
    where: { platform_platformUserId: { platform, platformUserId: userId } },
  });
  const connection = row && (await findConnection(ctx, platform, userId));
  return row && connection?.id === row.connectionId ? { emoji: row.emoji, amount: row.amount } : null;
}

/**
 * Shows, changes or ends what the sender's reactions tip. Only the direct chat changes it, or a command that its sender alone sees; elsewhere
 * nothing happens and the answer goes there.
 */
export async function reactByMessage(ctx: Ctx, key: string, message: ChatMessage): Promise<void> {
  const { platform, sender } = message;
  const connection = await findConnection(ctx, platform, sender.id);
  if (!connection) return answerError(ctx, key, message, { code: 'sender_not_connected' });
  const wish = readReactionWish(message.input.text ?? '');
  if (message.chatKind !== 'dm' && message.input.interaction === undefined) {
    const outcome: ReactionOutcome = wish.kind === 'show' ? 'shown' : 'elsewhere';
    return answer(ctx, key, message, { kind: 'react', data: { userId: sender.id, outcome } });
  }
  await ctx.db.$transaction(async (tx) => {
    if (!(await closeEntry(ctx, tx, key, message, 'react'))) return;
    const account = { platform, platformUserId: sender.id };
    let outcome: ReactionOutcome = wish.kind === 'show' ? 'shown' : 'unclear';
    if (wish.kind === 'off') {
      await tx.reactionTip.deleteMany({ where: account });
      outcome = 'off';
    }
    const cap = connection.handle.commandCapMicros;
    if (wish.kind === 'set' && !connection.canSpend) outcome = 'receive_only';
    else if (wish.kind === 'set') {
      const { emoji, micros } = wish;
      const fits = micros >= MIN_TIP && micros + relayFeeUsd(micros, false) <= cap;
      outcome = fits ? 'set' : 'range';
      const since = new Date(ctx.clock.now());
      const data = { connectionId: connection.id, emoji, amount: formatUsd(micros), since };
      if (fits)
        await tx.reactionTip.upsert({
          where: { platform_platformUserId: account },
          create: { ...account, ...data },
          update: data,
        });
    }
    await wantReply(ctx, tx, {
      key: `answer:${key}`,
      to: { platform, botId: message.botId, chatId: privateChatId(message) },
      replyTo: message.messageId,
      kind: 'react',
      data: { userId: sender.id, outcome, ...(outcome === 'range' ? { cap: formatUsd(cap) } : {}) },
    });
  });
  await ctx.queues.flush(ctx.db);
}

/**
 * Stores news of a platform as {@link recordNews} does, with who wrote what and the tips that reactions ask for, all or nothing.
 * @param messages of groups; they are noted first, because a message and a reaction to it may come together
 */
export function recordGroupNews(
  ctx: Ctx,
  platform: Platform,
  { news, messages, reactions }: { news: News[]; messages: GroupMessage[]; reactions: Reaction[] },
): Promise<Set<string>> {
  return recordNews(ctx, platform, news, async (tx) => {
    await noteMessages(tx, platform, messages);
    return tipsByReaction(tx, platform, reactions);
  });
}

/**
 * Records who wrote these messages, in groups with an account that tips by reaction; nothing anywhere else. A group counts from when such an account
 * writes or reacts there, until it has been silent for seven days.
 */
async function noteMessages(tx: Tx, platform: string, messages: GroupMessage[]): Promise<void> {
  if (messages.length === 0) return;
  const rows = messages.map(({ chatId, messageId, authorId, isPayable, at }) => ({
    ...{ chat_id: chatId, message_id: messageId, author_id: authorId, payable: isPayable, at: new Date(at) },
  }));
  await tx.$executeRaw`
    with said as (
      select * from jsonb_to_recordset(${sqlRows(rows)})
        as m(chat_id text, message_id text, author_id text, payable boolean, at timestamptz)
    ), marked as (
      insert into reaction_chat (platform, chat_id, last_seen_at)
        select ${platform}, s.chat_id, max(s.at) from said s
        join reaction_tip r on r.platform = ${platform} and r.platform_user_id = s.author_id
        group by s.chat_id order by s.chat_id
      on conflict (platform, chat_id) do update set last_seen_at = greatest(reaction_chat.last_seen_at, excluded.last_seen_at)
      returning chat_id
    )
    insert into message_author (platform, chat_id, message_id, platform_user_id, sent_at)
      select ${platform}, chat_id, message_id, author_id, at from said s
      where payable and (chat_id in (select chat_id from marked)
        or exists (select 1 from reaction_chat c where c.platform = ${platform} and c.chat_id = s.chat_id))
      order by chat_id, message_id
    on conflict do nothing`;
}

/**
 * The tips of these reactions, as entries of the inbox: one for a message and a person at most, because the key has both. A reaction
 * is no tip from an account without a setting, with another emoji, from before the setting, or to a message with an unknown author.
 */
async function tipsByReaction(tx: Tx, platform: Platform, reactions: Reaction[]): Promise<News[]> {
  if (reactions.length === 0) return [];
  const userIds = [...new Set(reactions.map(({ user }) => user.id))];
  const settings = await tx.reactionTip.findMany({ where: { platform, platformUserId: { in: userIds } } });
  if (settings.length === 0) return [];
  const ids = settings.map(({ connectionId }) => connectionId);
  const live = await tx.connection.findMany({ where: { id: { in: ids }, platform, disconnectedAt: null } });
  const settingOf = new Map(
    settings
      .filter((one) => live.some((c) => c.id === one.connectionId && c.platformUserId === one.platformUserId))
      .map((one) => [one.platformUserId, one]),
  );
  const wanted = reactions.flatMap((reaction) => {
    const setting = settingOf.get(reaction.user.id);
    // A platform's times may be whole seconds.
    const isAfter = setting !== undefined && reaction.at >= Math.floor(setting.since.getTime() / 1_000) * 1_000;
    const isMeant = reaction.emojis.some((emoji) => plainEmoji(emoji) === setting?.emoji);
    return setting && isAfter && isMeant ? [{ reaction, amount: setting.amount }] : [];
  });
  if (wanted.length === 0) return [];
  await markChats(
    tx,
    platform,
    wanted.map(({ reaction }) => reaction),
  );
  const authors = await tx.messageAuthor.findMany({
    where: { platform, OR: wanted.map(({ reaction: { chatId, messageId } }) => ({ chatId, messageId })) },
  });
  return wanted.flatMap(({ reaction, amount }) => {
    const { chatId, messageId, user } = reaction;
    const author = authors.find((one) => one.chatId === chatId && one.messageId === messageId)?.platformUserId;
    return author === undefined || author === user.id ? [] : [tipNews(reaction, author, amount)];
  });
}

/** What is written there from now on can be tipped, however long the person who reacted has been silent. */
async function markChats(tx: Tx, platform: string, reactions: Reaction[]): Promise<void> {
  const rows = [...new Set(reactions.map(({ chatId }) => chatId))].map((chatId) => ({
    chat_id: chatId,
    at: new Date(Math.max(...reactions.filter((one) => one.chatId === chatId).map(({ at }) => at))),
  }));
  await tx.$executeRaw`
    insert into reaction_chat (platform, chat_id, last_seen_at)
      select ${platform}, chat_id, at from jsonb_to_recordset(${sqlRows(rows)}) as c(chat_id text, at timestamptz) order by chat_id
    on conflict (platform, chat_id) do update set last_seen_at = greatest(reaction_chat.last_seen_at, excluded.last_seen_at)`;
}

function tipNews(reaction: Reaction, author: string, amount: string): News {
  const { key, platform, botId, chatId, messageId, user, server, at } = reaction;
  const command: TransferCommand = {
    kind: 'tip',
    recipients: [{ by: 'id', value: author }],
    amount: amount.replace(/\.?0+$/, ''),
    unit: 'USDC',
    mode: 'each',
  };
  const message: ChatMessage = {
    ...{ platform, botId, chatId, messageId, sentAt: at, chatKind: 'group' },
    ...(server ? { server } : {}),
    sender: { id: user.id, username: user.username },
    byReaction: true,
    input: {
      platform,
      text: '',
      ctx: { chat: 'group', bot: { id: botId }, sender: { id: user.id, username: user.username } },
    },
  };
  return { seen: [user], seenAt: at, entry: { key, content: { kind: 'message', message, command } } };
}
