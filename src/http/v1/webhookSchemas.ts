// What crosses at /v1 about webhooks: fields of requests, and endpoints and deliveries as answers show them.
import { z } from 'zod';
import { SHOWN_FAILURES } from '../../domain/delivery.ts';
import { EVENT_TYPES } from '../../domain/events.ts';
import { ROLL_HOURS, URL_LENGTH } from '../../domain/webhookEndpoint.ts';
import { SAMPLED } from '../../services/eventSamples.ts';
import { momentOf } from '../parse.ts';
import { listOf } from './schemas.ts';

const STATUSES = ['pending', 'delivered', 'failed'] as const;
const ENDPOINT = '^whs_[0-9a-z]{26}$';
const EVENT = '^evt_[0-9a-z]{26}$';

/** Requests: what they say is read by the service, which says it to the dashboard in the same words. */
export const askHook = {
  url: z
    .string()
    .max(2 * URL_LENGTH)
    .meta({
      description: `Where events are posted to: https, or http in test mode; a public address. At most ${URL_LENGTH} characters.`,
      example: 'https://shop.example/webhooks',
    }),
  enabledEvents: z
    .array(z.string().max(100))
    .max(100)
    .optional()
    .meta({
      description: 'The types that it is told of, or “*” alone for all, which is the default.',
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
    .meta({ description: 'For yourself: plain text of at most 280 characters.', example: 'The web shop' }),
  disabled: z.boolean().optional().meta({ description: 'True disables it, false enables it.' }),
  overlapHours: z
    .number()
    .int()
    .optional()
    .meta({
      description: `For how many hours deliveries are signed with the former secret, too; ${ROLL_HOURS.usual} when left out.`,
      override: { type: 'integer', minimum: ROLL_HOURS.least, maximum: ROLL_HOURS.most, default: ROLL_HOURS.usual },
    }),
  testType: z
    .string()
    .max(100)
    .optional()
    .meta({
      description: 'What the event is; the first type that the endpoint takes when left out.',
      override: { type: 'string', enum: [...SAMPLED] },
    }),
  since: momentOf.meta({
    description: 'When the deliveries failed for good: from this time on. ISO 8601 with a zone, or Unix seconds.',
    example: '2026-11-23T10:00:00Z',
    override: {
      anyOf: [
        { type: 'string', format: 'date-time' },
        { type: 'integer', minimum: 0 },
      ],
    },
  }),
  endpoint: z.string().max(60).optional().meta({ description: 'Only deliveries to this endpoint.' }),
  event: z.string().max(60).optional().meta({ description: 'Only deliveries of this event.' }),
  status: z.enum(STATUSES).optional().meta({ description: 'Only deliveries in this status.' }),
};

const time = (description: string) =>
  z
    .string()
    .meta({ description: `${description} ISO 8601 in UTC.`, format: 'date-time', example: '2026-11-23T10:00:00.000Z' });
const TAIL = '01jd3xkq8fz6m2v7w4t9y5c1bn';
const endpointId = z.string().meta({ description: 'The endpoint.', pattern: ENDPOINT, example: `whs_${TAIL}` });
const eventId = z.string().meta({ description: 'The event.', pattern: EVENT, example: `evt_${TAIL}` });
const eventType = z.enum(EVENT_TYPES).meta({ description: 'What happened.' });

const endpointFields = {
  id: endpointId,
  object: z.literal('webhook_endpoint'),
  url: z.string().meta({ description: 'Where events are posted to.', example: 'https://shop.example/webhooks' }),
  description: z.string().nullable().meta({ description: 'Your own words.' }),
  enabled_events: z
    .array(z.enum(['*', ...EVENT_TYPES]))
    .meta({ description: 'The types that it is told of; “*” alone for all.' }),
  api_version: z.string().meta({ description: 'The version in which its events are written.', example: '2026-11-20' }),
  status: z.enum(['enabled', 'disabled']).meta({ description: 'Nothing is sent to one that is disabled.' }),
  disabled_reason: z.enum(['by_owner', 'gone', 'failing']).nullable().meta({
    description: 'by_owner: by you. gone: it answered 410. failing: nothing went well there for five days.',
  }),
  disabled_at: time('When it was disabled.').nullable(),
  failing_since: time('Since when no delivery went well.').nullable(),
  livemode: z.boolean().meta({ description: 'Whether it is told of events in live mode, or of those in test mode.' }),
  former_secret_until: time('Until when deliveries are signed with the secret of before a roll, too.').nullable(),
  created_at: time('When it was made.'),
};

export const webhookEndpoint = z
  .strictObject(endpointFields)
  .meta({ id: 'WebhookEndpoint', description: 'A URL that is told of events.' });

export const newWebhookEndpoint = z
  .strictObject({
    ...endpointFields,
    secret: z.string().optional().meta({
      description: 'Shown now and never again. It is left out when the call is repeated with its Idempotency-Key.',
      example: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
    }),
  })
  .meta({ id: 'NewWebhookEndpoint', description: 'An endpoint with the secret that was just drawn for it.' });

export const deletedEndpoint = z
  .strictObject({ id: endpointId, object: z.literal('webhook_endpoint'), deleted: z.literal(true) })
  .meta({ id: 'DeletedWebhookEndpoint', description: 'An endpoint that is gone.' });

const attempt = z
  .strictObject({
    number: z.number().int().meta({ description: 'From 1, also over replays.' }),
    started_at: time('When it began.'),
    latency_ms: z.number().int().meta({ description: 'How long it took, in milliseconds.' }),
    status: z.number().int().nullable().meta({ description: 'The HTTP status; null when no answer came.' }),
    failure: z
      .enum(SHOWN_FAILURES)
      .nullable()
      .meta({ description: 'Why no answer came. secret_unreadable: nothing was sent; roll the secret.' }),
    answer: z.string().nullable().meta({ description: 'The first 2 KB of the answer.' }),
  })
  .meta({ id: 'WebhookAttempt', description: 'One try to deliver an event.' });

export const webhookDelivery = z
  .strictObject({
    id: z.string().meta({ description: 'The delivery.', pattern: '^dlv_[0-9a-z]{52}$', example: `dlv_${TAIL}${TAIL}` }),
    object: z.literal('webhook_delivery'),
    event: eventId,
    event_type: eventType,
    resource: z.string().meta({ description: 'What the event is about, such as an order.', example: `ord_${TAIL}` }),
    endpoint: endpointId,
    status: z
      .enum(STATUSES)
      .meta({ description: 'pending: it is tried again. failed: for good, unless it is replayed.' }),
    failure: z.enum(['exhausted', 'endpoint_disabled', 'endpoint_deleted', 'gone']).nullable().meta({
      description: 'Why it failed for good: every try did, or its endpoint was disabled, deleted, or answered 410.',
    }),
    attempt_count: z.number().int().meta({ description: 'Tries so far, also over replays.' }),
    next_attempt_at: time('When it is tried next.').nullable(),
    is_test: z.boolean().meta({ description: 'A test event, which is tried once.' }),
    created_at: time('When it was made.'),
    ended_at: time('When it was delivered, or failed for good.').nullable(),
    attempts: z.array(attempt).meta({ description: 'The newest first, at most 20.' }),
  })
  .meta({ id: 'WebhookDelivery', description: 'An event on its way to an endpoint.' });

export const replay = z
  .strictObject({
    object: z.literal('webhook_replay'),
    endpoint: endpointId,
    count: z.number().int().meta({ description: 'How many deliveries are on their way again.' }),
  })
  .meta({ id: 'WebhookReplay', description: 'Failed deliveries that are sent once more.' });

export const endpointList = listOf(webhookEndpoint, 'WebhookEndpointList');
export const deliveryList = listOf(webhookDelivery, 'WebhookDeliveryList');
