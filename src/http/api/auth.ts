// Signing in with a wallet, in two calls.
import type { Express, Request, Response } from 'express';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { SIGN_IN_TTL_MS } from '../../domain/session.ts';
import {
  finishSignIn,
  finishSolanaSignIn,
  type SignedIn,
  type SignIn,
  startSignIn,
} from '../../services/accounts/signIn.ts';
import { countPublicCall } from '../../services/publicRateLimit.ts';
import { callerOf } from '../caller.ts';
import { clearCookie, readCookie, setCookie } from '../cookies.ts';
import { hexBytes, parseBody, solanaSignature } from '../parse.ts';
import { giveSession } from '../session.ts';

const nothing = z.strictObject({});
const message = z.string().max(4_000);
const byEvmWallet = z.strictObject({ message, signature: hexBytes });
const bySolanaWallet = z.strictObject({ message, signature: solanaSignature });

export function mountAuth(app: Express, ctx: Ctx): void {
  app.post('/api/auth/nonce', async (request, response) => {
    parseBody(request, nothing);
    await countPublicCall(ctx, 'sign-in', callerOf(request));
    const { start, browser } = await startSignIn(ctx);
    setCookie(ctx, response, 'service-prelogin', browser, { maxAgeMs: SIGN_IN_TTL_MS });
    response.json(start);
  });

  app.post('/api/auth/siwe', async (request, response) => {
    const signed = parseBody(request, byEvmWallet);
    await countPublicCall(ctx, 'sign-in', callerOf(request));
    giveAccount(ctx, response, await finishSignIn(ctx, { ...signed, ...browserOf(request) }));
  });

  app.post('/api/auth/siws', async (request, response) => {
    const signed = parseBody(request, bySolanaWallet);
    await countPublicCall(ctx, 'sign-in', callerOf(request));
    giveAccount(ctx, response, await finishSolanaSignIn(ctx, { ...signed, ...browserOf(request) }));
  });
}

function browserOf(request: Request): Omit<SignIn, 'message' | 'signature'> {
  return {
    browser: readCookie(request, 'service-prelogin'),
    former: readCookie(request, 'service-session'),
    userAgent: request.headers['user-agent'] ?? '',
  };
}

function giveAccount(ctx: Ctx, response: Response, { account, token }: SignedIn): void {
  clearCookie(ctx, response, 'service-prelogin');
  giveSession(ctx, response, token);
  response.json({ account });
}
