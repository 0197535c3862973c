// Logins at platforms: started by a signed-in browser with a handle, answered once to the same browser, and in force only after a press on our page.

import { createHash } from 'node:crypto';
import { AuthorizationResponseError, generateRandomCodeVerifier, validateAuthResponse } from 'oauth4webapi';
import { type Ctx, newId } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { LOGIN_TTL_MS } from '../../domain/limits.ts';
import { LOGIN_PLATFORMS, type LoginPlatform, type LoginStatus, PLATFORM_NAMES } from '../../domain/login.ts';
import { lockKey, lockSender } from '../locks.ts';
import { transitionOne } from '../transitions.ts';
import { accountConnected, type OfferWaiting } from './connected.ts';
import { connectAccount, findConnectionIn, noteSeen } from './connections.ts';
import { lockAccount } from './connectLinks.ts';
import { askAccount, authorizeUrl, type ProvenAccount, providerOf } from './loginProviders.ts';
import { newToken } from './sessions.ts';
import { isTelegramOffered, readTelegramAnswer, telegramUrl } from './telegramLogin.ts';

/** Who is signed in: everything about a login is for this session and this handle only. */
export type LoginOwner = { sessionId: string; handleId: string };

/** A login whose account is known. `connectionId` is null until it is connected. */
export type LoginView = {
  id: string;
  platform: LoginPlatform;
  platformUserId: string;
  username: string | null;
  handle: string;
  status: 'proven' | 'connected';
  expiresAt: Date;
  returnTo: string;
  connectionId: string | null;
};

/** Where a login can be made: the platforms that are configured. */
export function offeredLogins(ctx: Ctx): LoginPlatform[] {
  return LOGIN_PLATFORMS.filter((platform) =>
    platform === 'telegram' ? isTelegramOffered(ctx) : providerOf(ctx, platform) !== null,
  );
}

/** Begins a login. @returns the platform's address, to which the browser goes. @throws AppError `resource_missing` where it is not offered */
export async function startLogin(
  ctx: Ctx,
  platform: LoginPlatform,
  by: LoginOwner,
  returnTo: string,
): Promise<{ url: string }> {
  if (!offeredLogins(ctx).includes(platform))
    throw new AppError('resource_missing', `${PLATFORM_NAMES[platform]} cannot be connected on this page.`);
  const now = ctx.clock.now();
  const state = newToken();
  const verifier = platform === 'telegram' ? null : generateRandomCodeVerifier();
  await ctx.db.login.create({
    data: {
      id: newId(ctx, 'lgn'),
      stateHash: hashOf(state),
      platform,
      ...by,
      verifier,
      returnTo,
      status: 'open',
      createdAt: new Date(now),
      expiresAt: new Date(now + LOGIN_TTL_MS),
    },
  });
  if (platform === 'telegram' || verifier === null) return { url: telegramUrl(ctx, state) };
  return { url: await authorizeUrl(offered(ctx, platform), state, verifier) };
}

function hashOf(state: string): string {
  return createHash('sha256').update(state).digest('hex');
}

function offered(ctx: Ctx, platform: 'discord' | 'x') {
  const provider = providerOf(ctx, platform);
  if (!provider) throw new AppError('resource_missing');
  return provider;
}

/**
 * The browser is back from Discord or X. Its state is used up by this, whatever comes of it.
 * @param answer the query that the platform gave
 * @throws AppError `login_over` for a state that is unknown, used, late, or of another session or handle; `login_cancelled`;
 * `state_conflict` when the account is connected already; `provider_unavailable`
 */
export async function finishOAuthLogin(
  ctx: Ctx,
  platform: 'discord' | 'x',
  answer: URLSearchParams,
  by: LoginOwner,
): Promise<LoginView> {
  const state = answer.get('state') ?? '';
  const provider = offered(ctx, platform);
  const login = await takeLogin(ctx, platform, state, by);
  const at = ctx.clock.now();
  let account: ProvenAccount;
  try {
    const checked = validateAuthResponse(provider.server, provider.client, answer, state);
    account = await askAccount(ctx, provider, checked, login.verifier ?? '');
  } catch (error) {
    const saidNo = error instanceof AuthorizationResponseError && error.error === 'access_denied';
    await ctx.db.$transaction((tx) => transitionOne(ctx, tx, 'login', login.id, saidNo ? 'cancel' : 'fail'));
    if (saidNo) throw new AppError('login_cancelled');
    if (error instanceof AppError) throw error;
    ctx.log.warn({ err: error, platform }, 'a platform sent a browser back with what is no answer');
    throw new AppError(
      'provider_unavailable',
      `${provider.name} sent an unexpected response. Nothing was connected. Try again shortly.`,
    );
  }
  return proveLogin(ctx, login, account, at, null);
}

/**
 * The browser is back from Telegram, with an answer that its page read from the address. Same errors as {@link finishOAuthLogin};
 * `login_over` also for an answer that is forged, older than five minutes, or was used before.
 */
export async function finishTelegramLogin(ctx: Ctx, state: string, text: string, by: LoginOwner): Promise<LoginView> {
  const login = await takeLogin(ctx, 'telegram', state, by);
  const answer = readTelegramAnswer(ctx, text);
  if (answer !== null && answer !== 'cancelled') return proveLogin(ctx, login, answer, answer.at, answer.answerHash);
  await ctx.db.$transaction((tx) => transitionOne(ctx, tx, 'login', login.id, answer === null ? 'fail' : 'cancel'));
  throw new AppError(answer === null ? 'login_over' : 'login_cancelled');
}

