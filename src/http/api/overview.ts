// The overview of a workspace, as figures and as a file, for its signed-in owner; and what counts the openings of checkouts.
import type { Express } from 'express';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { isTimeZone } from '../../domain/days.ts';
import { PERIODS } from '../../domain/overview.ts';
import { usualMode } from '../../services/chains.ts';
import { noteOpened } from '../../services/orders/opened.ts';
import { readOverview } from '../../services/orders/overview.ts';
import { overviewCsv } from '../../services/orders/overviewCsv.ts';
import { countPublicRead } from '../../services/publicRateLimit.ts';
import { fileName, sendCsv } from '../csv.ts';
import { isoDay, modes, optional, parseQuery } from '../parse.ts';
import { requireHandle } from '../session.ts';
import { opened, overview } from './overviewAnswers.ts';
import { type Route, route } from './route.ts';

const query = z.strictObject({
  period: z.enum(PERIODS).default('30d'),
  from: optional(isoDay),
  to: optional(isoDay),
  tz: z.string().refine(isTimeZone, 'must be a time zone like Europe/Berlin').default('UTC'),
  mode: optional(modes),
});

const read = route({
  method: 'get',
  path: '/api/overview',
  access: 'handle',
  query,
  answer: overview,
  status: 200,
  errors: [],
  run: (ctx, { caller: { handle }, query: { mode = usualMode(ctx), ...given } }) =>
    readOverview(ctx, handle.id, { ...given, mode }),
});

/** The page posts it once it is drawn: previews of links and readers of the API open no checkout. */
const openCheckout = route({
  method: 'post',
  path: '/api/checkout/{order_id}/opened',
  access: 'visitor',
  limit: (ctx, from) => countPublicRead(ctx, 'checkout', from),
  body: z.strictObject({}),
  answer: opened,
  status: 200,
  errors: ['resource_missing'],
  async run(ctx, { id }) {
    await noteOpened(ctx, id);
    return { object: 'checkout.opened' as const, order: id };
  },
});

export const OVERVIEW_ROUTES: readonly Route[] = [read, openCheckout];

export function mountOverviewFile(app: Express, ctx: Ctx): void {
  app.get('/api/overview.csv', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const { mode = usualMode(ctx), ...given } = parseQuery(request, query);
    const { period, lines } = await overviewCsv(ctx, handle.id, { ...given, mode });
    await sendCsv(ctx, response, fileName('overview', handle.slug, mode, `${period.from}-${period.to}`), lines);
  });
}
