// Periods of plans as people read them.

const DAY_S = 86_400;
const UNITS = [
  ['year', 365 * DAY_S],
  ['week', 7 * DAY_S],
  ['day', DAY_S],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** `30 days`, `1 week`, `12 hours`, in the reader's language. @param seconds of a period */
export function spanWords(seconds: number, locale?: string): string {
  const [unit, size] = UNITS.find(([, length]) => seconds % length === 0) ?? (['minute', 60] as const);
  const count = Math.max(1, Math.round(seconds / size));
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}

/** In English, after a price: `every 30 days`, `every week`. */
export function everyWords(seconds: number): string {
  const words = spanWords(seconds, 'en');
  return `every ${words.replace(/^1 /, '')}`;
}
