// A look at a leg: what the chains say of it now, and what follows from it. What more than one bridge has in common is here.
import { findAuthorization } from '../../../chain/bridge/direct.ts';
import type { Chain } from '../../../chain/chain.ts';
import { agreedOwnCall } from '../../../chain/logs/ownPayments.ts';
import type { Address, Hash } from '../../../chain/rpc/client.ts';
import type { FinalBlock } from '../../../chain/rpc/finality.ts';
import { agreedNonce } from '../../../chain/rpc/outcomes.ts';
import { type Ctx, evmChainOf } from '../../../context.ts';
import type { Row, Tx } from '../../../db.ts';
import type { LegAction } from '../../../domain/smartLeg.ts';
import { authorizationOf, type EvmTerms, type SignedTerms, type WholeTerms } from '../../bridges/legTerms.ts';
import { sweepDelivered } from '../../orders/payments/sweeps.ts';
import type { moveLeg } from '../ending.ts';
import { readLegCall } from '../submitting.ts';

export type Leg = Row<'SmartLeg'> & { payment: Row<'SmartPayment'> };
/** What a look found; null for nothing new. `within` is checked in the transaction that moves the leg. */
export type Found = {
  action: LegAction;
  patch?: Parameters<typeof moveLeg>[4];
  within?: (tx: Tx) => Promise<boolean>;
} | null;
/** `finals` reads a chain's final block once in a round. */
export type Finals = (chain: Chain) => Promise<FinalBlock>;
export type Look = { ctx: Ctx; leg: Leg; origin: Chain; destination: Chain; finals: Finals };

/** The pool takes a wallet's deposit for so long after its quote. */
export const WALLET_LATE_S = 3_600;

export const NOT_SENT = 'It was not paid in time. Nothing left your wallet.';
export const CAME_BACK = 'No one delivered it in time, so the bridge sent it back to your wallet.';
export const REPLACED = 'Your wallet cancelled this transaction, or replaced it by another one.';
export const REFUSED = 'The network rejected your wallet’s transaction.';

/** What was delivered to an order's address is swept at once: its turn among all addresses comes later. */
export async function sweepSeen({ ctx, leg }: Look): Promise<void> {
  if (leg.payment.orderId !== null) await sweepDelivered(ctx, leg.payment.orderId);
}

/** Only the payer has the signature, and it was not given. */
export async function lookAtUnsigned({ ctx }: Look, signedUntil: number): Promise<Found> {
  return ctx.clock.now() > signedUntil * 1_000 ? { action: 'fail', patch: { reason: NOT_SENT } } : null;
}

/** A whole transaction lands only by our executor: it moves the leg (see legKind). */
export async function lookAtWhole(look: Look, { signedUntil }: WholeTerms): Promise<Found> {
  return look.leg.status === 'prepared' ? lookAtUnsigned(look, signedUntil) : null;
}

/**
 * What was signed is sent by an executor, and its transaction moves the leg (see legKind). Once the signature has expired, the token tells whether it was
 * used, also by a transaction of another sender.
 */
export async function lookAtSigned({ ctx, leg, finals }: Look, terms: SignedTerms): Promise<Found> {
  const origin = evmChainOf(ctx, leg.chain);
  const isDirect = terms.via === 'direct';
  if (ctx.clock.now() < terms.signedUntil * 1_000 && !(isDirect && leg.status === 'bridging')) return null;
  const { number, time } = await finals(origin);
  const used = await findAuthorization(origin, authorizationOf(origin, terms), leg.originFrom, number);
  if (used === null) return time > terms.signedUntil ? { action: 'fail', patch: { reason: NOT_SENT } } : null;
  if (isDirect) return { action: 'arrive', patch: { originHash: used, destinationHash: used } };
  return { action: 'bridge', patch: { originHash: used } };
}

/** Whether two endpoints show this end of the wallet's transaction, in a final block. @throws AppError `provider_unavailable` */
export async function isEnded(
  { ctx, leg, finals }: Look,
  terms: EvmTerms,
  hash: Hash,
  state: 'mined' | 'failed',
): Promise<boolean> {
  const origin = evmChainOf(ctx, leg.chain);
  const call = await readLegCall(origin, leg, terms, hash, agreedOwnCall);
  return call !== null && 'block' in call && call.state === state && call.block <= (await finals(origin)).number;
}

/** The chain has used the nonce of the wallet's transaction, final, for another one. */
export async function isReplaced({ ctx, leg, finals }: Look): Promise<boolean> {
  if (leg.originNonce === null) return false;
  const origin = evmChainOf(ctx, leg.chain);
  return (await agreedNonce(origin, leg.payer as Address, (await finals(origin)).number)) > leg.originNonce;
}
