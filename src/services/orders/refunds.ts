// Refunds: the merchant's wallet sends them through the order's router, to the payer. We prepare the call, and record the refund once the chain
// shows it.

import type { SignedCall, TransactionToSign } from '../../chain/calls.ts';
import type { Chain } from '../../chain/chain.ts';
import type { OrderEntry } from '../../chain/orderEvents.ts';
import { type OrderAt, orderKey, prepareMove, readMove, readPayment } from '../../chain/orders.ts';
import { readOrderTransaction } from '../../chain/orderTransactions.ts';
import { encodeRefund, NATIVE_TOKEN } from '../../chain/routers/payment.ts';
import type { Address, EvmChain, Hex } from '../../chain/rpc/client.ts';
import { allowanceOf, codeOf, delegateIn } from '../../chain/signing/gasless.ts';
import { encodeApprove } from '../../chain/signing/permits.ts';
import { hasAccountFor } from '../../chain/tabs.ts';
import { type Ctx, chainOf, evmChainOf } from '../../context.ts';
import type { Row } from '../../db.ts';
import { chainLabel } from '../../domain/chains.ts';
import { AppError } from '../../domain/errors.ts';
import { CALL_SIGNATURE_MS } from '../../domain/limits.ts';
import { formatUnits } from '../../domain/money.ts';
import type { OrderRouter, RouterOrderTerms } from '../../domain/typedData/orders.ts';
import { familyOf, isSameAddress } from '../../domain/walletFamily.ts';
import { record } from '../audit.ts';
import { isKeyInUse } from '../outgoing/keys.ts';
import { choosePayer } from '../outgoing/payers.ts';
import { ANSWER_WITHIN_MS, pollWithin } from '../polling.ts';
import { type CallView, noKey, sponsorCall, usedUp } from '../spending/sponsoredCalls.ts';
import type { WorkspaceReader } from '../workspaces/workspaces.ts';
import { applyOrderLogs } from './indexing/applyLogs.ts';
import { readWritten } from './input.ts';
import { orderTerms, ownOrder } from './orders.ts';
import { isPaidByTransfer, type OrderSender, payersOf, settlementOf, stillWith } from './payers.ts';
import { type OrderView, unitsOf, viewOrders } from './views.ts';

/** A transaction for the merchant's wallet: `value` in wei, as digits. */
export type WalletCall = { chainId: number; from: string; to: string; data: Hex; value: string };
/** What the merchant's wallet signs whole, in base64, and what is brought back with it: an executor sends it. */
export type WholeCall = TransactionToSign & { submit: { to?: string; amount?: string; currency?: string } };
/** Numbers are digits, as contracts take them. */
export type TermsArgs = {
  orderId: string;
  payee: string;
  token: string;
  amount: string;
  fee: string;
  deadline: string;
};

type RefundBase = {
  object: 'order.refund';
  order: string;
  chain: string;
  /** The contract, also `to`: `from` is the wallet to which the order was paid, and the only one that may call. */
  router: string;
  function: 'refund';
  args: { terms: TermsArgs; to: string; amount: string };
  /** Who gets it, and how much, as a canonical decimal string. */
  refund_to: string;
  amount: string;
  currency: string;
  /** Paid by a transfer to the order's own address: `refund_to` may be an exchange's. */
  paid_by_transfer: boolean;
};
/** A call of a router, which the merchant's wallet sends. */
export type RouterRefund = RefundBase &
  WalletCall & {
    /** What the wallet sends first, because the router takes the refund from the wallet's allowance; null where it has enough. */
    approval: (WalletCall & { token: string; spender: string; amount: string }) | null;
  };
export type RefundArgs = RouterRefund | (RefundBase & WholeCall);

export type RefundWish = {
  /** Decimal string; what is left of the payment, if it is not given. */
  amount?: string | undefined;
  /** One of those who paid: to be said where several sent to the order's own address. */
  to?: string | undefined;
};

/**
 * The call that refunds an order, wholly or in part. It changes nothing here.
 * @throws AppError `resource_missing`; `order_not_refundable` for one that was not paid, above what is left, and for a recipient other than the payer;
 * `parameter_invalid`, `parameter_missing`, `provider_unavailable`
 */
