// Answers in direct messages: a yes or a no after the question whether an account is to be connected. Nothing else there is read.
import type { Ctx } from '../../src/context.ts';
import { directChatId } from '../../src/domain/chat.ts';
import { xEventKey } from '../../src/domain/messageKey.ts';
import { utcDay, X_PRICES } from '../../src/domain/xBudget.ts';
import type { News } from '../../src/services/chat/inbox.ts';
import { moveCursor, readPosition } from '../../src/services/chat/positions.ts';
import { questionOf } from '../../src/services/chat/questions.ts';
import type { XClient } from './client.ts';
import { type XBot, yesOrNo } from './message.ts';
import { storeSurely } from './store.ts';

/** Few: they are paid for one by one. */
const PAGE = 10;

/** Ids of what was read on a UTC day: X charges for each once a day. */
export type ReadToday = { day: string; ids: Set<string> };

/** @param read is added to. @returns whether there is an answer */
export async function readDirectAnswers(ctx: Ctx, client: XClient, bot: XBot, read: ReadToday): Promise<boolean> {
  const place = { platform: 'x', botId: bot.id, feed: 'dms' } as const;
  const day = utcDay(ctx.clock.now());
  if (read.day !== day) Object.assign(read, { day, ids: new Set() });
  const outcome = await client.call(
    // Any account can fill these pages, so they take nothing of what receipts need.
    'courtesy',
    (api) =>
      api.v2.get<{ data?: DirectEvent[] }>('dm_events', {
        max_results: PAGE,
        event_types: 'MessageCreate',
        'dm_event.fields': 'id,text,event_type,sender_id,created_at',
      }),
    {
      worst: BigInt(PAGE) * X_PRICES.readDirectMessage,
      cost: ({ data = [] }) => BigInt(data.filter(({ id }) => !read.ids.has(id)).length) * X_PRICES.readDirectMessage,
    },
    'dms',
  );
  if (outcome.kind !== 'done') {
    ctx.log.warn({ reason: outcome.reason }, 'direct messages could not be read; it is tried again');
    return false;
  }
  for (const { id } of outcome.value.data ?? []) read.ids.add(id);
  const since = BigInt((await readPosition(ctx, place)) ?? 0);
  const fresh = (outcome.value.data ?? [])
    .filter((event) => BigInt(event.id) > since && event.sender_id !== undefined && event.sender_id !== bot.id)
    .toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
  const news: News[] = [];
  for (const event of fresh) {
    const entry = await readAnswer(ctx, event, bot);
    if (entry) news.push({ seen: [], seenAt: ctx.clock.now(), entry });
  }
  const isNew = news.length > 0 && (await storeSurely(ctx, news));
  const last = fresh.at(-1);
  if (last) await moveCursor(ctx, place, last.id);
  return isNew;
}

type DirectEvent = { id: string; text?: string; sender_id?: string };

async function readAnswer(
  ctx: Ctx,
  { id, text = '', sender_id: userId = '' }: DirectEvent,
  bot: XBot,
): Promise<News['entry']> {
  const yes = yesOrNo(text);
  if (yes === null) return null;
  const chatId = directChatId('x', userId);
  const question = await questionOf(ctx, 'x', { botId: bot.id, chatId, yes, before: id });
  if (!question) return null;
  const key = xEventKey(bot.id, id);
  const { token, messageId } = question;
  return {
    key,
    content: {
      kind: 'button',
      button: { platform: 'x', botId: bot.id, chatId, messageId, userId, username: null, token, callbackId: key },
    },
  };
}
