// Refunds: the merchant's wallet sends them through the order's router, to the payer. We prepare the call, and record the refund once the chain
// shows it.

import { feedFilter } from '../../chain/logs/filter.ts';
import { readSettlements } from '../../chain/logs/settlements.ts';
import type { OrderEntry } from '../../chain/orderEvents.ts';
import { orderKey, readPayment } from '../../chain/orders.ts';
import { encodeRefund, NATIVE_TOKEN } from '../../chain/routers/payment.ts';
import { readBlockRange } from '../../chain/rpc/blockRanges.ts';
import type { Address, EvmChain, Hash, Hex } from '../../chain/rpc/client.ts';
import { headBlock, receiptOf } from '../../chain/rpc/client.ts';
import { allowanceOf, codeOf, delegateIn } from '../../chain/signing/gasless.ts';
import { encodeApprove } from '../../chain/signing/permits.ts';
import { type Ctx, evmChainOf } from '../../context.ts';
import type { Row } from '../../db.ts';
import { chainLabel } from '../../domain/chains.ts';
import { AppError } from '../../domain/errors.ts';
import { formatUnits } from '../../domain/money.ts';
import type { OrderRouter, RouterOrderTerms } from '../../domain/typedData/orders.ts';
import { isSameAddress } from '../../domain/walletFamily.ts';
import { ANSWER_WITHIN_MS, pollWithin } from '../polling.ts';
import type { WorkspaceReader } from '../workspaces/workspaces.ts';
import { applyOrderLogs } from './indexing/applyLogs.ts';
import { readWritten } from './input.ts';
import { orderTerms, ownOrder } from './orders.ts';
import { type OrderSender, payersOf, settlementOf, stillWith } from './payers.ts';
import { type OrderView, unitsOf, viewOrders } from './views.ts';

/** A transaction for the merchant's wallet: `value` in wei, as digits. */
export type WalletCall = { chainId: number; from: string; to: string; data: Hex; value: string };
/** Numbers are digits, as contracts take them. */
export type TermsArgs = {
  orderId: string;
  payee: string;
  token: string;
  amount: string;
  fee: string;
  deadline: string;
};

export type RefundArgs = WalletCall & {
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
  /** What the wallet sends first, because the router takes the refund from the wallet's allowance; null where it has enough. */
  approval: (WalletCall & { token: string; spender: string; amount: string }) | null;
};

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
  const chain = evmChainOf(ctx, order.chain);
  const router = order.router as OrderRouter;
  const terms = orderTerms(order);
  const settlement = await settlementOf(ctx, chain, order);
  if (!settlement) throw new AppError('order_not_refundable');
  const payers = await payersOf(ctx, order, settlement);
  const payer = chooseSender(
    await stillWith(ctx, order, payers, { kind: 'refunded', outcome: 'credited', token: order.token }),
    wish.to,
  );
  await requireSameOwner(ctx, order, payer.address);
  // The chain knows of refunds that our rows do not have yet.
  const { refunded } = await readPayment({ chain, router, terms });
  const left = terms.amount - (refunded > unitsOf(order.refundedUnits) ? refunded : unitsOf(order.refundedUnits));
  const units = readUnits(order, wish.amount, payer.units < left ? payer.units : left);
  const native = terms.token === NATIVE_TOKEN;
  const to = payer.address as Address;
  const call = { chainId: chain.facts.chainId, from: order.payee, to: order.routerAddress };
  return {
    object: 'order.refund',
    order: order.id,
    chain: order.chain,
    router: order.routerAddress,
    function: 'refund',
    args: { terms: termsArgs(order), to, amount: String(units) },
    ...call,
    data: encodeRefund(terms as RouterOrderTerms, to, units),
    value: native ? String(units) : '0',
    refund_to: to,
    amount: formatUnits(units, order.decimals),
    currency: order.currency,
    approval: native ? null : await approvalOf(chain, order, units),
  };
}

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
 * A contract wallet is another's on another chain, or no one's: what came from one over a bridge is not sent to its address here.
 * @throws AppError `order_not_refundable`, `provider_unavailable`
 */
export async function requireSameOwner(ctx: Ctx, order: Row<'Order'>, address: string): Promise<void> {
  const legs = await ctx.db.smartLeg.findMany({
    where: { payment: { orderId: order.id }, payer: address, chain: { not: order.chain } },
    select: { chain: true },
    distinct: ['chain'],
  });
  for (const { chain } of legs) {
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

async function approvalOf(chain: EvmChain, order: Row<'Order'>, units: bigint): Promise<RefundArgs['approval']> {
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
  const hash = txHash.toLowerCase() as Hash;
  const known = { orderId: id, chain: order.chain, txHash: hash, kind: 'refunded' };
  if ((await ctx.db.orderLog.count({ where: known })) === 0) await proveRefund(ctx, order, { hash, param }, waitMs);
  const [view] = await viewOrders(ctx, ctx.db, [await ownOrder(ctx, reader, id)]);
  if (!view) throw new Error('every row has its view');
  return view;
}

type Named = { hash: Hash; param: string };

async function proveRefund(ctx: Ctx, order: Row<'Order'>, { hash, param }: Named, waitMs: number): Promise<void> {
  const mismatch = (words: string) => new AppError('tx_mismatch', words, { param });
  const chain = evmChainOf(ctx, order.chain);
  const settlement = await settlementOf(ctx, chain, order);
  if (!settlement) throw new AppError('order_not_refundable');
  const receipt = await receiptOf(chain, hash);
  if (!receipt) throw new AppError('tx_not_found', undefined, { param });
  if (receipt.status !== 'success') throw mismatch('This transaction failed, so nothing was refunded.');
  const refunds = await refundsIn(chain, order, hash, receipt.blockNumber);
  if (refunds.length === 0) throw mismatch('This transaction doesn’t refund this order.');
  const payers = await payersOf(ctx, order, settlement);
  if (refunds.some(({ to }) => !payers.some(({ address }) => isSameAddress(address, to))))
    throw mismatch('This transaction paid someone who didn’t pay this order.');
  const isFinal = async () =>
    (await headBlock(chain)) - receipt.blockNumber + 1n >= BigInt(chain.confirmations) ? true : null;
  if (!(await pollWithin(ctx, waitMs, isFinal))) return;
  // Once more: what is final now may not be what was seen before.
  const final = await refundsIn(chain, order, hash, receipt.blockNumber);
  await ctx.db.$transaction((tx) => applyOrderLogs(ctx, tx, chain, final));
  await ctx.queues.flush(ctx.db);
}

type Refund = Extract<OrderEntry, { kind: 'refunded' }>;

/** What a transaction refunded of an order, by its exact router and key; two endpoints must agree, where there are two. */
async function refundsIn(chain: EvmChain, order: Row<'Order'>, hash: Hash, block: bigint): Promise<Refund[]> {
  const most = Number.POSITIVE_INFINITY;
  const request = { ...feedFilter(chain, []), most, from: block, to: block, hashesFrom: block };
  const range = await readBlockRange(chain, request);
  if (range === 'narrower') throw new AppError('provider_unavailable');
  const router = order.router as OrderRouter;
  const key = orderKey({ chain, router, terms: orderTerms(order) });
  return readSettlements(chain, range, []).flatMap((entry) => {
    if (entry.kind !== 'refunded' || entry.txHash !== hash) return [];
    return isSameAddress(entry.routerAddress, order.routerAddress) && isSameAddress(entry.key, key) ? [entry] : [];
  });
}
