// Amounts: decimal strings at the edges, bigint units inside, and every conversion between the two.

/** Millionths of a US dollar: the unit in which limits, caps and fees are compared across assets. */
export type MicroUsd = bigint;

/**
 * Units of a canonical decimal string.
 * @param amount digits with at most one point: no sign, exponent, blanks or separators
 * @param decimals of the currency on its chain
 * @returns the smallest units, or null when the text is no such amount or has more decimals than the currency
 */
export function parseUnits(amount: string, decimals: number): bigint | null {
  const match = /^(\d{1,60})(?:\.(\d{1,60}))?$/.exec(amount);
  if (!match) return null;
  const fraction = match[2] ?? '';
  if (fraction.length > decimals) return null;
  return BigInt(match[1] + fraction.padEnd(decimals, '0'));
}

/** The canonical decimal string: at least two fractional digits, no trailing zeros past them (`25` → `25.00`, `0.0050` → `0.005`). */
export function formatUnits(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}

/** A canonical decimal string as people read it in English: `1234.50` is `1,234.50`. */
export function groupDigits(amount: string): string {
  const [whole = '0', ...fraction] = amount.split('.');
  return [BigInt(whole).toLocaleString('en'), ...fraction].join('.');
}

/** `formatUnits` of a number that may be below zero: `-0.05`. */
export function formatSigned(units: bigint, decimals: number): string {
  return units < 0n ? `-${formatUnits(-units, decimals)}` : formatUnits(units, decimals);
}

/** A value in micro-USD as people read it: `100.10`. */
export function formatUsd(value: MicroUsd): string {
  return formatUnits(value, 6);
}

/** Moves an amount to another number of decimals; rounds half-up when digits are lost. */
export function scaleUnits(units: bigint, from: number, to: number): bigint {
  if (to >= from) return units * 10n ** BigInt(to - from);
  return divideHalfUp(units, 10n ** BigInt(from - to));
}

/** Division of non-negative integers that rounds up. */
export function divideUp(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator;
}

/** Division of non-negative integers that rounds halves up: never off by more than one smallest unit. */
export function divideHalfUp(numerator: bigint, denominator: bigint): bigint {
  return (numerator * 2n + denominator) / (denominator * 2n);
}

/**
 * Units of an asset for a value in US dollars.
 * @param price micro-USD for one whole unit of the asset
 */
export function unitsForUsd(usd: MicroUsd, price: MicroUsd, decimals: number): bigint {
  return divideHalfUp(usd * 10n ** BigInt(decimals), price);
}

/** The value in micro-USD of an amount of an asset at `price` micro-USD for one whole unit. */
export function usdForUnits(units: bigint, price: MicroUsd, decimals: number): MicroUsd {
  return divideHalfUp(units * price, 10n ** BigInt(decimals));
}

/** 1 USDC counts as 1 USD, always. */
export const USDC_PRICE: MicroUsd = 1_000_000n;

/** The sum of decimal strings, with as many decimals as the longest of them. */
export function sumAmounts(amounts: readonly string[]): string {
  const decimals = Math.max(...amounts.map((amount) => amount.split('.')[1]?.length ?? 0));
  const units = amounts.reduce((sum, amount) => {
    const [whole = '0', part = ''] = amount.split('.');
    return sum + BigInt(whole + part.padEnd(decimals, '0'));
  }, 0n);
  const digits = String(units).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
