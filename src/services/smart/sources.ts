// From where a payer can pay: what its wallets hold on every chain, which way leads from there, and what the way costs.
import type { Price } from '../../chain/bridge/price.ts';
import { bridgesBetween } from '../../chain/bridge/routes.ts';
import { NATIVE_TOKEN } from '../../chain/routers/payment.ts';
import type { Address, EvmChain } from '../../chain/rpc/client.ts';
import { codeOf, gaslessWays } from '../../chain/signing/gasless.ts';
import { balanceOf } from '../../chain/signing/orderAuthorizations.ts';
import { tokenDomain } from '../../chain/signing/permits.ts';
import { type Ctx, evmChains } from '../../context.ts';
import { type MicroUsd, scaleUnits, USDC_PRICE } from '../../domain/money.ts';
import type { Via } from '../../domain/smartLeg.ts';
import { givenFor, RATE_ONE, type Source } from '../../domain/smartPayment.ts';
import { once } from '../bridges/memo.ts';
import { bridgePrice, networkFee, spotPrice } from '../bridges/prices.ts';
import { isLive } from '../chains.ts';
import type { Due } from './due.ts';

/** Gas of what a payer's wallet, or an executor for it, sends: at a price that has room to rise until then. */
const GAS = { approve: 60_000n, deposit: 130_000n, authorized: 260_000n, transfer: 65_000n, native: 40_000n };
/** Micro-USD that an executor asks for at least. */
const LEAST_FEE: MicroUsd = 10_000n;
const GASLESS_KEPT_MS = 60_000;

/** A source of a plan, and from what its leg is built. */
export type PaySource = Source & {
  via: Via;
  by: 'signature' | 'wallet';
  payer: Address;
  origin: EvmChain;
  asset: string;
  /** Null for the native asset. */
  token: Address | null;
  decimals: number;
  /** Of the executor, in units of the asset; part of `fixed`. */
  fee: bigint;
  /** What the wallet has, also where the network fee needs some of it. */
  holds: bigint;
  /** What that network fee takes of it. */
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
  {
    payers,
    named,
    client,
  }: { payers: readonly Address[]; named?: readonly Named[] | undefined; client: string | null },
): Promise<{ sources: PaySource[]; unavailable: string[] }> {
  const chains = Object.values(evmChains(ctx)).filter((chain) => isLive(chain) === isLive(due.chain));
  const unavailable = new Set<string>();
  const wanted = ({ name }: EvmChain, asset: string) =>
    !named || named.some((one) => one.chain === name && one.asset === asset);
  const found = await Promise.all(
    payers.flatMap((payer) =>
      chains.flatMap((origin) => [
        ...['USDC', origin.facts.native]
          .filter((asset) => wanted(origin, asset))
          .map((asset) => readSource(ctx, { due, dueUnitValue, payer, origin, asset, client }, unavailable)),
      ]),
    ),
  );
  return { sources: found.filter((source) => source !== null), unavailable: [...unavailable] };
}

/** One chain that does not answer takes away its own sources and nothing else. */
async function tolerant<T>(read: () => Promise<T | null>): Promise<T | null> {
  return read().catch(() => null);
}

type Place = { due: Due; dueUnitValue: bigint; payer: Address; origin: EvmChain; asset: string; client: string | null };

