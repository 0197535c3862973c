// Who is an operator: the admin secret in the header, or the cookie that it was traded for.
import type { Request, RequestHandler } from 'express';
import type { Ctx } from '../context.ts';
import { AppError } from '../domain/errors.ts';
import { findOperator, isAdminSecret, mayReadMetrics } from '../services/operations/operators.ts';
import { readCookie } from './cookies.ts';

function bearerOf(request: Request): string | undefined {
  return /^Bearer ([!-~]{1,512})$/.exec(request.headers.authorization ?? '')?.[1];
}

/** @returns who it is, for the record. @throws AppError `admin_secret_invalid` */
export async function requireOperator(ctx: Ctx, request: Request): Promise<string> {
  const bearer = bearerOf(request);
  if (bearer !== undefined && isAdminSecret(ctx, bearer)) return 'admin secret';
  const token = readCookie(request, 'service-operator');
  const operator = token === undefined ? null : await findOperator(ctx, token);
  if (!operator) throw new AppError('admin_secret_invalid');
  return operator;
}

/** Whether an operator is signed in. */
export async function isOperator(ctx: Ctx, request: Request): Promise<boolean> {
  try {
    await requireOperator(ctx, request);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'admin_secret_invalid') return false;
    throw error;
  }
}

/** For machines: the secret itself, in the header. @throws AppError `admin_secret_invalid` */
export function requireAdminSecret(ctx: Ctx, request: Request): void {
  const bearer = bearerOf(request);
  if (bearer === undefined || !isAdminSecret(ctx, bearer)) throw new AppError('admin_secret_invalid');
}

/** Lets operators through; a browser that only looked is sent to where it can sign in. */
export function operatorsOnly(ctx: Ctx): RequestHandler {
  return async (request, response, next) => {
    try {
      await requireOperator(ctx, request);
    } catch (error) {
      const looking =
        error instanceof AppError && request.method === 'GET' && request.accepts('json', 'html') === 'html';
      if (looking) return response.redirect(302, '/operations');
      throw error;
    }
    next();
  };
}

/** @throws AppError `admin_secret_invalid` */
export function requireMetricsReader(ctx: Ctx, request: Request): void {
  const bearer = bearerOf(request);
  if (bearer === undefined || !mayReadMetrics(ctx, bearer)) throw new AppError('admin_secret_invalid');
}
