// The one button of an order in a chat: its seller takes it back. It works once, for who typed the order, in the message that shows it.
import { randomBytes } from 'node:crypto';
import type { Ctx } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { ORDER_CHAT_SECONDS } from '../../domain/limits.ts';
import { findConnectionIn } from '../accounts/connections.ts';
import { cancelIn } from '../orders/orders.ts';
import { readContent } from '../outbox/content.ts';

export const CANCEL_ORDER = 'cancel_order';

type Place = { replyId: string; platform: string; chatId: string; userId: string };

export function cancelButton(ctx: Ctx, place: Place): Row<'Button'> {
  return {
    token: randomBytes(18).toString('base64url'),
    ...place,
    intentId: null,
    linkId: null,
    action: CANCEL_ORDER,
    expiresAt: new Date(ctx.clock.now() + ORDER_CHAT_SECONDS * 1_000),
    usedAt: null,
  };
}

type Pressed = Row<'Button'> & { reply: Row<'Reply'> };

/**
 * Cancels the order of a button whose presser, chat and message fit. @returns whether it is cancelled by this press: not while a payment is on
 * its way, and not by an account that belongs to another handle by now
 */
export async function pressCancel(ctx: Ctx, tx: Tx, button: Pressed): Promise<boolean> {
  const { token, platform, userId, reply, usedAt, expiresAt } = button;
  const now = new Date(ctx.clock.now());
  if (usedAt !== null || expiresAt <= now) return false;
  const content = readContent(reply);
  if (content?.kind !== 'order') return false;
  const connection = await findConnectionIn(tx, platform, userId);
  if (!connection) return false;
  try {
    await cancelIn(ctx, tx, { workspaceId: connection.handleId }, content.data.orderId);
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
  await tx.button.updateMany({ where: { token, usedAt: null }, data: { usedAt: now } });
  return true;
}
