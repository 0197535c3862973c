// The second half of the hosted checkout: takes what a payer signed, proves it against the frozen terms and the chain, and has it sent by a worker.

import { canonicalAddress } from '../../../chain/addresses.ts';
import { type ChainCall, simulateQueued } from '../../../chain/calls.ts';
import type { Chain } from '../../../chain/chain.ts';
import { readMove } from '../../../chain/orders.ts';
import type { RevertReason } from '../../../chain/routers/reverts.ts';
import type { Address, EvmChain, Hex } from '../../../chain/rpc/client.ts';
import { assetBalance } from '../../../chain/senders.ts';
import { checkSigned } from '../../../chain/signing/gasless.ts';
import { encodeSigned, orderSignatures, type SignedPayment } from '../../../chain/signing/orderAuthorizations.ts';
import { normalSignature } from '../../../chain/signing/permits.ts';
import { proveSignature, typedDataHash } from '../../../chain/signing/signatures.ts';
import { type Ctx, evmChainOf, newId } from '../../../context.ts';
import type { Row, Tx } from '../../../db.ts';
import { LAST_PAYMENT_MS, PAYMENT_SIGNATURE_MS, type SignedWay, WHOLE_SIGNATURE_MS } from '../../../domain/checkout.ts';
import { AppError } from '../../../domain/errors.ts';
import { formatUnits } from '../../../domain/money.ts';
import type { SubmissionStatus } from '../../../domain/order.ts';
import type { RouterOrderTerms } from '../../../domain/typedData/orders.ts';
import { hasFreeKey, isKeyInUse } from '../../outgoing/keys.ts';
import { queueCall } from '../../outgoing/queue.ts';
import { holdOrder } from '../underWay.ts';
import { orderRow, unitsOf } from '../views.ts';
import { BALANCE_TOO_LOW, USED } from './failures.ts';
import { deadlineMs, inFlight, placeOf, requirePayable } from './payable.ts';
import { lockPayments, requirePaymentRoom } from './quota.ts';

/** A router's payment with fee takes less than half of it; the rest is for a contract wallet that checks its own signature. */
const PAYMENT_GAS = 400_000n;

/** The transaction that {@link prepareCheckout} gave, signed, in base64. */
export type WholeSubmit = { payer: string; way: 'transaction'; solana_transaction: string };
/** What {@link prepareCheckout} gave, and the signatures in its order. `valid_until` in Unix seconds. */
export type SignedSubmit = {
  payer: string;
  way: SignedWay;
  valid_until: number;
  nonce?: string | undefined;
  signatures: Hex[];
};

/**
 * Takes a signed payment. Everything but the signatures and their bounded numbers comes from the order's row. The same payment again is the same
 * submission.
 * @throws AppError `resource_missing`, `parameter_invalid`, `signature_invalid`, `delegation_legacy`, `call_refused`, `payment_in_flight`,
 * `order_not_payable`, `rate_limited` above the budget, `provider_unavailable`
 */
export async function submitPayment(
  ctx: Ctx,
  orderId: string,
  given: SignedSubmit | WholeSubmit,
): Promise<Row<'OrderSubmission'>> {
  const order = await orderRow(ctx, orderId);
  const payer = canonicalAddress(placeOf(ctx, order).chain.family, given.payer);
  if (!payer) throw new AppError('parameter_invalid', 'Invalid address. Check it and try again.', { param: 'payer' });
  const read =
    'solana_transaction' in given ? readWhole(ctx, order, payer, given) : readSigned(ctx, order, payer, given);
  const { call, number, expiresAt, prove } = await read;
  const before = await sameSubmission(ctx.db, order.id, { data: call.data, number });
  if (before) return before;
  requirePayable(ctx, order);
  await prove();
  const { chain } = placeOf(ctx, order);
  if (!(await hasFreeKey(ctx, chain))) throw noKey(chain);
  const row = await storeSubmission(ctx, order, { payer, way: given.way, number, ...call, expiresAt });
  await ctx.queues.flush(ctx.db);
  return row;
}

function noKey({ facts }: Chain): AppError {
  const words = `Ampersat can’t send on ${facts.label} right now. Try again shortly.`;
  return new AppError('provider_unavailable', words);
}

