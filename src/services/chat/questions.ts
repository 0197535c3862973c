// Questions on platforms without buttons: which token a typed yes or no stands for. Whether the right person typed it, pressButton decides.
import type { Ctx } from '../../context.ts';

/** A typed answer: under which message of the bot, or in which direct chat, and whether it is a yes. */
export type TypedAnswer = { botId: string; chatId?: string; messageId?: string; yes: boolean; before?: string };
export type OpenQuestion = { token: string; chatId: string; messageId: string };

/** The newest open question that an answer can mean, or null. @param platform whose messages these are */
export async function questionOf(ctx: Ctx, platform: string, answer: TypedAnswer): Promise<OpenQuestion | null> {
  const { botId, chatId, messageId, yes, before } = answer;
  const button = await ctx.db.button.findFirst({
    where: {
      platform,
      action: yes ? 'confirm' : 'decline',
      usedAt: null,
      expiresAt: { gt: new Date(ctx.clock.now()) },
      ...(chatId === undefined ? {} : { chatId }),
      reply: { botId, platformMessageId: messageId ?? { not: null } },
    },
    orderBy: { expiresAt: 'desc' },
    include: { reply: true },
  });
  const asked = button?.reply.platformMessageId;
  if (!button || !asked) return null;
  // What was typed before the question stood there answers something else.
  if (before !== undefined && BigInt(before) <= BigInt(asked)) return null;
  return { token: button.token, chatId: button.chatId, messageId: asked };
}
