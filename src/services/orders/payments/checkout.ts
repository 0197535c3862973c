// The first half of the hosted checkout: whether a payer can pay an order with the chosen payment method, and what that payer signs or sends.
import { randomBytes } from 'node:crypto';
import { canonicalAddress } from '../../../chain/addresses.ts';
import { bridgesBetween } from '../../../chain/bridge/routes.ts';
import { prepareMove, takesDeposits } from '../../../chain/orders.ts';
import { encodePayment } from '../../../chain/routers/payment.ts';
import type { Address, EvmChain, Hex } from '../../../chain/rpc/client.ts';
import { assetBalance } from '../../../chain/senders.ts';
import { allowanceOf, gaslessWays, type Way } from '../../../chain/signing/gasless.ts';
import { orderSignatures } from '../../../chain/signing/orderAuthorizations.ts';
import { encodeApprove, permitNonce } from '../../../chain/signing/permits.ts';
import { walletsSend } from '../../../chain/spending.ts';
import { type Ctx, evmChainOf } from '../../../context.ts';
import type { Row } from '../../../db.ts';
import { CHAINS, type ChainName, chainLabel, findChain } from '../../../domain/chains.ts';
import {
  type Asset,
  PAYMENT_SIGNATURE_MS,
  SIGNED_WAYS,
  type SignedWay,
  WHOLE_SIGNATURE_MS,
} from '../../../domain/checkout.ts';
import { AppError } from '../../../domain/errors.ts';
import { formatUnits } from '../../../domain/money.ts';
import type { OrderRouter, RouterOrderTerms } from '../../../domain/typedData/orders.ts';
import type { TypedData } from '../../../domain/typedData.ts';
import { type WalletChain, walletChain } from '../../accounts/walletChains.ts';
import { isLive } from '../../chains.ts';
import { choosePayer } from '../../outgoing/payers.ts';
import { hasLiveLegs } from '../underWay.ts';
import { orderRow, type PublicOrder, publicOrder } from '../views.ts';
import { type DepositOffer, offerDeposit } from './deposits.ts';
import { deadlineMs, inFlight, isSettledAtHead, type OrderPlace, placeOf, requirePayable } from './payable.ts';
import { seenPayment } from './pending.ts';

export type CheckoutWish = {
  order_id: string;
  payer?: string | undefined;
  asset?: Asset | undefined;
  chain?: string | undefined;
  way?: 'auto' | 'direct' | 'deposit' | SignedWay | undefined;
};

/** What to sign, and what to bring back with the signatures. `until` is ISO 8601, `valid_until` in Unix seconds. */
type SignedOffer = {
  way: SignedWay;
  gasless: true;
  sign: { name: string; typed_data: TypedData; allows: string; until: string }[];
  submit: { payer: Address; way: SignedWay; valid_until: number; nonce?: string };
};
/** The whole transaction in base64, to be signed and brought back. `until` is ISO 8601. */
type WholeOffer = {
  way: 'transaction';
  gasless: true;
  transaction: { solana_transaction: string; allows: string; until: string };
  submit: { payer: string; way: 'transaction' };
};
/** What the payer's wallet sends by itself, one after the other. */
type DirectOffer = {
  way: 'direct';
  gasless: false;
  calls: { kind: 'approve' | 'pay'; to: Address; data: Hex; value: Hex; chainId: number; words: string }[];
  submit: null;
};

export type PreparedPayment = {
  order: PublicOrder;
  chain: WalletChain;
  asset: { symbol: string; address: string | null; decimals: number; units: string };
  payer: string | null;
  balance: string | null;
  too_little: { balance: string; needed: string; currency: string } | null;
  payment: SignedOffer | WholeOffer | DirectOffer | null;
  deposit: DepositOffer | null;
  /** Another chain or asset than the order's own of the request, from which bridges lead here; null for its own. */
  source: { chain: string; asset: string } | null;
  alternatives: { way: 'auto' | 'direct' | 'deposit'; gasless: boolean; words: string }[];
};

