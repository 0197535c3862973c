// Calls to a platform's own OAuth 2.0: the page that people visit, and the account that they return with. The tokens serve that one call and are revoked.
import {
  type AuthorizationServer,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type Client,
  type ClientAuth,
  ClientSecretPost,
  calculatePKCECodeChallenge,
  customFetch,
  processAuthorizationCodeResponse,
  protectedResourceRequest,
  ResponseBodyError,
  revocationRequest,
} from 'oauth4webapi';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { PLATFORM_NAMES } from '../../domain/login.ts';

/** An account as its platform names it: the number never changes, the name may. */
export type ProvenAccount = { platformUserId: string; username: string | null };

export type Provider = {
  name: string;
  server: AuthorizationServer;
  client: Client;
  auth: ClientAuth;
  scope: string;
  accountUrl: URL;
  redirectUri: string;
  readAccount: (body: unknown) => ProvenAccount;
};

const TIMEOUT_MS = 4_000;
const REVOKE_TIMEOUT_MS = 3_000;
/** More than any of these answers has. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** The wait after a failed call to a platform, before the next one. */
const ASK_AGAIN_MS = 10_000;

const numericId = z.string().regex(/^[1-9]\d{0,19}$/);
const discordUser = z.object({
  id: numericId,
  username: z.string().min(1).max(100),
  /** "0" for everybody whose name is unique. */
  discriminator: z.string().optional(),
});
const xUser = z.object({ data: z.object({ id: numericId, username: z.string().min(1).max(100) }) });

/** The platform's login as it is configured, or null where it is not. */
export function providerOf(ctx: Ctx, platform: 'discord' | 'x'): Provider | null {
  const { env } = ctx;
  const redirectUri = new URL(`/api/auth/${platform}/callback`, env.BASE_URL).href;
  if (platform === 'discord') {
    const { DISCORD_CLIENT_ID: id, DISCORD_CLIENT_SECRET: secret, DISCORD_OAUTH_ROOT: root } = env;
    if (!id || !secret) return null;
    return {
      name: PLATFORM_NAMES.discord,
      server: {
        issuer: root,
        authorization_endpoint: under(root, '/oauth2/authorize'),
        token_endpoint: under(root, '/api/oauth2/token'),
        revocation_endpoint: under(root, '/api/oauth2/token/revoke'),
      },
      client: { client_id: id },
      auth: ClientSecretPost(secret),
      scope: 'identify',
      accountUrl: new URL(under(root, '/api/v10/users/@me')),
      redirectUri,
      readAccount: (body) => {
        const user = discordUser.parse(body);
        const isUnique = (user.discriminator ?? '0') === '0';
        return { platformUserId: user.id, username: isUnique ? user.username : null };
      },
    };
  }
  const { X_CLIENT_ID: id, X_CLIENT_SECRET: secret, X_AUTHORIZE_ROOT: pages, X_API_ROOT: root } = env;
  if (!id || !secret) return null;
  return {
    name: PLATFORM_NAMES.x,
    server: {
      issuer: root,
      authorization_endpoint: under(pages, '/i/oauth2/authorize'),
      token_endpoint: under(root, '/2/oauth2/token'),
      revocation_endpoint: under(root, '/2/oauth2/revoke'),
    },
    client: { client_id: id },
    auth: plainBasic(secret),
    scope: 'users.read tweet.read',
    accountUrl: new URL(under(root, '/2/users/me')),
    redirectUri,
    readAccount: (body) => {
      const { id: platformUserId, username } = xUser.parse(body).data;
      return { platformUserId, username };
    },
  };
}

/** A root may have a path of its own. */
function under(root: string, path: string): string {
  return root.replace(/\/+$/, '') + path;
}

/** X takes the id and the secret as they are, where the standard would have each percent-encoded first. */
function plainBasic(secret: string): ClientAuth {
  return (_server, client, _body, headers) => {
    headers.set('authorization', `Basic ${Buffer.from(`${client.client_id}:${secret}`).toString('base64')}`);
  };
}

/** Where the browser goes. */
export async function authorizeUrl(provider: Provider, state: string, verifier: string): Promise<string> {
  const url = new URL(provider.server.authorization_endpoint ?? '');
  const challenge = await calculatePKCECodeChallenge(verifier);
  for (const [name, value] of Object.entries({
    response_type: 'code',
    client_id: provider.client.client_id,
    redirect_uri: provider.redirectUri,
    scope: provider.scope,
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }))
    url.searchParams.set(name, value);
  return url.href;
}

/**
 * Exchanges the code and queries once whose account it is. The token is revoked at the platform where that works, and never stored.
 * @param answer what came back, checked by the caller
 * @throws AppError `login_over` for a code that the platform rejects, `provider_unavailable` when it does not answer or its answer is invalid
 */