/** What was signed, as it is sent; `prove` throws where its payer did not sign it, or the chain would refuse it now. */
type SignedRead = { call: ChainCall; number: string | null; expiresAt: number; prove(): Promise<void> };

/** A whole transaction: what is not exactly the one that we prepare is not read at all. */
async function readWhole(ctx: Ctx, order: Row<'Order'>, payer: string, given: WholeSubmit): Promise<SignedRead> {
  const place = placeOf(ctx, order);
  const { chain } = place;
  const signed = await readMove(place, { name: 'pay', payer }, given.solana_transaction);
  if (!signed) throw new AppError('signature_invalid');
  const expiresAt = Math.min(ctx.clock.now() + 2 * WHOLE_SIGNATURE_MS, deadlineMs(order));
  return {
    call: signed.call,
    number: signed.number,
    expiresAt,
    async prove() {
      if (!(await isKeyInUse(ctx, chain, signed.payer))) throw noKey(chain);
      const refusal = await simulateQueued(chain, signed.call, undefined);
      if (refusal) throw await refusalOf(chain, order, payer, refusal);
    },
  };
}

async function readSigned(ctx: Ctx, order: Row<'Order'>, wallet: string, given: SignedSubmit): Promise<SignedRead> {
  const { router, terms, native } = placeOf(ctx, order);
  const chain = evmChainOf(ctx, order.chain);
  const payer = wallet as Address;
  if (native) throw new AppError('call_refused', 'This order can only be paid with your wallet’s own transaction.');
  const payment: SignedPayment = {
    router,
    terms: terms as RouterOrderTerms,
    payer,
    way: given.way,
    validUntil: BigInt(given.valid_until),
    nonce: BigInt(given.nonce ?? 0),
  };
  const signatures = given.signatures.map(normalSignature);
  const data = encodeSigned(payment, signatures);
  if (!data) throw new AppError('signature_invalid');
  const call = { to: chain.routers[router], data, gas: PAYMENT_GAS };
  return {
    call,
    number: null,
    expiresAt: Math.min(given.valid_until * 1_000, deadlineMs(order)),
    prove() {
      requireFresh(ctx, order, given.valid_until);
      return proveSigned(chain, order, payment, signatures, call);
    },
  };
}

/** Signatures are short-lived: one that was prepared long ago, or claims to be good for longer than any that we prepare, starts again. */
function requireFresh(ctx: Ctx, order: Row<'Order'>, validUntil: number): void {
  const left = Math.min(validUntil * 1_000, deadlineMs(order)) - ctx.clock.now();
  const words = 'This request is out of date. Please start again.';
  if (left < LAST_PAYMENT_MS || validUntil * 1_000 - ctx.clock.now() > PAYMENT_SIGNATURE_MS)
    throw new AppError('parameter_invalid', words, { param: 'valid_until' });
}

/** Who signed, and that the very call would go through now. */
async function proveSigned(
  chain: EvmChain,
  order: Row<'Order'>,
  payment: SignedPayment,
  signatures: Hex[],
  call: { to: Address; data: Hex; gas: bigint },
): Promise<void> {
  const asked = await orderSignatures(chain, payment);
  if (!asked)
    throw new AppError('call_refused', `USDC on ${chain.facts.label} doesn’t support this kind of signature.`);
  const { payer } = payment;
  for (const [index, { data }] of asked.entries()) {
    const signed = { address: payer, hash: typedDataHash(data), signature: signatures[index] ?? '0x' };
    if (!(await proveSignature(chain, signed))) throw new AppError('signature_invalid');
  }
  const [{ data } = { data: null }] = asked;
  if (!data) throw new AppError('signature_invalid');
  const refusal = await checkSigned(chain, { account: payer, data, signature: signatures[0] ?? '0x' }, call);
  if (refusal?.code === 'delegation_legacy') throw new AppError('delegation_legacy');
  if (refusal) throw await refusalOf(chain, order, payer, refusal.reason);
}

