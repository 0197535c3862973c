// What a payer brings for a leg: a signature, which an executor sends, or the transaction that its wallet sent.
import { hasDeposit } from '../../chain/bridge/across.ts';
import { hasTransfer } from '../../chain/bridge/direct.ts';
import { readLeg } from '../../chain/bridge/legs.ts';
import { relayState } from '../../chain/bridge/relay.ts';
import { type ChainCall, simulateQueued } from '../../chain/calls.ts';
import type { Chain } from '../../chain/chain.ts';
import { readOwnCall } from '../../chain/logs/ownPayments.ts';
import type { Address, EvmChain, Hash, Hex, TransactionReceipt } from '../../chain/rpc/client.ts';
import { assetBalance } from '../../chain/senders.ts';
import { checkSigned, codeOf } from '../../chain/signing/gasless.ts';
import { normalSignature } from '../../chain/signing/permits.ts';
import { proveSignature, typedDataHash } from '../../chain/signing/signatures.ts';
import { type Ctx, chainOf, evmChainOf } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import { PAYMENT_FAILURES_A_DAY } from '../../domain/checkout.ts';
import { AppError } from '../../domain/errors.ts';
import { SPEND_WINDOW_MS } from '../../domain/limits.ts';
import { BRIDGE_FAILURE, LEG_LIVE } from '../../domain/smartLeg.ts';
import {
  acrossIds,
  type EvmTerms,
  legTerms,
  ownCall,
  type SignedTerms,
  signedCall,
  signedOf,
  type WholeTerms,
  wholeLegOf,
} from '../bridges/legTerms.ts';
import { relayApi } from '../bridges/prices.ts';
import { lockKey } from '../locks.ts';
import { inFlight, isSettledAtHead, placeOf, requirePayable } from '../orders/payments/payable.ts';
import { lockPayments } from '../orders/payments/quota.ts';
import { hasOpenSubmissions, holdOrder } from '../orders/underWay.ts';
import { unitsOf } from '../orders/views.ts';
import { hasFreeKey, isKeyInUse } from '../outgoing/keys.ts';
import { queueCall } from '../outgoing/queue.ts';
import { asConflict } from './due.ts';
import { moveLeg } from './ending.ts';
import { refusalWords } from './refusals.ts';
import { findPayment, type SmartPayment } from './views.ts';

/** A deposit takes less than half of it; the rest is for a contract wallet that checks its own signature. */
const LEG_GAS = 500_000n;

/** The last is a whole transaction in base64. */
export type LegProof = { signature: Hex } | { txHash: Hash } | { solana_transaction: string };

/**
 * The same proof again changes nothing.
 * @throws AppError `resource_missing`, `signature_invalid`, `delegation_legacy`, `call_refused`, `tx_not_found`, `tx_mismatch`, `state_conflict` for a
 * leg that is over or was not to be paid this way, and for an order that cannot be paid or is being paid otherwise, `quote_expired`, `rate_limited`,
 * `provider_unavailable`
 */
export async function submitLeg(ctx: Ctx, paymentId: string, number: number, proof: LegProof): Promise<SmartPayment> {
  const payment = await findPayment(ctx, { id: paymentId });
  const leg = payment.legs.find((one) => one.number === number);
  if (!leg) throw new AppError('resource_missing', 'This payment has no such leg.');
  const terms = legTerms.parse(leg.terms);
  if (leg.status !== 'prepared') {
    const isReplaced =
      'txHash' in proof && terms.by !== 'transaction' && (await takeReplacement(ctx, leg, terms, proof.txHash));
    if (isReplaced) return findPayment(ctx, { id: paymentId });
    if (leg.status === 'failed') throw new AppError('state_conflict', leg.reason ?? 'This leg is over. Choose again.');
    return payment;
  }
  if (terms.by === 'transaction') {
    if (!('solana_transaction' in proof)) throw otherwise('by a transaction that your wallet signs');
    await takeWhole(ctx, payment, leg, terms, proof.solana_transaction);
  } else if ('signature' in proof) await takeSignature(ctx, payment, leg, terms, normalSignature(proof.signature));
  else if ('txHash' in proof) await takeTransaction(ctx, leg, terms, proof.txHash);
  else throw otherwise(terms.by === 'signature' ? 'by a signature' : 'by your wallet’s own transaction');
  await ctx.queues.flush(ctx.db);
  return findPayment(ctx, { id: paymentId });
}

