// The chat accounts of a handle.
import type { Express } from 'express';
import type { Ctx } from '../../context.ts';
import { disconnectFromPage, listConnections } from '../../services/accounts/connectionViews.ts';
import { wholeList } from '../list.ts';
import { requireHandle } from '../session.ts';

export function mountConnections(app: Express, ctx: Ctx): void {
  app.get('/api/connections', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    response.json(wholeList(await listConnections(ctx, handle.id)));
  });

  app.delete('/api/connections/:id', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    await disconnectFromPage(ctx, handle.id, request.params.id);
    response.json({});
  });
}
