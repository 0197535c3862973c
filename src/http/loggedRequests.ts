// What the API log learns of a request on its way: whose key it brought, what it said and what was answered. The entry is made when the response
// has gone, so no request waits for it.
import type { Request, RequestHandler, Response } from 'express';
import type { Ctx } from '../context.ts';
import { redactText } from '../domain/redaction.ts';
import { LOGGED_METHODS, loggedBody, loggedPath } from '../domain/requestLog.ts';
import type { ApiCaller } from '../services/workspaces/apiKeys.ts';
import type { RequestEntry, RequestLog } from '../services/workspaces/requestLog.ts';

/** A body as an object, or as the JSON that was sent. */
type Body = { given: unknown } | { json: string };
type Note = {
  caller?: ApiCaller;
  route: string;
  isLeftOut: boolean;
  request?: Body;
  response?: Body;
  errorCode: string | null;
  log: RequestLog;
  /** Makes the entry, once. */
  end(): void;
};

const notes = new WeakMap<Response, Note>();

/** For everything under /v1: logs what a workspace's key calls. */
export function logRequests(ctx: Ctx, log: RequestLog): RequestHandler {
  return (request, response, next) => {
    const started = performance.now();
    const note: Note = {
      route: '',
      isLeftOut: false,
      errorCode: null,
      log,
      end() {
        notes.delete(response);
        if (!note.caller || note.isLeftOut) return;
        try {
          log.add(entryOf(request, response, note, performance.now() - started));
        } catch (err) {
          ctx.log.warn({ err }, 'a request could not be logged');
        }
      },
    };
    notes.set(response, note);
    response.once('close', () => notes.has(response) && note.end());
    next();
  };
}

export function noteCaller(response: Response, caller: ApiCaller): void {
  const note = notes.get(response);
  if (note) note.caller = caller;
}

/** @param isLeftOut for the log's own list: following it would log itself for ever */
export function noteRoute(
  response: Response,
  route: string,
  { isLeftOut = false }: { isLeftOut?: boolean | undefined } = {},
): void {
  const note = notes.get(response);
  if (note) Object.assign(note, { route, isLeftOut });
}

export function noteRequestBody(response: Response, given: unknown): void {
  const note = notes.get(response);
  if (note) note.request = { given };
}

export function noteResponse(response: Response, body: Body): void {
  const note = notes.get(response);
  if (note) note.response = body;
}

/** Of refusals by the rate limit of a key, one a second is logged. */
export function noteError(response: Response, code: string): void {
  const note = notes.get(response);
  if (!note?.caller) return;
  note.errorCode = code;
  if (code === 'rate_limited') note.isLeftOut ||= note.log.hasEnough(note.caller.keyId);
}

/** A response that stays open is logged once it has begun. */
export function noteStream(response: Response): void {
  notes.get(response)?.end();
}

/** Where the dashboard shows the request; undefined for one that is not logged. */
export function requestLogUrl(ctx: Pick<Ctx, 'env'>, response: Response): string | undefined {
  const note = notes.get(response);
  if (!note?.caller || note.isLeftOut) return undefined;
  return `${new URL(ctx.env.BASE_URL).origin}/logs/${String(response.getHeader('Request-Id'))}`;
}

function entryOf(request: Request, response: Response, note: Note, ms: number): RequestEntry {
  const caller = note.caller as ApiCaller;
  const key = request.headers['idempotency-key'];
  const asked = note.request && loggedBody(contentOf(note.request));
  const answered = note.response && loggedBody(contentOf(note.response));
  return {
    id: String(response.getHeader('Request-Id')),
    handleId: caller.workspace.id,
    livemode: caller.livemode,
    keyId: caller.keyId,
    method: LOGGED_METHODS.find((one) => one === request.method) ?? 'OTHER',
    route: note.route,
    path: loggedPath(request.originalUrl),
    status: response.writableFinished || response.headersSent ? response.statusCode : 499,
    durationMs: Math.round(ms),
    errorCode: note.errorCode ?? codeIn(response, note.response),
    idempotencyKey: typeof key === 'string' && /^[ -~]{1,255}$/.test(key) ? redactText(key) : null,
    requestBody: asked?.text ?? null,
    requestCut: asked?.isCut ?? false,
    responseBody: answered?.text ?? null,
    responseCut: answered?.isCut ?? false,
  };
}

function contentOf(body: Body): unknown {
  return 'given' in body ? body.given : JSON.parse(body.json);
}

/** Of an error that was kept for the same Idempotency-Key. */
function codeIn({ statusCode }: Response, body: Body | undefined): string | null {
  if (statusCode < 400 || !body) return null;
  const { error } = contentOf(body) as { error?: { code?: unknown } };
  return typeof error?.code === 'string' ? error.code : null;
}
