// A send as its router knows it: an order of the payment router whose payer is the sender.

import { orderHash, orderIdHash } from '../../chain/routers/payment.ts';
import type { Address, EvmChain, Hex } from '../../chain/rpc/client.ts';
import type { SignedPayment } from '../../chain/signing/orderAuthorizations.ts';
import { type Ctx, evmChainOf } from '../../context.ts';
import type { Row } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import type { SendWay } from '../../domain/send.ts';
import type { RouterOrderTerms } from '../../domain/typedData/orders.ts';
import { isSameAddress } from '../../domain/walletFamily.ts';
import { unitsOf } from '../orders/views.ts';

export const ROUTER = 'payment';

/** Where a send is paid. @throws AppError `provider_unavailable` where its chain, or the router of its terms, is not served */
export function placeOfSend(
  ctx: Ctx,
  row: Row<'Send'>,
): { chain: EvmChain; router: typeof ROUTER; terms: RouterOrderTerms } {
  const chain = evmChainOf(ctx, row.chain);
  if (!isSameAddress(chain.routers[ROUTER], row.routerAddress))
    throw new AppError('provider_unavailable', 'This payment uses a router that is no longer served.');
  return { chain, router: ROUTER, terms: termsOf(row) };
}

export function termsOf(row: Row<'Send'>): RouterOrderTerms {
  const fee = unitsOf(row.feeUnits);
  return {
    orderId: orderIdHash(row.id),
    payee: row.payee as Address,
    token: row.token as Address,
    amount: unitsOf(row.units) + fee,
    fee,
    deadline: row.deadline,
  };
}

/** What the payer signs: everything is of the row, so that one row has one signature of each way. */
export function paymentOf(row: Row<'Send'>, way: Exclude<SendWay, 'direct'>): SignedPayment {
  const terms = termsOf(row);
  const payer = row.payer as Address;
  return { router: ROUTER, terms, payer, way, validUntil: row.deadline, nonce: permit2Nonce(orderHash(terms, payer)) };
}

/** Permit2 takes any number that was not used: this one is the row's own. */
function permit2Nonce(hash: Hex): bigint {
  return BigInt(hash);
}
