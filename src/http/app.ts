// The HTTP application: security headers on everything, the web pages, and errors in one shape.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import helmet from 'helmet';
import { type Ctx, newId } from '../context.ts';
import { ROOT } from '../root.ts';
import { handleErrors, notFound } from './errors.ts';
import { guardApi } from './guard.ts';
import { observeRequests } from './observe.ts';
import { mountQueueBoard } from './queueBoard.ts';
import { mountAuth } from './routes/auth.ts';
import { mountConnections } from './routes/connections.ts';
import { mountHandles } from './routes/handles.ts';
import { mountHealth } from './routes/health.ts';
import { mountHistory } from './routes/history.ts';
import { mountLinks } from './routes/links.ts';
import { mountOperations } from './routes/operations.ts';
import { mountSessions } from './routes/sessions.ts';
import { mountSpending } from './routes/spending.ts';
import { mountWallet } from './routes/wallet.ts';

const WEB = join(ROOT, 'web/dist');

/** The web app's pages: one file, which looks at the address itself. */
const PAGES = ['/', '/account', '/connect', '/spending', '/history', '/settings', '/r/:tip', '/operations'];

export type AppOptions = {
  /** Adds routes before the pages; the local stack mounts its playground here. */
  mount?: (app: Express) => void;
  /** Origins that pages may talk to besides their own, such as a local platform server. */
  connectSources?: string[];
  /** The board of the queues, and where it stands. */
  queueBoard?: { path: string; handler: RequestHandler };
  /** Pages that only this deployment has. */
  morePages?: string[];
};

export function createApp(
  ctx: Ctx,
  { mount, connectSources = [], queueBoard, morePages = [] }: AppOptions = {},
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', ctx.env.TRUST_PROXY);
  app.use(securityHeaders(connectSources));
  app.use((_request: Request, response: Response, next) => {
    response.setHeader('Request-Id', newId(ctx, 'req'));
    next();
  });
  app.use(observeRequests(ctx));
  app.use(express.json({ limit: '64kb' }));
  mountHealth(app, ctx);
  mount?.(app);
  app.use('/api', guardApi(ctx));
  mountAuth(app, ctx);
  mountSessions(app, ctx);
  mountHandles(app, ctx);
  mountOperations(app, ctx);
  mountWallet(app, ctx);
  mountLinks(app, ctx);
  mountConnections(app, ctx);
  mountHistory(app, ctx);
  mountSpending(app, ctx);
  if (queueBoard) mountQueueBoard(app, ctx, queueBoard.path, queueBoard.handler);
  app.use('/assets', express.static(join(WEB, 'assets'), { immutable: true, maxAge: '1y', index: false }));
  app.get([...PAGES, ...morePages], toOwnName(ctx), (_request: Request, response: Response) => {
    const page = join(WEB, 'index.html');
    if (!existsSync(page))
      return void response.status(503).type('text').send('The pages are not built yet. Run npm start.\n');
    response.setHeader('Cache-Control', 'no-cache');
    response.sendFile(page);
  });
  app.use(notFound);
  app.use(handleErrors(ctx));
  return app;
}

/** Cookies and sign-in messages are for one host: on this machine, where it has two names, pages are opened under the one of BASE_URL. */
function toOwnName(ctx: Ctx): RequestHandler {
  return (request, response, next) => {
    const own = new URL(ctx.env.BASE_URL);
    const other = own.hostname === '127.0.0.1' ? 'localhost' : own.hostname === 'localhost' ? '127.0.0.1' : null;
    if (other === null || request.headers.host !== `${other}:${own.port}`) return next();
    response.redirect(302, own.origin + request.originalUrl);
  };
}

function securityHeaders(connectSources: string[]) {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...connectSources],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    // Local stacks speak plain HTTP; a deployment's proxy adds the header where TLS ends.
    strictTransportSecurity: false,
    referrerPolicy: { policy: 'no-referrer' },
  });
}
