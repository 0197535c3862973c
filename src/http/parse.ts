// From what a request brings to typed values: one schema each, and an error that names the parameter.
import type { Request } from 'express';
import { z } from 'zod';
import { AppError, type ErrorCode } from '../domain/errors.ts';
import { readSolanaAddress, readSolanaSignature } from '../domain/solanaAddress.ts';
import { issueWords, NAME } from './issueWords.ts';

/** @throws AppError `parameter_missing`, `parameter_unknown` or `parameter_invalid`, with the parameter's name */
export function parseBody<T>(request: Request, schema: z.ZodType<T>): T {
  const body: unknown = request.body ?? {};
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError('parameter_invalid', 'The request body must be a JSON object.');
  }
  return parseObject(body, schema);
}

/** The query's parameters as strings; one that is given twice is an error. Same errors as {@link parseBody}. */
export function parseQuery<T>(request: Request, schema: z.ZodType<T>): T {
  for (const [param, value] of Object.entries(request.query)) refuseNul(String(value), param);
  return parseObject(request.query, schema);
}

/** PostgreSQL has no text with NUL in it, so nothing is found by one. @throws AppError `parameter_invalid` */
export function refuseNul(text: string, param: string): void {
  if (text.includes('\0')) throw new AppError('parameter_invalid', `${shown(param)} must be plain text.`, { param });
}

/** Same errors as {@link parseBody}. @param nameOf a parameter's name by its place */
export function parseObject<T>(
  given: object,
  schema: z.ZodType<T>,
  nameOf = (path: readonly PropertyKey[]) => path.join('.'),
): T {
  const parsed = schema.safeParse(given, { error: issueWords });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (!issue) throw new AppError('parameter_invalid');
  const fault = (code: ErrorCode, param: string, words: string) => new AppError(code, words, { param });
  const outer = nameOf(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const param = nameOf([...issue.path, issue.keys[0] ?? '']);
    throw fault('parameter_unknown', param, `Unknown parameter: ${shown(param)}.`);
  }
  if (valueAt(given, issue.path) === undefined)
    throw fault('parameter_missing', outer, `Missing required parameter: ${shown(outer)}.`);
  const isWhole = outer === '' || issue.message.includes(NAME);
  const words = isWhole ? issue.message : `${NAME} ${issue.message}`;
  throw fault('parameter_invalid', outer, `${words.replaceAll(NAME, shown(outer))}.`);
}

/** What a caller sent comes back shortened, and never as a control character. */
export function shown(name: string): string {
  return name.slice(0, 40).replace(/[^\w.[\]-]/g, '?');
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], given);
}

/** For an amount: a number has lost digits before we see it. */
export const amountText = z
  .string({
    error: ({ input }) => (typeof input === 'number' ? `Send ${NAME} as a string, such as "12.50"` : undefined),
  })
  .max(100);

/** A signature: up to eight kilobytes, as large wallets with many owners make them. */
export const hexBytes = z
  .string()
  .regex(/^0x(?:[0-9a-fA-F]{2}){0,8192}$/, 'must be 0x and pairs of hex digits')
  .transform((text) => text as `0x${string}`);

/** 64 bytes in base58. */
export const solanaSignature = z
  .string()
  .max(100)
  .refine((text) => readSolanaSignature(text) !== null, 'must be the base58 of 64 bytes');

/** Of a wallet of either family: `0x…`, or the base58 of 64 bytes. */
export const walletSignature = z.union([hexBytes, solanaSignature], 'must be 0x and pairs of hex digits, or base58');

/** A transaction of Solana, of 1,232 bytes at most, in base64. */
export const solanaTransaction = z.base64().max(1_644);

/** A whole number of a query, between two bounds. */
export function countOf(least: number, most: number) {
  const words = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, words)
    .transform(Number)
    .refine((count) => count >= least && count <= most, words);
}

/** Which networks’ money: test or live. */
export const modes = z.enum(['test', 'live']);

/** What an untouched field of a form sends is no filter. */
export const optional = <T extends z.ZodType>(schema: T) =>
  z.union([schema, z.literal('').transform(() => undefined)]).optional();

export const isoDay = z.iso.date('must be a day like 2026-11-21').regex(/^2/, 'must be a day like 2026-11-21');

/** A search term. */
export const searchText = z
  .string()
  .trim()
  .max(100)
  .regex(/^\P{C}*$/u, 'must be plain text');

/** A hash, a key or a salt. */
export const bytes32 = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hex digits')
  .transform((text) => text as `0x${string}`);

/** Names a transaction: a hash, which comes in lower case, or a signature of Solana. */
export const transactionName = z.union([bytes32.transform((hash) => hash.toLowerCase()), solanaSignature], {
  error: 'must be a transaction hash, or a signature in base58',
});

export const addressText = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits');

/** Of a wallet of any family. */
export const walletAddress = z.union([addressText, z.string().refine((text) => readSolanaAddress(text) !== null)], {
  error: 'must be the address of a wallet',
});

const MOMENT_WORDS = 'must be whole Unix seconds, or a time like 2026-11-21T10:00:00Z';

/** A moment, as whole Unix seconds or as ISO 8601 with a zone: to Unix milliseconds. */
export const momentOf = z.union([z.number(), z.string().max(40)], MOMENT_WORDS).transform((given, call) => {
  const isSeconds = /^\d{1,12}$/.test(String(given));
  const ms = isSeconds ? Number(given) * 1_000 : instantOf(given);
  if (ms >= 0 && ms <= LATEST_MS) return ms;
  call.issues.push({ code: 'custom', message: MOMENT_WORDS, input: given });
  return z.NEVER;
});

/** The last day of the year 9999. */
const LATEST_MS = 253_402_214_400_000;

function instantOf(given: unknown): number {
  return z.iso.datetime({ offset: true }).safeParse(given).success ? Date.parse(String(given)) : Number.NaN;
}
