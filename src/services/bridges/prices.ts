// What money is worth and what it costs to send: native assets in USD, network fees, and what bridges ask. Kept for a moment, requested once.
import { randomUUID } from 'node:crypto';
import { acrossPrice } from '../../chain/bridge/acrossPrices.ts';
import { BridgeRefusal } from '../../chain/bridge/http.ts';
import { gasPrice, networkCost, type Sending } from '../../chain/bridge/legs.ts';
import type { Price, PriceRequest } from '../../chain/bridge/price.ts';
import { quoteRelay, type RelayApi, type RelayQuote, relayPrice, relaySide } from '../../chain/bridge/relay.ts';
import type { Chain } from '../../chain/chain.ts';
import { spotPrice as nativePrice } from '../../chain/prices.ts';
import type { Address } from '../../chain/rpc/client.ts';
import { type Ctx, evmChainOf } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { type MicroUsd, scaleUnits } from '../../domain/money.ts';
import { type BridgeName, SLIPPAGE_BPS } from '../../domain/smartLeg.ts';
import { hit, remaining, type Window } from '../rateLimit.ts';
import { once } from './memo.ts';

const SPOT_KEPT_MS = 15_000;
const GAS_KEPT_MS = 10_000;
/** What is listed is good for at least so long. */
const LEAST_LEFT_MS = 12_000;
/** How long a bridge's refusal of a route is kept. */
const REFUSED_MS = 60_000;

/** Micro-USD of one whole native unit; null while the feeds give no price. @throws AppError `provider_unavailable` */
export async function spotPrice(ctx: Ctx, chain: Chain): Promise<MicroUsd | null> {
  const until = () => ctx.clock.now() + SPOT_KEPT_MS;
  const answer = await once(ctx, `spot ${chain.name}`, () => nativePrice(chain, ctx.chains), until);
  return 'price' in answer ? answer.price : null;
}

/** What the network takes at most for a leg, in native units. @throws AppError `provider_unavailable` */
export async function networkFee(ctx: Ctx, chain: Chain, sending: Sending): Promise<bigint> {
  const until = () => ctx.clock.now() + GAS_KEPT_MS;
  return networkCost(chain, await once(ctx, `gas ${chain.name}`, () => gasPrice(chain), until), sending);
}

export type BridgeRoute = {
  via: BridgeName;
  origin: Chain;
  destination: Chain;
  /** Null for the native asset, which only Relay takes. */
  inputToken: string | null;
  outputToken: string | null;
  inputDecimals: number;
  outputDecimals: number;
  /** USD of one unit, times 10^24. */
  inputValue: bigint;
  outputValue: bigint;
};

/**
 * For whom it is: Relay wants to know them, though its price is the same for all, but that `opens` costs more: the recipient has no account of the token
 * yet. `client` shares Relay's quotes out; null for our own processes.
 */
export type Who = { payer: string; recipient: string; client: string | null; opens?: boolean };

/**
 * What a bridge asks for about this much to arrive, in steps of twice the amount.
 * @returns null where it does not take it; `unavailable` where it does not answer
 */
export async function bridgePrice(
  ctx: Ctx,
  route: BridgeRoute,
  arrives: bigint,
  who: Who,
): Promise<Price | null | 'unavailable'> {
  const { via, origin, destination, inputToken, outputToken } = route;
  const about = 2n ** BigInt(arrives.toString(2).length);
  const to = `${destination.name} ${outputToken}${who.opens ? ' opened' : ''}`;
  const key = `${via} ${origin.name} ${inputToken} ${to} ${about}`;
  const load = () => (via === 'across' ? askAcross(ctx, route, about) : askRelay(ctx, route, about, who));
  // One that is nearly over is no price to choose by: it is requested again.
  const until = (price: Price | null) => (price ? price.expiresAt - LEAST_LEFT_MS : ctx.clock.now() + REFUSED_MS);
  return unlessAway(() => once(ctx, key, load, until));
}

