// The pages of the web app and the files that they are made of: compressed once when they were built, and each page with all that it needs at first.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Express, Request, RequestHandler, Response } from 'express';
import sirv from 'sirv';
import type { Ctx } from '../context.ts';
import { AppError } from '../domain/errors.ts';
import { LANGUAGES } from '../domain/language.ts';
import { groupDigits } from '../domain/money.ts';
import { MISSING_PAGE, MOVED_PAGES, PAGES, type PageRoute } from '../domain/pages.ts';
import { getPublicLink } from '../services/orders/links/links.ts';
import { readState } from '../services/orders/payments/progress.ts';
import { checkoutBase, orderRow } from '../services/orders/views.ts';
import { getHostedPlan } from '../services/plans/plans.ts';
import { countPublicRead } from '../services/publicRateLimit.ts';
import { callerOf } from './caller.ts';
import { documentOf, type Head, type Site, WEB } from './documents.ts';
import { mountHandlePages } from './handlePages.ts';

const A_YEAR_S = 31_536_000;

/** The files of a build, in the folder `assets` of `built`. Their names change with their content. */
export function mountAssets(app: Express, path = '/assets', built = WEB): void {
  const dir = join(built, 'assets');
  let serve: RequestHandler | null = null;
  app.use(path, (request, response, next) => {
    if (!serve && !existsSync(dir)) return next();
    serve ??= sirv(dir, { immutable: true, maxAge: A_YEAR_S, brotli: true, gzip: true, etag: true });
    // sirv looks for the names alone, and would send brotli for `br;q=0`.
    const accepted = ['br', 'gzip'].filter((name) => request.acceptsEncodings(name));
    request.headers['accept-encoding'] = accepted.join(', ');
    serve(request, response, next);
  });
}

