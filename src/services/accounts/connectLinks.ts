// One-time links: given to one platform account, redeemed once by a signed-in browser, and in force only when that account confirms in the chat.

import { createHash, createHmac, randomBytes } from 'node:crypto';
import { type Ctx, newId } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import type { ChatAddress } from '../../domain/chat.ts';
import { AppError } from '../../domain/errors.ts';
import { LINK_ANSWER_MS, LINK_TTL_MS } from '../../domain/limits.ts';
import type { LinkStatus } from '../../domain/link.ts';
import { lockKey, lockSender } from '../locks.ts';
import { bumpReply, wantReply } from '../outbox/replies.ts';
import { transitionOne } from '../transitions.ts';
import { accountConnected, type OfferWaiting } from './connected.ts';
import { connectAccount, findConnectionIn } from './connections.ts';

export type LinkOwner = { platform: string; platformUserId: string; username: string | null };

/** A link as its redeemer sees it. */
export type LinkView = LinkOwner & {
  id: string;
  status: LinkStatus;
  expiresAt: Date;
  botUsername: string | null;
  handle: string | null;
  connectionId: string | null;
};

/**
 * The secret of a link: 32 bytes that only this deployment's key can derive from the id, so that no row, job or backup holds it.
 * @throws Error in a process without the key; only the bots have it
 */
