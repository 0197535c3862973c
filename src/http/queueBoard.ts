// The door of the queues' board: operators only, writes from our own page only, and a content policy that is looser here and nowhere else.
import type { Express, RequestHandler } from 'express';
import type { Ctx } from '../context.ts';
import { refuseForeignWrites } from './guard.ts';
import { operatorsOnly } from './operator.ts';

/**
 * The board sets styles in attributes and in the page itself, and its addresses are relative to a base element: hence inline styles and a base of
 * our own. Scripts stay files of ours. It also asks a foreign host for a font, which the policy would refuse with noise, so the link is taken out.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
const FOREIGN_LINK = /<link href="https?:[^>]*>/g;

export function mountQueueBoard(app: Express, ctx: Ctx, path: string, board: RequestHandler): void {
  app.use(path, operatorsOnly(ctx), refuseForeignWrites(ctx), ownPage, board);
}

const ownPage: RequestHandler = (_request, response, next) => {
  response.setHeader('Content-Security-Policy', POLICY);
  response.setHeader('Cache-Control', 'no-store');
  const send = response.send.bind(response);
  response.send = (body) => send(typeof body === 'string' ? body.replace(FOREIGN_LINK, '') : body);
  next();
};
