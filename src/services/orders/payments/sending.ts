// Payments of orders that we send: from the stored row to a signed transaction, and from a final one back to the order when it failed.

import { finalPayment, orderKey } from '../../../chain/routers/payment.ts';
import { simulateCall } from '../../../chain/routers/reverts.ts';
import type { Address, EvmChain, Hex } from '../../../chain/rpc/client.ts';
import type { Ctx } from '../../../context.ts';
import type { Row } from '../../../db.ts';
import { LAST_PAYMENT_MS } from '../../../domain/checkout.ts';
import { AppError } from '../../../domain/errors.ts';
import type { SubmissionStatus } from '../../../domain/order.ts';
import { wakeDeliveries } from '../../events.ts';
import { submitCall } from '../../outgoing/submit.ts';
import { advanceSubmissions } from '../../transitions.ts';
import { holdIfUnderWay } from '../orders.ts';
import { moveOrders } from '../transitions.ts';
import { deadlineMs, placeOf, requirePayable } from './payable.ts';
import { refusalOf } from './submissions.ts';

type Submission = Row<'OrderSubmission'> & { order: Row<'Order'> };

/**
 * Sends a stored payment. Safe to run any number of times and anywhere: the row that moves with the transaction's is what makes it one.
 * What cannot be sent now stays queued for the sweeper until it runs out.
 */
export async function sendSubmission(ctx: Ctx, id: string): Promise<void> {
  const row = await ctx.db.orderSubmission.findUnique({ where: { id }, include: { order: true } });
  if (row?.status !== 'queued') return;
  try {
    const failure = await trySending(ctx, row);
    if (failure !== null) await failSubmission(ctx, id, failure);
  } catch (error) {
    if (error instanceof AppError) {
      ctx.log.warn({ err: error, submission: id, chain: row.chain }, 'a payment was not sent');
      return;
    }
    // Two runs at once: the database lets one of them store the transaction.
    const { status } = await ctx.db.orderSubmission.findUniqueOrThrow({ where: { id } });
    if (status === 'queued') throw error;
  }
}

/** @returns why it can never be sent, or null */
async function trySending(ctx: Ctx, row: Submission): Promise<string | null> {
  const { id, order } = row;
  if (row.expiresAt.getTime() - ctx.clock.now() < LAST_PAYMENT_MS)
    return 'The signature expired before the payment was sent. You haven’t been charged. Pay again.';
  const place = placeOf(ctx, order);
  const { chain } = place;
  const call = { to: row.toAddress as Address, data: row.data as Hex, gas: row.gas };
  try {
    requirePayable(ctx, order);
    const refusal = await simulateCall(chain, call);
    if (refusal) throw await refusalOf(chain, order, row.payer as Address, refusal);
  } catch (error) {
    if (error instanceof AppError && error.code !== 'provider_unavailable') return error.message;
    throw error;
  }
  await submitCall(ctx, chain, { ...call, kind: 'order', businessKey: `order:${id}` }, async (tx, outgoingTxId) => {
    await holdIfUnderWay(tx, order.id);
    const [sent] = await advanceSubmissions(ctx, tx, [{ id, action: 'submit', patch: { outgoingTxId } }]);
    if (!sent) throw new AppError('state_conflict', 'another worker sent this payment');
    // Cancelled, expired or paid meanwhile: nothing of this is stored then, and the next run says why.
    const moved = await moveOrders(ctx, tx, [{ id: order.id, action: 'submit', patch: { txHash: null } }]);
    if (!moved.has(order.id)) throw new AppError('state_conflict', 'the order was not waiting for a payment any more');
  });
  return null;
}

/** What another run sent while this one looked is refused because it was sent, and has not failed. */
function failSubmission(ctx: Ctx, id: string, failure: string): Promise<Set<string>> {
  return ctx.db.$transaction((tx) =>
    advanceSubmissions(ctx, tx, [
      { id, action: 'fail', from: 'queued' satisfies SubmissionStatus, patch: { failure } },
    ]),
  );
}

/** Payments that wait to be sent: what the sweeper looks for. @param before Unix milliseconds of the youngest */
export async function queuedSubmissions(ctx: Ctx, before: number): Promise<string[]> {
  const rows = await ctx.db.orderSubmission.findMany({
    where: { status: 'queued', createdAt: { lte: new Date(before) } },
    orderBy: { createdAt: 'asc' },
    select: { id: true },
    take: 100,
  });
  return rows.map(({ id }) => id);
}

type Ended = { id: string; succeeded: boolean | null };

/** Sent payments that are looked at in one round; the oldest first. */
const PAGE = 100;

/**
 * Ends the payments of a chain whose transactions are final or lost. One that succeeded has settled its order, which the indexer sees by the log;
 * one that did not gives its order back.
 * @returns how many ended
 * @throws AppError `provider_unavailable`
 */
export async function concludeSubmissions(ctx: Ctx, chain: EvmChain): Promise<number> {
  const ended = await ctx.db.$queryRaw<Ended[]>`
    select s.id, o.status = 'final' and o.succeeded as succeeded from order_submission s join outgoing_tx o on o.id = s.outgoing_tx_id
    where s.status = 'submitted' and s.chain = ${chain.name} and o.status in ('final', 'lost') order by s.created_at limit ${PAGE}`;
  let count = 0;
  try {
    for (const one of ended) if (await endSubmission(ctx, chain, one)) count += 1;
    return count;
  } finally {
    if (count > 0) await wakeDeliveries(ctx);
  }
}

async function endSubmission(ctx: Ctx, chain: EvmChain, { id, succeeded }: Ended): Promise<boolean> {
  try {
    return await (succeeded ? settleSubmission(ctx, id) : giveBack(ctx, chain, id));
  } catch (err) {
    if (err instanceof AppError && err.code === 'provider_unavailable') throw err;
    // What is wrong with one alone must not hold up those behind it.
    ctx.log.error({ err, submission: id, chain: chain.name }, 'a payment that was sent could not be ended');
    return false;
  }
}

async function settleSubmission(ctx: Ctx, id: string): Promise<boolean> {
  return (await ctx.db.$transaction((tx) => advanceSubmissions(ctx, tx, [{ id, action: 'settle' }]))).has(id);
}

const REFUSED = 'The network rejected this payment. You haven’t been charged. Pay again.';

/**
 * The transaction can never settle the order any more. Another one may have: then the order waits for the indexer to see it. Else it can be paid
 * again, or its time is over: on the chain, whose final blocks take no payment of it any more.
 */
async function giveBack(ctx: Ctx, chain: EvmChain, id: string): Promise<boolean> {
  const { order } = await ctx.db.orderSubmission.findUniqueOrThrow({ where: { id }, include: { order: true } });
  const { router, terms } = placeOf(ctx, order);
  const isOpen = order.status === 'processing';
  const onChain = isOpen ? await finalPayment(chain, router, orderKey(chain, router, terms)) : null;
  if (onChain?.settled) return false;
  const isOver = onChain !== null && onChain.time * 1_000 > deadlineMs(order);
  return ctx.db.$transaction(async (tx) => {
    await holdIfUnderWay(tx, order.id);
    const failed = await advanceSubmissions(ctx, tx, [{ id, action: 'fail', patch: { failure: REFUSED } }]);
    // Whoever was first gave the order back, and it may be on its way again by another payment.
    if (!failed.has(id)) return false;
    if (isOpen) await moveOrders(ctx, tx, [{ id: order.id, action: isOver ? 'lapse' : 'release', patch: GIVEN_BACK }]);
    return true;
  });
}

const GIVEN_BACK = { txHash: null, payer: null };
