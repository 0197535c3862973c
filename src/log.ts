// The log: JSON lines on stdout, with everything that could be a secret removed.
import { type DestinationStream, type Logger, type LoggerOptions, pino, stdTimeFunctions } from 'pino';
import { scrub } from './domain/scrub.ts';
import type { Repeats } from './repeats.ts';

export type Log = Logger;

const SECRET_KEYS = [
  'token',
  'secret',
  'key',
  'privateKey',
  'raw',
  'authorization',
  'cookie',
  'password',
  'databaseUrl',
  'redisUrl',
];

/** An error with the same name and no secret in its message: for code that keeps or shows it outside of the log. Its cause is left out. */
export function scrubError(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(scrub(String(error)));
  const { name, message, stack = '' } = error;
  return Object.assign(new Error(scrub(message)), { name, stack: scrub(stack) });
}

/**
 * @param secrets values that no line may hold, wherever they come from: in a message, in a field, in a library's own words
 * @param repeats folds lines that say the same; without it each one is written
 */
export function createLog(
  name: string,
  level: string,
  secrets: readonly string[] = [],
  stream?: DestinationStream,
  repeats?: Repeats,
): Log {
  const known = matcherOf(secrets);
  const options: LoggerOptions = {
    hooks: {
      ...(known ? { streamWrite: (line: string) => line.replace(known, '[secret]') } : {}),
      ...(repeats
        ? {
            logMethod(args, method, level) {
              repeats.line(this, args, level, (line) => method.apply(this, line));
            },
          }
        : {}),
    },
    name,
    level,
    base: { name },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (level) => ({ level }) },
    redact: { paths: SECRET_KEYS.flatMap((key) => [key, `*.${key}`]), censor: '[secret]' },
    serializers: {
      err: (error: unknown) =>
        error instanceof Error
          ? { type: error.name, message: scrub(error.message), stack: scrub(error.stack ?? '') }
          : { message: scrub(String(error)) },
    },
  };
  return stream ? pino(options, stream) : pino(options);
}

/** One expression for all of them, longest first, so that a password is not cut out of its URL. They stand in a line as JSON writes them. */
function matcherOf(secrets: readonly string[]): RegExp | null {
  const written = new Set(secrets.map((text) => JSON.stringify(text).slice(1, -1)));
  if (written.size === 0) return null;
  const parts = [...written].sort((a, b) => b.length - a.length);
  return new RegExp(parts.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'), 'g');
}
