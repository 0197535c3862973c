// What crosses at /v1 about webhooks: fields of requests, and endpoints and deliveries as answers show them.
import { z } from 'zod';
import { SHOWN_FAILURES } from '../../domain/delivery.ts';
import { EVENT_TYPES } from '../../domain/events.ts';
import { ROLL_HOURS, URL_LENGTH } from '../../domain/webhookEndpoint.ts';
import { momentOf } from '../parse.ts';
import { listOf } from './schemas.ts';

const STATUSES = ['pending', 'delivered', 'failed'] as const;
const ENDPOINT = '^whs_[0-9a-z]{26}$';
const EVENT = '^evt_[0-9a-z]{26}$';

/** Requests: what they say is read by the service, which says it to the dashboard in the same words. */
export const askHook = {
  activeSince: momentOf.optional().meta({
    description:
      'Only deliveries that were attempted, or failed, at this time or later, however old their events are: Unix seconds, or ISO 8601 with a zone.',
    example: '2026-11-21T10:00:00Z',
    override: { type: 'string' },
  }),
  url: z
    .string()
    .max(URL_LENGTH)
    .meta({
      description: `Public URL that receives events. https, or http in test mode; up to ${URL_LENGTH} characters.`,
      example: 'https://shop.example/webhooks',
    }),
  enabledEvents: z
    .array(z.string().max(100))
    .max(100)
    .optional()
    .meta({
      description: 'Event types to send, or `*` alone for all. Defaults to `*`.',
      example: ['order.completed', 'order.refunded'],
      override: {
        type: 'array',
        items: { type: 'string', enum: ['*', ...EVENT_TYPES] },
        minItems: 1,
        uniqueItems: true,
      },
    }),
  description: z
    .string()
    .max(2_000)
    .nullish()
    .meta({ description: 'Your own note. Plain text, up to 280 characters.', example: 'The web shop' }),
  disabled: z.boolean().optional().meta({ description: 'True disables the endpoint, false enables it.' }),
  overlapHours: z
    .number()
    .int()
    .optional()
    .meta({
      description: `Hours during which deliveries are also signed with the previous secret. Defaults to ${ROLL_HOURS.usual}.`,
      override: { type: 'integer', minimum: ROLL_HOURS.least, maximum: ROLL_HOURS.most, default: ROLL_HOURS.usual },
    }),
  testType: z
    .string()
    .max(100)
    .optional()
    .meta({
      description: 'Type of the test event. Defaults to the first type the endpoint is subscribed to.',
      override: { type: 'string', enum: [...EVENT_TYPES] },
    }),
  since: momentOf.meta({
    description: 'Replay deliveries that failed at this time or later. ISO 8601 with a zone, or Unix seconds.',
    example: '2026-11-23T10:00:00Z',
    override: {
      anyOf: [
        { type: 'string', format: 'date-time' },
        { type: 'integer', minimum: 0 },
      ],
    },
  }),
  endpoint: z.string().max(60).optional().meta({ description: 'Filter by endpoint ID.' }),
  event: z.string().max(60).optional().meta({ description: 'Filter by event ID.' }),
  status: z.enum(STATUSES).optional().meta({ description: 'Filter by status.' }),
};

const time = (description: string) =>
  z
    .string()
    .meta({ description: `${description} ISO 8601 in UTC.`, format: 'date-time', example: '2026-11-23T10:00:00.000Z' });
const TAIL = '01jd3xkq8fz6m2v7w4t9y5c1bn';
const endpointId = z.string().meta({ description: 'The endpoint’s ID.', pattern: ENDPOINT, example: `whs_${TAIL}` });
const eventId = z.string().meta({ description: 'The event’s ID.', pattern: EVENT, example: `evt_${TAIL}` });
const eventType = z.enum(EVENT_TYPES).meta({ description: 'Event type.' });

