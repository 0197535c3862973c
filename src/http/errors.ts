// The one place where an error becomes an answer: the envelope of the interface, and nothing of our insides.
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import type { Ctx } from '../context.ts';
import { AppError, ERRORS, type ErrorCode } from '../domain/errors.ts';

export const notFound: RequestHandler = (_request, response) => {
  sendError(response, 'resource_missing');
};

export function handleErrors(ctx: Ctx): ErrorRequestHandler {
  return (error: unknown, _request, response, _next) => {
    const code = codeOf(error);
    if (code === 'internal_error') ctx.log.error({ err: error }, 'a request failed');
    sendError(response, code, error instanceof AppError ? error : undefined);
  };
}

/** Express and its body parser put an HTTP status on their errors. */
function codeOf(error: unknown): ErrorCode {
  if (error instanceof AppError) return error.code;
  const { status } = error as { status?: number };
  if (status === 413) return 'body_too_large';
  if (status === 415) return 'media_type_unsupported';
  if (status === 400) return 'parameter_invalid';
  return 'internal_error';
}

function sendError(response: Response, code: ErrorCode, error?: AppError): void {
  const { status, type, retryable, message } = ERRORS[code];
  if (status === 409 && !retryable) response.setHeader('Stripe-Should-Retry', 'false');
  if (status === 503) response.setHeader('Retry-After', '5');
  if (error?.retryAfterMs !== undefined)
    response.setHeader('Retry-After', String(Math.max(1, Math.ceil(error.retryAfterMs / 1_000))));
  response.status(status).json({
    error: {
      type,
      code,
      message: error?.detail ?? message,
      ...(error?.param ? { param: error.param } : {}),
      request_id: response.getHeader('Request-Id'),
    },
  });
}
