// Logins at platforms. Only the browser that began one can end it, and only a POST from our own page connects anything.
import type { Express, Request, Response } from 'express';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { AppError, type ErrorCode } from '../../domain/errors.ts';
import { DEFAULT_RETURN_PATH, isLoginPlatform, isReturnPath, type LoginPlatform } from '../../domain/login.ts';
import {
  confirmLogin,
  finishOAuthLogin,
  finishTelegramLogin,
  type LoginView,
  loginOf,
  offeredLogins,
  startLogin,
} from '../../services/accounts/logins.ts';
import { offerWaiting } from '../../services/chat/waiting.ts';
import { countPublicCall } from '../../services/publicRateLimit.ts';
import { callerOf } from '../caller.ts';
import { parseBody } from '../parse.ts';
import { requireHandle, requireSession } from '../session.ts';

const start = z.strictObject({
  return_to: z.string().max(200).refine(isReturnPath, 'must be one of our own pages').default(DEFAULT_RETURN_PATH),
});
const telegramAnswer = z.strictObject({ state: z.string().min(1).max(200), result: z.string().min(1).max(8_000) });
const press = z.strictObject({ login: z.string().min(1).max(60) });

export function mountLogins(app: Express, ctx: Ctx): void {
  app.get('/api/auth/platforms', async (request, response) => {
    await requireSession(ctx, request, response);
    response.json({ platforms: offeredLogins(ctx) });
  });

  app.get('/api/auth/logins/:id', async (request, response) => {
    const by = await owner(ctx, request, response);
    response.json({ login: shape(await loginOf(ctx, request.params.id, by)) });
  });

  app.post('/api/auth/:platform/start', async (request, response) => {
    const platform = platformIn(request.params.platform);
    const by = await owner(ctx, request, response);
    const { return_to } = parseBody(request, start);
    await countPublicCall(ctx, 'login', callerOf(request));
    response.json(await startLogin(ctx, platform, by, return_to));
  });

  // A browser comes here from the platform and is sent on at once, so that the code leaves the address bar; a program gets the same as JSON.
  app.get('/api/auth/:platform/callback', async (request, response) => {
    const platform = platformIn(request.params.platform);
    if (platform === 'telegram') throw new AppError('resource_missing');
    try {
      const by = await owner(ctx, request, response);
      await countPublicCall(ctx, 'login', callerOf(request));
      const answer = new URL(request.originalUrl, ctx.env.BASE_URL).searchParams;
      const login = await finishOAuthLogin(ctx, platform, answer, by);
      if (isBrowser(request)) response.redirect(303, pageWith(ctx, { login: login.id }));
      else response.json({ login: shape(login) });
    } catch (error) {
      if (!isBrowser(request)) throw error;
      if (!(error instanceof AppError)) ctx.log.error({ err: error }, 'a login could not be finished');
      const problem: ErrorCode = error instanceof AppError ? error.code : 'internal_error';
      response.redirect(303, pageWith(ctx, { platform, problem }));
    }
  });

  app.post('/api/auth/telegram/callback', async (request, response) => {
    const by = await owner(ctx, request, response);
    const { state, result } = parseBody(request, telegramAnswer);
    await countPublicCall(ctx, 'login', callerOf(request));
    response.json({ login: shape(await finishTelegramLogin(ctx, state, result, by)) });
  });

  app.post('/api/auth/:platform/confirm', async (request, response) => {
    const platform = platformIn(request.params.platform);
    const by = await owner(ctx, request, response);
    const { login } = parseBody(request, press);
    response.json({ login: shape(await confirmLogin(ctx, platform, login, by, offerWaiting)) });
  });
}

function platformIn(text: string): LoginPlatform {
  if (!isLoginPlatform(text)) throw new AppError('resource_missing');
  return text;
}

async function owner(ctx: Ctx, request: Request, response: Response) {
  const { id: sessionId, handle } = await requireHandle(ctx, request, response);
  return { sessionId, handleId: handle.id };
}

/** Clients that accept anything get JSON; browsers name HTML first. */
function isBrowser(request: Request): boolean {
  return request.accepts(['json', 'html']) === 'html';
}

function pageWith(ctx: Ctx, query: Record<string, string>): string {
  return new URL(`/connections?${new URLSearchParams(query)}`, ctx.env.BASE_URL).href;
}

function shape(login: LoginView) {
  return {
    id: login.id,
    platform: login.platform,
    platform_user_id: login.platformUserId,
    username: login.username,
    handle: login.handle,
    status: login.status,
    expires_at: login.expiresAt.toISOString(),
    return_to: login.returnTo,
    connection_id: login.connectionId,
  };
}