const endpointFields = {
  id: endpointId,
  object: z.literal('webhook_endpoint'),
  url: z.string().meta({ description: 'URL that receives events.', example: 'https://shop.example/webhooks' }),
  description: z.string().nullable().meta({ description: 'Your own note.' }),
  enabled_events: z
    .array(z.enum(['*', ...EVENT_TYPES]))
    .meta({ description: 'Event types sent to this endpoint; `*` alone for all.' }),
  api_version: z
    .string()
    .meta({ description: 'API version of the events sent to this endpoint.', example: '2026-11-20' }),
  status: z.enum(['enabled', 'disabled']).meta({ description: 'Disabled endpoints receive nothing.' }),
  disabled_reason: z.enum(['by_owner', 'gone', 'failing']).nullable().meta({
    description: '`by_owner`: disabled by you. `gone`: returned 410. `failing`: no successful delivery for five days.',
  }),
  disabled_at: time('When it was disabled.').nullable(),
  failing_since: time('Since when deliveries have been failing.').nullable(),
  livemode: z.boolean().meta({ description: 'Whether the endpoint receives live or test events.' }),
  former_secret_until: time('Until when deliveries are also signed with the previous secret.').nullable(),
  created_at: time('When it was created.'),
};

export const webhookEndpoint = z
  .strictObject(endpointFields)
  .meta({ id: 'WebhookEndpoint', description: 'A URL that receives events.' });

export const newWebhookEndpoint = z
  .strictObject({
    ...endpointFields,
    secret: z.string().optional().meta({
      description: 'Signing secret, shown only once. Omitted when the call is repeated with its Idempotency-Key.',
      example: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
    }),
  })
  .meta({ id: 'NewWebhookEndpoint', description: 'An endpoint with its new signing secret.' });

export const deletedEndpoint = z
  .strictObject({ id: endpointId, object: z.literal('webhook_endpoint'), deleted: z.literal(true) })
  .meta({ id: 'DeletedWebhookEndpoint', description: 'The deleted endpoint.' });

const attempt = z
  .strictObject({
    number: z.number().int().meta({ description: 'Number of the attempt, from 1; replays continue counting.' }),
    started_at: time('When the attempt started.'),
    latency_ms: z.number().int().meta({ description: 'Duration in milliseconds.' }),
    status: z.number().int().nullable().meta({ description: 'HTTP status; null when there was no response.' }),
    failure: z
      .enum(SHOWN_FAILURES)
      .nullable()
      .meta({ description: 'Why there was no response. `secret_unreadable`: nothing was sent; roll the secret.' }),
    answer: z.string().nullable().meta({ description: 'First 2 KB of the response body.' }),
    is_replay: z.boolean().meta({ description: 'Whether the delivery had been replayed before this attempt.' }),
  })
  .meta({ id: 'WebhookAttempt', description: 'One attempt to deliver an event.' });

export const webhookDelivery = z
  .strictObject({
    id: z
      .string()
      .meta({ description: 'The delivery’s ID.', pattern: '^dlv_[0-9a-z]{52}$', example: `dlv_${TAIL}${TAIL}` }),
    object: z.literal('webhook_delivery'),
    event: eventId,
    event_type: eventType,
    resource: z.string().meta({ description: 'ID of the object the event is about.', example: `ord_${TAIL}` }),
    endpoint: endpointId,
    status: z
      .enum(STATUSES)
      .meta({ description: '`pending`: will be attempted again. `failed`: no more attempts unless replayed.' }),
    failure: z.enum(['exhausted', 'endpoint_disabled', 'endpoint_deleted', 'gone']).nullable().meta({
      description:
        'Why it failed: `exhausted` after the last attempt, or the endpoint was disabled, deleted or returned 410.',
    }),
    attempt_count: z.number().int().meta({ description: 'Number of attempts, including replays.' }),
    next_attempt_at: time('When it is attempted next.').nullable(),
    is_test: z.boolean().meta({ description: 'Whether this is a test event, which is attempted once.' }),
    created_at: time('When it was created.'),
    ended_at: time('When it was delivered or failed.').nullable(),
    attempts: z.array(attempt).meta({ description: 'Latest attempts, newest first, up to 20.' }),
  })
  .meta({ id: 'WebhookDelivery', description: 'Delivery of an event to an endpoint.' });

export const replay = z
  .strictObject({
    object: z.literal('webhook_replay'),
    endpoint: endpointId,
    count: z.number().int().meta({ description: 'Number of deliveries being replayed.' }),
  })
  .meta({ id: 'WebhookReplay', description: 'A replay of failed deliveries.' });

export const endpointList = listOf(webhookEndpoint, 'WebhookEndpointList');
export const deliveryList = listOf(webhookDelivery, 'WebhookDeliveryList');
