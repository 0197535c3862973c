// From where a payer can pay: what its wallets hold on every chain, which way leads from there, and what the way costs.

import { type LegWay, leastKept, legWay } from '../../chain/bridge/legs.ts';
import type { Price } from '../../chain/bridge/price.ts';
import { bridgesBetween } from '../../chain/bridge/routes.ts';
import type { Chain } from '../../chain/chain.ts';
import { confirmationsOf } from '../../chain/heads.ts';
import { nativeToken } from '../../chain/orders.ts';
import { assetBalance, nativeBalance } from '../../chain/senders.ts';
import type { Ctx } from '../../context.ts';
import { type MicroUsd, scaleUnits, USDC_PRICE } from '../../domain/money.ts';
import type { Via } from '../../domain/smartLeg.ts';
import { givenFor, RATE_ONE, type Source } from '../../domain/smartPayment.ts';
import { familyOf } from '../../domain/walletFamily.ts';
import { once } from '../bridges/memo.ts';
import { bridgePrice, networkFee, spotPrice } from '../bridges/prices.ts';
import { isLive } from '../chains.ts';
import type { Due } from './due.ts';

/** Micro-USD that an executor asks for at least. */
const LEAST_FEE: MicroUsd = 10_000n;
const GASLESS_KEPT_MS = 60_000;

/** A source of a plan, and from what its leg is built. */
export type PaySource = Source & {
  via: Via;
  by: LegWay;
  payer: string;
  origin: Chain;
  asset: string;
  /** Null for the native asset. */
  token: string | null;
  decimals: number;
  /** Of the executor, in units of the asset; part of `fixed`. */
  fee: bigint;
  /** What the wallet has, also where the network fee needs some of it. */
  holds: bigint;
  /** What that network fee takes of it, with what has to stay in the wallet. */
  spent: bigint;
  /** Unix milliseconds. */
  priceUntil: number;
};

type Named = { chain: string; asset: string };

/** USD of one unit, times 10^24. */
export function unitValue(price: MicroUsd, decimals: number): bigint {
  return scaleUnits(price, 6, 24) / 10n ** BigInt(decimals);
}

/**
 * @param dueUnitValue USD of one unit that is due, times 10^24
 * @param named only these
 * @returns also sources that hold too little; `unavailable` names bridges that do not answer
 * @throws AppError `provider_unavailable` only for the due chain
 */
export async function readSources(
  ctx: Ctx,
  due: Due,
  dueUnitValue: bigint,
  { payers, named, client }: { payers: readonly string[]; named?: readonly Named[] | undefined; client: string | null },
): Promise<{ sources: PaySource[]; unavailable: string[] }> {
  const chains = Object.values(ctx.chains).filter((chain) => isLive(chain) === isLive(due.chain));
  const unavailable = new Set<string>();
  const wanted = ({ name }: Chain, asset: string) =>
    !named || named.some((one) => one.chain === name && one.asset === asset);
  const places = payers.flatMap((payer) =>
    chains.filter(({ family }) => family === familyOf(payer)).map((origin) => ({ payer, origin })),
  );
  const found = await Promise.all(
    places.flatMap(({ payer, origin }) =>
      ['USDC', origin.facts.native]
        .filter((asset) => wanted(origin, asset))
        .map((asset) => readSource(ctx, { due, dueUnitValue, payer, origin, asset, client }, unavailable)),
    ),
  );
  return { sources: found.filter((source) => source !== null), unavailable: [...unavailable] };
}

/** One chain that does not answer takes away its own sources and nothing else. */
async function tolerant<T>(read: () => Promise<T | null>): Promise<T | null> {
  return read().catch(() => null);
}

type Place = { due: Due; dueUnitValue: bigint; payer: string; origin: Chain; asset: string; client: string | null };

