// What operators call to follow a complaint: a search, a time line, lists of what failed, and trying dead work again.
import type { Express } from 'express';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { readCase } from '../../services/operations/cases.ts';
import { listDeadWork, RETRIED, retryDeadWork } from '../../services/operations/deadWork.ts';
import { failedReplies, failedTips } from '../../services/operations/failed.ts';
import { searchCases } from '../../services/operations/search.ts';
import { listTransfers } from '../../services/operations/transfers.ts';
import { returnTransfer } from '../../services/orders/treasury/moves.ts';
import { requireOperator } from '../operator.ts';
import { countOf, parseBody, parseQuery } from '../parse.ts';

const MOST = 100;
const page = { limit: countOf(1, MOST).default(25), cursor: z.string().max(400).optional() };
const search = z.strictObject({ q: z.string().trim().min(1, 'can’t be empty').max(300), ...page });
const one = z.strictObject({ id: z.string().min(1).max(300) });
const failed = z.strictObject({ what: z.enum(['tips', 'replies']), ...page });
const transfers = z.strictObject({ list: z.enum(['waiting', 'all']).default('waiting'), ...page });
const retry = z.strictObject({ kind: z.enum(RETRIED), id: z.string().min(1).max(64) });

export function mountOperationsCases(app: Express, ctx: Ctx): void {
  app.get('/api/operations/search', async (request, response) => {
    await requireOperator(ctx, request);
    const { q, ...place } = parseQuery(request, search);
    response.json(asList(await searchCases(ctx, q, place)));
  });

  app.get('/api/operations/case', async (request, response) => {
    await requireOperator(ctx, request);
    response.json(await readCase(ctx, parseQuery(request, one).id));
  });

  app.get('/api/operations/failed', async (request, response) => {
    await requireOperator(ctx, request);
    const { what, ...place } = parseQuery(request, failed);
    response.json(asList(await (what === 'tips' ? failedTips : failedReplies)(ctx, place)));
  });

  app.get('/api/operations/dead', async (request, response) => {
    await requireOperator(ctx, request);
    response.json({ object: 'list', data: await listDeadWork(ctx), has_more: false, next_cursor: null });
  });

  app.get('/api/operations/transfers', async (request, response) => {
    await requireOperator(ctx, request);
    const { list, ...place } = parseQuery(request, transfers);
    response.json(asList(await listTransfers(ctx, list, place)));
  });

  app.post('/api/operations/transfers/:id/return', async (request, response) => {
    const by = await requireOperator(ctx, request);
    await returnTransfer(ctx, request.params.id, by);
    response.json({});
  });

  app.post('/api/operations/dead/retry', async (request, response) => {
    const by = await requireOperator(ctx, request);
    response.json({ begun: await retryDeadWork(ctx, { ...parseBody(request, retry), by }) });
  });
}

function asList<Line>({ lines, nextCursor }: { lines: Line[]; nextCursor: string | null }) {
  return { object: 'list', data: lines, has_more: nextCursor !== null, next_cursor: nextCursor };
}
