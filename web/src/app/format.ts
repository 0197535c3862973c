// How figures, times and hashes are written on the pages.
import { formatUnits, parseUnits } from '../../../src/domain/money.ts';

/** More decimals than any currency has, so that no figure loses a digit. */
const DECIMALS = 18;
/** Of a native coin, as the bots write it. */
const MOST_SIGNIFICANT = 6;

/** BCP 47; undefined is the browser's own. */
let locale: string | undefined;

/** Writes figures and times as people of this locale do, from now on. */
export function setLocale(tag: string): void {
  locale = tag;
}

/** The difference of two canonical decimal strings with its sign: `+5.00`, `−5.10`. */
export function difference(before: string, after: string): string {
  const change = toUnits(after) - toUnits(before);
  if (change === 0n) return '0.00';
  return change > 0n ? `+${grouped(formatUnits(change, DECIMALS))}` : `−${grouped(formatUnits(-change, DECIMALS))}`;
}

export function addAmounts(amounts: readonly string[]): string {
  return formatUnits(
    amounts.reduce((sum, amount) => sum + toUnits(amount), 0n),
    DECIMALS,
  );
}

/** For people to read, with at least two decimals: `1234.5` is `1,234.50` or, where commas are decimal, `1.234,50`. */
export function padAmount(amount: string): string {
  const units = parseUnits(amount, DECIMALS);
  return units === null ? amount : grouped(formatUnits(units, DECIMALS));
}

/** US dollars for people to read: `$100`, `$2.50`. */
export function dollars(amount: string): string {
  return `$${padAmount(amount).replace(/\D00$/, '')}`;
}

/**
 * What a wallet has (cut off) or needs (rounded up), for people to read. A native coin is shortened to six significant digits,
 * though never by whole ones or hundredths; USDC is exact. For the eye only: what is sent and signed is exact.
 */
export function shortAmount(amount: string, currency: string, rounding: 'down' | 'up' = 'down'): string {
  const units = parseUnits(amount, DECIMALS);
  if (units === null || currency === 'USDC') return padAmount(amount);
  const surplus = Math.min(units.toString().length - MOST_SIGNIFICANT, DECIMALS - 2);
  const step = 10n ** BigInt(Math.max(0, surplus));
  const steps = (units + (rounding === 'up' ? step - 1n : 0n)) / step;
  return grouped(formatUnits(steps * step, DECIMALS));
}

/** For programs and forms, with at least two decimals: `1234.5` is `1234.50` everywhere. */
export function plainAmount(amount: string): string {
  const units = parseUnits(amount, DECIMALS);
  return units === null ? amount : formatUnits(units, DECIMALS);
}

function grouped(amount: string): string {
  const [whole = '0', fraction] = amount.split('.');
  const parts = new Intl.NumberFormat(locale, { minimumFractionDigits: 1 }).formatToParts(0.5);
  const point = parts.find(({ type }) => type === 'decimal')?.value ?? '.';
  const figures = new Intl.NumberFormat(locale, { useGrouping: true }).format(BigInt(whole));
  return fraction === undefined ? figures : `${figures}${point}${fraction}`;
}

function toUnits(amount: string): bigint {
  return parseUnits(amount, DECIMALS) ?? 0n;
}

/** `ord_…x4k2p9`: the end of an ID is what tells it from others. */
export function shortId(id: string): string {
  return `${id.slice(0, 4)}…${id.slice(-6)}`;
}

/** `0x12ab…89ef` */
export function shortHex(value: string): string {
  return value.length <= 13 ? value : `${value.slice(0, 6)}…${value.slice(-4)}`;
}

/** Time since a moment: milliseconds below ten seconds, then seconds. */
export function since(ms: number): string {
  if (ms < 10_000) return `${Math.round(ms)} ms`;
  return span(ms, 1);
}

export function seconds(ms: number): string {
  return span(ms, ms < 10_000 ? 2 : 1);
}

function span(ms: number, digits: number): string {
  if (ms >= 120_000) return `${Math.round(ms / 60_000)} min`;
  const figures = new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${figures.format(ms / 1_000)} s`;
}

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hour12: false });

/** @param at Unix milliseconds, shown in the reader's zone */
export function clockTime(at: number): string {
  return CLOCK.format(at);
}

export function exactTime(at: number): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(at);
}

/** With the time zone, for pages that are shared: `Nov 25, 2026, 6:20:33 PM UTC`. */
export function zonedTime(at: number): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long' }).format(at);
}

/** @param name of a person without @, or an account that is no person */
export function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const DAY = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', year: 'numeric' });

/** `just now`, `5 minutes ago`, `yesterday`, then the date. Unix milliseconds. */
export function timeAgo(at: number, now: number): string {
  const age = now - at;
  if (age < MINUTE_MS) return 'just now';
  if (age < HOUR_MS) return RELATIVE.format(-Math.floor(age / MINUTE_MS), 'minute');
  if (age < DAY_MS) return RELATIVE.format(-Math.floor(age / HOUR_MS), 'hour');
  const days = Math.round((startOfDay(now) - startOfDay(at)) / DAY_MS);
  return days < 7 ? RELATIVE.format(-days, 'day') : DAY.format(at);
}

/** Midnight in the reader's zone, so that "yesterday" is the day before today and not 24 hours ago. */
function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

/** `in 71 hours`, `in 9 minutes`, `now`. Unix milliseconds. */
export function timeUntil(at: number, now: number): string {
  const left = at - now;
  if (left <= 0) return 'now';
  if (left < HOUR_MS) return RELATIVE.format(Math.ceil(left / MINUTE_MS), 'minute');
  return RELATIVE.format(Math.ceil(left / HOUR_MS), 'hour');
}

/** `29 July 2026`, in the reader's zone. */
export function dayName(at: number): string {
  return DAY.format(at);
}

/** The first figure above, as a share of the second from 0 to 1; 0 where there is no second. */
export function shareOf(part: string, whole: string): number {
  const all = toUnits(whole);
  if (all === 0n) return 0;
  return Math.min(1, Number((toUnits(part) * 10_000n) / all) / 10_000);
}

/** An amount as it is typed: a decimal comma is a point. “1,234” stays as it is, because it means another amount elsewhere. */
export function typedAmount(text: string): string {
  const trimmed = text.trim();
  return /^\d{1,3}(,\d{3})+$/.test(trimmed) ? trimmed : trimmed.replace(',', '.');
}

/** Is this an amount that people may type: digits, at most one point, above zero? */
export function isAmount(text: string): boolean {
  return toUnits(text.trim()) > 0n;
}

export function compareAmounts(one: string, other: string): number {
  const [a, b] = [toUnits(one), toUnits(other)];
  return a < b ? -1 : a > b ? 1 : 0;
}