export async function refundArgs(
  ctx: Ctx,
  reader: WorkspaceReader,
  id: string,
  wish: RefundWish = {},
): Promise<RefundArgs> {
  const order = await ownOrder(ctx, reader, id);
  const { place, to, units, byTransfer } = await readRefund(ctx, order, wish);
  const amount = formatUnits(units, order.decimals);
  // What was not given, because the chain did not answer, was not prepared.
  const noted = <T>(given: T) =>
    recordPrepared(ctx, order, 'refund.prepared', { amount, currency: order.currency, to }).then(() => given);
  const base = {
    object: 'order.refund' as const,
    order: order.id,
    chain: order.chain,
    router: order.routerAddress,
    function: 'refund' as const,
    args: { terms: termsArgs(order), to, amount: String(units) },
    refund_to: to,
    amount,
    currency: order.currency,
    paid_by_transfer: byTransfer,
  };
  const whole = await prepareMove(place, { name: 'refund', to, units }, await choosePayer(ctx, place.chain, 0));
  if (whole) return noted({ ...base, ...whole, submit: { to, amount } });
  const chain = evmChainOf(ctx, order.chain);
  const terms = place.terms as RouterOrderTerms;
  const native = terms.token === NATIVE_TOKEN;
  return noted({
    ...base,
    chainId: chain.facts.chainId,
    from: order.payee,
    to: order.routerAddress,
    data: encodeRefund(terms, to as Address, units),
    value: native ? String(units) : '0',
    approval: native ? null : await approvalOf(chain, order, units),
  });
}

const PREPARED_ONCE_MS = 3_600_000;

/** The same preparation by the same actor is one entry an hour: pages ask again. */
export async function recordPrepared(
  ctx: Ctx,
  { id, handleId, livemode }: Row<'Order'>,
  action: 'refund.prepared' | 'deposit.prepared',
  after: { amount: string; currency: string; to: string | null; does?: string },
): Promise<void> {
  const hour = Math.floor(ctx.clock.now() / PREPARED_ONCE_MS);
  await ctx.db.$transaction((tx) =>
    record(ctx, tx, {
      ...{ workspaceId: handleId, livemode, action, object: { kind: 'order', id }, after },
      once: `${JSON.stringify(after)}:${hour}`,
    }),
  );
}

/** To whom and how much, by the chain and our rows. */
async function readRefund(
  ctx: Ctx,
  order: Row<'Order'>,
  wish: RefundWish,
): Promise<{ place: OrderAt; to: string; units: bigint; byTransfer: boolean }> {
  const chain = chainOf(ctx, order.chain);
  const place = { chain, router: order.router as OrderRouter, terms: orderTerms(order) };
  const settlement = await settlementOf(ctx, chain, order);
  if (!settlement) throw new AppError('order_not_refundable');
  const payers = await payersOf(ctx, order, settlement);
  const payer = chooseSender(
    await stillWith(ctx, order, payers, { kind: 'refunded', outcome: 'credited', token: order.token }),
    wish.to,
  );
  await requireSameOwner(ctx, order, payer.address);
  await requireOpenAccount(order, chain, payer.address);
  // The chain knows of refunds that our rows do not have yet.
  const { refunded } = await readPayment(place);
  const left = place.terms.amount - (refunded > unitsOf(order.refundedUnits) ? refunded : unitsOf(order.refundedUnits));
  const units = readUnits(order, wish.amount, payer.units < left ? payer.units : left);
  return { place, to: payer.address, units, byTransfer: isPaidByTransfer(order, settlement) };
}

/** @throws AppError `order_not_refundable` for a wallet that can no longer receive the token, `provider_unavailable` */
export async function requireOpenAccount(order: Row<'Order'>, chain: Chain, wallet: string): Promise<void> {
  if (order.currency !== 'USDC' || (await hasAccountFor(chain, wallet, chain.usdc))) return;
  const words = `The buyer’s wallet has closed its USDC account on ${chain.facts.label}. Once it is open again, the money can go back.`;
  throw new AppError('order_not_refundable', words);
}

/** What the merchant's wallet signed, with what {@link refundArgs} gave beside it. */
export type SignedRefund = { to: string; amount: string; solana_transaction: string };

/**
 * Sends a refund that the merchant's wallet has signed whole. The refund counts once it is final. The same transaction twice is one call.
 * @throws AppError as {@link refundArgs}; `signature_invalid` for anything else than it gave, `call_refused`, `rate_limited`
 */
