// What is wrong with an amount typed for an open-amount link, in words.
import { findChain } from '../../../../src/domain/chains.ts';
import { compareAmounts, isAmount, padAmount } from '../../app/format.ts';
import type { PaymentLink } from './checkoutApi.ts';
import type { Words } from './words/en.ts';

/** People read no more than this of a stablecoin; its contract may have other decimals. */
const USDC_DIGITS = 6;

type Range = Pick<PaymentLink, 'currency' | 'chain' | 'min_amount' | 'max_amount'>;

export function amountProblem(
  words: Words,
  typed: string,
  { currency, chain, min_amount: least, max_amount: most }: Range,
): string | null {
  if (typed === '') return words.enterAmount;
  if (!isAmount(typed)) return words.enterFigure(padAmount('12.5'));
  const digits = currency === 'USDC' ? USDC_DIGITS : (findChain(chain)?.nativeDecimals ?? USDC_DIGITS);
  if ((typed.split('.')[1] ?? '').length > digits) return words.digits(digits);
  if (least !== null && compareAmounts(typed, least) < 0) return words.atLeast(`${padAmount(least)} ${currency}`);
  if (most !== null && compareAmounts(typed, most) > 0) return words.atMost(`${padAmount(most)} ${currency}`);
  return null;
}
