// The public API under /v1: routes, in front of everything else, because it has its own bodies, its own errors of the path and no pages.
import express, { type ErrorRequestHandler, type Express, type Request, type Response, type Router } from 'express';
import { z } from 'zod';
import { actAs } from '../../acting.ts';
import type { Ctx } from '../../context.ts';
import { AppError, ERRORS, v1StatusOf } from '../../domain/errors.ts';
import { runIdempotent, runReadied, runRepeatable } from '../../services/idempotency.ts';
import { createEventStreams, type EventStreams } from '../../services/webhooks/eventStream.ts';
import { createRequestLog } from '../../services/workspaces/requestLog.ts';
import { codeOf, errorBody, noteRetry } from '../errors.ts';
import { openEventStream } from '../eventStream.ts';
import { logRequests, noteRequestBody, noteResponse, noteRoute, noteStream } from '../loggedRequests.ts';
import { checkAnswer, idsOf, routeOf } from '../mount.ts';
import { parseObject } from '../parse.ts';
import { type Admit, createAdmission, type Recognise } from './admit.ts';
import { readBody } from './body.ts';
import { apiDocument } from './document.ts';
import type { Endpoint, EndpointCall, Stream } from './endpoint.ts';
import { ENDPOINTS } from './endpoints.ts';
import { coercedFields } from './form.ts';
import { parseV1Query } from './query.ts';

const NOTHING = z.strictObject({});
const NO_BODY = { given: {}, hash: '' };
/** Another moment may have another answer to these, so a key does not keep them. */
const NOT_KEPT_STATUSES = new Set([400, 401, 403, 429]);
const NOT_KEPT_CODES = new Set(['tx_not_found', 'private_address']);

