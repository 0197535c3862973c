// The HTTP application: security headers on everything, the web pages, and errors in one shape.
import compression, { type CompressionFilter } from 'compression';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import helmet from 'helmet';
import { type Ctx, newId } from '../context.ts';
import { actForWorkspace } from './acting.ts';
import { mountApiKeys } from './api/apiKeys.ts';
import { mountAuth } from './api/auth.ts';
import { mountCheckout } from './api/checkout.ts';
import { mountConfig } from './api/config.ts';
import { mountConnections } from './api/connections.ts';
import { mountCron } from './api/cron.ts';
import { mountEvents } from './api/events.ts';
import { mountHandles } from './api/handles.ts';
import { mountHealth } from './api/health.ts';
import { mountHistory } from './api/history.ts';
import { mountLinks } from './api/links.ts';
import { mountLogins } from './api/logins.ts';
import { mountRoutes } from './api/mount.ts';
import { mountOperations } from './api/operations.ts';
import { mountOperationsCases } from './api/operationsCases.ts';
import { mountOrders } from './api/orders.ts';
import { mountOverviewFile } from './api/overview.ts';
import { mountPaymentLinks } from './api/paymentLinks.ts';
import { mountPictures } from './api/pictures.ts';
import { mountPlanFiles } from './api/planFiles.ts';
import { mountSearch } from './api/search.ts';
import { mountSessions } from './api/sessions.ts';
import { mountSettings } from './api/settings.ts';
import { mountRelayWebhook, mountSmartEvents } from './api/smart.ts';
import { mountAuditFile } from './api/team.ts';
import { mountWebhooks } from './api/webhooks.ts';
import { mountWorkspace } from './api/workspace.ts';
import { handleErrors, notFound } from './errors.ts';
import { guardApi } from './guard.ts';
import { observeRequests } from './observe.ts';
import { mountAssets, mountMissingPage, mountNamedFiles, mountPages } from './pages.ts';
import { mountQueueBoard } from './queueBoard.ts';
import { readSession } from './session.ts';
import { mountV1 } from './v1/mount.ts';
import { serveWalletHost } from './walletHost.ts';

export type AppOptions = {
  /** Adds routes before the pages. */
  mount?: (app: Express) => void;
  /** Origins that pages may talk to besides their own, such as a local platform server. */
  connectSources?: string[];
  /** The board of the queues, and where it stands. */
  queueBoard?: { path: string; handler: RequestHandler };
  /** For the head of every document. */
  headHtml?: string;
};

export function createApp(
  ctx: Ctx,
  { mount, connectSources = [], queueBoard, headHtml = '' }: AppOptions = {},
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', ctx.env.TRUST_PROXY);
  app.use((_request: Request, response: Response, next) => {
    response.setHeader('Request-Id', newId(ctx, 'req'));
    next();
  });
  app.use(observeRequests(ctx));
  app.use(compression({ filter: isCompressed }));
  app.use(serveWalletHost(ctx));
  mountV1(app, ctx);
  app.use(securityHeaders(connectSources, ctx.env));
  mountCron(app, ctx);
  mountRelayWebhook(app, ctx);
  app.post(WITH_METADATA, largeForSignedIn(ctx));
  app.use(express.json({ limit: USUAL_BYTES }));
  mountHealth(app, ctx);
  mount?.(app);
  app.use('/api', guardApi(ctx));
  app.use(actForWorkspace(ctx));
  mountConfig(app, ctx);
  mountAuth(app, ctx);
  mountSessions(app, ctx);
  mountHandles(app, ctx);
  mountOperations(app, ctx);
  mountOperationsCases(app, ctx);
  mountLinks(app, ctx);
  mountLogins(app, ctx);
  mountConnections(app, ctx);
  mountHistory(app, ctx);
  mountSettings(app, ctx);
  mountSmartEvents(app, ctx);
  mountRoutes(app, ctx);
  mountCheckout(app, ctx);
  mountOrders(app, ctx);
  mountPictures(app, ctx);
  mountOverviewFile(app, ctx);
  mountPlanFiles(app, ctx);
  mountPaymentLinks(app, ctx);
  mountSearch(app, ctx);
  mountApiKeys(app, ctx);
  mountWebhooks(app, ctx);
  mountEvents(app, ctx);
  mountWorkspace(app, ctx);
  mountAuditFile(app, ctx);
  if (queueBoard) mountQueueBoard(app, ctx, queueBoard.path, queueBoard.handler);
  mountAssets(app);
  mountNamedFiles(app);
  mountPages(app, ctx, headHtml);
  mountMissingPage(app, ctx, headHtml);
  app.use(notFound(ctx));
  app.use(handleErrors(ctx));
  return app;
}

/** Metadata within its limits has up to 320 KB, as JSON escapes characters beyond the basic plane. */
const WITH_METADATA = ['/api/orders', '/api/payment_links', '/api/subscriptions/plans'];
const USUAL_BYTES = 65_536;
const readLarge = express.json({ limit: '1mb' });

/** A session has a megabyte read; a cookie of any other kind does not. */
function largeForSignedIn(ctx: Ctx): RequestHandler {
  return async (request, response, next) => {
    const isUsual = Number(request.headers['content-length'] ?? Number.NaN) <= USUAL_BYTES;
    if (isUsual || !(await readSession(ctx, request, response))) return next();
    readLarge(request, response, next);
  };
}

/** Figures of an event stream are sent as they come, and what is compressed waits for more. */
const isCompressed: CompressionFilter = (request, response) =>
  !String(response.getHeader('Content-Type')).startsWith('text/event-stream') && compression.filter(request, response);

/** The relay between a page and a wallet on another device, and the frame by which that wallet learns which site asks it. */
const WALLETCONNECT = { connect: ['wss://relay.walletconnect.org'], frame: ['https://verify.walletconnect.org'] };

const PLAN_PAGE = /^\/p\//;

function securityHeaders(
  connectSources: string[],
  { WALLETCONNECT_PROJECT_ID, WALLET_ORIGIN }: Pick<Ctx['env'], 'WALLETCONNECT_PROJECT_ID' | 'WALLET_ORIGIN'>,
) {
  const withWalletConnect = WALLETCONNECT_PROJECT_ID !== undefined;
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        // A plan's picture is wherever its creator keeps it.
        imgSrc: ["'self'", 'data:', (request) => (PLAN_PAGE.test(request.url ?? '') ? 'https:' : 'data:')],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...connectSources, ...(withWalletConnect ? WALLETCONNECT.connect : [])],
        ...(withWalletConnect && { frameSrc: WALLETCONNECT.frame }),
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        // No text becomes markup or script: the pages that sign have no place where a foreign one could.
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: ["'none'"],
      },
    },
    // A page and the wallet's window, which it opens at another origin, would lose each other.
    crossOriginOpenerPolicy: { policy: WALLET_ORIGIN ? 'same-origin-allow-popups' : 'same-origin' },
    // Local stacks speak plain HTTP; a deployment's proxy adds the header where TLS ends.
    strictTransportSecurity: false,
    referrerPolicy: { policy: 'no-referrer' },
  });
}
