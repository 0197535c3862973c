// Payments that are on their way and not final: ours, by their outgoing transaction, and a payer's own, by the one that it named. They show how far a
// payment is and decide nothing: an order is completed by final logs only.

import type { Chain } from '../../../chain/chain.ts';
import { confirmationsOf, newestBlock } from '../../../chain/heads.ts';
import { readOwnPayment } from '../../../chain/orderTransactions.ts';
import type { Ctx } from '../../../context.ts';
import type { Row } from '../../../db.ts';
import { AppError } from '../../../domain/errors.ts';
import type { PublicOrder } from '../views.ts';
import { inFlight, placeOf, requirePayable } from './payable.ts';

/** Blocks on top of (and with) a payment's own; none while it is in no block. */
export type Seen = NonNullable<PublicOrder['seen']>;

/** The furthest that was shown of a payment, and when it was last known to be on its way. By our submission’s ID, or the hash of a payer’s own transaction. */
const shown = new Map<string, { seen: Seen; atMs: number }>();
const SHOWN = 10_000;
/** A node that lags, or a reorg, forgets a transaction for a while. One that no endpoint knows for this long is dropped. */
const GONE_AFTER_MS = 60_000;

/** Never less than before: neither a reorg nor a node that lags takes back what a reader has seen. */
export function furthest(ctx: Ctx, payment: string, seen: Seen): Seen {
  const before = shown.get(payment)?.seen;
  const further = before && before.confirmations > seen.confirmations ? before : seen;
  if (shown.size >= SHOWN) shown.clear();
  shown.set(payment, { seen: further, atMs: ctx.clock.now() });
  return further;
}

/** What the chain shows of the transaction that a payer named; null when there is none, it pays nothing, or it is gone. */
export async function seenPayment(ctx: Ctx, order: Row<'Order'>): Promise<Seen | null> {
  const { status, txHash } = order;
  if (status !== 'awaiting_payment' || txHash === null) return null;
  const place = placeOf(ctx, order);
  const needed = confirmationsOf(place.chain);
  try {
    const found = await readOwnPayment(place, txHash);
    if (found?.state === 'pending') return furthest(ctx, txHash, { confirmations: 0, needed });
    if (found?.state === 'mined')
      return furthest(ctx, txHash, seenAt(place.chain, found.block, await newestBlock(place.chain)));
    const last = shown.get(txHash);
    if (!found && last && ctx.clock.now() - last.atMs < GONE_AFTER_MS) return last.seen;
    shown.delete(txHash);
    return null;
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'provider_unavailable')) throw error;
    // It was on the chain when its payer named it.
    return furthest(ctx, txHash, { confirmations: 0, needed });
  }
}

export function seenAt(chain: Chain, block: bigint, head: bigint): Seen {
  const needed = confirmationsOf(chain);
  const depth = head < block ? 1 : Number(head - block) + 1;
  return { confirmations: Math.min(depth, needed), needed };
}

/**
 * Notes a payer's own transaction, so that its page can show how far it is. Only one that the chain shows, and that pays exactly these terms.
 * @throws AppError `tx_not_found` while the chain does not show it, `tx_mismatch` when it does something else or was refused,
 * `payment_in_flight`, `order_not_payable`, `provider_unavailable`
 */
export async function rememberPayment(ctx: Ctx, order: Row<'Order'>, hash: string): Promise<void> {
  if (order.status === 'completed' && order.txHash === hash) return;
  const found = await readOwnPayment(placeOf(ctx, order), hash);
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
    data: { txHash: hash },
  });
}
