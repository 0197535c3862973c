// Transactions that pay orders: of payments that payers signed, and sweeps of deposit addresses. A submission ends with its transaction and in no other
// way; its order is completed by the indexer.
import { simulateQueued } from '../../../chain/calls.ts';
import type { Chain } from '../../../chain/chain.ts';
import { finalPayment } from '../../../chain/orders.ts';
import type { Ctx } from '../../../context.ts';
import type { Row } from '../../../db.ts';
import { LAST_PAYMENT_MS } from '../../../domain/checkout.ts';
import { AppError } from '../../../domain/errors.ts';
import type { OutgoingKind, QueuedCall, Write } from '../../outgoing/kinds.ts';
import { transition } from '../../transitions.ts';
import { moveOrders } from '../transitions.ts';
import { holdOrder } from '../underWay.ts';
import { EXPIRED, PAID_OTHERWISE, REFUSED } from './failures.ts';
import { deadlineMs, placeOf, requirePayable } from './payable.ts';
import { refusalOf } from './submissions.ts';

type Submission = Row<'OrderSubmission'> & { order: Row<'Order'> };

export const orderKind: OutgoingKind = {
  async expire(ctx, { subjectId }) {
    const row = await readSubmission(ctx, subjectId);
    if (row.order.status === 'completed') return fail(ctx, subjectId, PAID_OTHERWISE);
    return row.expiresAt.getTime() - ctx.clock.now() < LAST_PAYMENT_MS ? fail(ctx, subjectId, EXPIRED) : null;
  },
  async check(ctx, _chain, call) {
    const failure = await reasonNotToSend(ctx, await readSubmission(ctx, call.subjectId), call);
    return failure === null ? null : fail(ctx, call.subjectId, failure);
  },
  async onSigned(ctx, tx, { id: outgoingTxId, subjectId: id }) {
    const { orderId } = await tx.orderSubmission.findUniqueOrThrow({ where: { id }, select: { orderId: true } });
    await holdOrder(tx, orderId);
    const [sent] = await transition(ctx, tx, 'order_submission', [{ id, action: 'submit', patch: { outgoingTxId } }]);
    if (!sent) throw new AppError('state_conflict', 'this payment is no longer queued');
    // Cancelled, expired or paid meanwhile: nothing is signed, and the next check says why.
    const moved = await moveOrders(ctx, tx, [{ id: orderId, action: 'submit', patch: { txHash: null } }]);
    if (!moved.has(orderId)) throw new AppError('state_conflict', 'the order is no longer waiting for a payment');
  },
  async onFinal(ctx, chain, { subjectId: id, succeeded }) {
    if (!succeeded) return release(ctx, chain, id);
    return async (tx) => void (await transition(ctx, tx, 'order_submission', [{ id, action: 'settle' }]));
  },
  onLost: (ctx, chain, { subjectId }) => release(ctx, chain, subjectId),
};

function readSubmission(ctx: Ctx, id: string): Promise<Submission> {
  return ctx.db.orderSubmission.findUniqueOrThrow({ where: { id }, include: { order: true } });
}

/** Ends a submission that was not sent. */
function fail(ctx: Ctx, id: string, failure: string): Write {
  return async (tx) =>
    void (await transition(ctx, tx, 'order_submission', [{ id, action: 'fail', from: 'queued', patch: { failure } }]));
}

/** @returns why it can never be sent, as its payer reads it, or null */
async function reasonNotToSend(
  ctx: Ctx,
  row: Submission,
  { toAddress, data, gas }: QueuedCall,
): Promise<string | null> {
  const { order } = row;
  const { chain } = placeOf(ctx, order);
  try {
    requirePayable(ctx, order);
    const refusal = await simulateQueued(chain, { to: toAddress, data, gas }, undefined);
    if (refusal) throw await refusalOf(chain, order, row.payer, refusal);
    return null;
  } catch (error) {
    if (error instanceof AppError && error.code !== 'provider_unavailable') return error.message;
    throw error;
  }
}

const RELEASED = { txHash: null, payer: null };

/**
 * The transaction can no longer settle the order. Another one may have: then the order waits for the indexer. Otherwise it can be paid again, or
 * it has expired: by the chain, whose final blocks no longer accept a payment of it.
 */
async function release(ctx: Ctx, chain: Chain, id: string): Promise<Write> {
  const { order } = await readSubmission(ctx, id);
  const isOpen = order.status === 'processing';
  const onChain = isOpen ? await finalPayment({ ...placeOf(ctx, order), chain }) : null;
  if (onChain?.settled)
    throw new AppError('provider_unavailable', 'the order is settled by another transaction, which is not indexed yet');
  const isOver = onChain !== null && onChain.time * 1_000 > deadlineMs(order);
  const failure = order.status === 'completed' ? PAID_OTHERWISE : REFUSED;
  return async (tx) => {
    await holdOrder(tx, order.id);
    const failed = await transition(ctx, tx, 'order_submission', [{ id, action: 'fail', patch: { failure } }]);
    // Another process was first: the order may be on its way again by another payment.
    if (!failed.has(id) || !isOpen) return;
    const action = isOver ? 'lapse' : 'release';
    await moveOrders(ctx, tx, [{ id: order.id, action, patch: RELEASED }]);
  };
}