export async function askAccount(
  ctx: Ctx,
  provider: Provider,
  answer: URLSearchParams,
  verifier: string,
): Promise<ProvenAccount> {
  const { server, client, auth, redirectUri } = provider;
  const token = await understood(ctx, provider, 'token', async () => {
    const response = await authorizationCodeGrantRequest(
      server,
      client,
      auth,
      answer,
      redirectUri,
      verifier,
      call(server),
    );
    refuseIfAway(response);
    return (await processAuthorizationCodeResponse(server, client, response)).access_token;
  });
  try {
    return await understood(ctx, provider, 'account', async () => provider.readAccount(await readMe(provider, token)));
  } finally {
    await revoke(ctx, provider, token);
  }
}

/** The call has no effect there, so it is repeated when no answer comes. */
async function readMe(provider: Provider, token: string): Promise<unknown> {
  const ask = async () => {
    const headers = new Headers({ accept: 'application/json' });
    const { accountUrl, server } = provider;
    const response = await protectedResourceRequest(token, 'GET', accountUrl, headers, null, call(server));
    refuseIfAway(response);
    if (response.status !== 200) throw new Error(`the platform did not return the account: status ${response.status}`);
    return response.json() as Promise<unknown>;
  };
  try {
    return await ask();
  } catch (error) {
    if (!isAway(error) || (error instanceof Away && error.retryAfterMs !== undefined)) throw error;
    return ask();
  }
}

async function revoke(ctx: Ctx, { server, client, auth, name }: Provider, token: string): Promise<void> {
  try {
    const response = await revocationRequest(server, client, auth, token, call(server, REVOKE_TIMEOUT_MS));
    if (response.status !== 200) throw new Error(`status ${response.status}`);
  } catch (err) {
    ctx.log.info({ err, platform: name }, 'a token could not be given back; it ends by itself');
  }
}

/** A platform that says that it cannot answer now. */
class Away extends Error {
  readonly retryAfterMs: number | undefined;

  constructor(status: number, retryAfterMs?: number) {
    super(`the platform is away: status ${status}`);
    this.retryAfterMs = retryAfterMs;
  }
}

function refuseIfAway(response: Response): void {
  if (response.status < 500 && response.status !== 429) return;
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  throw new Away(response.status, seconds > 0 && seconds < 86_400 ? seconds * 1_000 : undefined);
}

/** Whether no answer came: refused, cut off, too slow, or away by its own word. */
function isAway(error: unknown): boolean {
  if (error instanceof Away) return true;
  // fetch says every failure of the network as a TypeError with its cause.
  if (error instanceof TypeError) return error.cause instanceof Error && !('code' in error && isOurs(error.code));
  return error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError');
}

/** The library's own complaints about what it was given. */
function isOurs(code: unknown): boolean {
  return typeof code === 'string' && code.startsWith('ERR_INVALID_ARG');
}

async function understood<T>(ctx: Ctx, { name }: Provider, step: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    if (cause instanceof ResponseBodyError && cause.error === 'invalid_grant')
      throw new AppError('login_over', undefined, { cause });
    // What the library throws may hold the platform's whole answer, and that the token: only its words are logged.
    const problem = cause instanceof Error ? `${cause.name}: ${cause.message}` : 'no error';
    ctx.log.warn({ platform: name, step, problem }, 'a platform did not answer a login as it should');
    const away = isAway(cause);
    const words = away ? `${name} isn’t responding right now.` : `${name} sent an unexpected response.`;
    const retryAfterMs = (cause instanceof Away ? cause.retryAfterMs : undefined) ?? ASK_AGAIN_MS;
    throw new AppError('provider_unavailable', `${words} Nothing was connected. Try again shortly.`, { retryAfterMs });
  }
}

/** How every call is made: in time, without following where it leads, and with an answer that cannot fill the memory. */
function call(server: AuthorizationServer, timeoutMs = TIMEOUT_MS) {
  return {
    signal: () => AbortSignal.timeout(timeoutMs),
    [customFetch]: boundedFetch,
    // The configuration lets a root be without TLS on the local stack only.
    [allowInsecureRequests]: new URL(server.issuer).protocol === 'http:',
  };
}

async function boundedFetch(url: string, options: RequestInit): Promise<Response> {
  const response = await fetch(url, options);
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > MAX_ANSWER_BYTES) throw new Error('the answer is longer than any that is expected');
    parts.push(part);
  }
  const { status, headers } = response;
  const isEmpty = size === 0 || status === 204 || status === 304;
  return new Response(isEmpty ? null : Buffer.concat(parts), { status, headers });
}