/** Nothing here is a page, and no cache may store it. */
const HEADERS = [
  ['Cache-Control', 'no-store'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
] as const;

export function mountV1(app: Express, ctx: Ctx): void {
  const router = express.Router({ strict: true, caseSensitive: true });
  const { admit, recognise } = createAdmission(ctx);
  const events = createEventStreams(ctx);
  const document = JSON.stringify(apiDocument(new URL(ctx.env.BASE_URL).origin));
  router.use('/v1', logRequests(ctx, createRequestLog(ctx)));
  router.use('/v1', (_request, response, next) => {
    for (const [name, value] of HEADERS) response.setHeader(name, value);
    next();
  });
  const methods = new Map([['/v1/openapi.json', { route: '/v1/openapi.json', known: ['GET', 'HEAD', 'OPTIONS'] }]]);
  router.get('/v1/openapi.json', (_request, response) => {
    response.setHeader('Cache-Control', 'public, max-age=300');
    sendBody(response, 200, document);
  });
  for (const one of ENDPOINTS) {
    const path = routeOf(one);
    mountEndpoint(router, ctx, { admit, events }, one);
    const { known } = methods.get(path) ?? { known: ['OPTIONS'] };
    const methodsOf = one.method === 'get' ? ['GET', 'HEAD'] : [one.method.toUpperCase()];
    methods.set(path, { route: one.path, known: [...known, ...methodsOf] });
  }
  for (const [path, { route, known }] of methods) refuseOthers(router, path, route, known.sort().join(', '), recognise);
  // A path that is no UTF-8 fails before its endpoint learns whose key it is.
  const noteOwner: ErrorRequestHandler = async (error, request, response, next) => {
    if (error instanceof URIError) await recognise(request, response);
    next(error);
  };
  router.use(noteOwner);
  router.all(/^\/v1(\/|$)/, async (request, response) => {
    await recognise(request, response);
    throw new AppError('resource_missing', 'Unknown endpoint. See the API reference at /docs.');
  });
  app.use(router);
}

type Shared = { admit: Admit; events: EventStreams };

function mountEndpoint(router: Router, ctx: Ctx, { admit, events }: Shared, one: Endpoint): void {
  const kinds = coercedFields(one.body ?? NOTHING);
  const isLarge = one.isLarge ?? 'metadata' in (one.body ?? NOTHING).shape;
  router[one.method](routeOf(one), async (request: Request, response: Response) => {
    noteRoute(response, one.path, { isLeftOut: one.isUnlogged });
    const caller = await admit(request, response, one.scopes);
    const explain: EndpointCall<unknown, unknown>['explain'] = (error) => {
      const code = codeOf(error);
      const [status, { retryable }] = [v1StatusOf(code), ERRORS[code]];
      if (NOT_KEPT_STATUSES.has(status) || status >= 500 || retryable || NOT_KEPT_CODES.has(code)) return null;
      return { status, body: JSON.stringify(errorBody(ctx, response, error)) };
    };
    const query = parseV1Query(request.url, one.query ?? NOTHING);
    const call = { ...idsOf(request, response), caller, events, query, explain };
    const send = (status: number, text: string) => {
      if (status < 400) checkAnswer(ctx, one, text);
      sendBody(response, status, text);
    };
    if (one.method === 'get') {
      const once = () => Promise.reject(new Error('a GET changes nothing'));
      const done = await one.run(ctx, { ...call, body: {}, slot: null, once, repeatable: once, onceReady: once });
      if ('answer' in done) {
        noteResponse(response, { given: done.answer });
        send(200, JSON.stringify(done.answer));
      }
      if ('stream' in done) await holdOpen(request, response, done.stream);
      return;
    }
    // A repeated DELETE has the same result, so it has no body and no key.
    const { given, hash } = one.method === 'delete' ? NO_BODY : await readBody(request, response, kinds, { isLarge });
    if (given !== NO_BODY.given) noteRequestBody(response, given);
    const key = one.method === 'delete' ? undefined : idempotencyKeyOf(request);
    const slot = key === undefined ? null : { keyId: caller.keyId, path: request.path, key, bodyHash: hash };
    const body = parseObject(given, one.body ?? NOTHING);
    const once: EndpointCall<unknown, unknown>['once'] = (work) => runIdempotent(ctx, slot, work, explain);
    const repeatable: EndpointCall<unknown, unknown>['repeatable'] = (work) => runRepeatable(ctx, slot, work, explain);
    const onceReady: EndpointCall<unknown, unknown>['onceReady'] = (ready, work) =>
      runReadied(ctx, slot, ready, work, explain);
    const { keyId: id, label: name, workspace } = caller;
    const acting = { workspaceId: workspace.id, actor: { kind: 'api_key' as const, id, name }, needs: null };
    const done = await actAs(acting, () => one.run(ctx, { ...call, body, slot, once, repeatable, onceReady }));
    if ('stream' in done) throw new Error('only a GET is a stream');
    if ('answer' in done) {
      noteResponse(response, { given: done.answer });
      return send(200, JSON.stringify(done.answer));
    }
    noteResponse(response, { json: done.body });
    if (done.replayed) response.setHeader('Idempotent-Replayed', 'true');
    if (done.status >= 400) noteRetry(response, JSON.parse(done.body).error.code);
    send(done.status, done.body);
  });
}

/** Until the stream is open, an error is a normal response. */
async function holdOpen(request: Request, response: Response, watch: Stream): Promise<void> {
  const stream = openEventStream(response);
  if (request.method === 'HEAD') {
    stream.begin();
    return stream.end();
  }
  const stop = await watch(stream, request.get('Last-Event-ID') || undefined);
  response.on('close', stop);
  // The client may have disconnected meanwhile.
  if (response.destroyed) return stop();
  if (!response.writableEnded) stream.begin();
  noteStream(response);
}

/** @throws AppError `parameter_invalid` */
function idempotencyKeyOf(request: Request): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && /^[ -~]{1,255}$/.test(key)) return key;
  throw new AppError('parameter_invalid', 'Idempotency-Key must be 1 to 255 printable ASCII characters.', {
    param: 'Idempotency-Key',
  });
}

function refuseOthers(router: Router, path: string, route: string, allowed: string, recognise: Recognise): void {
  router.options(path, (_request, response) => {
    response.setHeader('Allow', allowed);
    response.status(204).end();
  });
  router.all(path, async (request, response) => {
    response.setHeader('Allow', allowed);
    noteRoute(response, route);
    await recognise(request, response);
    throw new AppError('method_not_allowed', `Method not allowed. Use ${allowed}.`);
  });
}

/** Without the framework's own: no tag of the content is computed for an answer that is read once. */
function sendBody(response: Response, status: number, body: string): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}
