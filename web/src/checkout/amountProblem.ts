// What is wrong with a figure that somebody typed for an open-amount link, in words.
import { findChain } from '../../../src/domain/chains.ts';
import { compareAmounts, isAmount, padAmount } from '../format.ts';
import type { PaymentLink } from './checkoutApi.ts';

/** People read no more than this of a stablecoin; its contract may have other decimals. */
const USDC_DIGITS = 6;

type Range = Pick<PaymentLink, 'currency' | 'chain' | 'min_amount' | 'max_amount'>;

export function amountProblem(
  typed: string,
  { currency, chain, min_amount: least, max_amount: most }: Range,
): string | null {
  if (typed === '') return 'Type how much you want to pay.';
  if (!isAmount(typed)) return 'Type a figure such as 12.50.';
  const digits = currency === 'USDC' ? USDC_DIGITS : (findChain(chain)?.nativeDecimals ?? USDC_DIGITS);
  if ((typed.split('.')[1] ?? '').length > digits) return `At most ${digits} digits after the point.`;
  if (least !== null && compareAmounts(typed, least) < 0) return `At least ${padAmount(least)} ${currency}.`;
  if (most !== null && compareAmounts(typed, most) > 0) return `At most ${padAmount(most)} ${currency}.`;
  return null;
}
