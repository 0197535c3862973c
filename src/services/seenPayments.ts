// Payments that are on their way and not final: ours, by their outgoing transaction, and a payer's own, by the one that it named. They show how far a
// payment is and decide nothing: an order is completed by final logs only.
import { type EvmChain, type Hash, headBlock } from '../chain/evm.ts';
import { readOwnPayment } from '../chain/ownPayments.ts';
import type { Ctx } from '../context.ts';
import type { Row } from '../db.ts';
import { AppError } from '../domain/errors.ts';
import type { PublicOrder } from './orderViews.ts';
import { inFlight, placeOf, requirePayable } from './payableOrders.ts';

/** Blocks on top of (and with) a payment's own; none while it is in no block. */
export type Seen = NonNullable<PublicOrder['seen']>;

/** What was last shown of a payer's own transaction, for as long as its chain does not answer. By the transaction's hash. */
const shown = new Map<string, Seen>();
const SHOWN = 10_000;

/** What the chain shows of the transaction that a payer named; null when there is none, or it pays nothing. Never less because the chain is away. */
export async function seenPayment(ctx: Ctx, order: Row<'Order'>): Promise<Seen | null> {
  if (order.status !== 'awaiting_payment' || order.txHash === null) return null;
  const needed = placeOf(ctx, order).chain.confirmations;
  try {
    const seen = await lookFor(ctx, order);
    if (shown.size >= SHOWN) shown.clear();
    if (seen) shown.set(order.txHash, seen);
    return seen;
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'provider_unavailable')) throw error;
    // It was on the chain when its payer named it.
    return shown.get(order.txHash) ?? { confirmations: 0, needed };
  }
}

/** @throws AppError `provider_unavailable` */
async function lookFor(ctx: Ctx, order: Row<'Order'>): Promise<Seen | null> {
  const { chain, router, terms } = placeOf(ctx, order);
  const found = await readOwnPayment(chain, router, terms, order.txHash as Hash);
  if (found?.state === 'pending') return { confirmations: 0, needed: chain.confirmations };
  if (found?.state !== 'mined') return null;
  return confirmationsOf(chain, found.block, await headBlock(chain));
}

export function confirmationsOf(chain: EvmChain, block: bigint, head: bigint): Seen {
  const depth = head < block ? 1 : Number(head - block) + 1;
  return { confirmations: Math.min(depth, chain.confirmations), needed: chain.confirmations };
}

/**
 * Notes a payer's own transaction, so that its page can show how far it is. Only one that the chain shows, and that pays exactly these terms.
 * @throws AppError `tx_not_found` while the chain does not show it, `tx_mismatch` when it does something else or was refused,
 * `payment_in_flight`, `order_not_payable`, `provider_unavailable`
 */
export async function rememberPayment(ctx: Ctx, order: Row<'Order'>, hash: Hash): Promise<void> {
  if (order.status === 'completed' && order.txHash?.toLowerCase() === hash.toLowerCase()) return;
  const { chain, router, terms } = placeOf(ctx, order);
  const found = await readOwnPayment(chain, router, terms, hash);
  if (!found) throw new AppError('tx_not_found', undefined, { param: 'tx_hash' });
  if (found.state === 'other') {
    const words = 'This transaction doesn’t pay this order.';
    throw new AppError('tx_mismatch', words, { param: 'tx_hash' });
  }
  if (found.state === 'failed') {
    const words = 'The network rejected this payment. You haven’t been charged. Try again.';
    throw new AppError('tx_mismatch', words, { param: 'tx_hash' });
  }
  // What is in a block is a payment whatever the order's state is here; what is only on its way must still be in time.
  if (found.state === 'pending') requirePayable(ctx, order);
  if (order.status === 'processing') throw inFlight('order');
  await ctx.db.order.updateMany({
    where: { id: order.id, status: 'awaiting_payment' },
    data: { txHash: hash.toLowerCase() },
  });
}
