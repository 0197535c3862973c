// Searches the workspace of the signed-in account.
import type { Express } from 'express';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { searchWorkspace } from '../../services/operations/workspaceSearch.ts';
import { modes, optional, parseQuery, searchText } from '../parse.ts';
import { requireHandle } from '../session.ts';

const LEAST = 2;
const wanted = z.strictObject({
  q: searchText.pipe(z.string().min(LEAST, `must be at least ${LEAST} characters`)),
  mode: optional(modes),
});

export function mountSearch(app: Express, ctx: Ctx): void {
  app.get('/api/search', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    response.json({ data: await searchWorkspace(ctx, handle.id, parseQuery(request, wanted)) });
  });
}
