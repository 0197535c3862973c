// Test events: sent by an endpoint’s owner to check that it receives them. They are in test mode, carry a sample, and are attempted once.
import { type Ctx, newId } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { EVENT_TYPES, type EventEnvelope, type EventType, isEventType } from '../../domain/events.ts';
import { slugsOfHandles } from '../accounts/handles.ts';
import { type Cause, envelopeOf } from '../events.ts';
import { hit } from '../rateLimit.ts';
import type { WorkspaceReader } from '../workspaces/workspaces.ts';
import { replayDeliveries } from './deliveryTransitions.ts';
import { ownEndpoint } from './endpoints.ts';

/** What a test event carries: an object that does not exist, with its ID and the attributes that changed. */
export type Sample = { resourceId: string; object: object; previous: object | undefined };
/** @param slug of the workspace */
export type SampleOf = (ctx: Ctx, type: EventType, slug: string) => Sample;

/** Of each endpoint. */
const TESTS = { points: 10, windowMs: 60_000 } as const;

/**
 * After the commit the caller flushes the queues, so that it is sent at once.
 * @param type by default the first that the endpoint takes; any other type is sent too when it is named
 * @throws AppError `resource_missing`, `parameter_invalid`, `parameter_missing`, `state_conflict` for an endpoint that is not enabled, `rate_limited`
 */
export async function sendTestEvent(
  ctx: Ctx,
  tx: Tx,
  reader: WorkspaceReader,
  endpointId: string,
  sampleOf: SampleOf,
  { type: wanted, cause = {} }: { type?: string | undefined; cause?: Cause } = {},
): Promise<EventEnvelope> {
  const endpoint = await ownEndpoint(tx, reader, endpointId);
  const type = typeFor(endpoint, wanted);
  if (endpoint.status !== 'enabled')
    throw new AppError('state_conflict', 'This endpoint is disabled. Enable it first.');
  const [id, now] = [newId(ctx, 'evt'), ctx.clock.now()];
  const answer = await hit(ctx, tx, { id, limits: [{ key: `webhook test:${endpointId}`, window: TESTS }] }, now);
  if (!answer.allowed) throw new AppError('rate_limited', undefined, { retryAfterMs: answer.retryAt - now });
  const { handleId, apiVersion } = endpoint;
  const slugs = await slugsOfHandles(tx, [handleId]);
  const { previous, ...sample } = sampleOf(ctx, type, slugs.get(handleId) ?? '');
  const row = await tx.event.create({
    data: {
      ...sample,
      ...(previous ? { previous } : {}),
      id,
      handleId,
      livemode: false,
      type,
      apiVersion,
      uniqueKey: `test:${id}`,
      requestId: cause.requestId ?? null,
      idempotencyKey: cause.idempotencyKey ?? null,
      isTest: true,
      createdAt: new Date(now),
    },
  });
  return envelopeOf(row, await replayDeliveries(ctx, tx, [{ eventId: id, endpointId }], { isTest: true }));
}

/** @throws AppError `parameter_invalid` for a type without a sample; `parameter_missing` where the endpoint takes none that has one */
function typeFor({ eventTypes }: Row<'WebhookEndpoint'>, wanted: string | undefined): EventType {
  const choice = `Available types: ${EVENT_TYPES.join(', ')}.`;
  if (wanted !== undefined) {
    if (isEventType(wanted)) return wanted;
    throw new AppError('parameter_invalid', `No test event of this type. ${choice}`, { param: 'type' });
  }
  const first = eventTypes.length === 0 ? EVENT_TYPES[0] : eventTypes.find(isEventType);
  if (first) return first;
  throw new AppError('parameter_missing', `This endpoint’s event types have no test event. Set type. ${choice}`, {
    param: 'type',
  });
}