function otherwise(how: string): AppError {
  return new AppError('state_conflict', `This leg is paid ${how}.`);
}

/** What the payer signed is exactly the transaction that we gave it, and no other can send that. */
async function takeWhole(
  ctx: Ctx,
  payment: SmartPayment,
  leg: Row<'SmartLeg'>,
  terms: WholeTerms,
  text: string,
): Promise<void> {
  const origin = chainOf(ctx, leg.chain);
  if (payment.expiresAt.getTime() <= ctx.clock.now()) throw new AppError('quote_expired');
  const order =
    payment.orderId === null ? null : await ctx.db.order.findUniqueOrThrow({ where: { id: payment.orderId } });
  const signed = await readLeg(origin, wholeLegOf(terms, order && placeOf(ctx, order)), text);
  if (!signed) throw new AppError('signature_invalid');
  if (!(await isKeyInUse(ctx, origin, signed.payer))) throw noKey(origin);
  const refusal = await simulateQueued(origin, signed.call, undefined);
  if (refusal) throw new AppError('call_refused', refusalWords(origin, refusal));
  const isOurs = terms.via === 'direct' && payment.orderId !== null;
  await queueSigned(ctx, payment, leg, signed.call, isOurs);
}

async function takeSignature(
  ctx: Ctx,
  payment: SmartPayment,
  leg: Row<'SmartLeg'>,
  terms: EvmTerms,
  signature: Hex,
): Promise<void> {
  const origin = evmChainOf(ctx, leg.chain);
  const data = await signedOf(origin, terms);
  if (!data || terms.via === 'relay') throw otherwise('by your wallet’s own transaction');
  if (payment.expiresAt.getTime() <= ctx.clock.now()) throw new AppError('quote_expired');
  const account = leg.payer as Address;
  if (!(await proveSignature(origin, { address: account, hash: typedDataHash(data), signature })))
    throw new AppError('signature_invalid');
  const call = signedCall(origin, terms as SignedTerms, signature);
  const refusal = await checkSigned(origin, { account, data, signature }, call);
  if (refusal?.code === 'delegation_legacy') throw new AppError('delegation_legacy');
  if (refusal) throw new AppError('call_refused', refusalWords(origin, refusal.reason));
  await queueSigned(ctx, payment, leg, { ...call, gas: LEG_GAS }, terms.via === 'direct');
}

function noKey({ facts }: Chain): AppError {
  const words = `Ampersat can’t send on ${facts.label} right now. Try again shortly.`;
  return new AppError('provider_unavailable', words);
}

/**
 * Has a call with the payer's signature sent, once for its leg.
 * @param isOurs whether we pay for it
 */
async function queueSigned(
  ctx: Ctx,
  payment: SmartPayment,
  leg: Row<'SmartLeg'>,
  call: ChainCall,
  isOurs: boolean,
): Promise<void> {
  const origin = chainOf(ctx, leg.chain);
  if (!(await hasFreeKey(ctx, origin))) throw noKey(origin);
  const there = await arrivedUnits(ctx, payment);
  await ctx.db.$transaction(async (tx) => {
    await lockPayments(tx, payment.chain);
    const { status } = await tx.smartLeg.findUniqueOrThrow({ where: { id: leg.id }, select: { status: true } });
    // The same signature, given twice at once.
    if (status !== 'prepared') return;
    await requireRoom(ctx, tx, payment, there).catch((error: unknown) => {
      throw asConflict(error);
    });
    await requirePatience(ctx, tx, leg);
    if (isOurs) await requireBudget(ctx, tx, origin);
    if (!(await moveLeg(ctx, tx, leg, 'send'))) return;
    await queueCall(ctx, tx, origin.name, { kind: 'bridge_deposit', subjectId: leg.id, ...call });
  });
}

