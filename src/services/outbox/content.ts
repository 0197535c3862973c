// What a reply is about: the data in its row, for each kind. It holds ids and no words; the bots render it when they send.
import { z } from 'zod';
import type { Row } from '../../db.ts';
import { FAILURE_NOTICES } from '../../domain/subscription.ts';

/** Of every kind. `userId`: the platform's id of the person whom it addresses. `origin`: the message elsewhere that a private reply answers. */
const ADDRESSEE = z.object({
  userId: z.string().optional(),
  origin: z.object({ chatId: z.string(), messageId: z.string() }).optional(),
});

function content<Kind extends string, Shape extends z.ZodRawShape>(kind: Kind, shape: Shape) {
  return z.object({ kind: z.literal(kind), data: ADDRESSEE.extend(shape) });
}

const USER = { userId: z.string() };
/** With what the page’s form is filled. */
const MONEY_PAGE = { ...USER, amount: z.string().optional(), to: z.string().optional() };
const INTENT = { intentId: z.string() };
const LINK = { linkId: z.string() };
const ORDER = { orderId: z.string() };
const ESCROW = { escrowId: z.string() };
const SUBSCRIPTION = { subscriptionId: z.string() };
/** Where a direct message was announced and then refused: the pointer asks to open the chat. */
const POINTER = { refused: z.boolean().optional() };

const WALLET_CHANGE = ADDRESSEE.extend({ changeId: z.string() });
const NEW_CONNECTION = ADDRESSEE.extend({
  account: z.object({
    platform: z.string(),
    platformUserId: z.string(),
    username: z.string().nullable(),
    handle: z.string(),
  }),
});

const replyContent = z.discriminatedUnion('kind', [
  content('intent', INTENT),
  content('intent_private', INTENT),
  content('intent_question', INTENT),
  content('guest_private', POINTER),
  content('help', { isStart: z.boolean().optional(), inGroup: z.boolean().optional() }),
  content('balance', USER),
  content('history', USER),
  content('limits', USER),
  content('subscriptions', USER),
  content('me', USER),
  content('deposit', MONEY_PAGE),
  content('withdraw', MONEY_PAGE),
  content('plan', {
    ...USER,
    name: z.string().optional(),
    amount: z.string().optional(),
    period: z.number().optional(),
  }),
  content('react', {
    ...USER,
    outcome: z.enum(['shown', 'set', 'off', 'unclear', 'range', 'elsewhere', 'receive_only']),
    cap: z.string().optional(),
  }),
  content('leaderboard', { outcome: z.enum(['shown', 'on', 'off', 'left_all', 'unclear', 'elsewhere']) }),
  content('paused', {}),
  content('error', {
    code: z.string(),
    /** At which reading stopped, and a chain that was typed with it. */
    word: z.string().optional(),
    chain: z.string().optional(),
    /** Unix milliseconds. */
    retryAt: z.number().optional(),
    channels: z.array(z.string()).optional(),
  }),
  content('reaction', {}),
  content('open_chat', POINTER),
  content('link', LINK),
  content('link_sent', POINTER),
  content('link_question', LINK),
  content('connected', USER),
  content('disconnected', { handle: z.string().optional() }),
  z.object({ kind: z.literal('notice'), data: z.union([WALLET_CHANGE, NEW_CONNECTION]) }),
  content('right', { own: z.boolean(), commandCap: z.string(), dayCap: z.string() }),
  content('waiting', { handleId: z.string() }),
  content('thread_total', {
    thread: z.object({ platform: z.string(), botId: z.string(), chatId: z.string(), messageId: z.string() }),
  }),
  content('received', { ...USER, noticeId: z.string(), reader: z.string(), pace: z.enum(['minute', 'day']) }),
  content('tab_claimed', ESCROW),
  content('tab_refunded', ESCROW),
  content('tab_reminder', ESCROW),
  content('tab_name_hold', ESCROW),
  content('subscription_failing', {
    ...SUBSCRIPTION,
    stage: z.enum(FAILURE_NOTICES),
    code: z.enum(['insufficient_balance', 'insufficient_allowance', 'plan_inactive', 'token_refused', 'not_mined']),
  }),
  content('subscription_halted', SUBSCRIPTION),
  content('subscription_cancelled', SUBSCRIPTION),
  content('subscription_low', SUBSCRIPTION),
  content('subscription_price', SUBSCRIPTION),
  content('subscription_charged', { ...SUBSCRIPTION, number: z.number() }),
  content('grant', { grantId: z.string() }),
  content('send_received', { ...USER, sendId: z.string() }),
  content('order', ORDER),
  content('order_end', ORDER),
  content('order_money', ORDER),
  content('endpoint_disabled', {
    endpoint: z.object({ host: z.string(), reason: z.enum(['gone', 'failing']), livemode: z.boolean() }),
  }),
]);

export type ReplyContent = z.infer<typeof replyContent>;
export type ReplyKind = ReplyContent['kind'];
export type ReplyData<Kind extends ReplyKind> = Extract<ReplyContent, { kind: Kind }>['data'];

/** @returns null for a row of a version that this one does not know */
export function readContent({ kind, data }: Pick<Row<'Reply'>, 'kind' | 'data'>): ReplyContent | null {
  return replyContent.safeParse({ kind, data }).data ?? null;
}