/** The cheapest way from one asset of one wallet; null where there is none. */
function readSource(ctx: Ctx, place: Place, unavailable: Set<string>): Promise<PaySource | null> {
  const { due, origin, asset, payer } = place;
  return tolerant(async () => {
    const isUsdc = asset === 'USDC';
    const token = isUsdc ? origin.usdc : null;
    const { usdcDecimals, nativeDecimals } = origin.facts;
    const decimals = isUsdc ? usdcDecimals : nativeDecimals;
    const isDirect = origin.name === due.chain.name && (due.token === null) === (token === null);
    const [spot, holds, canBy] = await Promise.all([
      isUsdc ? USDC_PRICE : spotPrice(ctx, origin),
      assetBalance(origin, token ?? nativeToken(origin), payer),
      wayOf(ctx, origin, payer, isUsdc),
    ]);
    if (spot === null) return null;
    const value = unitValue(spot, decimals);
    const route = {
      origin,
      destination: due.chain,
      inputToken: token,
      outputToken: due.token,
      inputDecimals: decimals,
    };
    const values = { outputDecimals: due.decimals, inputValue: value, outputValue: place.dueUnitValue };
    const vias: Via[] = isDirect
      ? ['direct']
      : bridgesBetween({ origin, destination: due.chain, areTokens: token !== null && due.token !== null });
    const ways = await Promise.all(
      vias.map(async (via): Promise<PaySource | null> => {
        const who = { payer, recipient: due.recipient, client: place.client, opens: due.opens };
        // An empty wallet needs no price: Relay's are counted.
        if (via === 'relay' && token === null && holds === 0n) return null;
        // A transfer without an order is nothing that we pay for.
        const isSponsored = via === 'across' || (via === 'direct' && due.order !== null);
        const by = canBy === 'signature' && !isSponsored ? 'wallet' : canBy;
        const opens = via === 'direct' && due.opens;
        const [price, cost] = await Promise.all([
          via === 'direct' ? DIRECT : bridgePrice(ctx, { ...route, ...values, via }, due.units, who),
          costOf(ctx, { via, by, token, holds, payer, origin, opens, isSponsored }),
        ]);
        if (price === 'unavailable') unavailable.add(via);
        if (price === 'unavailable' || price === null || !cost) return null;
        const spent = token === null ? cost.native : 0n;
        return {
          via,
          by,
          payer,
          origin,
          asset,
          token,
          decimals,
          holds,
          spent,
          balance: holds > spent ? holds - spent : 0n,
          fee: cost.fee,
          fixed: price.fixed + cost.fee,
          rate: price.rate,
          value,
          gas: cost.gas,
          least: price.least,
          most: price.most,
          direct: isDirect,
          confirmations: by === 'wallet' && token !== null && via === 'across' ? 2 : 1,
          etaS: price.etaS + confirmingS(origin),
          priceUntil: price.expiresAt,
        };
      }),
    );
    return cheapestOf(
      ways.filter((way) => way !== null),
      due.units,
    );
  });
}

/** USD times 10^24. A way without gas is worth so much more: less than this no one sees in a price. */
const CENT = 10n ** 22n;

/** One asset of one wallet is one source, so that a pack does not count it twice. */
function cheapestOf(ways: PaySource[], units: bigint): PaySource | null {
  const able = ways.filter(({ least, most }) => units >= least && units <= most);
  const costOfAll = (way: PaySource) => givenFor(way, units) * way.value + way.gas + (way.gas > 0n ? CENT : 0n);
  return (able.length > 0 ? able : ways).reduce<PaySource | null>(
    (best, way) => (best && costOfAll(best) <= costOfAll(way) ? best : way),
    null,
  );
}

type Giving = {
  via: Via;
  by: LegWay;
  token: string | null;
  holds: bigint;
  payer: string;
  origin: Chain;
  opens: boolean;
  isSponsored: boolean;
};

/**
 * `fee` in units of the asset for an executor; `native` is what the wallet pays the network or has to keep, in native units, and `gas` the former in USD
 * times 10^24. Null where it has too little for it.
 */
async function costOf(
  ctx: Ctx,
  { via, by, token, holds, payer, origin, opens, isSponsored }: Giving,
): Promise<{ fee: bigint; native: bigint; gas: bigint } | null> {
  if (by === 'signature') return { fee: via === 'direct' ? 0n : await executorFee(ctx, origin), native: 0n, gas: 0n };
  const isNative = token === null;
  const isPaid = !(by === 'transaction' && isSponsored);
  const [network, spot, has] = await Promise.all([
    isPaid ? networkFee(ctx, origin, { via, by, isNative, opens }) : 0n,
    spotPrice(ctx, origin),
    isNative ? holds : nativeBalance(origin, payer),
  ]);
  const kept = isNative || network > 0n ? leastKept(origin) : 0n;
  if (spot === null || (!isNative && has < network + kept)) return null;
  return { fee: 0n, native: network + kept, gas: network * unitValue(spot, origin.facts.nativeDecimals) };
}

const DIRECT: Price = {
  fixed: 0n,
  rate: RATE_ONE,
  least: 1n,
  most: 2n ** 128n,
  etaS: 0,
  expiresAt: Number.POSITIVE_INFINITY,
};

function confirmingS(chain: Chain): number {
  return Math.ceil((confirmationsOf(chain) * chain.facts.blockTimeMs) / 1_000);
}

function wayOf(ctx: Ctx, origin: Chain, payer: string, isUsdc: boolean): Promise<LegWay> {
  const until = () => ctx.clock.now() + GASLESS_KEPT_MS;
  return once(ctx, `way ${origin.name} ${payer} ${isUsdc}`, () => legWay(origin, payer, { isUsdc }), until);
}

/** What an executor's gas costs in USDC of its chain: it comes back to it with the deposit. */
async function executorFee(ctx: Ctx, origin: Chain): Promise<bigint> {
  const sending = { via: 'across', by: 'signature', isNative: false, opens: false } as const;
  const [wei, spot] = await Promise.all([networkFee(ctx, origin, sending), spotPrice(ctx, origin)]);
  if (spot === null) throw new Error('no price for gas');
  const { nativeDecimals, usdcDecimals } = origin.facts;
  const micros = (wei * spot) / 10n ** BigInt(nativeDecimals) + 1n;
  return scaleUnits(micros > LEAST_FEE ? micros : LEAST_FEE, 6, usdcDecimals);
}
