// Whether a person is notified of received money: a button in each notice, and a setting of the handle.
import { randomBytes } from 'node:crypto';
import type { Ctx } from '../../context.ts';
import type { Db, Row, Tx } from '../../db.ts';
import { findConnectionIn } from '../accounts/connections.ts';
import { bumpReply } from '../outbox/replies.ts';

/** The actions of a notice's buttons, which are also the answers to a press. */
export const NOTICE_SWITCHES = ['notices_off', 'notices_on'] as const;
export type NoticeSwitch = (typeof NOTICE_SWITCHES)[number];

/** As long as messages are read. */
const BUTTONS_WORK_MS = 365 * 24 * 3_600_000;

type Place = { replyId: string; platform: string; chatId: string; userId: string };

export function isNoticeSwitch(action: string): action is NoticeSwitch {
  return NOTICE_SWITCHES.some((one) => one === action);
}

/** One button for each direction; the message shows the one that changes something. */
export function switchButtons(ctx: Ctx, place: Place): Row<'Button'>[] {
  return NOTICE_SWITCHES.map((action) => switchButton(ctx, place, action));
}

function switchButton(ctx: Ctx, { replyId, platform, chatId, userId }: Place, action: NoticeSwitch): Row<'Button'> {
  return {
    token: randomBytes(18).toString('base64url'),
    ...{ replyId, platform, chatId, userId, action },
    intentId: null,
    linkId: null,
    expiresAt: new Date(ctx.clock.now() + BUTTONS_WORK_MS),
    usedAt: null,
  };
}

/** Applies a press whose presser, chat and message fit. A token works once; the message gets a new one for the next press. */
export async function pressNoticeSwitch(
  ctx: Ctx,
  tx: Tx,
  button: Row<'Button'> & { reply: Row<'Reply'> },
  action: NoticeSwitch,
): Promise<NoticeSwitch | 'too_late'> {
  const now = new Date(ctx.clock.now());
  const { count } = await tx.button.updateMany({
    where: { token: button.token, usedAt: null, expiresAt: { gt: now } },
    data: { usedAt: now },
  });
  if (count === 0) return 'too_late';
  const { platform, userId, reply } = button;
  const account = `${platform}:${userId}`;
  const connection = await findConnectionIn(tx, platform, userId);
  await switchNotices(ctx, tx, connection?.handleId ?? account, [account], action === 'notices_on');
  await tx.button.create({ data: switchButton(ctx, button, action) });
  await bumpReply(ctx, tx, reply.key);
  return action;
}

/** @param accounts those of the reader, "telegram:123": on again means that none of them is off by itself */
async function switchNotices(ctx: Ctx, tx: Tx, reader: string, accounts: string[], on: boolean): Promise<void> {
  if (on) await tx.receivedOff.deleteMany({ where: { reader: { in: [reader, ...accounts] } } });
  else await tx.receivedOff.createMany({ data: [{ reader, since: new Date(ctx.clock.now()) }], skipDuplicates: true });
}

/** Whether any of these readers (a handle and an account of it) turned notices off. */
export async function areNoticesOff(db: Db | Tx, readers: string[]): Promise<boolean> {
  return (await db.receivedOff.count({ where: { reader: { in: readers } } })) > 0;
}

/** The setting of a handle, over all of its accounts. */
export async function receivesNotices(ctx: Ctx, handleId: string): Promise<boolean> {
  return !(await areNoticesOff(ctx.db, [handleId, ...(await accountsOf(ctx.db, handleId))]));
}

export async function chooseNotices(ctx: Ctx, handleId: string, on: boolean): Promise<void> {
  await ctx.db.$transaction(async (tx) => {
    await switchNotices(ctx, tx, handleId, await accountsOf(tx, handleId), on);
  });
}

async function accountsOf(db: Db | Tx, handleId: string): Promise<string[]> {
  const accounts = await db.connection.findMany({ where: { handleId, disconnectedAt: null } });
  return accounts.map(({ platform, platformUserId }) => `${platform}:${platformUserId}`);
}
