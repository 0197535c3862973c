// What a route of /api is: an endpoint that the pages call, described as those of /v1 are, with who may call it.
import type { Request, Response } from 'express';
import type { z } from 'zod';
import type { Ctx } from '../../context.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import type { Session } from '../../services/accounts/sessions.ts';
import { countSignature } from '../../services/publicRateLimit.ts';
import { callerOf } from '../caller.ts';
import type { CallBase, EndpointBase } from '../endpoint.ts';
import { isOperator, requireOperator } from '../operator.ts';
import { readSession, requireHandle, requireSession, type SessionWithHandle } from '../session.ts';

/**
 * What `run` gets as its caller: nothing, from where a visitor calls, the session if there is one, a session, a session with a handle, the same and
 * whether an operator is signed in beside it, or the operator’s name for the record.
 */
type Callers = {
  anyone: null;
  visitor: string;
  maybe: { session: Session | null; from: string };
  session: Session;
  handle: SessionWithHandle;
  sponsor: SessionWithHandle & { isOperator: boolean };
  operator: string;
};
export type Access = keyof Callers;

type RouteCall<Who extends Access, Query, Body> = CallBase<Query, Body> & { caller: Callers[Who] };

export type Route<Who extends Access = Access, Query = unknown, Body = unknown, Answer = unknown> = EndpointBase & {
  access: Who;
  /** Counts a call that was read, before it runs. @throws AppError `rate_limited` */
  limit?(ctx: Ctx, caller: Callers[Who]): Promise<void>;
  run(ctx: Ctx, call: RouteCall<Who, Query, Body>): Promise<Answer>;
};

/** Ties what `run` is given and what it answers to the schemas, and the limit to who may call. */
export function route<
  Who extends Access,
  Answer extends z.ZodType,
  Query extends z.ZodObject,
  Body extends z.ZodType<object>,
>(
  given: Route<Who, z.output<Query>, z.output<Body>, z.input<Answer>> & {
    query?: Query;
    body?: Body;
    answer: Answer;
    limit?: (ctx: Ctx, caller: Callers[Who]) => Promise<void>;
  },
): Route {
  return given;
}

/** For routes that prepare or check a signature. */
export const signatures = (ctx: Ctx, { handle }: SessionWithHandle) => countSignature(ctx, handle.id);

/** Admits a caller. @throws AppError with a code of {@link BY_ACCESS} */
export const ADMISSIONS: {
  [Who in Access]: (ctx: Ctx, request: Request, response: Response) => Promise<Callers[Who]>;
} = {
  anyone: async () => null,
  visitor: async (_ctx, request) => callerOf(request),
  maybe: async (ctx, request, response) => ({
    session: await readSession(ctx, request, response),
    from: callerOf(request),
  }),
  session: requireSession,
  handle: requireHandle,
  sponsor: async (ctx, request, response) => ({
    ...(await requireHandle(ctx, request, response)),
    isOperator: await isOperator(ctx, request),
  }),
  operator: requireOperator,
};

const ALWAYS: readonly ErrorCode[] = [
  'parameter_invalid',
  'parameter_missing',
  'parameter_unknown',
  'internal_error',
  'provider_unavailable',
];
const ON_WRITE: readonly ErrorCode[] = ['origin_not_allowed', 'media_type_unsupported', 'body_too_large'];
const BY_ACCESS: Record<Access, readonly ErrorCode[]> = {
  anyone: [],
  visitor: [],
  maybe: ['account_changed'],
  session: ['session_required', 'account_changed'],
  handle: ['session_required', 'account_changed', 'handle_required', 'role_required'],
  sponsor: ['session_required', 'account_changed', 'handle_required', 'role_required'],
  operator: ['admin_secret_invalid'],
};

/** Every code that a route may answer with. */
export function codesOf({ method, access, limit, errors }: Route): ErrorCode[] {
  const limited: ErrorCode[] = limit ? ['rate_limited'] : [];
  const onWrite = method === 'get' ? [] : ON_WRITE;
  return [...new Set([...errors, ...ALWAYS, ...onWrite, ...BY_ACCESS[access], ...limited])];
}