/** Why the chain would refuse a payment, in words for its payer. */
export async function refusalOf(
  chain: Chain,
  order: Row<'Order'>,
  payer: string,
  reason: RevertReason,
): Promise<AppError> {
  const { label } = chain.facts;
  if (reason.name === 'AlreadySettled') return inFlight('order');
  if (reason.name === 'Expired')
    return new AppError('order_not_payable', 'This order has expired. Ask the merchant for a new one.');
  if (reason.name === 'DepositIncomplete')
    return new AppError('call_refused', 'The order’s deposit address no longer holds the full amount.');
  const [balance, needed] = [await assetBalance(chain, order.token, payer), unitsOf(order.units)];
  if (balance < needed) {
    const [has, needs] = [balance, needed].map((units) => formatUnits(units, order.decimals));
    const words = `${BALANCE_TOO_LOW} ${label} is ${has} ${order.currency}; this order needs ${needs}. Top up, then pay again.`;
    return new AppError('call_refused', words);
  }
  return new AppError('call_refused', wordsOf(reason, label));
}

const SIGNATURE_ERRORS = new Set(['InvalidSignature', 'InvalidSigner', 'InvalidContractSignature']);

function wordsOf({ name, text = '' }: RevertReason, label: string): string {
  if (name === 'InvalidNonce' || /authorization is used/i.test(text)) return USED;
  if (name === 'SignatureExpired' || name === 'BlockhashNotFound' || /authorization is expired/i.test(text))
    return 'The signature has expired. Please start again.';
  if (SIGNATURE_ERRORS.has(name) || /invalid signature/i.test(text))
    return `${label} doesn’t accept this wallet’s signature. Pay with your wallet’s own transaction instead.`;
  if (name === 'Paused') return `Payments on ${label} are paused. Try again later.`;
  if (/blacklisted/i.test(text)) return 'USDC rejected this payment: one of the two accounts is blocked by its issuer.';
  if (/allowance/i.test(text) || /TRANSFER_FROM_FAILED/.test(text) || name === 'InsufficientAllowance')
    return 'Your wallet’s approval no longer covers this amount. Please start again.';
  return `${label} rejected this payment (${text || name}). You haven’t been charged.`;
}

export type NewSubmission = {
  payer: string;
  way: SignedWay | 'transaction' | 'sweep';
  /** Names what was signed; null where the data does. */
  number: string | null;
  to: string;
  data: string;
  gas: bigint;
  /** Unix milliseconds: nothing is sent after it. */
  expiresAt: number;
};

/**
 * Writes the row and wakes a worker, if there is room for it and nothing else is under way.
 * @throws AppError `payment_in_flight`, `order_not_payable`, `call_refused`, `rate_limited`
 */
export async function storeSubmission(
  ctx: Ctx,
  order: Row<'Order'>,
  { to, ...wish }: NewSubmission,
): Promise<Row<'OrderSubmission'>> {
  return ctx.db.$transaction(async (tx) => {
    await lockPayments(tx, order.chain);
    // Locked first, as cancelling locks it: what is queued afterwards cannot be cancelled, and what was cancelled is not queued.
    await holdOrder(tx, order.id);
    const twin = await sameSubmission(tx, order.id, wish);
    if (twin) return twin;
    requirePayable(ctx, await tx.order.findUniqueOrThrow({ where: { id: order.id } }));
    await requirePaymentRoom(ctx, tx, order, wish);
    const now = ctx.clock.now();
    const id = newId(ctx, 'sbm');
    const row = await tx.orderSubmission.create({
      data: {
        ...wish,
        id,
        orderId: order.id,
        chain: order.chain,
        toAddress: to,
        status: 'queued',
        createdAt: new Date(now),
        expiresAt: new Date(wish.expiresAt),
      },
    });
    const { data, gas } = wish;
    await queueCall(ctx, tx, order.chain, { kind: 'order', subjectId: id, to, data, gas });
    return row;
  });
}

/** What was signed once for an order, unless it failed. */
async function sameSubmission(
  tx: Tx,
  orderId: string,
  { data, number }: Pick<NewSubmission, 'data' | 'number'>,
): Promise<Row<'OrderSubmission'> | null> {
  const same = number === null ? { data } : { number };
  return tx.orderSubmission.findFirst({ where: { orderId, ...same, status: { not: 'failed' } } });
}

/** `failure` is a sentence. */
export type SubmissionView = { id: string; status: SubmissionStatus; tx_hash: string | null; failure: string | null };

/** @param txHash of the transaction that carries it, once there is one */
export function viewSubmission(row: Row<'OrderSubmission'>, txHash: string | null): SubmissionView {
  return { id: row.id, status: row.status as SubmissionStatus, tx_hash: txHash, failure: row.failure };
}
