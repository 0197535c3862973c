// The order's own address, for a payer who sends by hand: given out on request, and watched from then on (services/orders/payments/sweeps).

import { depositAddress } from '../../../chain/orders.ts';
import type { Ctx } from '../../../context.ts';
import type { Row } from '../../../db.ts';
import { LAST_DEPOSIT_MS, paymentUri } from '../../../domain/checkout.ts';
import { AppError } from '../../../domain/errors.ts';
import { formatUnits } from '../../../domain/money.ts';
import { wake } from '../../wake.ts';
import { dueUnits } from '../views.ts';
import { deadlineMs, type OrderPlace } from './payable.ts';

export type DepositOffer = {
  address: string;
  amount: string;
  currency: string;
  /** Smallest units. */
  units: string;
  /** EIP-681. */
  uri: string;
  /** ISO 8601. */
  send_before: string;
  words: string;
};

/** The same address on every request, and what is still due. @throws AppError `order_not_payable` when too little time is left for money to arrive */
export async function offerDeposit(ctx: Ctx, order: Row<'Order'>, place: OrderPlace): Promise<DepositOffer> {
  const sendBefore = deadlineMs(order) - LAST_DEPOSIT_MS;
  if (ctx.clock.now() > sendBefore) {
    const words = 'There isn’t enough time left for a transfer to arrive. Pay with a wallet, or ask for a new order.';
    throw new AppError('order_not_payable', words);
  }
  const { chain, native } = place;
  const address = depositAddress(place);
  await ctx.db.$transaction(async (tx) => {
    const { count } = await tx.order.updateMany({
      where: { id: order.id, depositShownAt: null },
      data: { depositAddress: address, depositShownAt: new Date(ctx.clock.now()) },
    });
    if (count > 0) await wake(tx, 'deposits');
  });
  const due = dueUnits(order);
  const amount = formatUnits(due, order.decimals);
  const { chainId, label } = chain.facts;
  return {
    address,
    amount,
    currency: order.currency,
    units: String(due),
    uri: paymentUri({ chainId, token: native ? null : chain.usdc, address, units: due }),
    send_before: new Date(sendBefore).toISOString(),
    words: `Send exactly ${amount} ${order.currency} on ${label}. The address is for this order only. If less arrives, or it arrives late, contact the merchant.`,
  };
}
