// The people whom an answered post on X names.
import type { Ctx } from '../../context.ts';
import type { ChatMessage } from '../../domain/chat.ts';
import { xPostKey } from '../../domain/messageKey.ts';

/** Ids of all whom the answered post names, but for its author and the bot. */
export async function mentionedIn(
  ctx: Ctx,
  reply: { key: string; botId: string; replyToMessageId: string | null },
): Promise<string[]> {
  const { key, botId, replyToMessageId } = reply;
  if (replyToMessageId === null) return [];
  // An edited post is known by the first id of its history, which its refusal's own key has.
  const keys = [xPostKey(botId, replyToMessageId), key.replace(/^answer:/, '')];
  const entry = await ctx.db.inbox.findFirst({ where: { key: { in: keys } } });
  const { message } = (entry?.payload ?? {}) as { message?: ChatMessage };
  const entities = message?.input.entities as { mentions?: { id?: string }[] } | undefined;
  const ids = (entities?.mentions ?? []).flatMap(({ id }) => id ?? []);
  return [...new Set(ids)].filter((id) => id !== message?.sender.id && id !== botId);
}
