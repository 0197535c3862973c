// From where a payer can pay: what its wallets hold on every chain, which way leads from there, and what the way costs.
import type { Price } from '../../chain/bridge/price.ts';
import { NATIVE_TOKEN } from '../../chain/routers/payment.ts';
import type { Address, EvmChain } from '../../chain/rpc/client.ts';
import { codeOf, gaslessWays } from '../../chain/signing/gasless.ts';
import { balanceOf } from '../../chain/signing/orderAuthorizations.ts';
import { tokenDomain } from '../../chain/signing/permits.ts';
import type { Ctx } from '../../context.ts';
import { type MicroUsd, scaleUnits } from '../../domain/money.ts';
import type { Via } from '../../domain/smartLeg.ts';
import { RATE_ONE, type Source } from '../../domain/smartPayment.ts';
import { isLive } from '../chains.ts';
import type { Due } from './due.ts';
import { once } from './memo.ts';
import { type BridgeRoute, bridgePrice, networkFee, spotPrice } from './prices.ts';

/** Gas of what a payer's wallet, or an executor for it, sends. */
/** At a price that has room to rise until it is sent. */
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
  /** Unix milliseconds. */
  priceUntil: number;
};

type Named = { chain: string; asset: string };

/** USD of one unit, times 10^24. */
export function unitValue(price: MicroUsd, decimals: number): bigint {
  return scaleUnits(price, 6, 24) / 10n ** BigInt(decimals);
}

export const USDC_PRICE: MicroUsd = 1_000_000n;

/**
 * @param named only these
 * @returns also sources that hold too little; `unavailable` names bridges that do not answer
 * @throws AppError `provider_unavailable` only for the due chain
 */
export async function readSources(
  ctx: Ctx,
  due: Due,
  payers: readonly Address[],
  named?: readonly Named[],
): Promise<{ sources: PaySource[]; unavailable: string[] }> {
  const chains = Object.values(ctx.chains).filter((chain) => isLive(chain) === isLive(due.chain));
  const unavailable = new Set<string>();
  const wanted = ({ name }: EvmChain, asset: string) =>
    !named || named.some((one) => one.chain === name && one.asset === asset);
  const found = await Promise.all(
    payers.flatMap((payer) =>
      chains.flatMap((origin) => [
        ...(wanted(origin, 'USDC') ? [readUsdc(ctx, due, payer, origin, unavailable)] : []),
        ...(wanted(origin, origin.facts.native) ? [readNative(ctx, due, payer, origin)] : []),
      ]),
    ),
  );
  return { sources: found.filter((source) => source !== null), unavailable: [...unavailable] };
}

/** One chain that does not answer takes away its own sources and nothing else. */
async function tolerant<T>(read: () => Promise<T | null>): Promise<T | null> {
  return read().catch(() => null);
}

function readUsdc(
  ctx: Ctx,
  due: Due,
  payer: Address,
  origin: EvmChain,
  unavailable: Set<string>,
): Promise<PaySource | null> {
  return tolerant(async () => {
    const direct = origin.name === due.chain.name && due.token !== null;
    const route = direct ? null : acrossRoute(due, origin);
    if (!direct && !route) return null;
    const { usdcDecimals: decimals } = origin.facts;
    const [balance, gasless, price] = await Promise.all([
      balanceOf(origin, origin.usdc, payer),
      signsUsdc(ctx, origin, payer),
      route ? bridgePrice(ctx, route, scaleUnits(due.units, due.decimals, decimals)) : DIRECT,
    ]);
    if (price === 'unavailable') unavailable.add('across');
    if (price === 'unavailable' || price === null) return null;
    const via = route ? 'across' : 'direct';
    const sends = via === 'direct' ? GAS.transfer : GAS.approve + GAS.deposit;
    const cost = gasless
      ? { fee: via === 'direct' ? 0n : await executorFee(ctx, origin), gas: 0n }
      : await walletCost(ctx, origin, payer, sends);
    if (!cost) return null;
    return {
      via,
      by: gasless ? 'signature' : 'wallet',
      payer,
      origin,
      asset: 'USDC',
      token: origin.usdc,
      decimals,
      holds: balance,
      balance,
      fee: cost.fee,
      fixed: price.fixed + cost.fee,
      rate: price.rate,
      value: unitValue(USDC_PRICE, decimals),
      gas: cost.gas,
      least: price.least,
      most: price.most,
      direct,
      confirmations: gasless || via === 'direct' ? 1 : 2,
      etaS: price.etaS + confirmingS(origin),
      priceUntil: price.expiresAt,
    };
  });
}

/** The native asset is paid on its own chain only, until a bridge takes it. */
function readNative(ctx: Ctx, due: Due, payer: Address, origin: EvmChain): Promise<PaySource | null> {
  return tolerant(async () => {
    if (due.token !== null || origin.name !== due.chain.name) return null;
    const { native, nativeDecimals: decimals } = origin.facts;
    const [holds, fee, spot] = await Promise.all([
      balanceOf(origin, NATIVE_TOKEN, payer),
      networkFee(ctx, origin, GAS.native),
      spotPrice(ctx, origin),
    ]);
    if (spot === null) return null;
    const value = unitValue(spot, decimals);
    return {
      via: 'direct',
      by: 'wallet',
      payer,
      origin,
      asset: native,
      token: null,
      decimals,
      holds,
      balance: holds > fee ? holds - fee : 0n,
      fee: 0n,
      fixed: DIRECT.fixed,
      rate: DIRECT.rate,
      value,
      gas: fee * value,
      least: DIRECT.least,
      most: DIRECT.most,
      direct: true,
      confirmations: 1,
      etaS: confirmingS(origin),
      priceUntil: DIRECT.expiresAt,
    };
  });
}

const DIRECT: Price = {
  fixed: 0n,
  rate: RATE_ONE,
  least: 1n,
  most: 2n ** 128n,
  etaS: 0,
  expiresAt: Number.POSITIVE_INFINITY,
};

/** USDC to USDC between two chains that both have Across; null where there is no such way. */
export function acrossRoute(due: Due, origin: EvmChain): BridgeRoute | null {
  if (due.token === null || origin.name === due.chain.name || !origin.across || !due.chain.across) return null;
  return {
    via: 'across',
    origin,
    destination: due.chain,
    inputToken: origin.usdc,
    outputToken: due.token,
    inputDecimals: origin.facts.usdcDecimals,
    outputDecimals: due.decimals,
  };
}

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

/** A wallet that sends by itself needs the native asset for it. */
async function walletCost(
  ctx: Ctx,
  origin: EvmChain,
  payer: Address,
  gas: bigint,
): Promise<{ fee: bigint; gas: bigint } | null> {
  const [wei, spot, native] = await Promise.all([
    networkFee(ctx, origin, gas),
    spotPrice(ctx, origin),
    balanceOf(origin, NATIVE_TOKEN, payer),
  ]);
  if (spot === null || native < wei) return null;
  return { fee: 0n, gas: wei * unitValue(spot, origin.facts.nativeDecimals) };
}
