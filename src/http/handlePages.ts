// What stands at `/@alice`: the documents of the page and its poster, and the card that chats show for them. An address without a page is answered alike,
// whether there is no such handle, its page is off, or the name can be none.
import { createHash } from 'node:crypto';
import type { Express, Request, Response } from 'express';
import type { Ctx } from '../context.ts';
import { AppError } from '../domain/errors.ts';
import { type HandlePageAddress, handlePagePath, readHandlePagePath } from '../domain/handlePage.ts';
import { type PageRoute, pageAt } from '../domain/pages.ts';
import { findPicture } from '../services/accounts/pictures.ts';
import { getPublicPage, type PublicHandlePage } from '../services/orders/handlePages/pages.ts';
import { checkoutBase } from '../services/orders/views.ts';
import { countPublicRead } from '../services/publicRateLimit.ts';
import { callerOf } from './caller.ts';
import { CARD_SIZE, type Card, drawCard } from './card/draw.ts';
import type { Head } from './documents.ts';

/** No path parameter: Express would refuse a name that does not decode in words of its own. */
const BELOW_HANDLE = /^\/(?:@|%40)/i;

const MOST_CARDS = 200;
const MOST_AT_ONCE = 8;
const CARD_GOOD_S = 300;

/** @param send answers with a page's document */
export function mountHandlePages(
  app: Express,
  ctx: Ctx,
  send: (page: PageRoute, head: Head, request: Request, response: Response) => void,
): void {
  const cards = createCards();
  app.get(BELOW_HANDLE, async (request, response, next) => {
    const address = readHandlePagePath(request.path);
    if (address === null) return next();
    const { slug, file, path } = address;
    if (path !== request.path && request.path !== `${path}/`) {
      const query = /\?.*$/s.exec(request.originalUrl)?.[0] ?? '';
      return response.redirect(308, path + query);
    }
    if (file === 'card') {
      const found = await lookUp(ctx, slug, callerOf(request), 'face');
      return found === 'missing' ? next() : sendCard(ctx, request, response, found, cards);
    }
    const page = pageAt(path);
    send(page, { title: page.title, ...(await readHead(ctx, address, callerOf(request))) }, request, response);
  });
}

async function readHead(ctx: Ctx, { slug, path }: HandlePageAddress, caller: string): Promise<Partial<Head>> {
  try {
    const found = await lookUp(ctx, slug, caller);
    return found === 'missing' ? { isPrivate: true, isMissing: true } : headOf(ctx, found, path);
  } catch (error) {
    // The page asks by itself, and shows what is wrong.
    if (error instanceof AppError) return { isPrivate: true };
    throw error;
  }
}

/** @throws AppError `rate_limited` */
async function lookUp(
  ctx: Ctx,
  slug: string | null,
  caller: string,
  reads?: 'face',
): Promise<PublicHandlePage | 'missing'> {
  await countPublicRead(ctx, 'checkout', caller);
  try {
    return await getPublicPage(ctx, slug ?? '', reads);
  } catch (error) {
    if (error instanceof AppError && error.code === 'resource_missing') return 'missing';
    throw error;
  }
}

/** Only the owner's own words: what supporters wrote is in no preview. */
function headOf(ctx: Ctx, page: PublicHandlePage, path: string): Partial<Head> & Pick<Head, 'title'> {
  const { handle, line, branding, currency, chain_label } = page;
  const card = cardOf(page);
  // A name is anyone's to choose; the handle is not.
  const who = branding?.name ? `${branding.name} (@${handle})` : `@${handle}`;
  return {
    title: `Pay ${who} · Ampersat`,
    description: line ?? `${currency} on ${chain_label}, straight to @${handle}.`,
    url: checkoutBase(ctx) + path,
    image: {
      url: `${checkoutBase(ctx)}${handlePagePath(handle, 'card')}?v=${versionOf(card)}`,
      ...CARD_SIZE,
      alt: `Pay @${handle} with Ampersat`,
    },
    answer: { path: `/checkout/handles/${handle}`, at: ctx.clock.now(), body: { page } },
  };
}

function cardOf({ handle, line, branding, picture, currency, chain_label, livemode }: PublicHandlePage): Card {
  return {
    ...{ handle, name: branding?.name ?? null, line, picture },
    pays: `Pay in ${currency} on ${chain_label}`,
    testWords: livemode ? null : 'test mode',
  };
}

/** Changes with the card's content, and with how cards are drawn. */
const DRAWING = 1;

function versionOf(card: Card): string {
  return createHash('sha256')
    .update(JSON.stringify([DRAWING, card]))
    .digest('base64url')
    .slice(0, 16);
}

type Cards = (version: string, draw: () => Promise<Buffer>) => Promise<Buffer>;

/** The newest are kept; the same one is drawn once, however many look at it. */
function createCards(): Cards {
  const kept = new Map<string, Promise<Buffer>>();
  let drawing = 0;
  return (version, draw) => {
    const known = kept.get(version);
    if (known) {
      kept.delete(version);
      kept.set(version, known);
      return known;
    }
    if (drawing >= MOST_AT_ONCE) throw new AppError('rate_limited', undefined, { retryAfterMs: 1_000 });
    drawing += 1;
    const drawn = draw().finally(() => {
      drawing -= 1;
    });
    kept.set(version, drawn);
    drawn.catch(() => kept.delete(version));
    for (const oldest of kept.keys()) {
      if (kept.size <= MOST_CARDS) break;
      kept.delete(oldest);
    }
    return drawn;
  };
}

async function sendCard(
  ctx: Ctx,
  request: Request,
  response: Response,
  page: PublicHandlePage,
  cards: Cards,
): Promise<void> {
  const card = cardOf(page);
  const version = versionOf(card);
  const etag = `"${version}"`;
  const isKnown = request.headers['if-none-match'] === etag;
  // Drawn before any header says that it may be kept: a failure may not.
  const drawn = isKnown ? null : await cards(version, async () => drawCard(card, await bytesOf(ctx, card)));
  response.setHeader('Cache-Control', `public, max-age=${CARD_GOOD_S}`);
  response.setHeader('ETag', etag);
  // Pages of others show it beside a link.
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  if (drawn === null) return void response.status(304).end();
  response.type('png').send(drawn);
}

/** A picture that was replaced in this moment is left out. */
async function bytesOf(ctx: Ctx, { picture }: Card): Promise<Uint8Array | null> {
  const [hash] = /[0-9a-f]{64}/.exec(picture ?? '') ?? [];
  return hash === undefined ? null : findPicture(ctx, hash).catch(() => null);
}