export function linkSecret(ctx: Ctx, linkId: string): string {
  const { LINK_KEY } = ctx.env;
  if (!LINK_KEY) throw new Error('LINK_KEY is needed to derive the secret of a link');
  return createHmac('sha256', Buffer.from(LINK_KEY, 'hex')).update(`link:${linkId}`).digest('base64url');
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Everything about the links of one platform account happens one after the other. */
export function lockAccount(tx: Tx, { platform, platformUserId }: Omit<LinkOwner, 'username'>): Promise<void> {
  return lockKey(tx, `account:${platform}:${platformUserId}`);
}

/** Makes a link for an account, to be shown in `chat` only, and voids what that account had before. Run it under {@link lockAccount}. */
export async function createConnectLink(ctx: Ctx, tx: Tx, owner: LinkOwner, chat: ChatAddress): Promise<string> {
  const { platform, platformUserId } = owner;
  const earlier = await tx.link.findMany({
    where: { platform, platformUserId, status: { in: ['open', 'redeemed'] } },
    select: { id: true },
  });
  for (const { id } of earlier) await endLink(ctx, tx, id, 'expire');
  const now = ctx.clock.now();
  const id = newId(ctx, 'lnk');
  await tx.link.create({
    data: {
      id,
      secretHash: hashOf(linkSecret(ctx, id)),
      ...owner,
      botId: chat.botId,
      chatId: chat.chatId,
      status: 'open',
      createdAt: new Date(now),
      expiresAt: new Date(now + LINK_TTL_MS),
    },
  });
  return id;
}

/** Looks at a link and consumes nothing. It does not tell who redeemed it. @throws AppError `resource_missing` */
export async function previewLink(ctx: Ctx, secret: string): Promise<LinkView> {
  const link = await ctx.db.link.findUnique({ where: { secretHash: hashOf(secret) } });
  if (!link) throw new AppError('resource_missing', 'No such link. Send /connect to the bot for a new one.');
  return { ...(await viewLink(ctx, link)), handle: null, connectionId: null };
}

/**
 * Takes a link for the handle of a session, and asks the account in the chat. Nothing is connected by this.
 * @throws AppError `resource_missing`, `link_inactive`, `state_conflict` when that account is connected meanwhile
 */
export async function redeemLink(
  ctx: Ctx,
  secret: string,
  by: { sessionId: string; handleId: string },
): Promise<LinkView> {
  const { id } = await previewLink(ctx, secret);
  await ctx.db.$transaction(async (tx) => {
    const link = await tx.link.findUniqueOrThrow({ where: { id } });
    await lockAccount(tx, link);
    const now = ctx.clock.now();
    if (statusNow(link, now) !== 'open') throw new AppError('link_inactive');
    if (await findConnectionIn(tx, link.platform, link.platformUserId))
      throw new AppError('state_conflict', 'This account is already connected. Send /disconnect to the bot first.');
    const expiresAt = new Date(now + LINK_ANSWER_MS);
    const taken = await transitionOne(ctx, tx, 'link', id, 'redeem', { ...by, redeemedAt: new Date(now), expiresAt });
    if (!taken) throw new AppError('link_inactive');
    await bumpReply(ctx, tx, linkReplyKey(id));
    await askAccount(ctx, tx, link, expiresAt);
  });
  await ctx.queues.flush(ctx.db);
  return viewLink(ctx, await ctx.db.link.findUniqueOrThrow({ where: { id } }));
}

/** The message that carries the link, and the one that asks after it was redeemed. */
export function linkReplyKey(linkId: string): string {
  return `link:${linkId}`;
}
function questionKey(linkId: string): string {
  return `link-question:${linkId}`;
}

async function askAccount(ctx: Ctx, tx: Tx, link: Row<'Link'>, expiresAt: Date): Promise<void> {
  const { platform, platformUserId: userId, botId, chatId } = link;
  const replyId = await wantReply(ctx, tx, {
    key: questionKey(link.id),
    to: { platform, botId, chatId },
    replyTo: null,
    kind: 'link_question',
    data: { linkId: link.id, userId },
  });
  await tx.button.createMany({
    data: ['confirm', 'decline'].map((action) => ({
      token: randomBytes(18).toString('base64url'),
      replyId,
      linkId: link.id,
      action,
      platform,
      userId,
      chatId,
      expiresAt,
    })),
  });
}

/** The link, for the session that redeemed it. @throws AppError `resource_missing` for every other session */
export async function linkOfSession(ctx: Ctx, id: string, sessionId: string): Promise<LinkView> {
  const link = await ctx.db.link.findFirst({ where: { id, sessionId } });
  if (!link) throw new AppError('resource_missing');
  return viewLink(ctx, link);
}

export type LinkAnswer = 'link_confirmed' | 'link_declined' | 'link_taken' | 'too_late';

/** The account pressed a button under the question. A yes connects it, receive-only. */
export async function answerLink(
  ctx: Ctx,
  tx: Tx,
  linkId: string,
  yes: boolean,
  offerWaiting: OfferWaiting,
): Promise<LinkAnswer> {
  const link = await tx.link.findUnique({ where: { id: linkId } });
  if (!link) return 'too_late';
  await lockAccount(tx, link);
  if (statusNow(link, ctx.clock.now()) !== 'redeemed' || link.handleId === null) return 'too_late';
  if (!yes) return (await endLink(ctx, tx, linkId, 'decline')) ? 'link_declined' : 'too_late';
  const { platform, platformUserId, username, handleId } = link;
  await lockSender(tx, handleId);
  const connected = await connectAccount(ctx, tx, { platform, platformUserId, username, handleId, canSpend: false });
  if (!connected) return (await endLink(ctx, tx, linkId, 'expire')) ? 'link_taken' : 'too_late';
  if (!(await endLink(ctx, tx, linkId, 'confirm')))
    throw new AppError('state_conflict', 'the link was answered elsewhere');
  const agreedIn = { platform, botId: link.botId, chatId: link.chatId };
  await accountConnected(ctx, tx, { by: linkId, platform, platformUserId, username, handleId, agreedIn }, offerWaiting);
  return 'link_confirmed';
}

/** Moves a link to its end, and its messages with it. */
async function endLink(ctx: Ctx, tx: Tx, id: string, action: 'confirm' | 'decline' | 'expire'): Promise<boolean> {
  if (!(await transitionOne(ctx, tx, 'link', id, action))) return false;
  await bumpReply(ctx, tx, linkReplyKey(id));
  await bumpReply(ctx, tx, questionKey(id));
  return true;
}

/** Ends links that were not redeemed or answered in time, and says so where they were shown. @returns how many */
export async function expireLinks(ctx: Ctx): Promise<number> {
  const stale = await ctx.db.link.findMany({
    where: { status: { in: ['open', 'redeemed'] }, expiresAt: { lte: new Date(ctx.clock.now()) } },
    select: { id: true },
    take: 100,
  });
  for (const { id } of stale) {
    await ctx.db.$transaction(async (tx) => {
      // The link may have been redeemed meanwhile, which gave it more time.
      const link = await tx.link.findUniqueOrThrow({ where: { id } });
      if (link.expiresAt.getTime() <= ctx.clock.now()) await endLink(ctx, tx, id, 'expire');
    });
  }
  return stale.length;
}

/** The clock ends a link also before the sweeper notes it. */
function statusNow(link: Row<'Link'>, now: number): LinkStatus {
  const status = link.status as LinkStatus;
  return (status === 'open' || status === 'redeemed') && link.expiresAt.getTime() <= now ? 'expired' : status;
}

/** A link as its chat shows it: the secret only while it can be redeemed, and only to a process that has the key. */
export type ChatLink = Awaited<ReturnType<typeof chatLink>>;
export async function chatLink(ctx: Ctx, linkId: string) {
  const link = await ctx.db.link.findUniqueOrThrow({ where: { id: linkId } });
  const status = statusNow(link, ctx.clock.now());
  const { platform, platformUserId } = link;
  const [handle, seen] = await Promise.all([
    link.handleId ? ctx.db.handle.findUnique({ where: { id: link.handleId } }) : null,
    ctx.db.seenUser.findUnique({ where: { platform_platformUserId: { platform, platformUserId } } }),
  ]);
  const secret = status === 'open' ? linkSecret(ctx, linkId) : null;
  // A link that was made with another key cannot be redeemed with a secret of this one.
  const stale = secret !== null && hashOf(secret) !== link.secretHash;
  return {
    status: stale ? ('expired' as const) : status,
    secret: stale ? null : secret,
    handle: handle?.slug ?? '',
    platform,
    platformUserId,
    username: link.username,
    displayName: seen?.displayName ?? null,
  };
}

async function viewLink(ctx: Ctx, link: Row<'Link'>): Promise<LinkView> {
  const { id, platform, platformUserId, username, expiresAt, botId } = link;
  const status = statusNow(link, ctx.clock.now());
  const [handle, bot, connection] = await Promise.all([
    link.handleId ? ctx.db.handle.findUnique({ where: { id: link.handleId } }) : null,
    ctx.db.seenUser.findUnique({ where: { platform_platformUserId: { platform, platformUserId: botId } } }),
    status === 'confirmed' ? findConnectionIn(ctx.db, platform, platformUserId) : null,
  ]);
  return {
    id,
    platform,
    platformUserId,
    username,
    status,
    expiresAt,
    botUsername: bot?.username ?? null,
    handle: handle?.slug ?? null,
    connectionId: connection && connection.handleId === link.handleId ? connection.id : null,
  };
}