/**
 * What to sign or to send for an order. From another chain or asset than its own nothing is prepared here: the candidates of smart payments are the
 * way. By default by the cheapest method that the wallet and the chain support. Only a deposit address leaves a
 * trace, because it is watched from then on.
 * @throws AppError `resource_missing`, `unsupported_chain`, `unsupported_asset`, `order_not_payable`, `payment_in_flight`, `parameter_invalid`,
 * `delegation_legacy` and `call_refused` for a requested method that is unavailable, `provider_unavailable`
 */
export async function prepareCheckout(ctx: Ctx, wish: CheckoutWish): Promise<PreparedPayment> {
  const order = await orderRow(ctx, wish.order_id);
  const source = readSource(ctx, order, wish);
  requirePayable(ctx, order);
  const place = placeOf(ctx, order);
  const [isPaid, isBridged] = await Promise.all([isSettledAtHead(ctx, order), hasLiveLegs(ctx.db, order.id)]);
  if (isPaid || isBridged) throw inFlight('order');
  const { way = 'auto' } = wish;
  const payer = wish.payer === undefined ? null : canonicalAddress(familyOn(source?.chain ?? order.chain), wish.payer);
  if (wish.payer !== undefined && !payer)
    throw new AppError('parameter_invalid', 'Invalid address. Check it and try again.', { param: 'payer' });

  const { chain, terms, native } = place;
  const shown = await publicOrder(ctx, order, await seenPayment(ctx, order));
  const [units, payment, deposit] = await Promise.all([
    payer === null || source ? null : assetBalance(chain, terms.token, payer),
    payer && !source && way !== 'deposit' ? offerPayment(ctx, order, place, payer, way, shown) : null,
    way === 'deposit' && !source ? offerDeposit(ctx, order, place) : null,
  ]);
  const inWords = (value: bigint) => formatUnits(value, order.decimals);
  const tooLittle = units !== null && units < terms.amount;
  return {
    order: shown,
    chain: walletChain(ctx, chain),
    asset: {
      symbol: order.currency,
      address: native ? null : terms.token,
      decimals: order.decimals,
      units: String(terms.amount),
    },
    payer,
    balance: units === null ? null : inWords(units),
    too_little: tooLittle ? { balance: inWords(units), needed: inWords(terms.amount), currency: order.currency } : null,
    payment,
    deposit,
    source,
    alternatives: alternativesTo(deposit ? 'deposit' : (payment?.way ?? null), place),
  };
}

/** The chain must be served and must take the asset. What is not the order's own has to be bridged. @returns null for the order's own */
function readSource(
  ctx: Ctx,
  order: Row<'Order'>,
  { chain: name = order.chain, asset }: CheckoutWish,
): PreparedPayment['source'] {
  const facts = findChain(name);
  if (!facts || !ctx.chains[facts.name]) throw new AppError('unsupported_chain', undefined, { param: 'chain' });
  if (asset !== undefined && asset !== 'USDC' && asset !== facts.native) {
    const words = `${facts.label} supports USDC and ${facts.native}.`;
    throw new AppError('unsupported_asset', words, { param: 'asset' });
  }
  const wanted = asset ?? (name === order.chain || order.currency === 'USDC' ? order.currency : facts.native);
  if (name === order.chain && wanted === order.currency) return null;
  if (leadsHere(ctx, order, facts.name, wanted)) return { chain: name, asset: wanted };
  if (name !== order.chain) {
    const words = `This order can only be paid on ${chainLabel(order.chain)}.`;
    throw new AppError('unsupported_chain', words, { param: 'chain' });
  }
  throw new AppError('unsupported_asset', `This order can only be paid in ${order.currency}.`, { param: 'asset' });
}

const familyOn = (chain: string) => CHAINS[chain as ChainName].family;