/** A hash is followed from then on; what it does is proven by the chain, and what the wallet already sent counts whatever became of the order. */
async function takeTransaction(ctx: Ctx, leg: Row<'SmartLeg'>, terms: EvmTerms, hash: Hash): Promise<void> {
  if (terms.by !== 'wallet') throw otherwise('by a signature');
  const origin = evmChainOf(ctx, leg.chain);
  const found = await readLegCall(origin, leg, terms, hash);
  if (!found) throw new AppError('tx_not_found', undefined, { param: 'txHash' });
  if (found.state === 'other' && terms.via === 'relay') {
    // A contract wallet's owner sends another call, which makes this one: that Relay took it tells.
    if (!(await isWithRelay(ctx, terms, hash)))
      throw (await codeOf(origin, leg.payer as Address)) !== '0x'
        ? new AppError('tx_not_found', undefined, { param: 'txHash' })
        : mismatch();
  } else if (found.state === 'other') throw mismatch();
  if (!(await isNew(ctx, leg, found, hash))) throw mismatch();
  if (found.state === 'failed') {
    const words = 'The network rejected this transaction. Send it again.';
    throw new AppError('tx_mismatch', words, { param: 'txHash' });
  }
  const patch = { originHash: hash.toLowerCase(), originNonce: nonceOf(found) };
  await ctx.db.$transaction(async (tx) => {
    if (!(await isFree(tx, leg, hash))) throw mismatch();
    await moveLeg(ctx, tx, leg, 'send', patch);
  });
}

async function isWithRelay(ctx: Ctx, terms: EvmTerms, hash: Hash): Promise<boolean> {
  if (terms.via !== 'relay') return false;
  const { inHashes } = await relayState(relayApi(ctx), terms.requestId);
  return inHashes.some((one) => one.toLowerCase() === hash.toLowerCase());
}

function mismatch(): AppError {
  return new AppError('tx_mismatch', 'This transaction doesn’t pay this leg.', { param: 'txHash' });
}

type LegCall = NonNullable<Awaited<ReturnType<typeof readLegCall>>>;

function nonceOf(found: LegCall): number | null {
  return 'nonce' in found ? found.nonce : null;
}

/** Not from before the payment, and not another leg's. */
async function isNew(ctx: Ctx, leg: Row<'SmartLeg'>, found: LegCall, hash: Hash): Promise<boolean> {
  if ('block' in found && found.block < leg.originFrom) return false;
  return isUnclaimed(ctx.db, leg, hash);
}

async function isUnclaimed(tx: Tx, leg: Row<'SmartLeg'>, hash: Hash): Promise<boolean> {
  const others = { chain: leg.chain, originHash: hash.toLowerCase(), id: { not: leg.id } };
  return (await tx.smartLeg.count({ where: others })) === 0;
}

/** One transaction pays one leg, also where two name it at once, or `follow` finds it. */
export async function isFree(tx: Tx, leg: Row<'SmartLeg'>, hash: Hash): Promise<boolean> {
  await lockKey(tx, `transfers:${leg.chain}:${leg.payer}`);
  return isUnclaimed(tx, leg, hash);
}

/**
 * A wallet sped its transaction up, or sent it after we had given it up: what is in a block and pays the leg is the one to follow, and so is what Relay
 * took, as of a contract wallet. @returns whether it is
 */
async function takeReplacement(ctx: Ctx, leg: Row<'SmartLeg'>, terms: EvmTerms, hash: Hash): Promise<boolean> {
  const isOpen = leg.status === 'sent' || (leg.status === 'failed' && leg.reason !== BRIDGE_FAILURE);
  if (!isOpen || terms.by !== 'wallet') return false;
  if (leg.status === 'sent' && leg.originHash === hash.toLowerCase()) return false;
  const found = await readLegCall(evmChainOf(ctx, leg.chain), leg, terms, hash);
  const pays = found?.state === 'mined' || (found?.state === 'other' && (await isWithRelay(ctx, terms, hash)));
  if (!found || !pays || !(await isNew(ctx, leg, found, hash))) return false;
  const patch = { originHash: hash.toLowerCase(), originNonce: nonceOf(found) };
  return ctx.db.$transaction(async (tx) => {
    if (!(await isFree(tx, leg, hash))) return false;
    if (leg.status === 'failed') return moveLeg(ctx, tx, leg, 'resume', { ...patch, reason: null });
    const same = { id: leg.id, status: 'sent', originHash: leg.originHash };
    return (await tx.smartLeg.updateMany({ where: same, data: patch })).count > 0;
  });
}

/** How far the wallet's own transaction for a leg is. @param read by two where the leg ends by it. @throws AppError `provider_unavailable` */
export function readLegCall(origin: EvmChain, leg: Row<'SmartLeg'>, terms: EvmTerms, hash: Hash, read = readOwnCall) {
  const call = { from: leg.payer as Address, ...ownCall(origin, terms) };
  if (terms.via === 'direct') {
    const didIt = ({ logs }: TransactionReceipt) => hasTransfer(terms, logs);
    return read(origin, hash, call, terms.token === null ? null : didIt);
  }
  if (terms.via === 'relay') return read(origin, hash, call, null);
  const { depositId } = acrossIds(origin, terms);
  return read(origin, hash, call, ({ logs }) => hasDeposit(origin, depositId, logs));
}