/** The cheapest way from one asset of one wallet; null where there is none. */
function readSource(ctx: Ctx, place: Place, unavailable: Set<string>): Promise<PaySource | null> {
  const { due, origin, asset, payer } = place;
  return tolerant(async () => {
    const isUsdc = asset === 'USDC';
    const token = isUsdc ? origin.usdc : null;
    const { usdcDecimals, nativeDecimals } = origin.facts;
    const decimals = isUsdc ? usdcDecimals : nativeDecimals;
    const isDirect = origin.name === due.chain.name && (due.token === null) === (token === null);
    const [spot, holds, canSign] = await Promise.all([
      isUsdc ? USDC_PRICE : spotPrice(ctx, origin),
      balanceOf(origin, token ?? NATIVE_TOKEN, payer),
      isUsdc && signsUsdc(ctx, origin, payer),
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
        const who = { payer, recipient: due.recipient, client: place.client };
        // An empty wallet needs no price: Relay's are counted.
        if (via === 'relay' && token === null && holds === 0n) return null;
        // A transfer without an order is nothing that we pay for.
        const isSponsored = via === 'across' || (via === 'direct' && due.order !== null);
        const by = canSign && isSponsored ? 'signature' : 'wallet';
        const [price, cost] = await Promise.all([
          via === 'direct' ? DIRECT : bridgePrice(ctx, { ...route, ...values, via }, due.units, who),
          costOf(ctx, { via, by, token, holds, payer, origin }),
        ]);
        if (price === 'unavailable') unavailable.add(via);
        if (price === 'unavailable' || price === null || !cost) return null;
        const spent = token === null ? cost.wei : 0n;
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
  const costOfAll = (way: PaySource) => givenFor(way, units) * way.value + way.gas + (way.by === 'wallet' ? CENT : 0n);
  return (able.length > 0 ? able : ways).reduce<PaySource | null>(
    (best, way) => (best && costOfAll(best) <= costOfAll(way) ? best : way),
    null,
  );
}

type Sending = {
  via: Via;
  by: 'signature' | 'wallet';
  token: Address | null;
  holds: bigint;
  payer: Address;
  origin: EvmChain;
};

/** `fee` in units of the asset for an executor; `wei` and `gas` (USD times 10^24) for a wallet that sends by itself. Null where it has too little for it. */
async function costOf(
  ctx: Ctx,
  { via, by, token, holds, payer, origin }: Sending,
): Promise<{ fee: bigint; wei: bigint; gas: bigint } | null> {
  if (by === 'signature') return { fee: via === 'direct' ? 0n : await executorFee(ctx, origin), wei: 0n, gas: 0n };
  const amount = token === null ? GAS.native : via === 'across' ? GAS.approve + GAS.deposit : GAS.transfer;
  const [wei, spot, native] = await Promise.all([
    networkFee(ctx, origin, amount),
    spotPrice(ctx, origin),
    token === null ? holds : balanceOf(origin, NATIVE_TOKEN, payer),
  ]);
  if (spot === null || (token !== null && native < wei)) return null;
  return { fee: 0n, wei, gas: wei * unitValue(spot, origin.facts.nativeDecimals) };
}

const DIRECT: Price = {
  fixed: 0n,
  rate: RATE_ONE,
  least: 1n,
  most: 2n ** 128n,
  etaS: 0,
  expiresAt: Number.POSITIVE_INFINITY,
};

function confirmingS({ confirmations, facts }: EvmChain): number {
  return Math.ceil((confirmations * facts.blockTimeMs) / 1_000);
}

/** Whether the wallet can pay USDC by one signature (EIP-3009). */
async function signsUsdc(ctx: Ctx, origin: EvmChain, payer: Address): Promise<boolean> {
  if (!origin.facts.permits.includes('eip3009')) return false;
  const until = () => ctx.clock.now() + GASLESS_KEPT_MS;
  return once(ctx, `signs ${origin.name} ${payer}`, () => readsSignature(origin, payer), until);
}

async function readsSignature(origin: EvmChain, payer: Address): Promise<boolean> {
  const [code, domain] = await Promise.all([codeOf(origin, payer), tokenDomain(origin)]);
  if (code === '0x' || domain === null) return domain !== null;
  const { ways } = await gaslessWays(origin, payer, { router: 'payment', amount: 1n });
  return ways.some(({ way }) => way === 'eip3009');
}

/** What an executor's gas costs in USDC of its chain: it comes back to it with the deposit. */
async function executorFee(ctx: Ctx, origin: EvmChain): Promise<bigint> {
  const [wei, spot] = await Promise.all([networkFee(ctx, origin, GAS.authorized), spotPrice(ctx, origin)]);
  if (spot === null) throw new Error('no price for gas');
  const { nativeDecimals, usdcDecimals } = origin.facts;
  const micros = (wei * spot) / 10n ** BigInt(nativeDecimals) + 1n;
  return scaleUnits(micros > LEAST_FEE ? micros : LEAST_FEE, 6, usdcDecimals);
}
