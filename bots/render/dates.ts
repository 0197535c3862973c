// Times and periods as people read them.
import type { Language } from '../../src/domain/language.ts';
import { say } from './say.ts';

/** `24 Nov 2026, 10:40 UTC`. */
export function inUtc(language: Language, at: number): string {
  const format = new Intl.DateTimeFormat(language, {
    ...{ day: '2-digit', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
    ...{ hourCycle: 'h23', timeZone: 'UTC' },
  });
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const { day = '', month = '', year = '', hour = '', minute = '' } = parts;
  return say(language, 'date-utc', { day, month, year, time: `${hour}:${minute}` });
}

/** How long ago that was. */
export function ago(language: Language, ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return say(language, 'ago-now');
  if (minutes < 60) return say(language, 'ago-minutes', { minutes });
  if (minutes < 48 * 60) return say(language, 'ago-hours', { hours: Math.floor(minutes / 60) });
  return say(language, 'ago-days', { days: Math.floor(minutes / 1_440) });
}

/** In how long that is. */
export function inWords(language: Language, ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / 60_000));
  if (minutes > 90) return say(language, 'in-hours', { hours: Math.ceil(minutes / 60) });
  return say(language, 'in-minutes', { minutes });
}
