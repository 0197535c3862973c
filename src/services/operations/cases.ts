// One complaint whole: a message, an order, an escrow or a reply, with every step in the order in which it happened.
import type { Ctx } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { directOrderKey, orderReplyKey } from '../orders/notices.ts';
import { readOrderPage, type TimelineEntry } from '../orders/timeline.ts';
import { senderTag } from '../trace.ts';
import { bridgeSteps } from './bridgeSteps.ts';
import { type CaseKind, caseIdOfReply, caseKindOf } from './caseLinks.ts';
import { escrowSteps } from './escrows.ts';
import { type LegLine, readMessageCase } from './messages.ts';
import { repliesByKeys, replyLine, replySteps } from './replies.ts';
import { type CaseStep, inOrder, moveSteps, step } from './steps.ts';
import { escrowLine, orderLine } from './words.ts';

export type Case = {
  id: string;
  kind: CaseKind;
  platform: string | null;
  who: string | null;
  what: string;
  status: string;
  legs: LegLine[];
  /** Oldest first. */
  steps: CaseStep[];
  /** What else belongs to it: the message that opened an escrow, the message that asked for an order. */
  related: { id: string; kind: CaseKind }[];
  /** By which words its lines stand in the log. */
  log: string[];
};

/** @throws AppError `resource_missing` */
export async function readCase(ctx: Ctx, id: string): Promise<Case> {
  const kind = caseKindOf(id);
  const read = { message: messageCase, order: orderCase, tab: escrowCase, reply: replyCase }[kind];
  const found = await read(ctx, id);
  if (!found) throw new AppError('resource_missing', 'No message, order, tab or reply has this ID.');
  return { id, kind, ...found };
}

type Found = Omit<Case, 'id' | 'kind'> | null;

async function messageCase(ctx: Ctx, key: string): Promise<Found> {
  const found = await readMessageCase(ctx, key);
  if (!found) return null;
  const { senderId, messageId, ...rest } = found;
  const log = [messageId, senderTag(ctx, found.platform, senderId)].filter(Boolean);
  const escrows = found.legs.flatMap(({ tab_id }) => (tab_id === null ? [] : [{ id: tab_id, kind: 'tab' as const }]));
  return { ...rest, related: escrows, log };
}

async function orderCase(ctx: Ctx, id: string): Promise<Found> {
  const row = await ctx.db.order.findUnique({ where: { id } });
  if (!row) return null;
  const [{ timeline }, bridged, replies, submissions, events, handle] = await Promise.all([
    readOrderPage(ctx, row.handleId, id),
    bridgeSteps(ctx, { orderId: id }),
    repliesByKeys(ctx, [
      orderReplyKey(id),
      directOrderKey(id),
      ...['order_end', 'order_money'].map((kind) => `${kind}:${id}`),
    ]),
    ctx.db.orderSubmission.findMany({ where: { orderId: id }, select: { id: true }, take: 100 }),
    ctx.db.event.findMany({
      where: { resourceId: id },
      select: { id: true, type: true, createdAt: true, deliveries: { select: { status: true } } },
      take: 50,
    }),
    ctx.db.handle.findUnique({ where: { id: row.handleId }, select: { id: true, slug: true } }),
  ]);
  const moves = await moveSteps(
    ctx,
    'order_submission',
    submissions.map((one) => one.id),
  );
  const told = events.map((event) => {
    const statuses = event.deliveries.map(({ status }) => status);
    const failed = statuses.includes('failed');
    const detail = `${event.type}: ${statuses.length === 0 ? 'no endpoints' : statuses.join(', ')}`;
    return step(event.id, event.createdAt, 'event', { detail, tone: failed ? 'bad' : 'quiet' });
  });
  // What a bridge has is shown with the bridge's own names instead.
  const own = timeline.filter(({ key }) => !key.startsWith('leg_'));
  const chat = row.chat as { messageId: string } | null;
  const [asked] = chat
    ? await ctx.db.$queryRaw<{ key: string }[]>`
        select key from inbox where payload -> 'message' ->> 'messageId' = ${chat.messageId} and outcome = ${id} limit 1`
    : [];
  return {
    ...orderLine(row, new Map(handle ? [[handle.id, handle.slug]] : [])),
    legs: [],
    steps: inOrder([...own.map(orderStep).reverse(), ...bridged, ...moves, ...told, ...replies.flatMap(replySteps)]),
    related: asked ? [{ id: asked.key, kind: 'message' }] : [],
    log: [id],
  };
}

function orderStep({ key, at, kind, amount, from, to, tx_hash, explorer_url }: TimelineEntry): CaseStep {
  const detail = [amount, from && `from ${from}`, to && `to ${to}`].filter(Boolean).join(' ');
  const tone = ['completed', 'paid'].includes(kind) ? 'good' : ['failed', 'unmatched'].includes(kind) ? 'bad' : 'quiet';
  return { key, at, step: `order_${kind}`, detail: detail || null, tx_hash, explorer_url, tone };
}

async function escrowCase(ctx: Ctx, id: string): Promise<Found> {
  const row = await ctx.db.escrow.findUnique({ where: { id }, include: { tip: { include: { intent: true } } } });
  if (!row) return null;
  const handle = await ctx.db.handle.findUnique({
    where: { id: row.senderHandleId ?? '' },
    select: { id: true, slug: true },
  });
  const opener = row.tip?.intent.inboxKey;
  return {
    ...escrowLine(row, new Map(handle ? [[handle.id, handle.slug]] : [])),
    legs: [],
    steps: inOrder(await escrowSteps(ctx, row)),
    related: opener === undefined ? [] : [{ id: opener, kind: 'message' }],
    log: [id],
  };
}

async function replyCase(ctx: Ctx, id: string): Promise<Found> {
  const row = await ctx.db.reply.findUnique({ where: { id } });
  if (!row) return null;
  const about = await caseIdOfReply(ctx, row);
  return {
    ...replyLine(row),
    legs: [],
    steps: inOrder(replySteps(row)),
    related: about === id ? [] : [{ id: about, kind: caseKindOf(about) }],
    log: [id],
  };
}
