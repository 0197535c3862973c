// A send as its router, or the program, knows it: an order of the payment router whose payer is the sender.

import { type OrderAt, type OrderMove, orderContract } from '../../chain/orders.ts';
import { orderHash, orderIdHash } from '../../chain/routers/payment.ts';
import type { Address, EvmChain, Hex } from '../../chain/rpc/client.ts';
import type { SignedPayment } from '../../chain/signing/orderAuthorizations.ts';
import { type Ctx, chainOf, evmChainOf } from '../../context.ts';
import type { Row } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { type EvmSendWay, isWhole } from '../../domain/send.ts';
import type { OrderTerms, RouterOrderTerms } from '../../domain/typedData/orders.ts';
import { isSameAddress } from '../../domain/walletFamily.ts';
import { unitsOf } from '../orders/views.ts';

export const ROUTER = 'payment';

/** The order that a send is. @throws AppError `provider_unavailable` where its chain, or the router of its terms, is not served */
export function orderOfSend(ctx: Ctx, row: Row<'Send'>): OrderAt {
  const chain = chainOf(ctx, row.chain);
  if (!isSameAddress(orderContract(chain, ROUTER), row.routerAddress))
    throw new AppError('provider_unavailable', 'This payment uses a router that is no longer served.');
  return { chain, router: ROUTER, terms: termsOf(row) };
}

/** The same where a wallet signs texts, or sends by itself. @throws AppError also `state_conflict` for one that is signed as a whole */
export function placeOfSend(
  ctx: Ctx,
  row: Row<'Send'>,
): { chain: EvmChain; router: typeof ROUTER; terms: RouterOrderTerms } {
  if (isWhole(row.way)) throw new AppError('state_conflict', 'This payment is a transaction: sign it, then submit it.');
  const { terms } = orderOfSend(ctx, row);
  return { chain: evmChainOf(ctx, row.chain), router: ROUTER, terms: terms as RouterOrderTerms };
}

/** A whole transaction moves the fee beside the order, which has none on that chain. */
function termsOf(row: Row<'Send'>): OrderTerms {
  const fee = isWhole(row.way) ? 0n : unitsOf(row.feeUnits);
  const { payee, token, deadline } = row;
  return { orderId: orderIdHash(row.id), payee, token, amount: unitsOf(row.units) + fee, fee, deadline };
}

/** What the payer signs as a whole: everything but payer, block hash and price is of the row. */
export function moveOfSend({ payer, feeUnits, way }: Row<'Send'>): OrderMove {
  return { name: 'send', payer, fee: unitsOf(feeUnits), opens: way === 'opening' };
}

/** What the payer signs: everything is of the row, so that one row has one signature of each way. */
export function paymentOf(row: Row<'Send'>, way: Exclude<EvmSendWay, 'direct'>): SignedPayment {
  const terms = termsOf(row) as RouterOrderTerms;
  const payer = row.payer as Address;
  return { router: ROUTER, terms, payer, way, validUntil: row.deadline, nonce: permit2Nonce(orderHash(terms, payer)) };
}

/** Permit2 takes any number that was not used: this one is the row's own. */
function permit2Nonce(hash: Hex): bigint {
  return BigInt(hash);
}
