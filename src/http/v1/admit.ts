// Who may call an endpoint of /v1: the key in the header, how often it calls, the version it asks for, and what it may do.
import type { Request, Response } from 'express';
import type { Ctx } from '../../context.ts';
import type { Scope } from '../../domain/apiKey.ts';
import { AppError } from '../../domain/errors.ts';
import { API_VERSION } from '../../domain/events.ts';
import { createTokenBuckets, type Taken } from '../../services/tokenBuckets.ts';
import { type ApiCaller, authenticateKey } from '../../services/workspaces/apiKeys.ts';
import { callerOf } from '../caller.ts';
import { noteCaller } from '../loggedRequests.ts';

export const VERSIONS: readonly string[] = [API_VERSION];
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);
/** Unknown and revoked keys, by network address: above these limits the response is 429 instead of 401. Valid keys are not counted. */
const FAILURES = { perSecond: 1, burst: 60 };

/** @throws AppError `api_key_invalid`, `rate_limited`, `version_unknown`, `scope_missing` */
export type Admit = (request: Request, response: Response, scopes: readonly Scope[]) => Promise<ApiCaller>;
/** For an address that is none of ours: notes whose key came with the request. @throws AppError `rate_limited`, and nothing else */
export type Recognise = (request: Request, response: Response) => Promise<void>;

export function createAdmission(ctx: Ctx): { admit: Admit; recognise: Recognise } {
  const buckets = createTokenBuckets(ctx);
  const bucket = { perSecond: ctx.env.API_RATE_PER_SECOND, burst: ctx.env.API_RATE_BURST };
  const policy = `"key";q=${bucket.burst};w=${Math.max(1, Math.ceil(bucket.burst / bucket.perSecond))}`;

  async function identify(request: Request, response: Response): Promise<ApiCaller> {
    const { authorization } = request.headers;
    // A header that is there and cannot be read is an invalid key, not a missing one.
    const bearer = authorization && (/^Bearer +([!-~]{1,512})$/i.exec(authorization)?.[1] ?? '');
    try {
      const caller = await authenticateKey(ctx, bearer, READS.has(request.method) ? 'read' : 'write');
      noteCaller(response, caller);
      return caller;
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'api_key_invalid')) throw error;
      refuseWhenLimited(await buckets.take(`failed:${callerOf(request)}`, FAILURES));
      const reason = authorization === undefined ? '' : ', error="invalid_token"';
      response.setHeader('WWW-Authenticate', `Bearer realm="ampersat"${reason}`);
      throw error;
    }
  }

  async function count(response: Response, { keyId }: ApiCaller): Promise<void> {
    const taken = await buckets.take(`key:${keyId}`, bucket);
    response.setHeader('RateLimit-Policy', policy);
    response.setHeader('RateLimit', `"key";r=${taken.left};t=${Math.ceil(taken.fullInMs / 1_000)}`);
    refuseWhenLimited(taken);
  }

  const recognise: Recognise = async (request, response) => {
    if (request.headers.authorization === undefined) return;
    try {
      await count(response, await identify(request, response));
    } catch (error) {
      if (error instanceof AppError && error.code === 'rate_limited') throw error;
      response.removeHeader('WWW-Authenticate');
    }
  };

  const admit: Admit = async (request, response, scopes) => {
    const caller = await identify(request, response);
    await count(response, caller);
    const version = request.headers['service-version'] ?? API_VERSION;
    if (!VERSIONS.includes(String(version)))
      throw new AppError('version_unknown', `Unknown API version. Supported versions: ${VERSIONS.join(', ')}.`, {
        param: 'Service-Version',
      });
    response.setHeader('Service-Version', version);
    if (!scopes.some((scope) => caller.scopes.includes(scope)))
      throw new AppError('scope_missing', `This API key needs the scope ${scopes.join(' or ')}.`);
    return caller;
  };
  return { admit, recognise };
}

function refuseWhenLimited({ allowed, retryAfterMs }: Taken): void {
  if (!allowed) throw new AppError('rate_limited', undefined, { retryAfterMs });
}
