// The one place where an error becomes an answer: the envelope of the interface, and nothing of our insides.
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import type { Ctx } from '../context.ts';
import { AppError, ERRORS, type ErrorCode, v1StatusOf } from '../domain/errors.ts';
import { noteError, noteResponse, requestLogUrl } from './loggedRequests.ts';

/** The page that says what each code means and what to do about it. */
const ERRORS_PAGE = '/docs/errors';

export type ErrorBody = {
  error: {
    type: string;
    code: ErrorCode;
    message: string;
    param?: string;
    request_id: string;
    request_log_url?: string;
    doc_url: string;
  };
};

export function notFound(ctx: Ctx): RequestHandler {
  return (_request, response) => sendError(ctx, response, new AppError('resource_missing'));
}

export function handleErrors(ctx: Ctx): ErrorRequestHandler {
  return (error: unknown, _request, response, _next) => sendError(ctx, response, error);
}

/** Express and its body parser put an HTTP status on their errors. */
export function codeOf(error: unknown): ErrorCode {
  if (error instanceof AppError) return error.code;
  const { status } = error as { status?: number };
  if (status === 413) return 'body_too_large';
  if (status === 415) return 'media_type_unsupported';
  if (status === 400) return 'parameter_invalid';
  return 'internal_error';
}

/** What Express and its body parser refused, by the kind that they name. */
const REFUSALS: Record<string, string> = {
  'entity.parse.failed': 'The request body is not valid JSON.',
  'encoding.unsupported': 'Send the request body without Content-Encoding.',
  'charset.unsupported': 'Send the request body in UTF-8.',
};

/** @param limit of the body parser, in bytes */
function tooLarge(limit: unknown): string | undefined {
  if (typeof limit !== 'number') return undefined;
  return `The request body is larger than ${limit >= 1_048_576 ? `${limit / 1_048_576} MB` : `${limit / 1_024} KB`}.`;
}

/** @returns what to say beyond the sentence of the code, where there is more to say */
function detailOf(error: unknown): string | undefined {
  if (error instanceof AppError) return error.detail;
  if (codeOf(error) === 'internal_error') return undefined;
  if (codeOf(error) === 'body_too_large') return tooLarge((error as { limit?: unknown }).limit);
  if (error instanceof URIError) return 'The URL is not valid UTF-8.';
  return REFUSALS[String((error as { type?: unknown }).type)];
}

/** Answers with whatever went wrong; what is our fault is logged. */
export function sendError(ctx: Ctx, response: Response, error: unknown): void {
  const code = codeOf(error);
  if (code === 'internal_error') ctx.log.error({ err: error }, 'a request failed');
  noteRetry(response, code, error instanceof AppError ? error.retryAfterMs : undefined);
  const more = error instanceof AppError ? error.more : undefined;
  noteError(response, code);
  const body = { ...errorBody(ctx, response, error), ...more };
  noteResponse(response, { given: body });
  response.status(statusOf(response, code)).json(body);
}

function statusOf(response: Response, code: ErrorCode): number {
  return response.req.originalUrl.startsWith('/v1/') ? v1StatusOf(code) : ERRORS[code].status;
}

/** @returns the envelope of {@link sendError} */
export function errorBody(ctx: Ctx, response: Response, error: unknown): ErrorBody {
  const code = codeOf(error);
  const { type, message } = ERRORS[code];
  const param = error instanceof AppError ? error.param : undefined;
  const logUrl = requestLogUrl(ctx, response);
  return {
    error: {
      type,
      code,
      message: detailOf(error) ?? message,
      ...(param ? { param } : {}),
      request_id: String(response.getHeader('Request-Id')),
      ...(logUrl ? { request_log_url: logUrl } : {}),
      doc_url: `${new URL(ctx.env.BASE_URL).origin}${ERRORS_PAGE}#${code}`,
    },
  };
}

/** SDKs retry every 409 unless a header says otherwise: one that no retry cures says so, a lock that was not free says the opposite. */
export function noteRetry(response: Response, code: ErrorCode, retryAfterMs?: number): void {
  const { status, retryable } = ERRORS[code];
  if (status === 409) response.setHeader('Stripe-Should-Retry', String(retryable));
  const seconds = retryAfterMs === undefined ? undefined : Math.max(1, Math.ceil(retryAfterMs / 1_000));
  if (seconds !== undefined) response.setHeader('Retry-After', String(seconds));
  else if (status === 503) response.setHeader('Retry-After', '5');
  else if (status === 409 && retryable) response.setHeader('Retry-After', '1');
}
