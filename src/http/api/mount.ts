// Mounts the routes of /api that are data: each call is admitted, read, counted and run, in this order.
import type { Express, Request, Response } from 'express';
import type { Ctx } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { checkAnswer, idsOf, isStrict, routeOf } from '../mount.ts';
import { parseBody, parseQuery } from '../parse.ts';
import { ADMISSIONS, codesOf, type Route } from './route.ts';
import { ROUTES } from './routes.ts';

export function mountRoutes(app: Express, ctx: Ctx, routes: readonly Route[] = ROUTES): void {
  for (const one of routes)
    app.route(routeOf(one))[one.method](async (request: Request, response: Response) => {
      const answer = await answerOf(ctx, one, request, response).catch((error: unknown) => {
        throw undeclared(ctx, one, error) ?? error;
      });
      const text = JSON.stringify(answer);
      checkAnswer(ctx, one, text);
      response.status(one.status).type('json').send(text);
    });
}

async function answerOf(ctx: Ctx, one: Route, request: Request, response: Response): Promise<unknown> {
  const caller = await ADMISSIONS[one.access](ctx, request, response);
  const query = one.query ? parseQuery(request, one.query) : {};
  const body = one.body ? parseBody(request, one.body) : {};
  await one.limit?.(ctx, caller);
  return one.run(ctx, { ...idsOf(request, response), caller, query, body });
}

/** In development, an error that its route does not declare is a fault of the route. */
function undeclared(ctx: Ctx, one: Route, cause: unknown): Error | null {
  if (!isStrict(ctx) || !(cause instanceof AppError) || codesOf(one).includes(cause.code)) return null;
  return new Error(`${one.method} ${one.path} does not declare the error ${cause.code}`, { cause });
}
