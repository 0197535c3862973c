// What mounting an endpoint takes in either API: its route, the IDs of a call and the check of its answer.
import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Ctx } from '../context.ts';
import type { CallBase, EndpointBase } from './endpoint.ts';

/** The path as Express writes it. */
export function routeOf({ path }: Pick<EndpointBase, 'path'>): string {
  return path.replace(/\{\w+\}/, ':id').replace(/\{\w+\}/, ':part');
}

export function idsOf(request: Request, response: Response): Omit<CallBase<unknown, unknown>, 'query' | 'body'> {
  const { id = '', part = '' } = request.params;
  return { id: String(id), part: String(part), requestId: String(response.getHeader('Request-Id')) };
}

/** Whether a call fails when its answer or its error contradicts the description: in development, never in production. */
export function isStrict({ env }: Pick<Ctx, 'env'>): boolean {
  return env.AMPERSAT_MODE === 'development';
}

/** @param text the answer's JSON. @throws Error in development that lists the differences from the schema */
export function checkAnswer(
  ctx: Pick<Ctx, 'env'>,
  { method, path, answer }: Pick<EndpointBase, 'method' | 'path' | 'answer'>,
  text: string,
): void {
  if (!isStrict(ctx)) return;
  const { error } = answer.safeParse(JSON.parse(text));
  if (error) throw new Error(`the answer of ${method} ${path} contradicts its schema\n${z.prettifyError(error)}`);
}
