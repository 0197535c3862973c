// Webhook endpoints and their deliveries under /v1.
import { z } from 'zod';
import { listDeliveries } from '../../services/webhooks/deliveryViews.ts';
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
  readyChange,
  readyEndpoint,
  rollEndpoint,
} from '../../services/webhooks/endpoints.ts';
import { replayFailedSince } from '../../services/webhooks/replays.ts';
import { sendTestEvent } from '../../services/webhooks/testEvents.ts';
import { pageOf } from '../list.ts';
import { sampleOf } from '../sampleEvents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { event } from './eventSchemas.ts';
import { causeOf, readerOf } from './orders.ts';
import { ask } from './schemas.ts';
import {
  askHook,
  deletedEndpoint,
  deliveryList,
  endpointList,
  newWebhookEndpoint,
  replay,
  webhookEndpoint,
} from './webhookSchemas.ts';

const TAG = 'Webhooks';
const ONE = '/v1/webhook_endpoints/{endpoint_id}';

const create = endpoint({
  method: 'post',
  path: '/v1/webhook_endpoints',
  operationId: 'createWebhookEndpoint',
  tag: TAG,
  summary: 'Create a webhook endpoint',
  description: `Adds a URL that receives events in the key’s mode. The signing secret is only in this response; repeating the call with its Idempotency-Key
returns the endpoint without it. Live mode requires https.`,
  scopes: ['webhooks'],
  body: z.strictObject({ url: askHook.url, enabled_events: askHook.enabledEvents, description: askHook.description }),
  answer: newWebhookEndpoint,
  status: 201,
  errors: ['url_not_allowed', 'private_address', 'state_conflict'],
  run: (ctx, { caller, body, onceReady }) =>
    onceReady(
      () => readyEndpoint(ctx, readerOf(caller), body),
      async (tx, ready) => {
        const { endpoint: made, secret } = await createEndpoint(ctx, tx, readerOf(caller), ready);
        return { status: 201, body: made, shownOnce: { secret } };
      },
    ),
});

const list = endpoint({
  method: 'get',
  path: '/v1/webhook_endpoints',
  operationId: 'listWebhookEndpoints',
  tag: TAG,
  summary: 'List webhook endpoints',
  description: 'Returns the workspace’s endpoints in the key’s mode, newest first.',
  scopes: ['webhooks'],
  query: z.strictObject({ limit: ask.limit, cursor: ask.cursor }),
  answer: endpointList,
  status: 200,
  errors: [],
  async run(ctx, { caller, query }) {
    const page = await listEndpoints(ctx, readerOf(caller), query);
    return { answer: pageOf(page.data, page.nextCursor) };
  },
});

const get = endpoint({
  method: 'get',
  path: ONE,
  operationId: 'getWebhookEndpoint',
  tag: TAG,
  summary: 'Retrieve a webhook endpoint',
  description: 'Returns an endpoint.',
  scopes: ['webhooks'],
  answer: webhookEndpoint,
  status: 200,
  errors: ['resource_missing'],
  run: async (ctx, { caller, id }) => ({ answer: await getEndpoint(ctx, readerOf(caller), id) }),
});

const change = endpoint({
  method: 'post',
  path: ONE,
  operationId: 'updateWebhookEndpoint',
  tag: TAG,
  summary: 'Update a webhook endpoint',
  description: `Updates the fields you pass. \`disabled: true\` cancels pending deliveries, which are listed as failed and can be replayed;
\`disabled: false\` enables the endpoint again.`,
  scopes: ['webhooks'],
  body: z.strictObject({
    url: askHook.url.optional(),
    enabled_events: askHook.enabledEvents,
    description: askHook.description,
    disabled: askHook.disabled,
  }),
  answer: webhookEndpoint,
  status: 200,
  errors: ['resource_missing', 'url_not_allowed', 'private_address', 'state_conflict'],
  run: (ctx, { caller, id, body, onceReady }) =>
    onceReady(
      () => readyChange(ctx, readerOf(caller), id, body),
      async (tx, ready) => ({ status: 200, body: await changeEndpoint(ctx, tx, readerOf(caller), id, ready) }),
    ),
});

