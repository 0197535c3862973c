// Amounts of USDC in requests.
import type { Chain } from '../chain/chain.ts';
import { AppError } from '../domain/errors.ts';
import { formatUnits, parseUnits, scaleUnits } from '../domain/money.ts';

/** As people write it, on every chain. */
const DECIMALS = 6;
const LEAST = 10_000n;
const MOST = 1_000_000_000_000n;

/**
 * @param least in millionths, by default 0.01 USDC
 * @returns the chain's smallest units
 * @throws AppError `parameter_invalid`, `amount_out_of_range` for less, or more than a million
 */
export function readUsdcAmount(chain: Chain, text: string, { param = 'amount', least = LEAST } = {}): bigint {
  const units = parseUnits(text, DECIMALS);
  if (units === null)
    throw new AppError('parameter_invalid', `${param} must be a decimal string such as "12.50".`, { param });
  if (units < least || units > MOST) {
    const words = `${param} must be from ${formatUnits(least, DECIMALS)} to ${formatUnits(MOST, DECIMALS)} USDC.`;
    throw new AppError('amount_out_of_range', words, { param });
  }
  return scaleUnits(units, DECIMALS, chain.facts.usdcDecimals);
}
