// A workspace's webhooks, for its signed-in owner: create, change, test, roll and replay endpoints; and the results of deliveries.
import type { Express } from 'express';
import { z } from 'zod';
import { actorIn } from '../../acting.ts';
import type { Ctx } from '../../context.ts';
import { URL_LENGTH } from '../../domain/webhookEndpoint.ts';
import { type Mode, usualMode } from '../../services/chains.ts';
import { wakeDeliveries } from '../../services/events.ts';
import { countSignature } from '../../services/publicRateLimit.ts';
import { createWebhookStreams } from '../../services/webhooks/changes.ts';
import { listDeliveries } from '../../services/webhooks/deliveryViews.ts';
import {
  FIGURE_STEPS,
  type FigureHours,
  readEndpointMetrics,
  readLastDay,
} from '../../services/webhooks/endpointMetrics.ts';
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
  type NewEndpoint,
  readyChange,
  readyEndpoint,
  rollEndpoint,
} from '../../services/webhooks/endpoints.ts';
import { countFailed, countFailedSince } from '../../services/webhooks/failedCounts.ts';
import { replayFailedSince } from '../../services/webhooks/replays.ts';
import { sendTestEvent } from '../../services/webhooks/testEvents.ts';
import { openEventStream } from '../eventStream.ts';
import { pageOf, wholeList } from '../list.ts';
import { countOf, modes, momentOf, optional, parseBody, parseQuery } from '../parse.ts';
import { sampleOf } from '../sampleEvents.ts';
import { requireHandle } from '../session.ts';
import { requestCause } from './orders.ts';

const names = z.array(z.string().max(60)).max(50);
const fields = {
  url: z.string().max(URL_LENGTH),
  enabled_events: names.optional(),
  description: z.string().max(2_000).nullish(),
};
const wish = z.strictObject({ ...fields, mode: modes });
const change = z.strictObject({ ...fields, url: fields.url.optional(), disabled: z.boolean().optional() });
const roll = z.strictObject({ overlap_hours: z.number().optional() });
const test = z.strictObject({ type: z.string().max(60).optional() });
const since = z.strictObject({ since: momentOf });
const moded = z.strictObject({ mode: optional(modes) });
const hoursAsked = z.strictObject({
  hours: z
    .enum(Object.keys(FIGURE_STEPS) as [string, ...string[]])
    .default('24')
    .transform((text) => Number(text) as FigureHours),
});
const deliveries = z.strictObject({
  endpoint: optional(z.string().max(60)),
  event: optional(z.string().max(60)),
  status: optional(z.enum(['pending', 'delivered', 'failed'])),
  mode: optional(modes),
  limit: countOf(1, 100).default(20),
  cursor: z.string().max(200).optional(),
});

/** Of one mode, or without one: for a thing that is named, which has its own. */
export function readerIn(workspaceId: string, mode?: Mode) {
  return { workspaceId, ...(mode === undefined ? {} : { livemode: mode === 'live' }) };
}

export function mountWebhooks(app: Express, ctx: Ctx): void {
  // Before the endpoints, because its address could be one of theirs.
  mountStream(app, ctx);
  mountEndpoints(app, ctx);
  mountDeliveries(app, ctx);
}

function mountEndpoints(app: Express, ctx: Ctx): void {
  const shown = ({ endpoint, secret }: NewEndpoint) => ({ endpoint, secret });

  app.get('/api/webhooks', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const { data } = await listEndpoints(ctx, readerIn(handle.id, parseQuery(request, moded).mode ?? usualMode(ctx)));
    const [days, failed] = await Promise.all([readLastDay(ctx, data), countFailed(ctx, data)]);
    response.json(wholeList(data.map((one) => ({ ...one, last_24h: days.get(one.id), failed: failed.get(one.id) }))));
  });

  app.post('/api/webhooks', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const { mode, ...given } = parseBody(request, wish);
    await countSignature(ctx, handle.id);
    const owner = { workspaceId: handle.id, livemode: mode === 'live' };
    const ready = await readyEndpoint(ctx, owner, given);
    response.status(201).json(shown(await ctx.db.$transaction((tx) => createEndpoint(ctx, tx, owner, ready))));
  });

  app.get('/api/webhooks/:id', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    response.json({ endpoint: await getEndpoint(ctx, readerIn(handle.id), request.params.id) });
  });

  app.patch('/api/webhooks/:id', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const [given, reader, { id }] = [parseBody(request, change), readerIn(handle.id), request.params];
    await countSignature(ctx, handle.id);
    const ready = await readyChange(ctx, reader, id, given);
    response.json({ endpoint: await ctx.db.$transaction((tx) => changeEndpoint(ctx, tx, reader, id, ready)) });
  });

  app.delete('/api/webhooks/:id', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    response.json(await ctx.db.$transaction((tx) => deleteEndpoint(ctx, tx, readerIn(handle.id), request.params.id)));
  });

  app.post('/api/webhooks/:id/roll', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const { overlap_hours: overlapHours } = parseBody(request, roll);
    await countSignature(ctx, handle.id);
    const reader = readerIn(handle.id);
    response.json(
      shown(await ctx.db.$transaction((tx) => rollEndpoint(ctx, tx, reader, request.params.id, { overlapHours }))),
    );
  });

  app.post('/api/webhooks/:id/test', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const how = { ...parseBody(request, test), cause: requestCause(response) };
    const event = await ctx.db.$transaction((tx) =>
      sendTestEvent(ctx, tx, readerIn(handle.id), request.params.id, sampleOf, how),
    );
    await wakeDeliveries(ctx);
    response.status(201).json({ event });
  });

  app.post('/api/webhooks/:id/replay', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const { since: sinceMs } = parseBody(request, since);
    await countSignature(ctx, handle.id);
    response.json({ count: await replayFailedSince(ctx, readerIn(handle.id), request.params.id, sinceMs) });
  });
}

function mountDeliveries(app: Express, ctx: Ctx): void {
  app.get('/api/webhooks/:id/figures', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const { hours } = parseQuery(request, hoursAsked);
    response.json(await readEndpointMetrics(ctx, readerIn(handle.id), request.params.id, hours));
  });

  app.get('/api/webhooks/:id/failed', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const { since: sinceMs } = parseQuery(request, since);
    response.json(await countFailedSince(ctx, readerIn(handle.id), request.params.id, sinceMs));
  });

  app.get('/api/deliveries', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const { mode, ...filters } = parseQuery(request, deliveries);
    const isNamed = filters.endpoint !== undefined || filters.event !== undefined;
    const reader = readerIn(handle.id, mode ?? (isNamed ? undefined : usualMode(ctx)));
    const page = await listDeliveries(ctx, reader, filters);
    response.json(pageOf(page.data, page.nextCursor));
  });
}

function mountStream(app: Express, ctx: Ctx): void {
  const streams = createWebhookStreams(ctx);

  app.get('/api/webhooks/stream', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    if (request.method === 'HEAD') return void response.end();
    const stream = openEventStream(response);
    const accountId = actorIn(handle.id).id ?? handle.id;
    const stop = await streams.watch(
      { workspaceId: handle.id, accountId },
      {
        tell: (stamp) => stream.send({ event: 'changed', data: { stamp } }),
        end: stream.end,
      },
    );
    response.on('close', stop);
    // A client may disconnect while the first state is read.
    if (response.destroyed) stop();
  });
}