/** Whether a bridge leads from an asset of a chain to what is due. Play money never pays for real money. */
function leadsHere(ctx: Ctx, order: Row<'Order'>, from: ChainName, asset: string): boolean {
  const [origin, destination] = [ctx.chains[from], ctx.chains[order.chain as ChainName]];
  if (!origin || !destination || isLive(origin) !== isLive(destination)) return false;
  // What is bridged is delivered to the order's own address.
  if (!takesDeposits(placeOf(ctx, order))) return false;
  const areTokens = asset === 'USDC' && order.currency === 'USDC';
  return bridgesBetween({ origin, destination, areTokens }).length > 0;
}

async function offerPayment(
  ctx: Ctx,
  order: Row<'Order'>,
  place: OrderPlace,
  wallet: string,
  asked: 'auto' | 'direct' | SignedWay,
  shown: PublicOrder,
): Promise<SignedOffer | WholeOffer | DirectOffer> {
  const whole = await offerWhole(ctx, order, place, wallet, shown);
  if (whole) return whole;
  const [payer, evm] = [wallet as Address, evmPlace(ctx, place)];
  if (place.native || asked === 'direct') return offerDirect(evm, payer, shown);
  const way = await chooseWay(evm, payer, asked);
  if (way === 'direct') return offerDirect(evm, payer, shown);
  return (await offerSigned(ctx, order, evm, payer, way, shown)) ?? offerDirect(evm, payer, shown);
}

type EvmPlace = { chain: EvmChain; router: OrderRouter; terms: RouterOrderTerms; native: boolean };

/** Of a chain on which wallets sign texts, or send by themselves. */
function evmPlace(ctx: Ctx, { chain, router, terms, native }: OrderPlace): EvmPlace {
  return { chain: evmChainOf(ctx, chain.name), router, terms: terms as RouterOrderTerms, native };
}

/** Where the payer signs the transaction itself. It is good as long as its block hash: about a minute. */
async function offerWhole(
  ctx: Ctx,
  order: Row<'Order'>,
  place: OrderPlace,
  payer: string,
  shown: PublicOrder,
): Promise<WholeOffer | null> {
  const prepared = await prepareMove(place, { name: 'pay', payer }, await choosePayer(ctx, place.chain, 0));
  if (!prepared) return null;
  const { solana_transaction } = prepared;
  const until = new Date(Math.min(ctx.clock.now() + WHOLE_SIGNATURE_MS, deadlineMs(order))).toISOString();
  const money = `exactly ${shown.amount} ${shown.currency} on ${shown.chain_label}`;
  const allows = `It pays ${money} to @${shown.merchant.handle} for this order, once. It is valid for about a minute.`;
  return {
    way: 'transaction',
    gasless: true,
    transaction: { solana_transaction, allows, until },
    submit: { payer, way: 'transaction' },
  };
}

/** The cheapest that is available, or the one that the request names. */
async function chooseWay({ chain, router, terms }: EvmPlace, payer: Address, asked: 'auto' | SignedWay): Promise<Way> {
  const { ways, closed } = await gaslessWays(chain, payer, { router, amount: terms.amount });
  if (asked === 'auto') return ways[0]?.way ?? 'direct';
  if (ways.some(({ way }) => way === asked)) return asked;
  if (closed[asked]?.why === 'delegation_legacy') throw new AppError('delegation_legacy');
  throw new AppError(
    'call_refused',
    `This wallet can’t pay this way on ${chain.facts.label}. Pay with your wallet’s own transaction instead.`,
  );
}