export async function submitRefund(
  ctx: Ctx,
  reader: WorkspaceReader,
  id: string,
  { solana_transaction, ...wish }: SignedRefund,
): Promise<{ order: OrderView; request: CallView }> {
  const order = await ownOrder(ctx, reader, id);
  const { place, to, units } = await readRefund(ctx, order, wish);
  const signed = await readMove(place, { name: 'refund', to, units }, solana_transaction);
  const request = await sendMove(ctx, order, 'order_refund', signed);
  return { order: await viewOf(ctx, order), request };
}

async function viewOf(ctx: Ctx, order: Row<'Order'>): Promise<OrderView> {
  const [view] = await viewOrders(ctx, ctx.db, [order]);
  if (!view) throw new Error('every row has its view');
  return view;
}

/** A move of an order's money that its payee has signed, sent at our cost. @throws AppError as `sponsorCall`, `signature_invalid` for null */
export async function sendMove(
  ctx: Ctx,
  order: Row<'Order'>,
  kind: 'order_refund' | 'order_deposit',
  signed: SignedCall | null,
): Promise<CallView> {
  if (!signed) throw new AppError('signature_invalid');
  const { call, number, payer } = signed;
  const chain = chainOf(ctx, order.chain);
  const use = `${kind}:${order.id}:${number}`;
  const deadline = Math.floor((ctx.clock.now() + CALL_SIGNATURE_MS) / 1_000);
  return sponsorCall(
    ctx,
    { handleId: order.handleId, kind, chain, use, isWhole: true, ...call, deadline },
    {
      async before() {
        if (!(await isKeyInUse(ctx, chain, payer))) throw noKey(chain);
      },
      async within(tx) {
        // What was signed as a whole is sent once, also when it has failed.
        if ((await tx.sponsoredCall.count({ where: { use } })) > 0) throw usedUp();
        await record(ctx, tx, {
          ...{ workspaceId: order.handleId, livemode: order.livemode, object: { kind: 'order', id: order.id } },
          action: kind === 'order_refund' ? 'refund.submitted' : 'deposit.submitted',
        });
      },
      refusal: ({ name }) => (REFUSED[name] === undefined ? null : new AppError('call_refused', REFUSED[name])),
    },
  );
}

const REFUSED: Readonly<Record<string, string>> = {
  BalanceTooLow: 'Your wallet has too little of this asset for the refund.',
  ResultWithNegativeLamports: 'Your wallet has too little SOL for the refund.',
  DepositIncomplete: 'The deposit address no longer holds this amount.',
  RefundTooHigh: 'This order is already fully refunded.',
};

/** The sender who gets the money back. @throws AppError `order_not_refundable`, `parameter_missing` when several sent money and none of them is named */
export function chooseSender(senders: OrderSender[], wanted: string | undefined): OrderSender {
  const [first, ...others] = senders;
  const names = senders.map(({ address }) => address).join(', ');
  if (!first) {
    const words = 'The sender of this payment is unknown, so it can’t be refunded this way.';
    throw new AppError('order_not_refundable', words);
  }
  if (wanted === undefined && others.length > 0) {
    const words = `This order has several payers. Set \`to\` to one of: ${names}.`;
    throw new AppError('parameter_missing', words, { param: 'to' });
  }
  const sender = wanted === undefined ? first : senders.find(({ address }) => isSameAddress(address, wanted));
  if (sender) return sender;
  const words = `to must be an address that paid this order: ${names}.`;
  throw new AppError('order_not_refundable', words, { param: 'to' });
}

/**
 * A contract wallet is another's on another chain, or no one's: what came from one over a bridge is not sent to its address here. An address of another
 * family is none here.
 * @throws AppError `order_not_refundable`, `provider_unavailable`
 */
export async function requireSameOwner(ctx: Ctx, order: Row<'Order'>, address: string): Promise<void> {
  const legs = await ctx.db.smartLeg.findMany({
    where: { payment: { orderId: order.id }, payer: address, chain: { not: order.chain } },
    select: { chain: true },
    distinct: ['chain'],
  });
  for (const { chain } of legs) {
    if (familyOf(address) !== chainOf(ctx, order.chain).facts.family) {
      const [from, here] = [chainLabel(chain), chainLabel(order.chain)];
      const words = `This order was paid from ${from}, and an address there can’t get money on ${here}. Ask the buyer for an address on ${here}, and send it from your wallet.`;
      throw new AppError('order_not_refundable', words);
    }
    const code = await codeOf(evmChainOf(ctx, chain), address as Address);
    if (code === '0x' || delegateIn(code) !== null) continue;
    const words = `The payer is a contract wallet on ${chainLabel(chain)}, and its address on ${chainLabel(order.chain)} may be no one’s. Ask the buyer where to send the money, and send it from your wallet.`;
    throw new AppError('order_not_refundable', words);
  }
}

