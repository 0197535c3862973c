// The HTTP application: security headers on everything, the web pages, and errors in one shape.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import express, { type Express, type Request, type Response } from 'express';
import helmet from 'helmet';
import { type Ctx, newId } from '../context.ts';
import { handleErrors, notFound } from './errors.ts';

const WEB = join(import.meta.dirname, '../../web/dist');

export type AppOptions = {
  /** Adds routes before the pages; the local stack mounts its playground here. */
  mount?: (app: Express) => void;
  /** Origins that pages may talk to besides their own, such as a local platform server. */
  connectSources?: string[];
  /** Which of the web app's pages exist here. */
  pages: string[];
};

export function createApp(ctx: Ctx, { mount, connectSources = [], pages }: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use(securityHeaders(connectSources));
  app.use((_request: Request, response: Response, next) => {
    response.setHeader('Request-Id', newId(ctx, 'req'));
    next();
  });
  app.use(express.json({ limit: '64kb' }));
  mount?.(app);
  app.use('/assets', express.static(join(WEB, 'assets'), { immutable: true, maxAge: '1y', index: false }));
  app.get(pages, (_request: Request, response: Response) => {
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
