// The wallet's host: its window, the files that this is made of, and the contracts of the deployment. No session, no cookie, and no other page or call.
import express, { type RequestHandler } from 'express';
import helmet from 'helmet';
import type { Ctx } from '../context.ts';
import { walletPlaceOf } from '../domain/walletOrigin.ts';
import { mountConfig } from './api/config.ts';
import { walletDocument } from './documents.ts';
import { handleErrors, notFound } from './errors.ts';
import { mountAssets, mountIcon, sendDocument } from './pages.ts';

const READS = new Set(['GET', 'HEAD']);

/** Answers every request to the wallet's host, and below it, where `WALLET_ORIGIN` is set: before anything of the pages' host is tried. */
export function serveWalletHost(ctx: Ctx): RequestHandler {
  const { WALLET_ORIGIN, BASE_URL } = ctx.env;
  if (!WALLET_ORIGIN) return (_request, _response, next) => next();
  const wallet = express();
  wallet.disable('x-powered-by');
  wallet.use(walletHeaders());
  const refuse = notFound(ctx);
  wallet.use((request, response, next) => {
    // Below it nothing is served: a page there could ask for the wallet's passkeys.
    const isHere = walletPlaceOf(WALLET_ORIGIN, request.headers.host) === 'wallet';
    if (isHere && READS.has(request.method)) next();
    else refuse(request, response, next);
  });
  wallet.get('/', (_request, response) => sendDocument(response, walletDocument(new URL(BASE_URL).origin)));
  mountAssets(wallet);
  mountIcon(wallet);
  mountConfig(wallet, ctx);
  wallet.use(refuse, handleErrors(ctx));
  return (request, response, next) => {
    if (walletPlaceOf(WALLET_ORIGIN, request.headers.host) === 'elsewhere') next();
    else wallet(request, response, next);
  };
}

/** Narrower than that of the pages. Its opener has to be able to speak to it; it answers to the pages' origin alone. */
function walletHeaders(): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'"],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: ["'none'"],
      },
    },
    crossOriginOpenerPolicy: { policy: 'unsafe-none' },
    strictTransportSecurity: false,
    referrerPolicy: { policy: 'no-referrer' },
  });
}
