// What a smart payment has to bring: to an order's own address, or to a wallet.
import { canonicalAddress } from '../../chain/addresses.ts';
import type { Chain } from '../../chain/chain.ts';
import { depositAddress, takesDeposits } from '../../chain/orders.ts';
import { recipientStates } from '../../chain/recipients.ts';
import { assetBalance } from '../../chain/senders.ts';
import { hasAccountFor } from '../../chain/tabs.ts';
import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import { findChain } from '../../domain/chains.ts';
import { LAST_DEPOSIT_MS } from '../../domain/checkout.ts';
import { AppError } from '../../domain/errors.ts';
import { parseUnits } from '../../domain/money.ts';
import { servedChain } from '../chains.ts';
import { deadlineMs, inFlight, isSettledAtHead, placeOf, requirePayable } from '../orders/payments/payable.ts';
import { isUnderWay } from '../orders/underWay.ts';
import { orderRow, unitsOf } from '../orders/views.ts';
import { findPayout, payeeOn, readPayoutHandle } from '../workspaces/payouts.ts';

export type Due = {
  order: Row<'Order'> | null;
  chain: Chain;
  recipient: string;
  currency: string;
  /** Null for the native asset. */
  token: string | null;
  decimals: number;
  /** What is missing. */
  units: bigint;
  /** The recipient has no account of the token yet: the first transfer to it opens one. */
  opens: boolean;
  /** Unix milliseconds by which it has to be there; null without an end. */
  endsAt: number | null;
};

export type DueWish = {
  orderId?: string | undefined;
  recipient?: string | undefined;
  amount?: string | undefined;
  currency?: string | undefined;
  chain?: string | undefined;
};

/**
 * @throws AppError `resource_missing`, `handle_not_found`, `state_conflict` for an order that cannot be paid or is being paid, `parameter_invalid`,
 * `parameter_missing`, `unsupported_chain`, `unsupported_asset`
 */
export async function dueOf(ctx: Ctx, wish: DueWish): Promise<Due> {
  return wish.orderId === undefined
    ? walletDue(ctx, wish)
    : orderDue(ctx, wish.orderId, wish).catch((error: unknown) => {
        throw asConflict(error);
      });
}

/** Here every state in which an order takes no payment has one code; its sentence says which it is. */
export function asConflict(error: unknown): unknown {
  const isConflict = error instanceof AppError && ['order_not_payable', 'payment_in_flight'].includes(error.code);
  return isConflict ? new AppError('state_conflict', error.message, { cause: error }) : error;
}

/** Later than this nothing that is sent now can be swept in time. */
export function isTooLate(ctx: Ctx, { endsAt }: Due): boolean {
  return endsAt !== null && ctx.clock.now() > endsAt;
}

async function orderDue(ctx: Ctx, orderId: string, wish: DueWish): Promise<Due> {
  const order = await orderRow(ctx, orderId);
  requireOwn(order, wish);
  requirePayable(ctx, order);
  const place = placeOf(ctx, order);
  const { chain, terms, native } = place;
  if (!takesDeposits(place)) {
    const words = `Orders in ${order.currency} on ${chain.facts.label} are paid from a connected wallet there.`;
    throw new AppError('unsupported_asset', words, { param: 'orderId' });
  }
  const endsAt = deadlineMs(order) - LAST_DEPOSIT_MS;
  const recipient = depositAddress(place);
  const [isPaying, isPaid, there, hasAccount] = await Promise.all([
    isUnderWay(ctx.db, orderId),
    isSettledAtHead(ctx, order),
    assetBalance(chain, terms.token, recipient),
    hasAccountFor(chain, recipient, terms.token),
  ]);
  if (isPaying || isPaid) throw inFlight('order');
  // What lies there counts before the indexer has noted it.
  const received = unitsOf(order.receivedUnits);
  const units = unitsOf(order.units) - (there > received ? there : received);
  if (units <= 0n) throw inFlight('order');
  const token = native ? null : terms.token;
  const { currency, decimals } = order;
  return { order, chain, recipient, currency, token, decimals, units, opens: !hasAccount, endsAt };
}

/** Whatever the request repeats has to be the order's own. */
function requireOwn(order: Row<'Order'>, { chain, currency, recipient }: DueWish): void {
  if (recipient !== undefined)
    throw new AppError('parameter_invalid', 'Name an order or a recipient, not both.', { param: 'recipient' });
  if (chain !== undefined && chain !== order.chain)
    throw new AppError('unsupported_chain', `This order is paid on ${order.chain}.`, { param: 'chain' });
  if (currency !== undefined && currency !== order.currency)
    throw new AppError('unsupported_asset', `This order is paid in ${order.currency}.`, { param: 'currency' });
}

async function walletDue(ctx: Ctx, wish: DueWish): Promise<Due> {
  const { amount, currency = 'USDC', chain: name } = wish;
  if (wish.recipient === undefined || amount === undefined || name === undefined) {
    const param = wish.recipient === undefined ? 'recipient' : amount === undefined ? 'amount' : 'chain';
    throw new AppError('parameter_missing', undefined, { param });
  }
  const facts = findChain(name);
  if (!facts || !ctx.chains[facts.name]) throw new AppError('unsupported_chain', undefined, { param: 'chain' });
  const chain = servedChain(ctx, name);
  const native = currency !== 'USDC';
  if (native && currency !== facts.native) {
    const words = `${facts.label} supports USDC and ${facts.native}.`;
    throw new AppError('unsupported_asset', words, { param: 'currency' });
  }
  const decimals = native ? facts.nativeDecimals : facts.usdcDecimals;
  const units = parseUnits(amount, decimals);
  if (units === null || units <= 0n)
    throw new AppError('parameter_invalid', 'amount must be a decimal string such as "12.50".', { param: 'amount' });
  const recipient = await walletOf(ctx, chain, wish.recipient);
  const [state] = await recipientStates(chain, [{ owner: recipient, token: chain.usdc }]);
  if (state === 'not_a_wallet' || state === 'frozen') {
    const words = state === 'frozen' ? 'This wallet’s USDC is frozen by its issuer.' : 'This address isn’t a wallet.';
    throw new AppError('parameter_invalid', words, { param: 'recipient' });
  }
  const token = native ? null : chain.usdc;
  const opens = token !== null && state === 'new';
  return { order: null, chain, recipient, currency, token, decimals, units, opens, endsAt: null };
}

/** @param recipient an address, or a handle with its sign */
async function walletOf(ctx: Ctx, chain: Chain, recipient: string): Promise<string> {
  if (!recipient.startsWith('@')) {
    const address = canonicalAddress(chain.family, recipient);
    if (!address) {
      const words = 'Invalid recipient. Use an address or a @handle.';
      throw new AppError('parameter_invalid', words, { param: 'recipient' });
    }
    return address;
  }
  const slug = readPayoutHandle(recipient);
  const handle = await ctx.db.handle.findUnique({ where: { slug }, select: { id: true } });
  if (!handle) throw new AppError('handle_not_found', undefined, { param: 'recipient' });
  const { router, payee } = payeeOn(await findPayout(ctx.db, handle), chain);
  if (router === 'business') {
    const words = `@${slug} is a business. Pay it with an order or a payment link.`;
    throw new AppError('parameter_invalid', words, { param: 'recipient' });
  }
  return payee;
}
