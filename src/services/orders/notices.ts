// What a chat receives about the orders that were created in it: their status, their outcome, and money that did not count for them. Never
// the payer.
import type { Ctx } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import { chainLabel } from '../../domain/chains.ts';
import { type ChatAddress, directChatId, guestQueryOf } from '../../domain/chat.ts';
import { AppError } from '../../domain/errors.ts';
import { formatUnits } from '../../domain/money.ts';
import type { OrderStatus } from '../../domain/order.ts';
import type { ReplyKind } from '../outbox/content.ts';
import { bumpReply, wantReply } from '../outbox/replies.ts';

/** The chat in which an order was created, and the account that created it. */
export type OrderChat = { platform: string; botId: string; chatId: string; messageId: string; userId: string };

/** The message that shows an order and its link, there and (on X) in the seller's direct messages. */
export function orderReplyKey(orderId: string): string {
  return `order:${orderId}`;
}
export function directOrderKey(orderId: string): string {
  return `order-direct:${orderId}`;
}

type ChatOrder = Pick<Row<'Order'>, 'id' | 'status' | 'chat'>;

/**
 * Updates the message that shows an order, and posts a message of its own for a payment, or for an end without one. Runs with the transition,
 * in its transaction; does nothing for an order without a chat.
 */
export async function tellOrderEnd(ctx: Ctx, tx: Tx, order: ChatOrder): Promise<void> {
  if (order.chat === null) return;
  await bumpReply(ctx, tx, orderReplyKey(order.id));
  if (order.status === 'completed' || order.status === 'expired') await tell(ctx, tx, order, 'order_end');
}

/** Money came that does not complete an order: a part of it, or too late, or once more. However much of it, that is one message. */
export async function tellOrderMoney(ctx: Ctx, tx: Tx, order: ChatOrder): Promise<void> {
  if (order.chat !== null) await tell(ctx, tx, order, 'order_money');
}

type OrderNotice = Extract<ReplyKind, `order_${string}`>;

/** In the order's chat; in a direct chat where each post costs, or where the bot may answer only once. */
async function tell(ctx: Ctx, tx: Tx, { id: orderId, chat }: ChatOrder, kind: OrderNotice): Promise<void> {
  const { platform, botId, chatId, messageId, userId } = chat as OrderChat;
  const isDirect = platform === 'x' || guestQueryOf(chatId) !== null;
  const to: ChatAddress = { platform, botId, chatId: isDirect ? directChatId(platform, userId) : chatId };
  const replyTo = isDirect ? null : messageId;
  await wantReply(ctx, tx, { key: `${kind}:${orderId}`, to, replyTo, kind, data: { orderId, userId } });
}

/** Amounts are canonical decimal strings of `currency`; `deadline` in Unix milliseconds. */
export type ChatOrderView = {
  id: string;
  status: OrderStatus;
  handle: string;
  amount: string;
  currency: string;
  chainLabel: string;
  description: string | null;
  deadline: number;
  /** What arrived in final blocks, what is missing, and what of it counts for nothing; null for none. */
  received: string | null;
  due: string;
  stray: string | null;
  /** Where it is paid, and where its receipt stands. */
  url: string;
};

/** @throws AppError `resource_missing` */
export async function chatOrderView(ctx: Ctx, orderId: string): Promise<ChatOrderView> {
  const order = await ctx.db.order.findUnique({ where: { id: orderId }, include: { logs: true } });
  if (!order) throw new AppError('resource_missing');
  const { slug } = await ctx.db.handle.findUniqueOrThrow({ where: { id: order.recipientId }, select: { slug: true } });
  const [units, received] = [unitsOf(order.units), unitsOf(order.receivedUnits)];
  const stray = order.logs
    .filter(
      ({ kind, outcome, token }) => ['settled', 'deposit'].includes(kind) && isStray(outcome) && token === order.token,
    )
    .reduce((sum, log) => sum + unitsOf(log.units), 0n);
  const written = (value: bigint) => formatUnits(value, order.decimals);
  const base = ctx.env.CHECKOUT_BASE ?? ctx.env.BASE_URL;
  return {
    id: order.id,
    status: order.status as OrderStatus,
    handle: slug,
    amount: written(units),
    currency: order.currency,
    chainLabel: chainLabel(order.chain),
    description: order.description,
    deadline: Number(order.deadline) * 1_000,
    received: received === 0n ? null : written(received),
    due: written(received < units ? units - received : 0n),
    stray: stray === 0n ? null : written(stray),
    url: new URL(`/o/${order.id}`, base).href,
  };
}

/** Money that never was the merchant's is not stray money of the order. */
function isStray(outcome: string): boolean {
  return outcome !== 'credited' && outcome !== 'other_payee';
}

function unitsOf(value: { toFixed(places: number): string }): bigint {
  return BigInt(value.toFixed(0));
}
