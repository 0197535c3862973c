// Interactions on Discord: their tokens while they last, and how far each has been answered. A token is a secret and never leaves for a log.
import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';

/** How long Discord takes answers through a token, less a little: one that is over on its way is lost. */
const TOKEN_LIFE_MS = 15 * 60_000 - 20_000;

export type Interaction = Row<'DiscordInteraction'>;
export type NewInteraction = Pick<Interaction, 'id' | 'botId' | 'channelId' | 'userId' | 'isMember' | 'isPrivate'> & {
  token: string;
  /** Unix milliseconds. */
  at: number;
};

/** Keeps interactions before anything else is done about them; one that is known stays as it is. */
export async function keepInteractions(ctx: Ctx, interactions: NewInteraction[]): Promise<void> {
  if (interactions.length === 0) return;
  const data = interactions.map(({ at, ...rest }) => ({
    ...rest,
    createdAt: new Date(at),
    expiresAt: new Date(at + TOKEN_LIFE_MS),
  }));
  await ctx.db.discordInteraction.createMany({ data, skipDuplicates: true });
}

export function findInteraction(ctx: Ctx, id: string): Promise<Interaction | null> {
  return ctx.db.discordInteraction.findUnique({ where: { id } });
}

/** The token, while it can be used. */
export function liveToken(ctx: Ctx, { token, acknowledgedAt, expiresAt }: Interaction): string | null {
  return acknowledgedAt !== null && expiresAt.getTime() > ctx.clock.now() ? token : null;
}

export async function noteAcknowledged(ctx: Ctx, id: string): Promise<void> {
  const data = { acknowledgedAt: new Date(ctx.clock.now()) };
  await ctx.db.discordInteraction.updateMany({ where: { id, acknowledgedAt: null }, data });
}

/** Takes the first answer for a reply. @returns false when it belongs to another one */
export async function claimAnswer(ctx: Ctx, id: string, replyKey: string): Promise<boolean> {
  const { count } = await ctx.db.discordInteraction.updateMany({
    where: { id, OR: [{ answeredBy: null }, { answeredBy: replyKey }] },
    data: { answeredBy: replyKey },
  });
  return count === 1;
}

export async function noteAnswered(ctx: Ctx, id: string): Promise<void> {
  const data = { answeredAt: new Date(ctx.clock.now()) };
  await ctx.db.discordInteraction.updateMany({ where: { id, answeredAt: null }, data });
}

/** The token no longer works, whatever the clock says. */
export async function noteTokenOver(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.discordInteraction.updateMany({ where: { id }, data: { token: null } });
}

/** A button under an answer was pressed by the one it answered: from here on the press’s younger token serves that answer. */
export async function renewToken(
  ctx: Ctx,
  id: string,
  press: { userId: string; token: string; at: number },
): Promise<void> {
  await ctx.db.discordInteraction.updateMany({
    where: { id, userId: press.userId, acknowledgedAt: { not: null } },
    data: { token: press.token, expiresAt: new Date(press.at + TOKEN_LIFE_MS) },
  });
}

/** Keys of commands whose user may not have been shown yet that they were taken: what a crash leaves between the two. */
export async function heldCommands(ctx: Ctx): Promise<string[]> {
  const held = await ctx.db.inbox.findMany({
    where: { status: 'held', platform: 'discord' },
    orderBy: { receivedAt: 'asc' },
    select: { key: true },
    take: 100,
  });
  return held.map((row) => row.key);
}

/** A message with this button as the outbox knows it: its address, and what it was shown as there; null when there is none such. */
export async function messageOfButton(
  ctx: Ctx,
  token: string,
  message: { channelId: string; id: string },
): Promise<{ chatId: string; messageId: string } | null> {
  const button = await ctx.db.button.findUnique({ where: { token }, include: { reply: true } });
  const messageId = button?.reply.platformMessageId;
  if (!button || !messageId || ![message.id, `${message.channelId}/${message.id}`].includes(messageId)) return null;
  return { chatId: button.chatId, messageId };
}

/** Deletes expired tokens. */
export async function forgetTokens(ctx: Ctx): Promise<void> {
  await ctx.db.discordInteraction.updateMany({
    where: { token: { not: null }, expiresAt: { lt: new Date(ctx.clock.now()) } },
    data: { token: null },
  });
}
