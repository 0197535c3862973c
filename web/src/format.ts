// How figures, times and hashes are written on the pages.
import { formatUnits, parseUnits } from '../../src/domain/money.ts';

/** More decimals than any currency has, so that no figure loses a digit. */
const DECIMALS = 18;

/** The difference of two canonical decimal strings with its sign: `+5.00`, `−5.10`. */
export function difference(before: string, after: string): string {
  const change = toUnits(after) - toUnits(before);
  if (change === 0n) return '0.00';
  return change > 0n ? `+${formatUnits(change, DECIMALS)}` : `−${formatUnits(-change, DECIMALS)}`;
}

export function addAmounts(amounts: readonly string[]): string {
  return formatUnits(
    amounts.reduce((sum, amount) => sum + toUnits(amount), 0n),
    DECIMALS,
  );
}

/** At least two decimals: `5` is written `5.00`. */
export function padAmount(amount: string): string {
  const units = parseUnits(amount, DECIMALS);
  return units === null ? amount : formatUnits(units, DECIMALS);
}

function toUnits(amount: string): bigint {
  return parseUnits(amount, DECIMALS) ?? 0n;
}

/** `0x12ab…89ef` */
export function shortHex(value: string): string {
  return value.length <= 13 ? value : `${value.slice(0, 6)}…${value.slice(-4)}`;
}

/** Time since a moment: exact milliseconds while they can be told apart, then seconds. */
export function since(ms: number): string {
  if (ms < 10_000) return `${Math.round(ms)} ms`;
  return ms < 120_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`;
}

export function seconds(ms: number): string {
  return ms < 120_000 ? `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s` : `${Math.round(ms / 60_000)} min`;
}

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hour12: false });
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** @param at Unix milliseconds, shown in the reader's zone */
export function clockTime(at: number): string {
  return CLOCK.format(at);
}

export function exactTime(at: number): string {
  return EXACT.format(at);
}

/** @param name of a person without @, or an account that is no person */
export function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
