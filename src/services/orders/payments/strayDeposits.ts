// Money at an order's own address that did not pay it: late, a part, too much, or another asset. The merchant's wallet accepts it, or returns it
// to its sender.

import { depositAddress, readPayment } from '../../../chain/orders.ts';
import { encodeAcceptDeposit, encodeRefundDeposit, NATIVE_TOKEN } from '../../../chain/routers/payment.ts';
import type { Address, EvmChain } from '../../../chain/rpc/client.ts';
import { assetBalance } from '../../../chain/senders.ts';
import { type Ctx, evmChainOf } from '../../../context.ts';
import type { Row } from '../../../db.ts';
import { AppError } from '../../../domain/errors.ts';
import { formatUnits } from '../../../domain/money.ts';
import type { OrderRouter, RouterOrderTerms } from '../../../domain/typedData/orders.ts';
import type { WorkspaceReader } from '../../workspaces/workspaces.ts';
import { readWritten } from '../input.ts';
import { orderTerms, ownOrder } from '../orders.ts';
import { depositSenders, stillWith } from '../payers.ts';
import { chooseSender, requireSameOwner, type TermsArgs, termsArgs, type WalletCall } from '../refunds.ts';

export type DepositWish = {
  action: 'accept' | 'send_back';
  /** "USDC", or the chain's native asset; the order's own, if it is not given. */
  currency?: string | undefined;
  /** For `send_back`: decimal string, by default whatever is left of what was sent; and to whom, where several sent. */
  amount?: string | undefined;
  to?: string | undefined;
};

export type DepositArgs = WalletCall & {
  object: 'order.deposit';
  order: string;
  chain: string;
  /** The contract, also `to`; `from` is the only wallet that may call. */
  router: string;
  function: 'acceptDeposit' | 'refundDeposit';
  args: { terms: TermsArgs; token: string; to?: string; amount?: string };
  /** What moves, as a canonical decimal string. Of what is accepted, the fee goes to the treasury. */
  amount: string;
  currency: string;
};

/**
 * The call that moves a deposit. It changes nothing here; the indexer takes in what was done.
 * @throws AppError `resource_missing`; `unsupported_asset`; `state_conflict` when nothing lies there, or it is about to pay the order;
 * `order_not_refundable` when it is not known who sent it, or for more than they sent; `parameter_invalid`, `parameter_missing`,
 * `provider_unavailable`
 */
export async function depositArgs(
  ctx: Ctx,
  reader: WorkspaceReader,
  id: string,
  wish: DepositWish,
): Promise<DepositArgs> {
  const order = await ownOrder(ctx, reader, id);
  const chain = evmChainOf(ctx, order.chain);
  const { currency, token, decimals } = assetOf(chain, wish.currency ?? order.currency);
  const terms = orderTerms(order) as RouterOrderTerms;
  const router = order.router as OrderRouter;
  const held = await assetBalance(chain, token, depositAddress({ chain, router, terms }));
  if (held === 0n) throw new AppError('state_conflict', `This order’s deposit address holds no ${currency}.`);
  await refuseCovered(ctx, chain, order, { token, held });
  const base = { object: 'order.deposit' as const, order: order.id, chain: order.chain, router: order.routerAddress };
  const call = { chainId: chain.facts.chainId, from: order.payee, to: order.routerAddress, value: '0', currency };
  if (wish.action === 'accept')
    return {
      ...base,
      ...call,
      function: 'acceptDeposit',
      args: { terms: termsArgs(order), token },
      data: encodeAcceptDeposit(terms, token),
      amount: formatUnits(held, decimals),
    };
  const senders = await depositSenders(ctx, order, { token });
  const back = await stillWith(ctx, order, senders, { kind: 'deposit_moved', outcome: 'sent_back', token });
  const sender = chooseSender(back, wish.to);
  await requireSameOwner(ctx, order, sender.address);
  const most = sender.units < held ? sender.units : held;
  const units = wish.amount === undefined ? most : readWritten(currency, decimals, wish.amount);
  if (units > most || units === 0n) {
    const words = `At most ${formatUnits(most, decimals)} ${currency} can be returned to ${sender.address}.`;
    throw new AppError('order_not_refundable', words, { param: 'amount' });
  }
  return {
    ...base,
    ...call,
    function: 'refundDeposit',
    args: { terms: termsArgs(order), token, to: sender.address, amount: String(units) },
    data: encodeRefundDeposit(terms, token, sender.address as Address, units),
    amount: formatUnits(units, decimals),
  };
}

function assetOf({ facts, usdc }: EvmChain, currency: string): { currency: string; token: Address; decimals: number } {
  if (currency === 'USDC') return { currency, token: usdc, decimals: facts.usdcDecimals };
  if (currency === facts.native) return { currency, token: NATIVE_TOKEN, decimals: facts.nativeDecimals };
  throw new AppError('unsupported_asset', undefined, { param: 'currency' });
}

/** While the balance would pay the order, it can only do that: the router refuses every other transfer of it. */
async function refuseCovered(
  ctx: Ctx,
  chain: EvmChain,
  order: Row<'Order'>,
  { token, held }: { token: Address; held: bigint },
): Promise<void> {
  const terms = orderTerms(order);
  const covers = token === terms.token && held >= terms.amount;
  const inTime = BigInt(Math.floor(ctx.clock.now() / 1_000)) <= terms.deadline;
  if (!covers || !inTime) return;
  const { settled } = await readPayment({ chain, router: order.router as OrderRouter, terms });
  if (settled) return;
  const words = `The deposit address holds the full amount, which can only pay the order until ${new Date(Number(terms.deadline) * 1_000).toISOString()}.`;
  throw new AppError('state_conflict', words);
}
