// The OpenAPI 3.1 document of /v1, made from the endpoints themselves.
import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponsesObject } from 'zod-openapi';
import { ERRORS, type ErrorCode, v1StatusOf } from '../../domain/errors.ts';
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

Requests are JSON or form-encoded with bracket nesting; responses are JSON. Amounts are decimal strings. Every call needs an API key:
\`Authorization: Bearer sk_test_…\`. Test keys work on test networks, live keys on live ones.

Every POST accepts an \`Idempotency-Key\`: repeating a call with the same key within 24 hours has one effect and returns the same response. All errors have
the same shape; see [error codes](/docs/errors).`;

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
        key: { type: 'http', scheme: 'bearer', description: 'An API key from the dashboard: sk_test_… or sk_live_….' },
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
      .meta({ description: 'API version your integration was built for.', example: API_VERSION }),
    ...(one.isStream
      ? {
          'Last-Event-ID': z
            .string()
            .optional()
            .meta({ description: 'ID of the last event you received. The stream continues after it.' }),
        }
      : {}),
    ...(one.method === 'post'
      ? {
          'Idempotency-Key': z
            .string()
            .max(255)
            .optional()
            .meta({ description: 'A unique value you generate. Retries with the same key are safe.' }),
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
      ...(name
        ? {
            path: z.object({
              [name]: z.string().meta({ description: `The ${tag.toLowerCase().replace(/s$/, '')}’s ID.` }),
            }),
          }
        : {}),
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
      '`t=` Unix seconds, then `v1=` the HMAC-SHA256 of `t.body`; two `v1` while a secret is being rolled.',
    ),
    'webhook-id': text('The event’s ID.'),
    'webhook-timestamp': text('When this attempt was signed, in Unix seconds.'),
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
      responses: { '2XX': { description: 'Acknowledged. Any other response is retried for a day.' } },
    },
  };
}

function responsesOf(one: Endpoint): ZodOpenApiResponsesObject {
  const responses: ZodOpenApiResponsesObject = {
    [`${one.status}`]: {
      description: 'Success.',
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
  for (const code of codes) found.set(v1StatusOf(code), [...(found.get(v1StatusOf(code)) ?? []), code]);
  return [...found].sort(([a], [b]) => a - b);
}

function answerHeaders({ method }: Endpoint) {
  return z.object({
    'Request-Id': z.string().meta({ description: 'Include it when you contact support.' }),
    'Service-Version': z.string().meta({ description: 'API version of the response.' }),
    RateLimit: z
      .string()
      .meta({ description: 'Requests remaining, and seconds until the quota resets.', example: '"key";r=199;t=1' }),
    'RateLimit-Policy': z
      .string()
      .meta({ description: 'Request quota and window length in seconds.', example: '"key";q=200;w=2' }),
    ...(method === 'post'
      ? {
          'Idempotent-Replayed': z
            .string()
            .optional()
            .meta({ description: '`true` when the response repeats that of an earlier call with the same key.' }),
        }
      : {}),
  });
}

/** The shape of every error; each endpoint narrows its codes. */
const failure = z
  .strictObject({
    error: z.strictObject({
      type: z.string(),
      code: z.string().meta({ description: 'Stable error code. Use it in your code.' }),
      message: z.string().meta({ description: 'Human-readable message. It may change.' }),
      param: z.string().optional().meta({ description: 'The parameter that caused the error.' }),
      request_id: z.string().meta({ description: 'Include it when you contact support.' }),
      request_log_url: z.url().optional().meta({
        description: 'The request in the API log of your dashboard. Omitted where the request had no valid key.',
      }),
      doc_url: z.url().meta({ description: 'Documentation of the error code.' }),
    }),
  })
  .meta({ description: 'An error.' });

function errorSchema(codes: ErrorCode[]) {
  const types = [...new Set(codes.map((code) => ERRORS[code].type))];
  const narrowed = { type: 'object' as const, properties: { type: { enum: types }, code: { enum: codes } } };
  return {
    allOf: [{ $ref: '#/components/schemas/Error' }, { type: 'object' as const, properties: { error: narrowed } }],
  };
}
