// What an order or a link may ask for: which asset on which chain, how much of it, for how long, and what is written beside it.

import type { Chain } from '../../chain/chain.ts';
import { nativeToken } from '../../chain/orders.ts';
import { spotPrice } from '../../chain/prices.ts';
import { hasAccountFor } from '../../chain/tabs.ts';
import type { Ctx } from '../../context.ts';
import { type ChainName, canonicalChain } from '../../domain/chains.ts';
import { AppError } from '../../domain/errors.ts';
import { type Metadata, readMetadata } from '../../domain/metadata.ts';
import {
  formatUnits,
  formatUsd,
  type MicroUsd,
  parseUnits,
  scaleUnits,
  USDC_PRICE,
  usdForUnits,
} from '../../domain/money.ts';
import { EXPIRES_IN } from '../../domain/order.ts';
import { isLive } from '../chains.ts';

/** USDC is written with six decimals everywhere, whatever the chain's token has. */
const USDC_DECIMALS = 6;

export type PayableAsset = {
  chain: Chain;
  currency: string;
  token: string;
  native: boolean;
  /** Of the token on its chain, and the most that people may write. */
  decimals: number;
  written: number;
};

/**
 * Chain and currency in any case.
 * @param livemode the mode of the caller's key; undefined for a caller without a mode
 * @throws AppError `unsupported_chain`, `unsupported_asset`, `mode_mismatch`
 */
export function readAsset(ctx: Ctx, name: string, named: string, livemode?: boolean): PayableAsset {
  const currency = named.toUpperCase();
  const key = canonicalChain(name);
  const chain = Object.hasOwn(ctx.chains, key) ? ctx.chains[key as ChainName] : undefined;
  if (!chain) throw new AppError('unsupported_chain', chainWords(ctx, livemode), { param: 'chain' });
  if (livemode !== undefined && livemode !== isLive(chain))
    throw new AppError('mode_mismatch', undefined, { param: 'chain' });
  const { usdcDecimals, native, nativeDecimals } = chain.facts;
  if (currency === 'USDC')
    return { chain, currency, token: chain.usdc, native: false, decimals: usdcDecimals, written: USDC_DECIMALS };
  if (currency === native)
    return {
      chain,
      currency,
      token: nativeToken(chain),
      native: true,
      decimals: nativeDecimals,
      written: nativeDecimals,
    };
  const words = `currency must be USDC or ${native} on ${chain.facts.label}.`;
  throw new AppError('unsupported_asset', words, { param: 'currency' });
}

/** @returns the chains to choose from, or undefined where the mode has none */
function chainWords(ctx: Ctx, livemode: boolean | undefined): string | undefined {
  const served = Object.values(ctx.chains).filter((one) => livemode === undefined || livemode === isLive(one));
  const names = served.map(({ facts }) => facts.name);
  return names.length > 0 ? `chain must be one of: ${names.join(', ')}.` : undefined;
}

/** Payees whose account was there: one that was closed since is found when it is paid. */
const ready = new WeakMap<Chain, Set<string>>();
const MOST_READY = 10_000;

/**
 * On some networks a wallet receives a token only once it has an account for it, which we do not open: who closes it is paid for that.
 * @throws AppError `state_conflict` for a wallet without one, `provider_unavailable`
 */
export async function requireAccount(
  { chain, token, native }: PayableAsset,
  slug: string,
  payee: string,
): Promise<void> {
  const known = ready.get(chain) ?? new Set();
  ready.set(chain, known);
  if (native || known.has(payee)) return;
  if (!(await hasAccountFor(chain, payee, token))) {
    const words = `@${slug}’s wallet can’t receive USDC on ${chain.facts.label} yet. Receive USDC there once, or allow spending on ${chain.facts.label}: both open its account.`;
    throw new AppError('state_conflict', words, { param: 'recipient' });
  }
  if (known.size >= MOST_READY) known.clear();
  known.add(payee);
}

/** Smallest units of an amount in the range of orders. @throws AppError `parameter_invalid`, `amount_out_of_range`, `provider_unavailable` */
export async function readOrderAmount(
  ctx: Ctx,
  asset: PayableAsset,
  amount: string,
  param = 'amount',
): Promise<bigint> {
  const written = parseUnits(amount, asset.written);
  if (written === null) {
    const words = `${param} must be a decimal string such as "12.50", with at most ${asset.written} decimals.`;
    throw new AppError('parameter_invalid', words, { param });
  }
  const price = asset.native ? await priceOf(ctx, asset.chain) : USDC_PRICE;
  const usd = usdForUnits(written, price, asset.written);
  const { ORDER_LEAST_USD: least, ORDER_MOST_USD: most } = ctx.env;
  if (usd < least || usd > most) {
    const range = `${formatUsd(least)} to ${formatUsd(most)}`;
    const words = asset.currency === 'USDC' ? `${range} USDC` : `${range} US dollars in value`;
    throw new AppError('amount_out_of_range', `${param} must be from ${words}.`, { param });
  }
  return scaleUnits(written, asset.written, asset.decimals);
}

/** Units of an amount as people write it, above nothing and in no range. @throws AppError `parameter_invalid` */
export function readWritten(currency: string, decimals: number, amount: string, param = 'amount'): bigint {
  const written = currency === 'USDC' ? USDC_DECIMALS : decimals;
  const units = parseUnits(amount, written);
  if (units !== null && units > 0n) return scaleUnits(units, written, decimals);
  throw new AppError('parameter_invalid', `${param} must be a decimal string such as "12.50".`, { param });
}

export function formatAmount(asset: PayableAsset, units: bigint): string {
  return `${formatUnits(units, asset.decimals)} ${asset.currency}`;
}

/** For the range only, so a price may be a minute old; asking the feeds each time would make every native order as slow as the chain. */
const PRICE_GOOD_MS = 60_000;
const prices = new WeakMap<Chain, { at: number; price: MicroUsd }>();

async function priceOf(ctx: Ctx, chain: Chain): Promise<MicroUsd> {
  const now = ctx.clock.now();
  const known = prices.get(chain);
  if (known && now - known.at < PRICE_GOOD_MS) return known.price;
  const answer = await spotPrice(chain, ctx.chains);
  if ('stale' in answer) {
    const words = `The price of ${chain.facts.native} is currently unavailable. Use USDC, or try again shortly.`;
    throw new AppError('provider_unavailable', words);
  }
  prices.set(chain, { at: now, price: answer.price });
  return answer.price;
}

/** Seconds. @throws AppError `parameter_invalid` */
export function readExpiresIn(given: number | undefined): number {
  const seconds = given ?? EXPIRES_IN.usual;
  if (Number.isInteger(seconds) && seconds >= EXPIRES_IN.least && seconds <= EXPIRES_IN.most) return seconds;
  const { least, most } = EXPIRES_IN;
  const isWhole = Number.isInteger(seconds);
  const bound = seconds < least ? `at least ${least}` : `at most ${most}`;
  const words = isWhole ? `expires_in must be ${bound} seconds.` : 'expires_in must be a whole number of seconds.';
  throw new AppError('parameter_invalid', words, { param: 'expires_in' });
}

/** @throws AppError `parameter_invalid` */
export function metadataOf(value: unknown): Metadata {
  const read = readMetadata(value);
  if ('metadata' in read) return read.metadata;
  throw new AppError('parameter_invalid', read.problem, { param: read.key ? `metadata[${read.key}]` : 'metadata' });
}