/** What lies at an order's own address, also before the indexer has noted it. @throws AppError `state_conflict` for one that is paid already */
async function arrivedUnits(ctx: Ctx, { orderId, recipient, chain }: SmartPayment): Promise<bigint> {
  if (orderId === null) return 0n;
  const order = await ctx.db.order.findUniqueOrThrow({ where: { id: orderId } });
  const [isPaid, there] = await Promise.all([
    isSettledAtHead(ctx, order),
    assetBalance(chainOf(ctx, chain), order.token, recipient),
  ]);
  if (isPaid) throw asConflict(inFlight('order'));
  return there;
}

/**
 * All legs of a payment bring exactly what was missing when it was begun. So the order gets too much only where something else came since: another
 * payment's leg, or a transfer. Under `lockPayments`.
 * @throws AppError `payment_in_flight`, `order_not_payable`
 */
async function requireRoom(ctx: Ctx, tx: Tx, payment: SmartPayment, there: bigint): Promise<void> {
  if (payment.orderId === null) return;
  // Locked first, as cancelling locks it.
  await holdOrder(tx, payment.orderId);
  const order = await tx.order.findUniqueOrThrow({ where: { id: payment.orderId } });
  requirePayable(ctx, order);
  const legs = await tx.smartLeg.findMany({
    where: { payment: { orderId: order.id }, status: { in: [...LEG_LIVE, 'arrived'] } },
    select: { paymentId: true, status: true, arriveUnits: true, endedAt: true },
  });
  const own = legs.filter(({ paymentId }) => paymentId === payment.id);
  const given = own.reduce((sum, { arriveUnits }) => sum + unitsOf(arriveUnits), 0n);
  const hadBefore = unitsOf(order.units) - unitsOf(payment.dueUnits);
  // One that arrived since this payment was begun may have come after its address was looked at.
  const isOtherUnderWay = legs.some(
    ({ paymentId, status, endedAt }) =>
      paymentId !== payment.id && (status !== 'arrived' || (endedAt !== null && endedAt >= payment.createdAt)),
  );
  const isPaidOtherwise = await hasOpenSubmissions(tx, order.id, { sweeps: false });
  // Anyone can send dust to the order's address: too little of it to matter refuses no later part.
  const tolerated = unitsOf(order.units) / 100n;
  if (isPaidOtherwise || isOtherUnderWay || there > hadBefore + given + tolerated) throw inFlight('order');
}

/** What we send at our own risk for one wallet: one after the other, and not what keeps failing. @throws AppError `state_conflict`, `rate_limited` */
async function requirePatience(ctx: Ctx, tx: Tx, { payer, chain }: Row<'SmartLeg'>): Promise<void> {
  await lockKey(tx, `patience:${chain}:${payer}`);
  if ((await tx.smartLeg.count({ where: { payer, chain, status: 'sent' } })) > 0)
    throw new AppError('state_conflict', 'Another payment from this wallet is being sent. Try again in a moment.');
  const sentAt = { gt: new Date(ctx.clock.now() - SPEND_WINDOW_MS) };
  const failed = await tx.smartLeg.count({ where: { payer, chain, status: 'failed', sentAt } });
  if (failed < PAYMENT_FAILURES_A_DAY) return;
  const words = 'Payments from this wallet failed several times today. Pay with your wallet’s own transaction instead.';
  throw new AppError('rate_limited', words, { retryAfterMs: 3_600_000 });
}

/** Transfers whose gas is not paid back. */
async function requireBudget(ctx: Ctx, tx: Tx, { name, facts }: Chain): Promise<void> {
  const sentAt = { gt: new Date(ctx.clock.now() - SPEND_WINDOW_MS) };
  const count = await tx.smartLeg.count({ where: { chain: name, via: 'direct', sentAt } });
  if (count < ctx.env.SPONSORED_PAYMENTS_PER_CHAIN) return;
  const words = `Today’s limit of sponsored payments on ${facts.label} is reached. Pay from your wallet, or try again tomorrow.`;
  throw new AppError('rate_limited', words, { retryAfterMs: 3_600_000 });
}
