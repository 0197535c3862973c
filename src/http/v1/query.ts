// The query of a call under /v1, in which brackets nest as in a form; and the filters that lists share.
import { z } from 'zod';
import { METADATA } from '../../domain/order.ts';
import type { Period } from '../../services/period.ts';
import { momentOf, parseObject, refuseNul } from '../parse.ts';
import { type Form, parseForm } from './form.ts';

/** @throws AppError `parameter_missing`, `parameter_unknown` or `parameter_invalid`, with the parameter's name: `created[gte]` */
export function parseV1Query<T>(url: string, schema: z.ZodType<T>): T {
  const at = url.indexOf('?');
  const form = parseForm(at < 0 ? '' : url.slice(at + 1));
  refuseNulIn(form, []);
  return parseObject(form, schema, bracketed);
}

function refuseNulIn(value: string | Form | string[], path: string[]): void {
  if (typeof value === 'string') return void refuseNul(value, bracketed(path));
  for (const [name, inner] of Object.entries(value)) {
    refuseNul(name, bracketed(path));
    refuseNulIn(inner, [...path, name]);
  }
}

function bracketed([first = '', ...rest]: readonly PropertyKey[]): string {
  return String(first) + rest.map((name) => `[${String(name)}]`).join('');
}

const MOMENT = 'must be Unix seconds, or a time like 2026-11-21T10:00:00Z';

/** Unix seconds name a whole second, ISO 8601 a millisecond. */
const bound = z
  .string()
  .transform((text, call) => {
    const moment = momentOf.safeParse(text);
    if (moment.success) return { at: moment.data, end: moment.data + (/^\d+$/.test(text) ? 1_000 : 1) };
    call.issues.push({ code: 'custom', message: MOMENT, input: text });
    return z.NEVER;
  })
  .optional()
  .meta({ override: { type: 'string' } });

/** `created[gte]` and its kind: to {@link Period}. */
export const created = z
  .strictObject(
    { gt: bound, gte: bound, lt: bound, lte: bound },
    {
      error: ({ code }) =>
        code === 'invalid_type' ? 'takes bounds, such as created[gte]=2026-11-21T10:00:00Z' : undefined,
    },
  )
  .transform(({ gt, gte, lt, lte }): Period => {
    const from = Math.max(gt?.end ?? 0, gte?.at ?? 0);
    const before = Math.min(lt?.at ?? Infinity, lte?.end ?? Infinity);
    return { from, ...(before === Infinity ? {} : { before }) };
  })
  .optional()
  .meta({
    description:
      'Only what was created in this period: `created[gte]`, `created[gt]`, `created[lte]`, `created[lt]`, each Unix seconds or ISO 8601 with a zone.',
    param: { style: 'deepObject', explode: true },
    override: {
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(
        [
          ['gt', 'After this time.'],
          ['gte', 'At this time or later.'],
          ['lt', 'Before this time.'],
          ['lte', 'At this time or earlier.'],
        ].map(([name, description]) => [name, { type: 'string', description }]),
      ),
    },
    example: { gte: '2026-11-21T10:00:00Z' },
  });

/** `metadata[cart]=7041`. Read as it came, because a library’s record would quietly drop some names, and with them the filter. */
export const metadataFilter = z
  .custom<Record<string, string>>(
    (value) => typeof value === 'object' && value !== null && isFilter(Object.values(value)),
    { error: `takes up to ${METADATA.keys} pairs, such as metadata[cart]=7041` },
  )
  .meta({
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { cart: '7041' },
  })
  .optional()
  .meta({
    description: 'Only what has this metadata, key and value: `metadata[cart]=7041`.',
    param: { style: 'deepObject', explode: true },
  });

function isFilter(values: unknown[]): boolean {
  return values.length <= METADATA.keys && values.every((one) => typeof one === 'string');
}
