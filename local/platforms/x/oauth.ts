/** OAuth 2.0 at the token address: a refresh token is good for one use and gives a new pair. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { record, type Store, type Token } from './store.ts';
import { unauthorized, type XBotAccount, XProblem } from './wire.ts';

const ACCESS_SECONDS = 7_200;
const REFRESH_MS = 180 * 24 * 3_600_000;
const SCOPE = 'tweet.read tweet.write users.read dm.read dm.write offline.access';

/** The bots' first refresh tokens, unless they were used in an earlier life of this server. */
export function seedTokens(store: Store, bots: XBotAccount[]): void {
  for (const { id, clientId, refreshToken } of bots) {
    if (store.tokens.has(refreshToken) || store.revoked.has(refreshToken)) continue;
    const expiresMs = store.nowMs() + REFRESH_MS;
    record(store, { type: 'token', token: { value: refreshToken, kind: 'refresh', userId: id, clientId, expiresMs } });
  }
}

export type TokenAnswer = {
  token_type: 'bearer';
  expires_in: number;
  access_token: string;
  refresh_token: string;
  scope: string;
};

/** POST /2/oauth2/token. @param authorization the header of a confidential client */
export function exchange(
  store: Store,
  bots: XBotAccount[],
  body: Record<string, unknown>,
  authorization: string | undefined,
): TokenAnswer {
  if (body['grant_type'] !== 'refresh_token')
    throw refused('unsupported_grant_type', 'Only refresh tokens are taken here.');
  const token = store.tokens.get(String(body['refresh_token'] ?? ''));
  const bot = bots.find((one) => one.clientId === (basicUser(authorization) ?? body['client_id']));
  if (!bot || !isClient(bot, authorization)) throw unauthorized();
  if (token?.kind !== 'refresh' || token.clientId !== bot.clientId || token.expiresMs <= store.nowMs())
    throw refused('invalid_request', 'Value passed for the token was invalid.');
  record(store, { type: 'revoked', value: token.value });
  return issueTokens(store, token.userId, token.clientId);
}

/** A new pair for a user of a client. */
export function issueTokens(store: Store, userId: string, clientId: string): TokenAnswer {
  const access: Token = {
    value: randomBytes(32).toString('base64url'),
    kind: 'access',
    userId,
    clientId,
    expiresMs: store.nowMs() + ACCESS_SECONDS * 1_000,
  };
  const refresh: Token = {
    ...access,
    value: randomBytes(32).toString('base64url'),
    kind: 'refresh',
    expiresMs: store.nowMs() + REFRESH_MS,
  };
  for (const token of [access, refresh]) record(store, { type: 'token', token });
  return {
    token_type: 'bearer',
    expires_in: ACCESS_SECONDS,
    access_token: access.value,
    refresh_token: refresh.value,
    scope: SCOPE,
  };
}

/** The user whose access token this is. @throws XProblem 401 */
export function userOfToken(store: Store, authorization: string | undefined): string {
  const token = store.tokens.get(/^Bearer (\S+)$/i.exec(authorization ?? '')?.[1] ?? '');
  if (token?.kind !== 'access' || token.expiresMs <= store.nowMs()) throw unauthorized();
  return token.userId;
}

function basicUser(authorization: string | undefined): string | undefined {
  return decodeBasic(authorization)?.[0];
}

function isClient(bot: XBotAccount, authorization: string | undefined): boolean {
  const secret = Buffer.from(decodeBasic(authorization)?.[1] ?? '');
  const wanted = Buffer.from(bot.clientSecret);
  return secret.length === wanted.length && timingSafeEqual(secret, wanted);
}

function decodeBasic(authorization: string | undefined): [string, string] | undefined {
  const encoded = /^Basic (\S+)$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const [user = '', secret = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':').map(decodeURIComponent);
  return [user, secret];
}

function refused(error: string, description: string): XProblem {
  return new XProblem(400, { error, error_description: description });
}
