// Events under /v1: listed, read, listened to as they are written, and sent again.
import { z } from 'zod';
import { newId } from '../../context.ts';
import { getEvent, listEvents } from '../../services/webhooks/eventViews.ts';
import { replayIn } from '../../services/webhooks/replays.ts';
import { pageOf } from '../list.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { askEvent, event, eventList } from './eventSchemas.ts';
import { readerOf } from './orders.ts';
import { created } from './query.ts';
import { ask } from './schemas.ts';

const list = endpoint({
  method: 'get',
  path: '/v1/events',
  operationId: 'listEvents',
  tag: 'Events',
  summary: 'List events',
  description: 'Returns the workspace’s events in the key’s mode, newest first.',
  scopes: ['events', 'read'],
  query: z.strictObject({
    type: askEvent.type,
    resource: askEvent.resource,
    created,
    limit: ask.limit,
    cursor: ask.cursor,
  }),
  answer: eventList,
  status: 200,
  errors: [],
  async run(ctx, { caller, query }) {
    const page = await listEvents(ctx, readerOf(caller), query);
    return { answer: pageOf(page.data, page.nextCursor) };
  },
});

/** In front of what reads one by its id: its address would be one. */
const stream = endpoint({
  method: 'get',
  path: '/v1/events/stream',
  operationId: 'streamEvents',
  tag: 'Events',
  summary: 'Listen to events',
  description: `Server-sent events: each has \`event: event\`, the event’s ID as \`id\` and the event as \`data\`. The stream ends after 30 minutes; reconnect with
the Last-Event-ID to continue without gaps. Events of the last 30 seconds before it can repeat; deduplicate by ID.`,
  scopes: ['events', 'read'],
  answer: z.string().meta({
    description: 'A text/event-stream.',
    example: 'id: evt_01jd3xkq8fz6m2v7w4t9y5c1bn\nevent: event\ndata: {"id":"evt_01jd3xkq8fz6m2v7w4t9y5c1bn"}\n\n',
  }),
  status: 200,
  isStream: true,
  errors: [],
  run: async (ctx, { caller, events }) => ({
    async stream(to, lastEventId) {
      const stop = await events.watch({ keyId: caller.keyId, ...readerOf(caller) }, lastEventId, {
        tell(one) {
          to.send({ id: one.id, event: 'event', data: one });
          return to.drained();
        },
        end: to.end,
      });
      // A new id is a position to reconnect from, as good as an event’s.
      if (lastEventId === undefined) to.mark(newId(ctx, 'evt'));
      return stop;
    },
  }),
});

const get = endpoint({
  method: 'get',
  path: '/v1/events/{event_id}',
  operationId: 'getEvent',
  tag: 'Events',
  summary: 'Retrieve an event',
  description: 'Returns an event as it was created. The object in it may have changed since.',
  scopes: ['events', 'read'],
  answer: event,
  status: 200,
  errors: ['resource_missing'],
  run: async (ctx, { caller, id }) => ({ answer: await getEvent(ctx, readerOf(caller), id) }),
});

const replay = endpoint({
  method: 'post',
  path: '/v1/events/{event_id}/replay',
  operationId: 'replayEvent',
  tag: 'Events',
  summary: 'Replay an event',
  description:
    'Sends an event again, with a full set of attempts: to every enabled endpoint subscribed to its type, or to the endpoint you name.',
  scopes: ['events', 'webhooks'],
  body: z.strictObject({ endpoint: askEvent.endpoint }),
  answer: event,
  status: 200,
  errors: ['resource_missing', 'state_conflict'],
  run: (ctx, { caller, id, body, once }) =>
    once(async (tx) => ({
      status: 200,
      body: await replayIn(ctx, tx, readerOf(caller), id, { endpointId: body.endpoint }),
    })),
});

export const EVENT_ENDPOINTS: Endpoint[] = [list, stream, get, replay];