/** Uses the state up. The error does not reveal whether another session has it. */
async function takeLogin(ctx: Ctx, platform: LoginPlatform, state: string, by: LoginOwner): Promise<Row<'Login'>> {
  const login = await ctx.db.login.findUnique({ where: { stateHash: hashOf(state) } });
  if (!login || login.platform !== platform || !isOf(login, by) || isLate(ctx, login)) throw new AppError('login_over');
  // The verifier is needed now or never, so the row forgets it with the same statement that only one caller gets through.
  const taken = await ctx.db.$transaction((tx) => transitionOne(ctx, tx, 'login', login.id, 'ask', { verifier: null }));
  if (!taken) throw new AppError('login_over');
  return login;
}

function isOf(login: Row<'Login'>, by: LoginOwner): boolean {
  return login.sessionId === by.sessionId && login.handleId === by.handleId;
}

function isLate(ctx: Ctx, login: Row<'Login'>): boolean {
  return login.expiresAt.getTime() <= ctx.clock.now();
}

/** Records whose account it is, unless it is connected: its handle is not shown. @param at when it carried this name, Unix milliseconds */
async function proveLogin(
  ctx: Ctx,
  login: Row<'Login'>,
  account: ProvenAccount,
  at: number,
  answerHash: string | null,
): Promise<LoginView> {
  const { platform } = login;
  const { platformUserId, username } = account;
  const outcome = await ctx.db.$transaction(async (tx) => {
    if (answerHash !== null) {
      await lockKey(tx, `login-answer:${answerHash}`);
      if ((await tx.login.count({ where: { answerHash } })) > 0)
        return transitionOne(ctx, tx, 'login', login.id, 'fail').then(over);
    }
    await noteSeen(tx, platform, [{ id: platformUserId, username, isBot: false }], at);
    if (await findConnectionIn(tx, platform, platformUserId)) {
      await transitionOne(ctx, tx, 'login', login.id, 'fail', { platformUserId, username, answerHash });
      return taken();
    }
    const proven = await transitionOne(ctx, tx, 'login', login.id, 'prove', { platformUserId, username, answerHash });
    return proven ? null : over();
  });
  if (outcome) throw outcome;
  return loginOf(ctx, login.id, { sessionId: login.sessionId, handleId: login.handleId });
}

function over(): AppError {
  return new AppError('login_over');
}

/** The same message for every owner. */
function taken(): AppError {
  return new AppError(
    'state_conflict',
    'This account is already connected. Disconnect it first, on this page or by sending /disconnect to the bot.',
  );
}

/** What the page shows before and after its press. @throws AppError `resource_missing` for any other owner, `login_over` */
export async function loginOf(ctx: Ctx, id: string, by: LoginOwner): Promise<LoginView> {
  const login = await ctx.db.login.findUnique({ where: { id } });
  if (!login || !isOf(login, by)) throw new AppError('resource_missing', 'No such login.');
  return viewLogin(ctx, login);
}

async function viewLogin(ctx: Ctx, login: Row<'Login'>): Promise<LoginView> {
  const { id, platformUserId, username, handleId, returnTo, expiresAt } = login;
  const platform = login.platform as LoginPlatform;
  const status = login.status as LoginStatus;
  const isOpen = status === 'proven' && !isLate(ctx, login);
  if (platformUserId === null || (!isOpen && status !== 'connected')) throw over();
  const [handle, connection] = await Promise.all([
    ctx.db.handle.findUniqueOrThrow({ where: { id: handleId }, select: { slug: true } }),
    status === 'connected' ? findConnectionIn(ctx.db, platform, platformUserId) : null,
  ]);
  const connectionId = connection?.handleId === handleId ? connection.id : null;
  // It was disconnected since: there is nothing left to show.
  if (status === 'connected' && connectionId === null) throw over();
  return {
    id,
    platform,
    platformUserId,
    username,
    handle: handle.slug,
    status: isOpen ? 'proven' : 'connected',
    expiresAt,
    returnTo,
    connectionId,
  };
}

/**
 * The press on our page: connects the account, receive-only. Pressing again changes nothing and says the same.
 * @throws AppError `resource_missing`, `login_over`, `state_conflict` when the account was connected meanwhile
 */
export async function confirmLogin(
  ctx: Ctx,
  platform: LoginPlatform,
  id: string,
  by: LoginOwner,
  offerWaiting: OfferWaiting,
): Promise<LoginView> {
  const view = await loginOf(ctx, id, by);
  if (view.platform !== platform) throw new AppError('resource_missing', 'No such login.');
  if (view.status === 'proven') {
    const outcome = await ctx.db.$transaction((tx) => connectByLogin(ctx, tx, view, by.handleId, offerWaiting));
    await ctx.queues.flush(ctx.db);
    if (outcome) throw outcome;
  }
  return loginOf(ctx, id, by);
}

async function connectByLogin(
  ctx: Ctx,
  tx: Tx,
  view: LoginView,
  handleId: string,
  offerWaiting: OfferWaiting,
): Promise<AppError | null> {
  const { id, platform, platformUserId, username } = view;
  const account = { platform, platformUserId, username, handleId };
  // The same order as everywhere: the account first, then its handle.
  await lockAccount(tx, account);
  await lockSender(tx, handleId);
  const login = await tx.login.findUniqueOrThrow({ where: { id } });
  // Two presses at once: the second one finds it done.
  if (login.status === 'connected') return null;
  if (login.status !== 'proven' || isLate(ctx, login)) return over();
  if (!(await connectAccount(ctx, tx, { ...account, canSpend: false }))) {
    await transitionOne(ctx, tx, 'login', id, 'fail');
    return taken();
  }
  if (!(await transitionOne(ctx, tx, 'login', id, 'connect')))
    throw new AppError('state_conflict', 'the login was answered elsewhere');
  await accountConnected(ctx, tx, { ...account, by: id, agreedIn: null }, offerWaiting);
  return null;
}