/** Files with names of their own. The icon: wallets show it beside a request for money. The others stand in pages of shops. */
export function mountNamedFiles(app: Express): void {
  mountIcon(app);
  for (const [name, maxAge] of Object.entries(FOR_SHOPS))
    mountNamedFile(app, name, maxAge, (response) => response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin'));
}

export function mountIcon(app: Express): void {
  mountNamedFile(app, 'icon.svg', '1d');
}

function mountNamedFile(app: Express, name: string, maxAge: string, prepare?: (response: Response) => void): void {
  app.get(`/${name}`, (_request, response, next) => {
    prepare?.(response);
    response.sendFile(name, { root: WEB, maxAge }, (error) => error && next());
  });
}

const FOR_SHOPS = { 'button.svg': '1d', 'embed.js': '1h' };

export function mountPages(app: Express, ctx: Ctx, headHtml: string): void {
  for (const [from, to] of MOVED_PAGES) app.get(from, (_request, response) => response.redirect(308, to));
  app.get(/^\/(?:@|%40)/i, toOwnName(ctx));
  mountHandlePages(app, ctx, (page, head, request, response) => {
    response.vary('Accept-Language').status(head.isMissing ? 404 : 200);
    sendDocument(response, documentOf(page, { ...head, ...languageOf(request) }, siteOf(ctx, headHtml)));
  });
  for (const page of PAGES)
    app.get(page.path, toOwnName(ctx), async (request, response) => {
      response.vary('Accept-Language');
      const head = await headOf(ctx, page, request);
      // A shop’s page may keep the window that it opened: the checkout reports to it. Only where the merchant named that page’s origin.
      if (head.isEmbeddable) response.setHeader('Cross-Origin-Opener-Policy', 'unsafe-none');
      sendDocument(response.status(head.isMissing ? 404 : 200), documentOf(page, head, siteOf(ctx, headHtml)));
    });
}

/** For an address that is none of ours: a person with a browser reads a page; programs, and calls of pages, get the envelope. */
export function mountMissingPage(app: Express, ctx: Ctx, headHtml: string): void {
  app.get(/^(?!\/(api|assets)(\/|$))/, (request, response, next) => {
    const wantsPage = request.accepts(['json', 'html']) === 'html';
    const head: Head = { title: MISSING_PAGE.title, isPrivate: true };
    const html = wantsPage && documentOf(MISSING_PAGE, head, siteOf(ctx, headHtml));
    if (!html) return next();
    sendDocument(response.status(404), html);
  });
}

function siteOf({ env }: Ctx, headHtml: string): Site {
  // By it the pages find the wallet's window.
  const wallet = env.WALLET_ORIGIN ? `<meta name="wallet-origin" content="${env.WALLET_ORIGIN}">` : '';
  return { origin: new URL(env.BASE_URL).origin, headHtml: wallet + headHtml };
}

/** @param html null while the pages are not built */
export function sendDocument(response: Response, html: string | null): void {
  if (html !== null) response.setHeader('Cache-Control', 'no-cache').type('html').send(html);
  else response.status(503).type('text').send('The pages are not built yet. Run npm start.\n');
}

async function headOf(ctx: Ctx, page: PageRoute, request: Request): Promise<Head> {
  const read = READERS[page.path];
  if (!read) return { title: page.title };
  const usual = { title: page.title, ...languageOf(request) };
  try {
    await countPublicRead(ctx, 'checkout', callerOf(request));
    return { ...usual, ...(await read(ctx, request.params as Record<string, string>)) };
  } catch (error) {
    // The page asks by itself, and shows what is wrong.
    if (error instanceof AppError) return { ...usual, isPrivate: true, isMissing: error.code === 'resource_missing' };
    throw error;
  }
}

/** The checkout's pages speak the reader's language, and load it with the rest. */
function languageOf(request: Request): Pick<Head, 'language'> {
  const tag = request.acceptsLanguages(...LANGUAGES) || 'en';
  return tag === 'en' ? {} : { language: { tag, source: `src/payer/checkout/words/${tag}.ts` } };
}

/** For orders that can no longer be paid. */
const VERBS: Partial<Record<string, string>> = { completed: 'Paid', expired: 'Expired:', cancelled: 'Cancelled:' };

type Reader = (ctx: Ctx, params: Record<string, string>) => Promise<Head>;

const readOrderHead =
  (suffix: '' | '/receipt'): Reader =>
  async (ctx, { order: id = '' }) => {
    const body = await readState(ctx, await orderRow(ctx, id));
    const { amount, currency, merchant, chain_label, description, status } = body.order;
    const verb = VERBS[status] ?? 'Pay';
    return {
      title: `${suffix ? 'Receipt: ' : ''}${verb} ${groupDigits(amount)} ${currency} to @${merchant.handle} · Ampersat`,
      description: description ?? `${currency} on ${chain_label}, straight to @${merchant.handle}.`,
      url: `${checkoutBase(ctx)}/o/${id}${suffix}`,
      isPrivate: true,
      isEmbeddable: body.order.embed_origins.length > 0,
      answer: { path: `/checkout/${id}`, at: ctx.clock.now(), body },
    };
  };

const READERS: Partial<Record<string, Reader>> = {
  '/o/:order': readOrderHead(''),
  '/o/:order/receipt': readOrderHead('/receipt'),
  '/p/:plan': async (ctx, { plan: id = '' }) => {
    const body = { ...(await getHostedPlan(ctx, id)), subscription: null };
    const { name, description, amount, currency, creatorHandle, url } = body.plan;
    return {
      title: `${name}${creatorHandle === null ? '' : ` by @${creatorHandle}`} · Ampersat`,
      description: description || `${groupDigits(amount)} ${currency} on ${body.chain_label}. Cancel at any time.`,
      url,
      answer: { path: `/subscriptions/hosted/${id}`, at: ctx.clock.now(), body },
    };
  },
  '/l/:link': async (ctx, { link: id = '' }) => {
    const link = await getPublicLink(ctx, id);
    const { amount, currency, merchant, label, chain_label } = link;
    return {
      title: `Pay ${amount === null ? '' : `${groupDigits(amount)} ${currency} to `}@${merchant.handle} · Ampersat`,
      description: label || `${currency} on ${chain_label}, straight to @${merchant.handle}.`,
      url: `${checkoutBase(ctx)}/l/${id}`,
      isEmbeddable: link.embed_origins.length > 0,
      answer: { path: `/checkout/links/${id}`, at: ctx.clock.now(), body: { link } },
    };
  },
};

/** Cookies and sign-in messages are for one host: on this machine, where it has two names, pages are opened under the one of BASE_URL. */
export function toOwnName(ctx: Ctx): RequestHandler {
  return (request, response, next) => {
    const own = new URL(ctx.env.BASE_URL);
    const other = own.hostname === '127.0.0.1' ? 'localhost' : own.hostname === 'localhost' ? '127.0.0.1' : null;
    if (other === null || request.headers.host !== `${other}:${own.port}`) return next();
    response.redirect(302, own.origin + request.originalUrl);
  };
}
