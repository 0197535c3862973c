// The OpenAPI 3.1 document of /v1, made from the endpoints themselves.
import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponsesObject } from 'zod-openapi';
import { ERRORS, type ErrorCode } from '../../domain/errors.ts';
import { API_VERSION } from '../../domain/events.ts';
import type { Endpoint } from './endpoint.ts';
import { ENDPOINTS } from './endpoints.ts';

/** What any endpoint may say. */
const ALWAYS: readonly ErrorCode[] = [
  'parameter_invalid',
  'parameter_missing',
  'parameter_unknown',
  'version_unknown',
  'api_key_invalid',
  'scope_missing',
  'rate_limited',
  'internal_error',
  'provider_unavailable',
];
/** What a POST may say besides. */
const ON_POST: readonly ErrorCode[] = [
  'idempotency_key_reused',
  'idempotency_in_progress',
  'body_too_large',
  'media_type_unsupported',
];

const INTRODUCTION = `Orders and payment links of [Ampersat](/), settled on-chain in stablecoins.

Requests are JSON, or forms with bracket nesting; answers are JSON. Amounts are decimal strings. A key of the dashboard goes into every call:
\`Authorization: Bearer sk_test_…\`. Test keys work on test chains, live keys on live ones.

Every POST takes an \`Idempotency-Key\`: the same call with the same key within 24 hours has one effect and one answer. Errors have one shape; their codes
are listed at [/docs/errors](/docs/errors).`;

/** @param origin where the service is reached, such as https://pay.example */
export function apiDocument(origin: string) {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const one of ENDPOINTS) {
    paths[one.path] ??= {};
    (paths[one.path] as Record<string, ZodOpenApiOperationObject>)[one.method] = operation(one);
  }
  return createDocument({
    openapi: '3.1.1',
    info: {
      title: 'Ampersat API',
      version: API_VERSION,
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: origin }],
    tags: [...new Set(ENDPOINTS.map(({ tag }) => tag))].map((name) => ({ name })),
    security: [{ key: [] }],
    paths,
    components: {
      schemas: { Error: failure },
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key of the dashboard: sk_test_… or sk_live_….' },
      },
    },
  });
}

function operation(one: Endpoint): ZodOpenApiOperationObject {
  const { operationId, tag, summary, description, scopes, query, body } = one;
  const header = z.object({
    'Service-Version': z
      .string()
      .optional()
      .meta({ description: 'The version that you were built for.', example: API_VERSION }),
    ...(one.method === 'post'
      ? {
          'Idempotency-Key': z
            .string()
            .max(255)
            .optional()
            .meta({ description: 'Drawn by you: the same call with the same key has one effect.' }),
        }
      : {}),
  });
  const name = /\{(\w+)\}/.exec(one.path)?.[1];
  const required = body !== undefined && Object.values(body.shape).some((field) => !(field as z.ZodType).isOptional());
  return {
    operationId,
    tags: [tag],
    summary,
    description: `${description}\n\nScope: ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.`,
    requestParams: {
      ...(name ? { path: z.object({ [name]: z.string().meta({ description: 'Its id.' }) }) } : {}),
      ...(query ? { query } : {}),
      header,
    },
    ...(body
      ? {
          requestBody: {
            required,
            content: { 'application/json': { schema: body }, 'application/x-www-form-urlencoded': { schema: body } },
          },
        }
      : {}),
    responses: responsesOf(one),
  };
}

function responsesOf(one: Endpoint): ZodOpenApiResponsesObject {
  const responses: ZodOpenApiResponsesObject = {
    [`${one.status}`]: {
      description: 'All is well.',
      headers: answerHeaders(one),
      content: { 'application/json': { schema: one.answer } },
    },
  };
  for (const [status, codes] of byStatus(errorsOf(one))) {
    responses[`${status}` as '400'] = {
      description: codes.map((code) => `\`${code}\`: ${ERRORS[code].message}`).join('\n\n'),
      content: { 'application/json': { schema: errorSchema(codes) } },
    };
  }
  return responses;
}

/** Every code that an endpoint may answer with. */
export function errorsOf({ method, errors }: Endpoint): ErrorCode[] {
  return [...new Set([...errors, ...ALWAYS, ...(method === 'post' ? ON_POST : [])])];
}

function byStatus(codes: ErrorCode[]): [number, ErrorCode[]][] {
  const found = new Map<number, ErrorCode[]>();
  for (const code of codes) found.set(ERRORS[code].status, [...(found.get(ERRORS[code].status) ?? []), code]);
  return [...found].sort(([a], [b]) => a - b);
}

function answerHeaders({ method }: Endpoint) {
  return z.object({
    'Request-Id': z.string().meta({ description: 'Name it when you ask us about a call.' }),
    'Service-Version': z.string().meta({ description: 'The version of the answer.' }),
    RateLimit: z
      .string()
      .meta({ description: 'Calls left, and seconds until all are back.', example: '"key";r=199;t=1' }),
    'RateLimit-Policy': z
      .string()
      .meta({ description: 'Calls at once, and seconds in which they come back.', example: '"key";q=200;w=2' }),
    ...(method === 'post'
      ? {
          'Idempotent-Replayed': z
            .string()
            .optional()
            .meta({ description: '“true” when the answer is one of before.' }),
        }
      : {}),
  });
}

/** The shape of every error; each endpoint narrows its codes. */
const failure = z
  .strictObject({
    error: z.strictObject({
      type: z.string(),
      code: z.string().meta({ description: 'It never changes: compare this one.' }),
      message: z.string().meta({ description: 'For people. It may change.' }),
      param: z.string().optional().meta({ description: 'The parameter that is wrong.' }),
      request_id: z.string().meta({ description: 'Name it when you ask us about a call.' }),
      doc_url: z.url().meta({ description: 'What the code means.' }),
    }),
  })
  .meta({ description: 'What went wrong.' });

function errorSchema(codes: ErrorCode[]) {
  const types = [...new Set(codes.map((code) => ERRORS[code].type))];
  const narrowed = { type: 'object' as const, properties: { type: { enum: types }, code: { enum: codes } } };
  return {
    allOf: [{ $ref: '#/components/schemas/Error' }, { type: 'object' as const, properties: { error: narrowed } }],
  };
}
