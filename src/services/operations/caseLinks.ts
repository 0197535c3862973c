// Which complaint something belongs to: what a transaction paid, what a reply answers. A case is a chat message, an order, an escrow or a reply of its own.
import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import { CHAIN_NAMES } from '../../domain/chains.ts';
import { isId } from '../../domain/ids.ts';
import { readContent } from '../outbox/content.ts';

export type CaseKind = 'message' | 'order' | 'tab' | 'reply';
type Found = { messages?: string[]; orders?: string[]; escrows?: string[]; replies?: string[] };

const MOST = 100;

/** What kind of case an id names. */
export function caseKindOf(id: string): CaseKind {
  if (isId('ord', id)) return 'order';
  if (isId('esc', id)) return 'tab';
  return isId('rpl', id) ? 'reply' : 'message';
}

/** Everything that a transaction was about, ours or the payer's own. @param hash lower case, or a signature of Solana; a leg's, an order's or an escrow's id on the chain too */
export async function casesOfTransactions(ctx: Ctx, hash: string): Promise<Found> {
  const attempt = await ctx.db.txAttempt.findUnique({ where: { hash }, select: { outgoingTxId: true } });
  const outgoingTxId = attempt?.outgoingTxId;
  const ours = outgoingTxId === undefined ? [] : [{ outgoingTxId }];
  const chains = [...CHAIN_NAMES];
  const [tips, logs, orders, submissions, claims, escrows] = await Promise.all([
    ctx.db.tip.findMany({
      where: { OR: [{ txHash: hash }, { messageKey: hash }, ...ours] },
      select: { intent: { select: { inboxKey: true } } },
      take: MOST,
    }),
    ctx.db.orderLog.findMany({
      where: { chain: { in: chains }, txHash: hash },
      select: { orderId: true },
      distinct: ['orderId'],
      take: MOST,
    }),
    ctx.db.order.findMany({
      where: { OR: [{ txHash: hash }, { onChainId: hash }] },
      select: { id: true },
      take: MOST,
    }),
    ours.length === 0
      ? []
      : ctx.db.orderSubmission.findMany({ where: { OR: ours }, select: { orderId: true }, take: MOST }),
    ours.length === 0
      ? []
      : ctx.db.claim.findMany({ where: { OR: ours }, select: { chain: true, tabId: true }, take: MOST }),
    ctx.db.escrow.findMany({
      where: { OR: [{ openTxHash: hash }, { closeTxHash: hash }, { chain: { in: chains }, tabId: hash }] },
      select: { id: true },
      take: MOST,
    }),
  ]);
  const claimed =
    claims.length === 0 ? [] : await ctx.db.escrow.findMany({ where: { OR: claims }, select: { id: true } });
  const unique = (ids: string[]) => [...new Set(ids)];
  return {
    messages: unique(tips.map(({ intent }) => intent.inboxKey)),
    orders: unique([...logs, ...submissions].map(({ orderId }) => orderId).concat(orders.map(({ id }) => id))),
    escrows: unique([...escrows, ...claimed].map(({ id }) => id)),
  };
}

type CaseReply = Pick<Row<'Reply'>, 'id' | 'key' | 'kind' | 'data'>;

/** The message, order or escrow that a reply is about; else the reply itself. */
export async function caseOfReply(ctx: Ctx, reply: CaseReply): Promise<Found> {
  const data = readContent(reply)?.data;
  if (data && 'intentId' in data) {
    const intent = await ctx.db.intent.findUnique({ where: { id: data.intentId }, select: { inboxKey: true } });
    if (intent) return { messages: [intent.inboxKey] };
  }
  if (data && 'orderId' in data) return { orders: [data.orderId] };
  if (data && 'escrowId' in data) return { escrows: [data.escrowId] };
  const answered = /^answer:(.+)$/.exec(reply.key)?.[1];
  return answered === undefined ? { replies: [reply.id] } : { messages: [answered] };
}

/** The same as one id. */
export async function caseIdOfReply(ctx: Ctx, reply: CaseReply): Promise<string> {
  const { messages = [], orders = [], escrows = [] } = await caseOfReply(ctx, reply);
  return messages[0] ?? orders[0] ?? escrows[0] ?? reply.id;
}
