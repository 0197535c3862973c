// Calendar days of a time zone: where each begins, whatever the clocks there did that night.

/** Is this a zone of the IANA list that we know? */
export function isTimeZone(zone: string): boolean {
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(zone)) return false;
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** The day of a moment in a zone, `YYYY-MM-DD`. @param atMs Unix milliseconds */
export function dayOf(atMs: number, zone: string): string {
  return new Date(atMs + offsetMs(atMs, zone)).toISOString().slice(0, 10);
}

/** The first moment of a day in a zone, in Unix milliseconds. @param day `YYYY-MM-DD` */
export function startOfDay(day: string, zone: string): number {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // Clocks may change that very night: the offsets of the days around it tell every moment that could be the first one.
  const starts = [-DAY_MS, 0, DAY_MS].map((away) => midnight - offsetMs(midnight + away, zone));
  const within = starts.filter((start) => dayOf(start, zone) === day);
  return within.length > 0 ? Math.min(...within) : (starts[1] ?? midnight);
}

/** The day that is `days` after another one. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

const DAY_MS = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();
/** As many as are kept; there are some 600 zones. */
const MOST_FORMATS = 700;

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  if (formats.size < MOST_FORMATS) formats.set(zone, format);
  return format;
}

/** How far the zone's clocks are ahead of UTC at a moment. */
function offsetMs(atMs: number, zone: string): number {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(atMs / 1_000) * 1_000;
}
