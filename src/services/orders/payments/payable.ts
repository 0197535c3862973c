// An order that is about to be paid: whether it can be paid, on which chain, and the terms that its row froze.
import { isSettled, type OrderAt, orderContract } from '../../../chain/orders.ts';
import { type Ctx, chainOf } from '../../../context.ts';
import type { Row } from '../../../db.ts';
import { whyNotPayable } from '../../../domain/checkout.ts';
import { AppError } from '../../../domain/errors.ts';
import type { OrderStatus } from '../../../domain/order.ts';
import type { OrderRouter } from '../../../domain/typedData/orders.ts';
import { isSameAddress } from '../../../domain/walletFamily.ts';
import { orderTerms } from '../orders.ts';

export type OrderPlace = OrderAt & { native: boolean };

/**
 * Where an order is paid, whatever its status.
 * @throws AppError `provider_unavailable` while its chain is not served, `order_not_payable` where it is served through other routers than the
 * order's own
 */
export function placeOf(ctx: Ctx, order: Row<'Order'>): OrderPlace {
  const chain = chainOf(ctx, order.chain);
  const router = order.router as OrderRouter;
  if (!isSameAddress(orderContract(chain, router), order.routerAddress))
    throw new AppError('order_not_payable', ELSEWHERE);
  return { chain, router, terms: orderTerms(order), native: order.currency !== 'USDC' };
}

const ELSEWHERE = 'This order uses a router that is no longer supported. Ask the merchant for a new one.';

/** @throws AppError `order_not_payable` in words for its state, `payment_in_flight` while a payment of it is under way */
export function requirePayable(ctx: Ctx, order: Row<'Order'>): void {
  const refusal = whyNotPayable(order.status as OrderStatus, deadlineMs(order), ctx.clock.now());
  if (order.status === 'processing') throw inFlight('order');
  if (refusal) throw new AppError('order_not_payable', refusal);
}

/** Paid in a block that may not be final yet, by whomever: no other payment is taken meanwhile. @throws AppError `provider_unavailable` */
export function isSettledAtHead(ctx: Ctx, order: Row<'Order'>): Promise<boolean> {
  return isSettled(placeOf(ctx, order));
}

/** Unix milliseconds. */
export function deadlineMs(order: Pick<Row<'Order'>, 'deadline'>): number {
  return Number(order.deadline) * 1_000;
}

export function inFlight(whose: 'order' | 'payer'): AppError {
  return new AppError(
    'payment_in_flight',
    whose === 'order'
      ? 'A payment for this order is already in progress. Wait until it arrives.'
      : 'Another payment from this wallet is still in progress. Wait until it arrives, then pay this one.',
  );
}
