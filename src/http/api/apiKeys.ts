// The API keys of a workspace, for its signed-in owner. A secret is sent once, with the response that creates it.
import type { Express } from 'express';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { SCOPES } from '../../domain/apiKey.ts';
import { countSignature } from '../../services/publicRateLimit.ts';
import { createApiKey, listApiKeys, revokeApiKey, rollApiKey } from '../../services/workspaces/apiKeys.ts';
import { wholeList } from '../list.ts';
import { modes, optional, parseBody, parseQuery } from '../parse.ts';
import { requireHandle } from '../session.ts';

const wish = z.strictObject({
  label: z.string().max(2_000),
  mode: z.enum(['test', 'live']),
  scopes: z.array(z.enum(SCOPES)).max(20),
});
/** The command line lists the keys of both modes, each with its mode. */
const listed = z.strictObject({ mode: optional(modes) });
const roll = z.strictObject({ overlap_hours: z.number().optional() });
const nothing = z.strictObject({});

export function mountApiKeys(app: Express, ctx: Ctx): void {
  app.get('/api/keys', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    response.json(wholeList(await listApiKeys(ctx, handle.id, parseQuery(request, listed).mode)));
  });

  app.post('/api/keys', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const given = parseBody(request, wish);
    await countSignature(ctx, handle.id);
    response.status(201).json(await createApiKey(ctx, handle.id, given));
  });

  app.post('/api/keys/:id/roll', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const { overlap_hours: overlapHours } = parseBody(request, roll);
    await countSignature(ctx, handle.id);
    const choice = overlapHours === undefined ? {} : { overlapHours };
    response.status(201).json(await rollApiKey(ctx, handle.id, request.params.id, choice));
  });

  app.post('/api/keys/:id/revoke', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    parseBody(request, nothing);
    response.json({ key: await revokeApiKey(ctx, handle.id, request.params.id) });
  });
}
