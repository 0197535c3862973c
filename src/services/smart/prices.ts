// What money is worth and what it costs to send: native assets in USD, network fees, and what bridges ask. Kept for a moment, requested once.
import { type AcrossApi, acrossPrice } from '../../chain/bridge/acrossPrices.ts';
import { BridgeRefusal } from '../../chain/bridge/http.ts';
import type { Price, PriceRequest } from '../../chain/bridge/price.ts';
import { type Address, currentFees, type EvmChain } from '../../chain/rpc/client.ts';
import { nativePrice } from '../../chain/rpc/prices.ts';
import type { Ctx } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import type { MicroUsd } from '../../domain/money.ts';
import type { BridgeName } from '../../domain/smartLeg.ts';
import { once } from './memo.ts';

const SPOT_KEPT_MS = 15_000;
const GAS_KEPT_MS = 10_000;
/** How long a bridge's refusal of a route is kept. */
const REFUSED_MS = 60_000;

/** Micro-USD of one whole native unit; null while the feeds give no price. @throws AppError `provider_unavailable` */
export async function spotPrice(ctx: Ctx, chain: EvmChain): Promise<MicroUsd | null> {
  const until = () => ctx.clock.now() + SPOT_KEPT_MS;
  const answer = await once(ctx, `spot ${chain.name}`, () => nativePrice(chain), until);
  return 'price' in answer ? answer.price : null;
}

/** What a transaction of so much gas costs at most, in native units. @throws AppError `provider_unavailable` */
export async function networkFee(ctx: Ctx, chain: EvmChain, gas: bigint): Promise<bigint> {
  const until = () => ctx.clock.now() + GAS_KEPT_MS;
  const { maxFee } = await once(ctx, `gas ${chain.name}`, () => currentFees(chain), until);
  return maxFee * gas;
}

export type BridgeRoute = {
  via: BridgeName;
  origin: EvmChain;
  destination: EvmChain;
  inputToken: Address;
  outputToken: Address;
  inputDecimals: number;
  outputDecimals: number;
};

/**
 * What a bridge asks for about this much of the input, in steps of twice the amount.
 * @returns null where it does not take it; `unavailable` where it does not answer
 */
export async function bridgePrice(ctx: Ctx, route: BridgeRoute, amount: bigint): Promise<Price | null | 'unavailable'> {
  const { via, origin, destination, inputToken, outputToken, inputDecimals, outputDecimals } = route;
  const about = 2n ** BigInt(amount.toString(2).length);
  const request: PriceRequest = {
    origin: origin.facts.chainId,
    destination: destination.facts.chainId,
    amount: about,
    inputDecimals,
    outputDecimals,
  };
  const key = `${via} ${origin.name} ${inputToken} ${destination.name} ${outputToken} ${about}`;
  const load = () => acrossPrice(acrossApi(ctx), { ...request, inputToken, outputToken }, ctx.clock.now());
  const until = (price: Price | null) => price?.expiresAt ?? ctx.clock.now() + REFUSED_MS;
  try {
    return await once(ctx, key, load, until);
  } catch (error) {
    if (error instanceof BridgeRefusal && !error.isBusy) return null;
    if (error instanceof BridgeRefusal || (error instanceof AppError && error.code === 'provider_unavailable'))
      return 'unavailable';
    throw error;
  }
}

function acrossApi({ env }: Ctx): AcrossApi {
  return { root: env.ACROSS_API_ROOT, integratorId: env.ACROSS_INTEGRATOR_ID };
}