async function offerSigned(
  ctx: Ctx,
  order: Row<'Order'>,
  { chain, router, terms }: EvmPlace,
  payer: Address,
  way: SignedWay,
  shown: PublicOrder,
): Promise<SignedOffer | null> {
  const now = ctx.clock.now();
  const validUntil = Math.floor(Math.min(now + PAYMENT_SIGNATURE_MS, deadlineMs(order)) / 1_000);
  const nonce = await nonceFor(chain, payer, way);
  const payment = { router, terms, payer, way, validUntil: BigInt(validUntil), nonce: nonce ?? 0n };
  const sign = await orderSignatures(chain, payment);
  if (!sign) return null;
  const untilOf = (name: string) => (name === 'order' ? shown.expires_at : new Date(validUntil * 1_000).toISOString());
  const minutes = Math.max(1, Math.round((validUntil * 1_000 - now) / 60_000));
  const good = `It is valid for ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`;
  const money = `exactly ${shown.amount} ${shown.currency} on ${shown.chain_label}`;
  const words: Record<string, string> = {
    authorization: `It pays ${money} to @${shown.merchant.handle} for this order, once. ${good}`,
    permit:
      way === 'permit2'
        ? `It pays ${money} to @${shown.merchant.handle} for this order, once. ${good}`
        : `It lets Ampersat’s payment contract take ${money}, once. ${good}`,
    order: `It pays ${money} to @${shown.merchant.handle} for this order, once, until the order ends.`,
  };
  return {
    way,
    gasless: true,
    sign: sign.map(({ name, data }) => ({
      name,
      typed_data: data,
      allows: words[name] ?? '',
      until: untilOf(name),
    })),
    submit: { payer, way, valid_until: validUntil, ...(nonce === null ? {} : { nonce: String(nonce) }) },
  };
}

async function nonceFor(chain: EvmChain, payer: Address, way: SignedWay): Promise<bigint | null> {
  if (way === 'eip2612') return permitNonce(chain, payer);
  // Permit2 takes any number that was not used: so many are free that chance does not meet one.
  return way === 'permit2' ? BigInt(`0x${randomBytes(31).toString('hex')}`) : null;
}

async function offerDirect(
  { chain, router, terms, native }: EvmPlace,
  payer: Address,
  { amount, currency, merchant, chain_label }: PublicOrder,
): Promise<DirectOffer> {
  const { chainId } = chain.facts;
  const to = chain.routers[router];
  const money = `exactly ${amount} ${currency}`;
  const pay = {
    kind: 'pay' as const,
    to,
    data: encodePayment(terms, payer, { way: 'direct' }),
    value: hexOf(native ? terms.amount : 0n),
    chainId,
    words: `Pays ${money} on ${chain_label} to @${merchant.handle} for this order. Your wallet adds the network fee.`,
  };
  const allowed = native || (await allowanceOf(chain, payer, to)) >= terms.amount;
  if (allowed) return { way: 'direct', gasless: false, calls: [pay], submit: null };
  const approve = {
    kind: 'approve' as const,
    to: chain.usdc,
    data: encodeApprove(to, terms.amount),
    value: hexOf(0n),
    chainId,
    words: `Lets Ampersat’s payment contract take ${money} from your wallet.`,
  };
  return { way: 'direct', gasless: false, calls: [approve, pay], submit: null };
}

function hexOf(value: bigint): Hex {
  return `0x${value.toString(16)}`;
}

const DIRECT = {
  way: 'direct' as const,
  gasless: false,
  words: 'Send it from your wallet, which pays the network fee.',
};
const DEPOSIT = {
  way: 'deposit' as const,
  gasless: false,
  words: 'Send it from any wallet or exchange to this order’s address.',
};

function alternativesTo(
  way: Way | 'transaction' | 'deposit' | null,
  place: OrderPlace,
): PreparedPayment['alternatives'] {
  const signed = way !== null && (SIGNED_WAYS as readonly string[]).includes(way);
  const sends = walletsSend(place.chain);
  // What was just offered is no alternative to itself; a wallet that has only its own transaction gets no promise of more.
  const auto = way !== 'transaction' && way !== 'direct' && !signed && !(sends && place.native);
  return [
    ...(auto ? [{ way: 'auto' as const, gasless: true, words: 'Sign once. Ampersat pays the network fee.' }] : []),
    ...(sends && way !== 'direct' ? [DIRECT] : []),
    ...(takesDeposits(place) && way !== 'deposit' ? [DEPOSIT] : []),
  ];
}
