// The order's own address and what wallets scan, for a payer who sends by hand: given out on request, and watched from then on (services/orders/payments/sweeps).

import { depositAddress, takesDeposits } from '../../../chain/orders.ts';
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
  /** Null where an order can only be scanned. */
  address: string | null;
  amount: string;
  currency: string;
  /** Smallest units. */
  units: string;
  /** EIP-681, or a request of Solana Pay: of a transfer, or of a transaction where no address can be sent to. */
  uri: string;
  /** Where wallets of the network know other ways: a transaction to scan, and the treasury for those that send to a plain wallet, with this memo. */
  scan: { transaction: string; transfer: { treasury: string; memo: string } | null } | null;
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
  const address = takesDeposits(place) ? depositAddress(place) : null;
  if (address !== null) await showAddress(ctx, order, address);
  const due = dueUnits(order);
  const amount = formatUnits(due, order.decimals);
  const { label } = chain.facts;
  const money = `exactly ${amount} ${order.currency} on ${label}`;
  const words =
    address === null
      ? `Scan the code with a wallet app and pay ${money}.`
      : `Send ${money}. The address is for this order only. If less arrives, or it arrives late, contact the merchant.`;
  return {
    address,
    amount,
    currency: order.currency,
    units: String(due),
    ...(await uris(ctx, order, place, { address, amount, units: due })),
    send_before: new Date(sendBefore).toISOString(),
    words,
  };
}

async function showAddress(ctx: Ctx, order: Row<'Order'>, address: string): Promise<void> {
  await ctx.db.$transaction(async (tx) => {
    const { count } = await tx.order.updateMany({
      where: { id: order.id, depositShownAt: null },
      data: { depositAddress: address, depositShownAt: new Date(ctx.clock.now()) },
    });
    if (count > 0) await wake(tx, 'deposits');
  });
}

async function uris(
  ctx: Ctx,
  order: Row<'Order'>,
  { chain, native }: OrderPlace,
  { address, amount, units }: { address: string | null; amount: string; units: bigint },
): Promise<Pick<DepositOffer, 'uri' | 'scan'>> {
  const payable = await payableTreasury(chain);
  if (!payable) {
    if (address === null) throw new Error(`orders on ${chain.name} have an address`);
    const { chainId } = chain.facts;
    return { uri: paymentUri({ chainId, token: native ? null : chain.usdc, address, units }), scan: null };
  }
  const transaction = transactionUri(`${ctx.env.BASE_URL}/api/checkout/${order.id}/solana_pay`);
  if (address === null) return { uri: transaction, scan: { transaction, transfer: null } };
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
  return { uri: transferUri(transfer), scan: { transaction, transfer: { treasury, memo: order.id } } };
}
