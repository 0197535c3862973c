// What a handle's wallets hold on every served chain, and what that is worth in USD. Pages and chats both read it from here; it changes nothing.
import type { Chain } from '../../chain/chain.ts';
import { spotPrice } from '../../chain/prices.ts';
import { nativeBalance, tokenBalance } from '../../chain/senders.ts';
import type { Ctx } from '../../context.ts';
import { CHAINS } from '../../domain/chains.ts';
import { AppError } from '../../domain/errors.ts';
import { formatUnits, formatUsd, type MicroUsd, USDC_PRICE, usdForUnits } from '../../domain/money.ts';
import type { WalletFamily } from '../../domain/walletFamily.ts';
import { isSameAddress } from '../../domain/walletFamily.ts';
import { type Places, placeOn, reachesOn } from '../../domain/walletReach.ts';
import { isLive } from '../chains.ts';

/** `wrapped`: the chain's own coin as a token. `usd` is null where it has no price at the moment. */
export type Holding = { asset: string; kind: 'usdc' | 'native' | 'wrapped'; amount: string; usd: string | null };
type Head = { chain: string; label: string; family: WalletFamily; livemode: boolean; address: string };
export type ChainHoldings = Head & { unreachable: boolean; holdings: Holding[] };
/** Of the chains that answered: `unreachable` names the others, `unpriced` the assets that have no price. */
export type Total = { total_usd: string; unreachable: string[]; unpriced: string[] };
/** A total is null where no chain of its mode is served to this person. */
export type Holdings = { live: Total | null; test: Total | null; chains: ChainHoldings[] };

/** A chain that is slower than this is named as unreachable, and holds up no other. */
const PATIENCE_MS = 3_000;

type Read = Head & { unreachable: boolean; priced: (Holding & { micros: MicroUsd | null })[] };

export async function holdingsOf(ctx: Ctx, places: Places): Promise<Holdings> {
  const theirs = Object.values(ctx.chains).filter(({ name }) => reachesOn(places, name));
  const chains = await Promise.all(
    theirs.map((chain) => readChain(ctx, chain, placeOn(places, chain.name)?.address ?? '')),
  );
  const totalOf = (live: boolean) => sumUp(chains.filter(({ livemode }) => livemode === live));
  return {
    live: totalOf(true),
    test: totalOf(false),
    chains: chains.map(({ priced, ...chain }) => ({
      ...chain,
      holdings: priced.map(({ micros: _, ...holding }) => holding),
    })),
  };
}

function sumUp(chains: Read[]): Total | null {
  if (chains.length === 0) return null;
  const all = chains.flatMap(({ priced }) => priced);
  return {
    total_usd: formatUsd(all.reduce((sum, { micros }) => sum + (micros ?? 0n), 0n)),
    unreachable: chains.filter(({ unreachable }) => unreachable).map(({ label }) => label),
    unpriced: [...new Set(all.flatMap(({ micros, asset }) => (micros === null ? [asset] : [])))],
  };
}

async function readChain(ctx: Ctx, chain: Chain, address: string): Promise<Read> {
  const { label, family } = chain.facts;
  const head = { chain: chain.name, label, family, livemode: isLive(chain), address };
  try {
    return { ...head, unreachable: false, priced: await inTime(readHoldings(ctx, chain, address)) };
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'provider_unavailable'))
      ctx.log.warn({ err: error, chain: chain.name }, 'balances could not be read');
    return { ...head, unreachable: true, priced: [] };
  }
}

/** USDC always; the native asset and its wrapped form where there are any. */
async function readHoldings(ctx: Ctx, chain: Chain, address: string): Promise<Read['priced']> {
  const { native, nativeDecimals, usdcDecimals } = chain.facts;
  const [usdc, coins, wrapped] = await Promise.all([
    tokenBalance(chain, chain.usdc, address),
    nativeBalance(chain, address),
    // Celo's native asset is a token itself: both are one balance.
    isSameAddress(chain.wrappedNative, CHAINS.celo.wrappedNative)
      ? 0n
      : tokenBalance(chain, chain.wrappedNative, address),
  ]);
  const price = coins + wrapped > 0n ? await priceOf(ctx, chain) : null;
  const of = (asset: string, kind: Holding['kind'], units: bigint, decimals: number, at: MicroUsd | null) => {
    const micros = at === null ? null : usdForUnits(units, at, decimals);
    return {
      asset,
      kind,
      amount: formatUnits(units, decimals),
      usd: micros === null ? null : formatUsd(micros),
      micros,
    };
  };
  return [
    of('USDC', 'usdc', usdc, usdcDecimals, USDC_PRICE),
    ...(coins > 0n ? [of(native, 'native', coins, nativeDecimals, price)] : []),
    ...(wrapped > 0n ? [of(native, 'wrapped', wrapped, nativeDecimals, price)] : []),
  ];
}

/** Null where no feed can be believed: what has no price is named, and not counted. */
async function priceOf(ctx: Ctx, chain: Chain): Promise<MicroUsd | null> {
  try {
    const answer = await spotPrice(chain, ctx.chains);
    return 'price' in answer ? answer.price : null;
  } catch {
    return null;
  }
}

/** @throws AppError `provider_unavailable` after the time that a person waits */
function inTime<T>(reading: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AppError('provider_unavailable')), PATIENCE_MS);
  });
  return Promise.race([reading, late]).finally(() => clearTimeout(timer));
}
