// Choosing a handle.
import type { Express } from 'express';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { checkHandle, chooseHandle } from '../../services/accounts/handles.ts';
import { parseBody } from '../parse.ts';
import { requireSession } from '../session.ts';

const choice = z.strictObject({ handle: z.string().max(100) });

export function mountHandles(app: Express, ctx: Ctx): void {
  app.get('/api/handles/:slug', async (request, response) => {
    await requireSession(ctx, request, response);
    response.json(await checkHandle(ctx, request.params.slug.slice(0, 100)));
  });

  app.post('/api/handle', async (request, response) => {
    const session = await requireSession(ctx, request, response);
    const { handle } = parseBody(request, choice);
    response.status(201).json({ account: await chooseHandle(ctx, session, handle) });
  });
}
