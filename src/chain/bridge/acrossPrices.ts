// What Across asks for a transfer: its `suggested-fees`. A deposit names its own amounts, so a wrong price can make it slow, and never makes it wrong.
import { z } from 'zod';
import { divideUp, scaleUnits } from '../../domain/money.ts';
import { RATE_ONE } from '../../domain/smartPayment.ts';
import type { Address } from '../rpc/client.ts';
import { callBridge } from './http.ts';
import type { Price, PriceRequest } from './price.ts';

const units = z
  .string()
  .regex(/^\d{1,78}$/)
  .transform(BigInt);
/** Of the input, times 10^18. */
const part = z.object({
  pct: z
    .string()
    .regex(/^-?\d{1,24}$/)
    .transform(BigInt),
  total: z
    .string()
    .regex(/^-?\d{1,78}$/)
    .transform(BigInt),
});
const answer = z.object({
  relayerCapitalFee: part,
  relayerGasFee: part,
  lpFee: part,
  isAmountTooLow: z.boolean(),
  estimatedFillTimeSec: z.number().min(0).max(86_400),
  limits: z.object({ minDeposit: units, maxDeposit: units }),
});

const WITHIN_MS = 4_000;
/** The API asks to keep answers for five minutes at most; gas prices move within one. */
const KEPT_MS = 30_000;
/** Above a tenth of the amount it is not worth sending. */
const MOST_PCT = 10n ** 17n;

type AcrossApi = { root: string; integratorId: string | undefined };

/**
 * @param request amounts of the input token
 * @throws BridgeRefusal, AppError `provider_unavailable`
 */
export async function acrossPrice(
  api: AcrossApi,
  request: PriceRequest & { inputToken: Address; outputToken: Address },
  nowMs: number,
  signal?: AbortSignal,
): Promise<Price | null> {
  const { origin, destination, amount, inputToken, outputToken, inputDecimals, outputDecimals } = request;
  const url = new URL(`${api.root.replace(/\/+$/, '')}/suggested-fees`);
  url.searchParams.set('inputToken', inputToken);
  url.searchParams.set('outputToken', outputToken);
  url.searchParams.set('originChainId', String(origin));
  url.searchParams.set('destinationChainId', String(destination));
  url.searchParams.set('amount', String(amount));
  if (api.integratorId) url.searchParams.set('integratorId', api.integratorId);
  const found = await callBridge('Across', answer, { url, withinMs: WITHIN_MS, signal });
  const pct = max(found.relayerCapitalFee.pct + found.lpFee.pct, 0n);
  const gas = max(found.relayerGasFee.total, 0n);
  if (found.isAmountTooLow || pct > MOST_PCT) return null;
  // output = input × (1 - pct) - gas, solved for the input and rounded up.
  const kept = RATE_ONE - pct;
  const scale = 10n ** BigInt(Math.max(0, inputDecimals - outputDecimals));
  const shrink = 10n ** BigInt(Math.max(0, outputDecimals - inputDecimals));
  const outputOf = (input: bigint) => {
    const left = (input * kept) / RATE_ONE - gas;
    return left > 0n ? scaleUnits(left, inputDecimals, outputDecimals) : 0n;
  };
  return {
    fixed: divideUp(gas * RATE_ONE, kept),
    rate: divideUp(RATE_ONE * RATE_ONE * scale, kept * shrink),
    least: outputOf(found.limits.minDeposit) + 1n,
    most: outputOf(found.limits.maxDeposit),
    etaS: Math.ceil(found.estimatedFillTimeSec),
    expiresAt: nowMs + KEPT_MS,
  };
}

function max(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
