// Signing in with a wallet, in two calls.
import type { Express } from 'express';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { SIGN_IN_TTL_MS } from '../../domain/session.ts';
import { finishSignIn, startSignIn } from '../../services/accounts/signIn.ts';
import { countPublicCall } from '../../services/publicRateLimit.ts';
import { callerOf } from '../caller.ts';
import { clearCookie, readCookie, setCookie } from '../cookies.ts';
import { hexBytes, parseBody } from '../parse.ts';
import { giveSession } from '../session.ts';

const nothing = z.strictObject({});
const signed = z.strictObject({ message: z.string().max(4_000), signature: hexBytes });

export function mountAuth(app: Express, ctx: Ctx): void {
  app.post('/api/auth/nonce', async (request, response) => {
    parseBody(request, nothing);
    await countPublicCall(ctx, 'sign-in', callerOf(request));
    const { start, browser } = await startSignIn(ctx);
    setCookie(ctx, response, 'service-prelogin', browser, { maxAgeMs: SIGN_IN_TTL_MS });
    response.json(start);
  });

  app.post('/api/auth/siwe', async (request, response) => {
    const { message, signature } = parseBody(request, signed);
    await countPublicCall(ctx, 'sign-in', callerOf(request));
    const { account, token } = await finishSignIn(ctx, {
      message,
      signature,
      browser: readCookie(request, 'service-prelogin'),
      former: readCookie(request, 'service-session'),
      userAgent: request.headers['user-agent'] ?? '',
    });
    clearCookie(ctx, response, 'service-prelogin');
    giveSession(ctx, response, token);
    response.json({ account });
  });
}
