// The log: JSON lines on stdout, with everything that could be a secret removed.
import { type Logger, pino, stdTimeFunctions } from 'pino';

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

/** Takes URLs, bot tokens and 32-byte hex (keys) out of a text before it is logged or shown. */
export function scrub(text: string): string {
  return text
    .replace(/\b[a-z][a-z0-9+.-]*:\/\/[^\s"']+/gi, '[url]')
    .replace(/(?<!\d)\d{6,}:[\w-]{10,}/g, '[token]')
    .replace(/\b(?:0x)?[0-9a-f]{64,}\b/gi, '[hex]');
}

export function createLog(name: string, level: string): Log {
  return pino({
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
  });
}
