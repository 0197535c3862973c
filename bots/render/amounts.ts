// Money as people read it: in the figures of their language, and such that what is shown can be typed again as it stands.
import type { Language } from '../../src/domain/language.ts';

/** A sum as a canonical decimal string: of an asset, or in US dollars. */
export type Money = { amount: string; asset: string } | { usd: string };
/** Where figures are cut: what someone has is cut off, what someone is charged is rounded up. */
type Rounding = 'down' | 'up';

/** Counted in cents like dollars; everything else is a native asset or a token of its value. */
const DOLLAR_ASSETS: ReadonlySet<string> = new Set(['USDC', 'USD']);
const DOLLAR_DIGITS = { min: 2, max: 6 };
const MOST_SIGNIFICANT = 6;
const MOST_DECIMALS = 18;
const MODES = { down: 'trunc', up: 'ceil' } as const;

export function isMoney(value: unknown): value is Money {
  if (typeof value !== 'object' || value === null) return false;
  return 'usd' in value || ('amount' in value && 'asset' in value);
}

/** A fee: dollars where the asset is one, for fees are quoted in dollars. */
export function feeMoney(amount: string, asset: string): Money {
  return DOLLAR_ASSETS.has(asset) ? { usd: amount } : { amount, asset };
}

/** What a leg moves and costs. */
export function moneyOf({ amount, fee, asset }: { amount: string; fee: string; asset: string }): {
  amount: Money;
  fee: Money;
} {
  return { amount: { amount, asset }, fee: feeMoney(fee, asset) };
}

/** `1,234.50 USDC`, `0.00341 ETH`, `$5`, `$0.10`; in German `1.234,50 USDC` and `0,10 $`. */
export function showMoney(language: Language, money: Money, rounding: Rounding = 'down'): string {
  if ('usd' in money) return showDollars(language, money.usd, rounding);
  return `${showFigure(language, money.amount, money.asset, rounding)} ${money.asset}`;
}

export function showList(language: Language, parts: readonly string[]): string {
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(parts);
}

function showDollars(language: Language, usd: string, rounding: Rounding): string {
  const isWhole = /^\d+(\.0*)?$/.test(usd);
  return format(language, usd, rounding, isWhole ? { min: 0, max: 0 } : { min: 2, max: 2 }, {
    ...{ style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' },
  });
}

function showFigure(language: Language, amount: string, asset: string, rounding: Rounding): string {
  const digits = DOLLAR_ASSETS.has(asset) ? DOLLAR_DIGITS : nativeDigits(amount);
  const shown = format(language, amount, rounding, digits);
  // A comma with three digits behind it is a thousand to some: it is never the last thing that a figure shows.
  return /,\d{3}$/.test(shown)
    ? format(language, amount, rounding, { ...digits, min: 4, max: Math.max(4, digits.max) })
    : shown;
}

/** At most six significant digits, and never fewer than the whole part has. Thousands have cents: `1.234 ETH` alone could be read as little. */
function nativeDigits(amount: string): { min: number; max: number } {
  const [whole = '', fraction = ''] = amount.split('.');
  const wholeDigits = whole.replace(/^0+/, '').length;
  if (wholeDigits === 0)
    return { min: 0, max: Math.min(MOST_DECIMALS, (fraction.match(/^0*/)?.[0].length ?? 0) + MOST_SIGNIFICANT) };
  if (wholeDigits > 3) return { min: 2, max: Math.max(2, MOST_SIGNIFICANT - wholeDigits) };
  return { min: 0, max: MOST_SIGNIFICANT - wholeDigits };
}

function format(
  language: Language,
  figure: string,
  rounding: Rounding,
  { min, max }: { min: number; max: number },
  options: Intl.NumberFormatOptions = {},
): string {
  const roundingMode = MODES[rounding];
  const digits = { minimumFractionDigits: min, maximumFractionDigits: max };
  // Text, not a number: a double does not hold eighteen decimals.
  const shown = new Intl.NumberFormat(language, { ...options, ...digits, roundingMode, useGrouping: 'always' }).format(
    figure as `${number}`,
  );
  return shown.replace(/[\u00a0\u202f]/g, ' ');
}
