// Repeated warnings and errors in the log: the first is a line at once, what repeats it within a minute is one line with a count.
import type { LogFn, Logger } from 'pino';

const WINDOW_MS = 60_000;
/** More different ones than this at a time are not held together: the oldest is closed, with its count. */
const MOST = 500;
const WARN = 40;
/** Fields that count tries: two lines that differ in nothing else say the same. */
const COUNTERS = new Set(['attempts', 'failures']);

type Line = Parameters<LogFn>;
type Seen = { opened: number; repeated: number; latest: () => void };

export type Repeats = {
  /** Writes a line, or counts it. What `write` does is the logger's own work. */
  line(logger: Logger, args: Line, level: number, write: (args: Line) => void): void;
  /** Closes the windows that are over; to be called every now and then. */
  round(): void;
  /** Closes all of them: at shutdown. */
  flush(): void;
};

/** @param now Unix milliseconds */
export function foldRepeats(now: () => number): Repeats {
  const seen = new Map<string, Seen>();

  function close(key: string, one: Seen): void {
    seen.delete(key);
    if (one.repeated > 0) one.latest();
  }

  function round(): void {
    const over = now() - WINDOW_MS;
    for (const [key, one] of seen) {
      if (one.opened > over) continue;
      const goesOn = one.repeated > 0;
      close(key, one);
      // It was repeated until now: the next one is counted as well, in a window of its own.
      if (goesOn) seen.set(key, { opened: now(), repeated: 0, latest: one.latest });
    }
  }

  return {
    line(logger, args, level, write) {
      if (level < WARN) return write(args);
      round();
      const key = `${level} ${JSON.stringify(logger.bindings())} ${keyOf(args)}`;
      const known = seen.get(key);
      if (!known) {
        const [oldest] = seen;
        if (seen.size >= MOST && oldest) close(...oldest);
        seen.set(key, { opened: now(), repeated: 0, latest: () => {} });
        return write(args);
      }
      known.repeated++;
      known.latest = () => write(counted(args, known.repeated));
    },
    round,
    flush() {
      for (const [key, one] of seen) close(key, one);
    },
  };
}

/** Everything that the line says but counters and durations. A line with other ids or other words is another one. */
function keyOf(args: readonly unknown[]): string {
  const text = JSON.stringify(args, (name, value: unknown) => {
    if (COUNTERS.has(name)) return undefined;
    if (typeof value === 'bigint') return String(value);
    return value instanceof Error ? `${value.name}: ${value.message}` : value;
  });
  return text.replace(/\b\d+(\.\d+)? ?ms\b/g, '… ms');
}

function counted(args: Line, repeated: number): Line {
  const [first, ...rest] = args as unknown as [unknown, ...unknown[]];
  const times = `(repeated ${repeated === 1 ? 'once' : `${repeated} times`} within a minute)`;
  if (typeof first === 'string') return [{ repeated }, `${first} ${times}`, ...rest] as unknown as Line;
  const fields = first instanceof Error ? { err: first } : (first as object);
  const [words, ...more] = rest;
  return [{ ...fields, repeated }, `${words ?? ''} ${times}`.trim(), ...more] as unknown as Line;
}
