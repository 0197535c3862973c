// What must hold before we pay the gas of another payment: one at a time, not after it failed too often, and within what a day may cost.

import type { Ctx } from '../../../context.ts';
import type { Row, Tx } from '../../../db.ts';
import { CHAINS, type ChainName } from '../../../domain/chains.ts';
import { PAYMENT_FAILURES, PAYMENT_FAILURES_A_DAY, SWEEP_FAILURES } from '../../../domain/checkout.ts';
import { AppError } from '../../../domain/errors.ts';
import { SPEND_WINDOW_MS } from '../../../domain/limits.ts';
import { SUBMISSION_OPEN } from '../../../domain/order.ts';
import { lockKey } from '../../locks.ts';
import { hasLiveLegs } from '../underWay.ts';
import { inFlight } from './payable.ts';

/** Serializes the payments that are added on a chain: counts are exact. */
export function lockPayments(tx: Tx, chain: string): Promise<void> {
  return lockKey(tx, `payments:${chain}`);
}

/**
 * Under {@link lockPayments}. Sweeps have no budget: the payer's own transaction paid for each, and money that came in time must not wait.
 * @throws AppError `payment_in_flight`, `call_refused` after too many failures, `rate_limited` above a budget
 */
export async function requirePaymentRoom(
  ctx: Ctx,
  tx: Tx,
  order: Row<'Order'>,
  { payer, way }: { payer: string; way: string },
): Promise<void> {
  const { chain, id: orderId, handleId } = order;
  const open = { in: [...SUBMISSION_OPEN] };
  const mine = await tx.orderSubmission.findFirst({
    where: {
      OR: [
        { orderId, status: open },
        { chain, payer, status: open },
      ],
    },
    select: { orderId: true },
  });
  if (mine) throw inFlight(mine.orderId === orderId ? 'order' : 'payer');
  if (way !== 'sweep' && (await hasLiveLegs(tx, orderId))) throw inFlight('order');
  const createdAt = { gt: new Date(ctx.clock.now() - SPEND_WINDOW_MS) };
  const failed = await tx.orderSubmission.count({ where: { orderId, payer, status: 'failed' } });
  const today = await tx.orderSubmission.count({ where: { chain, payer, status: 'failed', createdAt } });
  if (failed >= (way === 'sweep' ? SWEEP_FAILURES : PAYMENT_FAILURES) || today >= PAYMENT_FAILURES_A_DAY) {
    const words = 'This payment failed several times. Pay with your wallet’s own transaction instead.';
    throw new AppError('call_refused', words);
  }
  if (way === 'sweep') return;
  const since = { createdAt, way: { not: 'sweep' } };
  const [onChain, ofHandle] = await Promise.all([
    tx.orderSubmission.count({ where: { chain, ...since } }),
    tx.orderSubmission.count({ where: { chain, order: { handleId }, ...since } }),
  ]);
  const { SPONSORED_PAYMENTS_PER_CHAIN, SPONSORED_PAYMENTS_PER_HANDLE } = ctx.env;
  if (onChain < SPONSORED_PAYMENTS_PER_CHAIN && ofHandle < SPONSORED_PAYMENTS_PER_HANDLE) return;
  const words = `The daily limit of payments without network fees on ${CHAINS[chain as ChainName].label} is reached. Pay with your wallet’s own transaction.`;
  throw new AppError('rate_limited', words, { retryAfterMs: 3_600_000 });
}
