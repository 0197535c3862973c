// Orders from a command in a chat: one for a message, for a connected account. An order only requests money, so it needs no right to spend.
import { createHash } from 'node:crypto';
import type { Ctx } from '../../context.ts';
import type { Tx } from '../../db.ts';
import { CHAINS, type ChainName } from '../../domain/chains.ts';
import { type ChatMessage, directChatId, guestQueryOf } from '../../domain/chat.ts';
import type { OrderCommand } from '../../domain/command.ts';
import { AppError } from '../../domain/errors.ts';
import { MAX_COMMAND_AGE_MS, ORDER_CHAT_SECONDS, ORDERS_PER_WINDOW } from '../../domain/limits.ts';
import { type Connection, findConnection } from '../accounts/connections.ts';
import { directOrderKey, type OrderChat, orderReplyKey } from '../orders/notices.ts';
import { createOrder } from '../orders/orders.ts';
import { wantReply } from '../outbox/replies.ts';
import { hit } from '../rateLimit.ts';
import { nativeChain } from '../tips/chainChoice.ts';
import { closeEntry } from './entries.ts';
import { answerError, answerServerRefusal } from './errorReplies.ts';
import { cancelButton } from './orderButton.ts';
import { serverVerdicts } from './servers.ts';

/**
 * Makes the order that a message asks for, and answers with its link. Row, event and the key of the message are stored in one statement, so the
 * same message, told again or tried again after a crash, has the same order.
 */
export async function orderByMessage(
  ctx: Ctx,
  key: string,
  message: ChatMessage,
  command: OrderCommand,
): Promise<void> {
  const connection = await findConnection(ctx, message.platform, message.sender.id);
  if (!connection) return answerError(ctx, key, message, { code: 'sender_not_connected' });
  const { refusal } = (await serverVerdicts(ctx, [message]))(message);
  if (refusal) return answerServerRefusal(ctx, key, message, refusal);
  // A process may have ended between the order and its answer: then only the answer is late.
  const isMade = (await ctx.db.idempotencyKey.count({ where: requestOf(key) })) > 0;
  if (!isMade && ctx.clock.now() - message.sentAt > MAX_COMMAND_AGE_MS)
    return answerError(ctx, key, message, { code: 'too_old' });
  const limit = { key: `orders:handle:${connection.handleId}`, window: ORDERS_PER_WINDOW };
  const rate = await hit(ctx, ctx.db, { id: key, limits: [limit] }, ctx.clock.now());
  if (!isMade && !rate.allowed)
    return answerError(ctx, key, message, { code: 'orders_limited', retryAt: rate.retryAt });
  const made = await makeOrder(ctx, key, message, command, connection);
  if ('code' in made) return answerError(ctx, key, message, made);
  await ctx.db.$transaction((tx) => answerOrder(ctx, tx, key, message, made.orderId));
  await ctx.queues.flush(ctx.db);
}

/** Names the message among the requests that are answered once. */
function requestOf(key: string): { keyId: string; path: string; key: string } {
  return { keyId: 'chat', path: '/order', key };
}

async function makeOrder(
  ctx: Ctx,
  key: string,
  message: ChatMessage,
  command: OrderCommand,
  { handle }: Connection,
): Promise<{ orderId: string } | { code: string }> {
  const currency = command.unit === 'USD' ? 'USDC' : command.unit;
  const chain = command.chain ?? chainFor(ctx, currency, handle.preferredChain);
  const wish = {
    amount: command.amount,
    currency,
    chain,
    expires_in: ORDER_CHAT_SECONDS,
    ...(command.memo === undefined ? {} : { description: command.memo }),
  };
  const bodyHash = createHash('sha256').update(JSON.stringify(command)).digest('hex');
  try {
    const { order } = await createOrder(ctx, { id: handle.id }, wish, {
      origin: 'chat',
      chat: chatOf(message),
      idempotency: { ...requestOf(key), bodyHash },
    });
    return { orderId: order.id };
  } catch (error) {
    const code = error instanceof AppError ? errorCode(error) : null;
    if (code === null) throw error;
    return { code };
  }
}

/** The chain that the seller prefers, or for a native asset one that has it. */
function chainFor(ctx: Ctx, currency: string, preferred: string): string {
  if (currency === 'USDC' || CHAINS[preferred as ChainName]?.native === currency) return preferred;
  return nativeChain(ctx, currency);
}

/** The error in the seller's reply; null for what is tried again. */
function errorCode({ code, param }: AppError): string | null {
  switch (code) {
    case 'amount_out_of_range':
      return 'order_range';
    case 'unsupported_chain':
      return 'order_chain';
    case 'unsupported_asset':
      return 'order_asset';
    case 'state_conflict':
      return 'order_no_wallet';
    case 'provider_unavailable':
      return 'order_price';
    case 'parameter_invalid':
      return param === 'description' ? 'order_note' : 'amount_invalid';
    case 'idempotency_in_progress':
    case 'internal_error':
      return null;
    default:
      return 'order_refused';
  }
}

function chatOf(message: ChatMessage): OrderChat {
  const { platform, botId, chatId, messageId, sender } = message;
  return { platform, botId, chatId, messageId, userId: sender.id };
}

/** Answers in the chat of the command. On X the link goes to the seller directly: a post with one costs more than thirteen others. */
async function answerOrder(ctx: Ctx, tx: Tx, key: string, message: ChatMessage, orderId: string): Promise<void> {
  if (!(await closeEntry(ctx, tx, key, message, orderId))) return;
  const { platform, botId, chatId, messageId, sender } = message;
  const data = { orderId, userId: sender.id };
  if (platform === 'x') {
    const direct = { platform, botId, chatId: directChatId(platform, sender.id) };
    await wantReply(ctx, tx, { key: directOrderKey(orderId), to: direct, replyTo: null, kind: 'order', data });
  }
  const to = { platform, botId, chatId };
  const replyId = await wantReply(ctx, tx, {
    key: orderReplyKey(orderId),
    to,
    replyTo: messageId,
    kind: 'order',
    data,
  });
  // A press in a foreign chat cannot be assigned by chat and message, and X has no buttons.
  if (platform !== 'x' && guestQueryOf(chatId) === null)
    await tx.button.create({ data: cancelButton(ctx, { replyId, platform, chatId, userId: sender.id }) });
}
