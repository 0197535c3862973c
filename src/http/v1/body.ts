// The body of a POST under /v1: its bytes, their hash, and what they say. JSON is taken as it is; a form's text becomes what the schema wants.
import { createHash } from 'node:crypto';
import express, { type Request, type Response } from 'express';
import { AppError } from '../../domain/errors.ts';
import { coerce, type coercedFields, parseForm } from './form.ts';

const bodiesUpTo = (limit: string) => express.raw({ type: () => true, limit, inflate: false });
const readUsual = bodiesUpTo('64kb');
const readLarge = bodiesUpTo('1mb');
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @property given an object, or undefined where there was no body; @property hash SHA-256 of the bytes, in hex */
export type ReadBody = { given: object; hash: string };

/** @param isLarge takes 1 MB instead of 64 kB @throws AppError `body_too_large`, `media_type_unsupported`, `parameter_invalid` */
export async function readBody(
  request: Request,
  response: Response,
  kinds: ReturnType<typeof coercedFields>,
  { isLarge = false }: { isLarge?: boolean | undefined } = {},
): Promise<ReadBody> {
  const bytes = await bytesOf(request, response, isLarge);
  const hash = createHash('sha256').update(bytes).digest('hex');
  const media = mediaOf(request.headers['content-type']);
  if (bytes.length === 0) return { given: {}, hash };
  if (media === 'form') return { given: coerce(parseForm(textOf(bytes)), kinds), hash };
  if (media !== 'json') throw new AppError('media_type_unsupported');
  return { given: parseJson(textOf(bytes)), hash };
}

async function bytesOf(request: Request, response: Response, isLarge: boolean): Promise<Buffer> {
  const readRaw = isLarge ? readLarge : readUsual;
  await new Promise<void>((resolve, reject) => {
    readRaw(request, response, (error?: unknown) => (error ? reject(error) : resolve()));
  });
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

function mediaOf(header: string | undefined): 'json' | 'form' | 'none' {
  const match = /^application\/(json|x-www-form-urlencoded)\s*(?:;\s*charset\s*=\s*"?([\w-]+)"?\s*)?$/i.exec(
    header ?? '',
  );
  if (!match || !['utf-8', 'utf8', 'us-ascii'].includes((match[2] ?? 'utf-8').toLowerCase())) return 'none';
  return match[1]?.toLowerCase() === 'json' ? 'json' : 'form';
}

function textOf(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new AppError('parameter_invalid', 'The request body is not valid UTF-8.', { cause });
  }
}

function parseJson(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new AppError('parameter_invalid', 'The request body is not valid JSON.', { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new AppError('parameter_invalid', 'The request body must be a JSON object.');
  return value;
}
