// One's own tips, and the receipt of any tip whose address one was given.
import type { Express } from 'express';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { CHAIN_NAMES } from '../../domain/chains.ts';
import { historyCsv, listHistory, summariseHistory } from '../../services/tips/history.ts';
import { tipReceipt } from '../../services/tips/receipts.ts';
import { sendCsv } from '../csv.ts';
import { pageOf } from '../list.ts';
import { countOf, isoDay, modes, optional, parseQuery, searchText } from '../parse.ts';
import { requireHandle } from '../session.ts';

const filters = {
  direction: optional(z.enum(['sent', 'received'])),
  status: optional(z.enum(['paid', 'pending', 'failed'])),
  chain: optional(z.enum(CHAIN_NAMES)),
  asset: optional(z.string().regex(/^\w{1,12}$/, 'must be a symbol like USDC')),
  from: optional(isoDay),
  to: optional(isoDay),
  q: optional(searchText),
};
const filtered = z.strictObject(filters);
const paged = z.strictObject({
  ...filters,
  limit: countOf(1, 100).default(20),
  cursor: z.string().max(200).optional(),
});
const summed = z.strictObject({ days: countOf(1, 366).default(30), mode: optional(modes) });

export function mountHistory(app: Express, ctx: Ctx): void {
  app.get('/api/history', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const { limit, cursor, ...given } = parseQuery(request, paged);
    const { lines, nextCursor } = await listHistory(ctx, handle.id, given, { limit, cursor });
    response.json(pageOf(lines, nextCursor));
  });

  app.get('/api/history/summary', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    response.json(await summariseHistory(ctx, handle.id, parseQuery(request, summed)));
  });

  app.get('/api/history.csv', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const lines = historyCsv(ctx, handle.id, parseQuery(request, filtered));
    await sendCsv(ctx, response, 'ampersat-history.csv', lines);
  });

  app.get('/api/receipts/:id', async (request, response) => {
    response.json(await tipReceipt(ctx, request.params.id));
  });
}
