// The API log under /v1, for programs and for the command line. Requests to it are not in it: following it would log itself for ever.
import { z } from 'zod';
import { LOG_KEPT_DAYS, LOGGED_METHODS, STATUS_CLASSES } from '../../domain/requestLog.ts';
import { getRequest, listRequests, type RequestView } from '../../services/workspaces/requestViews.ts';
import { pageOf } from '../list.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { readerOf } from './orders.ts';
import { created } from './query.ts';
import { ask, listOf, livemode, time } from './schemas.ts';

const TAG = 'API log';
const ONE_REQUEST = '/v1/request_logs/{request_id}';
const STATUS = /^([2345]xx|[1-5]\d\d)$/;

const fields = {
  id: z.string().meta({
    description: 'The request’s ID, as in its `Request-Id` header.',
    example: 'req_01kb2v6m3fz0q8x4w7t5r9y1nc',
  }),
  object: z.literal('request_log'),
  livemode,
  method: z.string().meta({ description: 'HTTP method.', example: 'POST' }),
  route: z
    .string()
    .nullable()
    .meta({ description: 'Endpoint, as the API reference writes it. Null for an unknown one.' }),
  path: z.string().meta({ description: 'Path and query, without secrets.' }),
  status: z.number().int().meta({ description: 'HTTP status; 499 when the client disconnected first.', example: 201 }),
  error_code: z.string().nullable().meta({ description: 'Code of the error.' }),
  idempotency_key: z.string().nullable().meta({ description: 'The `Idempotency-Key` header.' }),
  duration_ms: z.number().int().meta({ description: 'Duration in milliseconds.', example: 24 }),
  created_at: time('When the request began.'),
  api_key: z.string().nullable().meta({ description: 'ID of the API key. Never the key.' }),
};
const body = (what: string) =>
  z
    .strictObject({
      text: z.string().meta({ description: 'JSON, with `[redacted]` in the place of secrets.' }),
      is_cut: z.boolean().meta({ description: 'Whether it was longer: the first 4 KB are stored.' }),
    })
    .nullable()
    .meta({ description: `${what} Null where there is none.` });

const logged = z.strictObject(fields).meta({ id: 'RequestLog', description: 'A request to the API.' });
const detailed = z
  .strictObject({ ...fields, request_body: body('What was sent.'), response_body: body('What was answered.') })
  .meta({ id: 'RequestLogDetail', description: 'A request to the API with its bodies.' });

const list = endpoint({
  method: 'get',
  path: '/v1/request_logs',
  operationId: 'listRequestLogs',
  tag: TAG,
  summary: 'List requests',
  description: `Returns requests to \`/v1\` with the workspace’s API keys in the key’s mode, newest first. They are kept for ${LOG_KEPT_DAYS} days; requests to this list are not logged.`,
  scopes: ['read'],
  isUnlogged: true,
  query: z.strictObject({
    status: z
      .string()
      .regex(STATUS, 'must be a status such as 404, or a class such as 4xx')
      .transform((text) => STATUS_CLASSES.find((one) => one === text) ?? Number(text))
      .optional()
      .meta({
        description: 'Filter by status, or by class: `4xx`.',
        override: { type: 'string', pattern: STATUS.source },
      }),
    method: z.enum(LOGGED_METHODS).optional().meta({ description: 'Filter by HTTP method.' }),
    route: z.string().max(200).optional().meta({ description: 'Filter by endpoint: `/v1/orders/{order_id}`.' }),
    error_code: z.string().max(60).optional().meta({ description: 'Filter by error code.' }),
    created,
    limit: ask.limit,
    cursor: ask.cursor,
  }),
  answer: listOf(logged, 'RequestLogList'),
  status: 200,
  errors: [],
  async run(ctx, { caller, query }) {
    const { error_code: code, created: period, ...filters } = query;
    const page = await listRequests(ctx, readerOf(caller), { ...filters, ...period, code });
    return { answer: pageOf(page.data.map(shown), page.nextCursor) };
  },
});

const get = endpoint({
  method: 'get',
  path: ONE_REQUEST,
  operationId: 'getRequestLog',
  tag: TAG,
  summary: 'Retrieve a request',
  description: 'Returns a request with its bodies, without secrets. It is there within a second of its response.',
  scopes: ['read'],
  isUnlogged: true,
  answer: detailed,
  status: 200,
  errors: ['resource_missing'],
  async run(ctx, { caller, id }) {
    const { request_body, response_body, ...view } = await getRequest(ctx, readerOf(caller), id);

    return { answer: { ...shown(view), request_body, response_body } };
  },
});

function shown({ key, ...view }: RequestView) {
  return { ...view, api_key: key?.id ?? null };
}

export const REQUEST_LOG_ENDPOINTS: Endpoint[] = [list, get];
