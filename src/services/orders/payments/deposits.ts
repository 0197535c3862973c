// The order's own address, for a payer who sends by hand: given out on request, and watched from then on (services/orders/payments/sweeps).

import { depositAddress } from '../../../chain/orders.ts';
import { payableTreasury } from '../../../chain/treasury.ts';
import type { Ctx } from '../../../context.ts';
import type { Row } from '../../../db.ts';
import { LAST_DEPOSIT_MS, paymentUri } from '../../../domain/checkout.ts';
import { AppError } from '../../../domain/errors.ts';
import { formatUnits } from '../../../domain/money.ts';
import { transactionUri, transferUri } from '../../../domain/solanaPay.ts';
import { wake } from '../../wake.ts';
import { dueUnits } from '../views.ts';
import { deadlineMs, type OrderPlace } from './payable.ts';

export type DepositOffer = {
  address: string;
  amount: string;
  currency: string;
  /** Smallest units. */
  units: string;
  /** EIP-681, or a transfer request of Solana Pay. */
  uri: string;
  /** Where wallets of the network know other ways: a transaction to scan, and the treasury for those that send to a plain wallet, with this memo. */
  scan: { transaction: string; treasury: string; memo: string } | null;
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
  const { chain } = place;
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
  const { label } = chain.facts;
  return {
    address,
    amount,
    currency: order.currency,
    units: String(due),
    ...(await uris(ctx, order, place, { address, amount, units: due })),
    send_before: new Date(sendBefore).toISOString(),
    words: `Send exactly ${amount} ${order.currency} on ${label}. The address is for this order only. If less arrives, or it arrives late, contact the merchant.`,
  };
}

async function uris(
  ctx: Ctx,
  order: Row<'Order'>,
  { chain, native }: OrderPlace,
  { address, amount, units }: { address: string; amount: string; units: bigint },
): Promise<Pick<DepositOffer, 'uri' | 'scan'>> {
  const payable = await payableTreasury(chain);
  if (!payable) {
    const { chainId } = chain.facts;
    return { uri: paymentUri({ chainId, token: native ? null : chain.usdc, address, units }), scan: null };
  }
  const { slug } = await ctx.db.handle.findUniqueOrThrow({ where: { id: order.recipientId }, select: { slug: true } });
  const { treasury } = payable;
  const transfer = {
    recipient: treasury,
    amount,
    mint: chain.usdc,
    reference: address,
    label: `@${slug}`,
    message: order.description ?? `Order ${order.id}`,
    memo: order.id,
  };
  const link = `${ctx.env.BASE_URL}/api/checkout/${order.id}/solana_pay`;
  return { uri: transferUri(transfer), scan: { transaction: transactionUri(link), treasury, memo: order.id } };
}