function readUnits(order: Row<'Order'>, amount: string | undefined, most: bigint): bigint {
  if (most <= 0n) throw new AppError('order_not_refundable', 'This order is already fully refunded.');
  if (amount === undefined) return most;
  const units = readWritten(order.currency, order.decimals, amount);
  if (units <= most) return units;
  const words = `At most ${formatUnits(most, order.decimals)} ${order.currency} can be refunded.`;
  throw new AppError('order_not_refundable', words, { param: 'amount' });
}

async function approvalOf(chain: EvmChain, order: Row<'Order'>, units: bigint): Promise<RouterRefund['approval']> {
  const [owner, spender] = [order.payee as Address, order.routerAddress as Address];
  if ((await allowanceOf(chain, owner, spender)) >= units) return null;
  const { chainId } = chain.facts;
  const call = { chainId, from: owner, to: order.token, data: encodeApprove(spender, units), value: '0' };
  return { ...call, token: order.token, spender, amount: String(units) };
}

export function termsArgs(order: Row<'Order'>): TermsArgs {
  const { orderId, payee, token, amount, fee, deadline } = orderTerms(order);
  return { orderId, payee, token, amount: String(amount), fee: String(fee), deadline: String(deadline) };
}

/**
 * The merchant reports the transaction that refunded. The refund counts once it is final; until then the order is returned unchanged, and the
 * indexer records the refund. The same call again returns the same result.
 * @throws AppError `resource_missing`; `order_not_refundable` for an order that was not paid; `tx_not_found`; `tx_mismatch` when the transaction
 * failed, or did not refund this order to its payer; `provider_unavailable`
 */
export async function confirmOrderRefund(
  ctx: Ctx,
  reader: WorkspaceReader,
  id: string,
  { txHash, param = 'txHash' }: { txHash: string; param?: string },
  { waitMs = ANSWER_WITHIN_MS }: { waitMs?: number } = {},
): Promise<OrderView> {
  const order = await ownOrder(ctx, reader, id);
  const known = { orderId: id, chain: order.chain, txHash, kind: 'refunded' };
  if ((await ctx.db.orderLog.count({ where: known })) === 0)
    await proveRefund(ctx, order, { name: txHash, param }, waitMs);
  return viewOf(ctx, await ownOrder(ctx, reader, id));
}

async function proveRefund(
  ctx: Ctx,
  order: Row<'Order'>,
  { name, param }: { name: string; param: string },
  waitMs: number,
): Promise<void> {
  const mismatch = (words: string) => new AppError('tx_mismatch', words, { param });
  const chain = chainOf(ctx, order.chain);
  const settlement = await settlementOf(ctx, chain, order);
  if (!settlement) throw new AppError('order_not_refundable');
  const found = await readOrderTransaction(chain, name);
  if (!found) throw new AppError('tx_not_found', undefined, { param });
  if (!found.succeeded) throw mismatch('This transaction failed, so nothing was refunded.');
  const refunds = refundsOf(chain, order, found.entries);
  if (refunds.length === 0) throw mismatch('This transaction doesn’t refund this order.');
  const payers = await payersOf(ctx, order, settlement);
  if (refunds.some(({ to }) => !payers.some(({ address }) => isSameAddress(address, to))))
    throw mismatch('This transaction paid someone who didn’t pay this order.');
  const final = await pollWithin(ctx, waitMs, () => found.final());
  if (!final) return;
  await ctx.db.$transaction((tx) => applyOrderLogs(ctx, tx, chain, refundsOf(chain, order, final)));
  await ctx.queues.flush(ctx.db);
}

type Refund = Extract<OrderEntry, { kind: 'refunded' }>;

/** Refunds of an order, by its exact contract and key. */
function refundsOf(chain: Chain, order: Row<'Order'>, entries: readonly OrderEntry[]): Refund[] {
  const key = orderKey({ chain, router: order.router as OrderRouter, terms: orderTerms(order) });
  return entries.flatMap((entry) => {
    if (entry.kind !== 'refunded') return [];
    return isSameAddress(entry.routerAddress, order.routerAddress) && isSameAddress(entry.key, key) ? [entry] : [];
  });
}
