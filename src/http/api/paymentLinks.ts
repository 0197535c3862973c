// A workspace's payment links, for its signed-in owner.
import type { Express } from 'express';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { usualMode } from '../../services/chains.ts';
import { createPaymentLink, deactivateLink, getLink, listLinks } from '../../services/orders/links/links.ts';
import { withTotals } from '../../services/orders/links/totals.ts';
import { searchOrders } from '../../services/orders/search.ts';
import { merchantOrders } from '../../services/orders/timeline.ts';
import { countSignature } from '../../services/publicRateLimit.ts';
import { pageOf } from '../list.ts';
import { amountText, countOf, optional, parseBody, parseQuery } from '../parse.ts';
import { requireHandle } from '../session.ts';
import { linkBounds, shopFields } from './shopFields.ts';

const cursor = z.string().max(200).optional();
const paged = z.strictObject({
  mode: optional(z.enum(['test', 'live'])),
  active: optional(z.enum(['true', 'false'])),
  limit: countOf(1, 100).default(20),
  cursor,
});
const pagedOrders = z.strictObject({ limit: countOf(1, 100).default(20), cursor });
const amount = amountText.nullish();
/** What is allowed in each is the service's to say: it says it to the API in the same words. */
const wish = z.strictObject({
  label: z.string().max(2_000),
  chain: z.string().max(40),
  amount,
  currency: z.string().max(20).optional(),
  recipient: z.string().max(60).optional(),
  open_amount: z.boolean().optional(),
  min_amount: amount,
  max_amount: amount,
  metadata: z.unknown().optional(),
  ...shopFields,
  ...linkBounds,
});
const nothing = z.strictObject({});

export function mountPaymentLinks(app: Express, ctx: Ctx): void {
  app.get('/api/payment_links', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const { mode = usualMode(ctx), active, ...paging } = parseQuery(request, paged);
    const reader = { workspaceId: handle.id, livemode: mode === 'live' };
    const found = await listLinks(ctx, reader, { active: active && active === 'true', ...paging });
    response.json(pageOf(await withTotals(ctx, found.data), found.nextCursor));
  });

  app.post('/api/payment_links', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const given = parseBody(request, wish);
    await countSignature(ctx, handle.id);
    const [link] = await withTotals(ctx, [await createPaymentLink(ctx, { id: handle.id }, given)]);
    response.status(201).json({ link });
  });

  app.get('/api/payment_links/:id', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const [link] = await withTotals(ctx, [await getLink(ctx, { workspaceId: handle.id }, request.params.id)]);
    response.json({ link });
  });

  app.get('/api/payment_links/:id/orders', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const paging = parseQuery(request, pagedOrders);
    const { id } = await getLink(ctx, { workspaceId: handle.id }, request.params.id);
    const { orders, nextCursor } = await searchOrders(ctx, handle.id, { link: id }, paging);
    response.json(pageOf(await merchantOrders(ctx, orders), nextCursor));
  });

  app.post('/api/payment_links/:id/deactivate', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    parseBody(request, nothing);
    const ended = await deactivateLink(ctx, { workspaceId: handle.id }, request.params.id);
    const [link] = await withTotals(ctx, [ended]);
    response.json({ link });
  });
}
