// Money at an order's own address that did not pay it: late, a part, too much, or another asset. The merchant's wallet accepts it, or returns it
// to its sender.

import type { Chain } from '../../../chain/chain.ts';
import {
  depositAddress,
  nativeToken,
  type OrderAt,
  type OrderMove,
  prepareMove,
  readMove,
  readPayment,
  takesDeposits,
} from '../../../chain/orders.ts';
import { encodeAcceptDeposit, encodeRefundDeposit } from '../../../chain/routers/payment.ts';
import type { Address } from '../../../chain/rpc/client.ts';
import { assetBalance } from '../../../chain/senders.ts';
import { type Ctx, chainOf, evmChainOf } from '../../../context.ts';
import type { Row } from '../../../db.ts';
import { AppError } from '../../../domain/errors.ts';
import { formatUnits } from '../../../domain/money.ts';
import type { OrderRouter, RouterOrderTerms } from '../../../domain/typedData/orders.ts';
import { choosePayer } from '../../outgoing/payers.ts';
import type { CallView } from '../../spending/sponsoredCalls.ts';
import type { WorkspaceReader } from '../../workspaces/workspaces.ts';
import { readWritten } from '../input.ts';
import { orderTerms, ownOrder } from '../orders.ts';
import { depositSenders, stillWith } from '../payers.ts';
import {
  chooseSender,
  recordPrepared,
  requireOpenAccount,
  requireSameOwner,
  sendMove,
  type TermsArgs,
  termsArgs,
  type WalletCall,
  type WholeCall,
} from '../refunds.ts';

export type DepositWish = {
  action: 'accept' | 'send_back';
  /** "USDC", or the chain's native asset; the order's own, if it is not given. */
  currency?: string | undefined;
  /** For `send_back`: decimal string, by default whatever is left of what was sent; and to whom, where several sent. */
  amount?: string | undefined;
  to?: string | undefined;
};

export type DepositArgs = {
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
} & (WalletCall | WholeCall);

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
  const { place, asset, move, units } = await readWish(ctx, order, wish);
  const { currency, token, decimals } = asset;
  const amount = formatUnits(units, decimals);
  const to = move.name === 'accept' ? null : move.to;
  const back = move.name === 'send_back' ? { to: move.to, amount: String(units) } : {};
  const base = {
    object: 'order.deposit' as const,
    order: order.id,
    chain: order.chain,
    router: order.routerAddress,
    function: move.name === 'accept' ? ('acceptDeposit' as const) : ('refundDeposit' as const),
    args: { terms: termsArgs(order), token, ...back },
    amount,
    currency,
  };
  const whole = await prepareMove(place, move, await choosePayer(ctx, place.chain, 0));
  await recordPrepared(ctx, order, 'deposit.prepared', { amount, currency, to, does: wish.action });
  if (whole)
    return { ...base, ...whole, submit: { currency, ...(move.name === 'accept' ? {} : { to: move.to, amount }) } };
  const { facts } = evmChainOf(ctx, order.chain);
  const terms = place.terms as RouterOrderTerms;
  const data =
    move.name === 'accept'
      ? encodeAcceptDeposit(terms, token as Address)
      : encodeRefundDeposit(terms, token as Address, move.to as Address, units);
  return { ...base, chainId: facts.chainId, from: order.payee, to: order.routerAddress, value: '0', data };
}

/** What the merchant's wallet signed, with what {@link depositArgs} gave beside it. */
export type SignedDeposit = DepositWish & { solana_transaction: string };

/**
 * Sends a move of a deposit that the merchant's wallet has signed whole. The same transaction twice is one call.
 * @throws AppError as {@link depositArgs}; `signature_invalid` for anything else than it gave, `call_refused`, `rate_limited`
 */
export async function submitDeposit(
  ctx: Ctx,
  reader: WorkspaceReader,
  id: string,
  { solana_transaction, ...wish }: SignedDeposit,
): Promise<CallView> {
  const order = await ownOrder(ctx, reader, id);
  const { place, move } = await readWish(ctx, order, wish);
  return sendMove(ctx, order, 'order_deposit', await readMove(place, move, solana_transaction));
}

type Asset = { currency: string; token: string; decimals: number };
type DepositMove = Extract<OrderMove, { name: 'accept' | 'send_back' }>;

/** What is to be moved, by the chain and our rows. */
async function readWish(
  ctx: Ctx,
  order: Row<'Order'>,
  wish: DepositWish,
): Promise<{ place: OrderAt; asset: Asset; move: DepositMove; units: bigint }> {
  const chain = chainOf(ctx, order.chain);
  const place = { chain, router: order.router as OrderRouter, terms: orderTerms(order) };
  const asset = assetOf(chain, wish.currency ?? order.currency);
  const { currency, token, decimals } = asset;
  const held = takesDeposits(place) ? await assetBalance(chain, token, depositAddress(place)) : 0n;
  if (held === 0n) throw new AppError('state_conflict', `This order’s deposit address holds no ${currency}.`);
  await refuseCovered(ctx, place, { token, held });
  if (wish.action === 'accept') return { place, asset, move: { name: 'accept' }, units: held };
  const senders = await depositSenders(ctx, order, { token });
  const back = await stillWith(ctx, order, senders, { kind: 'deposit_moved', outcome: 'sent_back', token });
  const sender = chooseSender(back, wish.to);
  await requireSameOwner(ctx, order, sender.address);
  await requireOpenAccount(order, chain, sender.address);
  const most = sender.units < held ? sender.units : held;
  const units = wish.amount === undefined ? most : readWritten(currency, decimals, wish.amount);
  if (units > most || units === 0n) {
    const words = `At most ${formatUnits(most, decimals)} ${currency} can be returned to ${sender.address}.`;
    throw new AppError('order_not_refundable', words, { param: 'amount' });
  }
  return { place, asset, move: { name: 'send_back', to: sender.address, units }, units };
}

function assetOf(chain: Chain, currency: string): Asset {
  const { facts } = chain;
  if (currency === 'USDC') return { currency, token: chain.usdc, decimals: facts.usdcDecimals };
  if (currency === facts.native) return { currency, token: nativeToken(chain), decimals: facts.nativeDecimals };
  throw new AppError('unsupported_asset', undefined, { param: 'currency' });
}

/** While the balance would pay the order, it can only do that: the router refuses every other transfer of it. */
async function refuseCovered(
  ctx: Ctx,
  place: OrderAt,
  { token, held }: { token: string; held: bigint },
): Promise<void> {
  const { terms } = place;
  const covers = token === terms.token && held >= terms.amount;
  const inTime = BigInt(Math.floor(ctx.clock.now() / 1_000)) <= terms.deadline;
  if (!covers || !inTime) return;
  if ((await readPayment(place)).settled) return;
  const words = `The deposit address holds the full amount, which can only pay the order until ${new Date(Number(terms.deadline) * 1_000).toISOString()}.`;
  throw new AppError('state_conflict', words);
}