const remove = endpoint({
  method: 'delete',
  path: ONE,
  operationId: 'deleteWebhookEndpoint',
  tag: TAG,
  summary: 'Delete a webhook endpoint',
  description: 'Permanently deletes the endpoint. Pending deliveries are cancelled; events are kept.',
  scopes: ['webhooks'],
  answer: deletedEndpoint,
  status: 200,
  errors: ['resource_missing'],
  run: (ctx, { caller, id, once }) =>
    once(async (tx) => ({ status: 200, body: await deleteEndpoint(ctx, tx, readerOf(caller), id) })),
});

const roll = endpoint({
  method: 'post',
  path: `${ONE}/roll_secret`,
  operationId: 'rollWebhookEndpointSecret',
  tag: TAG,
  summary: 'Roll a signing secret',
  description: `Creates a new signing secret, which is only in this response. Deliveries are signed with both secrets until the overlap ends. Rolling again
within it ends the oldest secret at once. Repeating the call with its Idempotency-Key returns the endpoint without the secret.`,
  scopes: ['webhooks'],
  body: z.strictObject({ overlap_hours: askHook.overlapHours }),
  answer: newWebhookEndpoint,
  status: 200,
  errors: ['resource_missing', 'state_conflict'],
  run: (ctx, { caller, id, body, once }) =>
    once(async (tx) => {
      const how = { overlapHours: body.overlap_hours };
      const { endpoint: rolled, secret } = await rollEndpoint(ctx, tx, readerOf(caller), id, how);
      return { status: 200, body: rolled, shownOnce: { secret } };
    }),
});

const test = endpoint({
  method: 'post',
  path: `${ONE}/test`,
  operationId: 'sendTestEvent',
  tag: TAG,
  summary: 'Send a test event',
  description: `Sends a sample event (not backed by real data). Its livemode is false and its IDs end in zeros. It is signed like any other event, attempted
once, and not listed. Limited to 10 per minute for each endpoint.`,
  scopes: ['webhooks'],
  body: z.strictObject({ type: askHook.testType }),
  answer: event,
  status: 201,
  errors: ['resource_missing', 'state_conflict'],
  run: (ctx, call) =>
    call.once(async (tx) => {
      const how = { ...call.body, cause: causeOf(call) };
      return { status: 201, body: await sendTestEvent(ctx, tx, readerOf(call.caller), call.id, sampleOf, how) };
    }),
});

const replayAll = endpoint({
  method: 'post',
  path: `${ONE}/replay`,
  operationId: 'replayWebhookEndpoint',
  tag: TAG,
  summary: 'Replay failed deliveries',
  description: 'Sends deliveries that failed since a time again, with a full set of attempts.',
  scopes: ['webhooks'],
  body: z.strictObject({ since: askHook.since }),
  answer: replay,
  status: 200,
  errors: ['resource_missing', 'state_conflict'],
  run: (ctx, { caller, id, body, repeatable }) =>
    // What is on its way again has not failed, so a second time sends nothing twice.
    repeatable(async () => {
      const count = await replayFailedSince(ctx, readerOf(caller), id, body.since);
      return { status: 200, body: { object: 'webhook_replay', endpoint: id, count } };
    }),
});

const deliveries = endpoint({
  method: 'get',
  path: '/v1/webhook_deliveries',
  operationId: 'listWebhookDeliveries',
  tag: TAG,
  summary: 'List deliveries',
  description:
    'Returns deliveries with their latest attempts, newest event first. Filter by event to find deliveries of a deleted endpoint.',
  scopes: ['webhooks', 'read'],
  query: z.strictObject({
    endpoint: askHook.endpoint,
    event: askHook.event,
    status: askHook.status,
    active_since: askHook.activeSince,
    limit: ask.limit,
    cursor: ask.cursor,
  }),
  answer: deliveryList,
  status: 200,
  errors: ['resource_missing'],
  async run(ctx, { caller, query }) {
    const { active_since: activeFrom, ...filters } = query;
    const page = await listDeliveries(ctx, readerOf(caller), { ...filters, activeFrom });
    return { answer: pageOf(page.data, page.nextCursor) };
  },
});

export const WEBHOOK_ENDPOINTS: Endpoint[] = [create, list, get, change, remove, roll, test, replayAll, deliveries];
