// Solana Pay: what a wallet that scans an order's code is given to sign, and sends by itself.
import { canonicalAddress } from '../../../chain/addresses.ts';
import { prepareMove } from '../../../chain/orders.ts';
import { walletsSend } from '../../../chain/spending.ts';
import type { Ctx } from '../../../context.ts';
import { AppError } from '../../../domain/errors.ts';
import { hasLiveLegs } from '../underWay.ts';
import { orderRow, publicOrder } from '../views.ts';
import { inFlight, isSettledAtHead, placeOf, requirePayable } from './payable.ts';

/** What a wallet shows before it asks for the transaction. `icon` is an absolute address. */
export type PayLabel = { label: string; icon: string };

/** @throws AppError `resource_missing`, `unsupported_chain` for an order of another network */
export async function payLabel(ctx: Ctx, id: string): Promise<PayLabel> {
  const order = await orderRow(ctx, id);
  requireWhole(placeOf(ctx, order));
  const { merchant } = await publicOrder(ctx, order);
  return { label: `@${merchant.handle} · Ampersat`, icon: `${ctx.env.BASE_URL}/icon.svg` };
}

/**
 * A payment that the wallet alone signs: it pays the network fee, and the rent of the order's account, which returns to it.
 * @param account the wallet's address
 * @returns the transaction in base64, and what the wallet shows beside it
 * @throws AppError `resource_missing`, `unsupported_chain`, `order_not_payable`, `payment_in_flight`, `parameter_invalid`, `provider_unavailable`
 */
export async function payTransaction(
  ctx: Ctx,
  id: string,
  account: string,
): Promise<{ transaction: string; message: string }> {
  const order = await orderRow(ctx, id);
  const place = placeOf(ctx, order);
  requireWhole(place);
  requirePayable(ctx, order);
  const [isPaid, isBridged] = await Promise.all([isSettledAtHead(ctx, order), hasLiveLegs(ctx.db, order.id)]);
  if (isPaid || isBridged) throw inFlight('order');
  const payer = canonicalAddress(place.chain.family, account);
  if (!payer) throw new AppError('parameter_invalid', 'account must be the address of a wallet.', { param: 'account' });
  const prepared = await prepareMove(place, { name: 'pay', payer }, payer);
  if (!prepared) throw new AppError('unsupported_chain');
  const { amount, currency, merchant } = await publicOrder(ctx, order);
  return { transaction: prepared.solana_transaction, message: `${amount} ${currency} to @${merchant.handle}` };
}

function requireWhole({ chain }: Parameters<typeof prepareMove>[0]): void {
  if (walletsSend(chain)) throw new AppError('unsupported_chain', `This order is paid on ${chain.facts.label}.`);
}
