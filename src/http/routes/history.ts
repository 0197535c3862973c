// One's own tips, and the receipt of any tip whose address one was given.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Express } from 'express';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { CHAIN_NAMES } from '../../domain/chains.ts';
import { historyCsv, listHistory, summariseHistory } from '../../services/history.ts';
import { tipReceipt } from '../../services/tipReceipts.ts';
import { pageOf } from '../list.ts';
import { countOf, parseQuery } from '../parse.ts';
import { requireHandle } from '../session.ts';

const day = z.iso.date('it must be a day like 2026-11-21').regex(/^2/, 'it must be a day like 2026-11-21');
/** What an untouched field of a form sends is no filter. */
const optional = <T extends z.ZodType>(schema: T) =>
  z.union([schema, z.literal('').transform(() => undefined)]).optional();
const filters = {
  direction: optional(z.enum(['sent', 'received'])),
  status: optional(z.enum(['paid', 'pending', 'failed'])),
  chain: optional(z.enum(CHAIN_NAMES)),
  asset: optional(z.string().regex(/^\w{1,12}$/, 'it must be a symbol like USDC')),
  from: optional(day),
  to: optional(day),
  q: optional(
    z
      .string()
      .trim()
      .max(100)
      .regex(/^\P{C}*$/u, 'it must be plain text'),
  ),
};
const filtered = z.strictObject(filters);
const paged = z.strictObject({
  ...filters,
  limit: countOf(1, 100).default(20),
  cursor: z.string().max(200).optional(),
});
const summed = z.strictObject({ days: countOf(1, 366).default(30) });

export function mountHistory(app: Express, ctx: Ctx): void {
  app.get('/api/history', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const { limit, cursor, ...given } = parseQuery(request, paged);
    const { lines, nextCursor } = await listHistory(ctx, handle.id, given, { limit, cursor });
    response.json(pageOf(lines, nextCursor));
  });

  app.get('/api/history/summary', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    response.json(await summariseHistory(ctx, handle.id, parseQuery(request, summed).days));
  });

  app.get('/api/history.csv', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const lines = historyCsv(ctx, handle.id, parseQuery(request, filtered));
    response.type('text/csv').attachment('ampersat-history.csv');
    // Once lines are out there is no other answer any more: whoever reads sees that the file is cut off.
    await pipeline(Readable.from(lines), response).catch((err: unknown) =>
      ctx.log.warn({ err }, 'a file was not taken whole'),
    );
  });

  app.get('/api/receipts/:id', async (request, response) => {
    response.json(await tipReceipt(ctx, request.params.id));
  });
}
