// Intents: commands that move money, each stored with its reply and its job.
import type { Ctx } from '../../context.ts';
import type { Tx } from '../../db.ts';
import { sqlRows } from '../../db.ts';
import { type ChatMessage, guestQueryOf } from '../../domain/chat.ts';
import { PENDING_TIP_MS, TIP_VALIDITY_MS } from '../../domain/limits.ts';
import type { PaymentCommand } from '../../domain/payment.ts';
import type { IntentDoubt } from '../../domain/plan.ts';
import { enqueue } from '../../queues.ts';
import { bumpIntentReplies } from './intentReplies.ts';

/** A command in the inbox that moves money. */
export type Payment = {
  key: string;
  message: ChatMessage;
  command: PaymentCommand;
  /** Why it is confirmed before anything is sent; null if it is not. */
  doubt: IntentDoubt | null;
};

/** @param serverCap in micro-USD, from the rules of the server */
export type NewIntent = Payment & { id: string; handleId: string | null; serverCap: bigint | null };

/** Stores intents and enqueues one job for those of connected senders; the others wait until their sender is connected and has confirmed them. */
export async function storeIntents(ctx: Ctx, tx: Tx, intents: NewIntent[], now: number): Promise<void> {
  const [ready, kept] = [
    intents.filter((one) => one.handleId !== null),
    intents.filter((one) => one.handleId === null),
  ];
  await insertIntents(tx, kept, {
    status: 'waiting',
    at: now,
    until: now + PENDING_TIP_MS,
    nextAt: now + PENDING_TIP_MS,
  });
  await bumpIntentReplies(
    ctx,
    tx,
    kept.map(({ id }) => id),
  );
  await insertIntents(tx, ready, { status: 'accepted', at: now, until: now + TIP_VALIDITY_MS, nextAt: now });
  // A guest query is answered at once: the platform waits for that answer a short while only, and lets it be edited.
  const guests = ready.filter(({ message }) => guestQueryOf(message.chatId) !== null);
  await bumpIntentReplies(
    ctx,
    tx,
    guests.map(({ id }) => id),
  );
  const [first] = ready;
  if (!first) return;
  const intentIds = ready.map(({ id }) => id);
  await enqueue(tx, 'intents', `intent-${first.id}-${intentIds.length}`, { intentIds }, now);
}

type Lifecycle = { status: 'waiting' | 'accepted'; at: number; until: number; nextAt: number };

async function insertIntents(tx: Tx, intents: NewIntent[], { status, at, until, nextAt }: Lifecycle): Promise<void> {
  if (intents.length === 0) return;
  const rows = intents.map(({ key, message, command, doubt, id, handleId, serverCap }) => ({
    id,
    inbox_key: key,
    platform: message.platform,
    bot_id: message.botId,
    chat_id: message.chatId,
    chat_kind: message.chatKind,
    message_id: message.messageId,
    sent_at: new Date(message.sentAt),
    sender_id: message.sender.id,
    sender_username: message.sender.username,
    sender_handle_id: handleId,
    private_chat_id: message.privateChatId ?? null,
    answers_message_id: message.answers ?? null,
    server_cap_micros: serverCap === null ? null : String(serverCap),
    command,
    doubt,
  }));
  await tx.$executeRaw`
    insert into intent (id, inbox_key, platform, bot_id, chat_id, chat_kind, message_id, sent_at, sender_id, sender_username, sender_handle_id,
      private_chat_id, answers_message_id, server_cap_micros, command, doubt, status, accepted_at, valid_until, next_attempt_at)
    select i.*, ${status}, ${new Date(at)}::timestamptz, ${new Date(until)}::timestamptz, ${new Date(nextAt)}::timestamptz
    from jsonb_to_recordset(${sqlRows(rows)}) as i(id text, inbox_key text, platform text, bot_id text, chat_id text, chat_kind text,
      message_id text, sent_at timestamptz, sender_id text, sender_username text, sender_handle_id text, private_chat_id text,
      answers_message_id text, server_cap_micros bigint, command jsonb, doubt text)`;
}
