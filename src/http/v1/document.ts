// The OpenAPI 3.1 document of /v1, made from the endpoints themselves.
import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponsesObject } from 'zod-openapi';
import { ERRORS, type ErrorCode } from '../../domain/errors.ts';
import { API_VERSION } from '../../domain/events.ts';
import type { Endpoint } from './endpoint.ts';
import { ENDPOINTS } from './endpoints.ts';
import { EVENT_SCHEMAS } from './eventSchemas.ts';

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

const INTRODUCTION = `Orders, payment links and events of [Ampersat](/), settled on-chain in stablecoins.

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
    webhooks: Object.fromEntries(Object.entries(EVENT_SCHEMAS).map(([type, schema]) => [type, webhook(type, schema)])),
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
    ...(one.isStream
      ? { 'Last-Event-ID': z.string().optional().meta({ description: 'The event that you were told last.' }) }
      : {}),
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

/** What an endpoint of yours is called with. */
function webhook(type: string, schema: z.ZodType): { post: ZodOpenApiOperationObject } {
  const text = (description: string) => z.string().meta({ description });
  const header = z.object({
    'Service-Signature': text(
      '`t=` Unix seconds, then `v1=` the HMAC-SHA256 of `t.body`; two of them while a secret is rolled.',
    ),
    'webhook-id': text('The id of the event.'),
    'webhook-timestamp': text('When this try was signed, in Unix seconds.'),
    'webhook-signature': text('The signature of Standard Webhooks.'),
  });
  return {
    post: {
      operationId: `on${type
        .split('.')
        .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
        .join('')}`,
      tags: ['Webhooks'],
      summary: type,
      description: z.globalRegistry.get(schema)?.description ?? '',
      security: [],
      requestParams: { header },
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: { '2XX': { description: 'It is taken. Anything else is tried again for a day.' } },
    },
  };
}

function responsesOf(one: Endpoint): ZodOpenApiResponsesObject {
  const responses: ZodOpenApiResponsesObject = {
    [`${one.status}`]: {
      description: 'All is well.',
      headers: answerHeaders(one),
      content: { [one.isStream ? 'text/event-stream' : 'application/json']: { schema: one.answer } },
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