/** @returns null for a refusal, `unavailable` for a bridge that does not answer or wants to be left alone */
export async function unlessAway<T>(ask: () => Promise<T>): Promise<T | null | 'unavailable'> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof BridgeRefusal && !error.isBusy) return null;
    if (error instanceof BridgeRefusal || (error instanceof AppError && error.code === 'provider_unavailable'))
      return 'unavailable';
    throw error;
  }
}

function askAcross(ctx: Ctx, route: BridgeRoute, about: bigint): Promise<Price | null> {
  const { inputDecimals, outputDecimals } = route;
  const [origin, destination] = [evmChainOf(ctx, route.origin.name), evmChainOf(ctx, route.destination.name)];
  if (route.inputToken === null || route.outputToken === null) throw new Error('Across moves tokens');
  const [inputToken, outputToken] = [route.inputToken as Address, route.outputToken as Address];
  const request: PriceRequest = {
    origin: origin.facts.chainId,
    destination: destination.facts.chainId,
    amount: scaleUnits(about, outputDecimals, inputDecimals),
    inputDecimals,
    outputDecimals,
  };
  const api = { root: ctx.env.ACROSS_API_ROOT, integratorId: ctx.env.ACROSS_INTEGRATOR_ID };
  return acrossPrice(api, { ...request, inputToken, outputToken }, ctx.clock.now());
}

async function askRelay(ctx: Ctx, route: BridgeRoute, about: bigint, who: Who): Promise<Price | null> {
  const quote = await firmQuote(ctx, route, { ...who, amount: about, slippageBps: SLIPPAGE_BPS.usual }, 'price');
  return relayPrice(quote, { amount: about }, route.inputValue, route.outputValue, ctx.clock.now());
}

/** Relay takes fifty quotes a minute from all processes together: a part of them is kept for payments. */
const QUOTES: Record<'price' | 'payment', Window> = {
  price: { points: 35, windowMs: 60_000 },
  payment: { points: 15, windowMs: 60_000 },
};

/** Of one network address: enough for a person who changes their mind, and not for the whole minute. */
const SHARE: typeof QUOTES = {
  price: { points: 12, windowMs: 60_000 },
  payment: { points: 6, windowMs: 60_000 },
};

/**
 * What Relay wants for exactly that to arrive.
 * @throws BridgeRefusal also when this minute's quotes are used up, AppError `provider_unavailable`
 */
export async function firmQuote(
  ctx: Ctx,
  { origin, destination, inputToken, outputToken, inputDecimals, outputDecimals }: BridgeRoute,
  request: Who & { amount: bigint; slippageBps: number },
  purpose: keyof typeof QUOTES,
): Promise<RelayQuote> {
  const { client, opens: _, ...wish } = request;
  const limits = [{ key: `relay quotes:${purpose}`, window: QUOTES[purpose] }];
  if (client !== null) limits.push({ key: `relay quotes:${purpose}:${client}`, window: SHARE[purpose] });
  const action = { id: randomUUID(), limits };
  const room = await hit(ctx, ctx.db, action, ctx.clock.now());
  if (!room.allowed) throw new BridgeRefusal('RATE_LIMITED', 'Relay’s quotes of this minute are used up', true);
  const input = relaySide(origin, inputToken, inputDecimals);
  const output = relaySide(destination, outputToken, outputDecimals);
  return quoteRelay(relayApi(ctx), { ...wish, input, output }, origin.relay);
}

/** What is left of the quotes of this minute. @throws AppError `provider_unavailable` while Redis is away */
export async function quotesLeft(
  ctx: Ctx,
): Promise<{ prices: number; prices_of: number; payments: number; payments_of: number }> {
  const left = (purpose: 'price' | 'payment') =>
    remaining(ctx, ctx.db, { key: `relay quotes:${purpose}`, window: QUOTES[purpose] }, ctx.clock.now());
  const [prices, payments] = await Promise.all([left('price'), left('payment')]);
  return { prices, prices_of: QUOTES.price.points, payments, payments_of: QUOTES.payment.points };
}

export function relayApi({ env }: Ctx): RelayApi {
  return { root: env.RELAY_API_ROOT, key: env.RELAY_API_KEY };
}
