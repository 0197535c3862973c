// A workspace's events, for its signed-in owner: list them with the state of their deliveries, read one with each delivery, resend.
import type { Express } from 'express';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { usualMode } from '../../services/chains.ts';
import { countSignature } from '../../services/publicRateLimit.ts';
import { countDeliveries, listDeliveries } from '../../services/webhooks/deliveryViews.ts';
import { DELIVERY_TROUBLES, getEvent, listEvents } from '../../services/webhooks/eventViews.ts';
import { replayEvent } from '../../services/webhooks/replays.ts';
import type { WorkspaceReader } from '../../services/workspaces/workspaces.ts';
import { pageOf } from '../list.ts';
import { countOf, modes, optional, parseBody, parseQuery } from '../parse.ts';
import { requireHandle } from '../session.ts';

import { readerIn } from './webhooks.ts';

const filters = z.strictObject({
  mode: optional(modes),
  type: optional(z.string().max(60)),
  resource: optional(z.string().max(60)),
  delivery: optional(z.enum(DELIVERY_TROUBLES)),
  limit: countOf(1, 100).default(20),
  cursor: z.string().max(200).optional(),
});
const to = z.strictObject({ endpoint: z.string().max(60).optional() });
/** More than a workspace may have endpoints, with those that were deleted. */
const MOST_DELIVERIES = 100;

export function mountEvents(app: Express, ctx: Ctx): void {
  /** An event, and what came of it everywhere. */
  const shown = async (reader: WorkspaceReader, id: string) => ({
    event: await getEvent(ctx, reader, id),
    deliveries: (await listDeliveries(ctx, reader, { event: id, limit: MOST_DELIVERIES })).data,
  });

  app.get('/api/events', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const { mode, ...given } = parseQuery(request, filters);
    const reader = readerIn(handle.id, mode ?? (given.resource === undefined ? usualMode(ctx) : undefined));
    const { data, nextCursor } = await listEvents(ctx, reader, given);
    const counts = await countDeliveries(
      ctx,
      data.map(({ id }) => id),
    );
    const listed = data.map((event) => ({ ...event, deliveries: counts.get(event.id) }));
    response.json(pageOf(listed, nextCursor));
  });

  app.get('/api/events/:id', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    response.json(await shown(readerIn(handle.id), request.params.id));
  });

  app.post('/api/events/:id/replay', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const { endpoint: endpointId } = parseBody(request, to);
    await countSignature(ctx, handle.id);
    const reader = readerIn(handle.id);
    await replayEvent(ctx, reader, request.params.id, { endpointId });
    response.json(await shown(reader, request.params.id));
  });
}
