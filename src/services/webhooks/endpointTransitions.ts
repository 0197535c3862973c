// The only writer of endpoints' statuses after creation: disabling one ends its pending deliveries in the same transaction.

import { actorIn, SERVICE } from '../../acting.ts';
import type { Ctx } from '../../context.ts';
import { type Row, sqlList, type Tx } from '../../db.ts';
import { FAILING_DAYS } from '../../domain/delivery.ts';
import { OUR_FAULTS } from '../../domain/deliveryPlan.ts';
import type { DisabledReason, EndpointStatus } from '../../domain/webhookEndpoint.ts';
import { record } from '../audit.ts';
import { GIVEN_UP_AT_ONCE, giveUpPending } from './deliveryTransitions.ts';
import { tellEndpointDisabled } from './endpointNotices.ts';

/**
 * Disables an endpoint and ends its pending deliveries, which are listed as failed and may be replayed once it is enabled again. Of a long backlog
 * the dispatchers end the rest soon after.
 * @param still only while it has this URL: a new address has not said anything yet
 * @returns the endpoint as it is now; null when it was not enabled
 */
export async function disableEndpoint(
  ctx: Ctx,
  tx: Tx,
  endpointId: string,
  reason: DisabledReason,
  still: { url?: string } = {},
): Promise<Row<'WebhookEndpoint'> | null> {
  const [endpoint] = await tx.webhookEndpoint.updateManyAndReturn({
    where: { ...still, id: endpointId, status: 'enabled' },
    data: { status: 'disabled', disabledReason: reason, disabledAt: new Date(ctx.clock.now()) },
  });
  if (!endpoint) return null;
  const ended = await giveUpPending(ctx, tx, endpointId, reason === 'gone' ? 'gone' : 'endpoint_disabled');
  await tellEndpointDisabled(ctx, tx, endpoint);
  await record(ctx, tx, {
    ...{ workspaceId: endpoint.handleId, livemode: endpoint.livemode, action: 'webhook_endpoint.disabled' },
    object: { kind: 'webhook_endpoint', id: endpointId },
    after: { reason },
    by: reason === 'by_owner' ? actorIn(endpoint.handleId) : SERVICE,
  });
  ctx.log.info({ endpoint: endpointId, reason, ended }, 'an endpoint is disabled');
  return endpoint;
}

/**
 * Disables an endpoint without a successful attempt since a time, if attempts failed on enough days: one that was quiet in between may work.
 * A day is 24 hours from the first failure on; tests, and what was our fault, make none.
 * @param limitMs Unix milliseconds: it has to fail since then
 * @returns as {@link disableEndpoint} does
 */
export async function disableFailing(
  ctx: Ctx,
  tx: Tx,
  endpointId: string,
  limitMs: number,
): Promise<Row<'WebhookEndpoint'> | null> {
  // From day to day through the index: however many attempts a day has, it costs one step. The first day is that of the first failure.
  const [failing] = await tx.$queryRaw<{ days: number }[]>`
    with recursive held as (
      select failing_since as since from webhook_endpoint
        where id = ${endpointId} and failing_since <= ${new Date(limitMs)}::timestamptz for no key update
    ), failed as (
      select since, 0 as day from held
      union all
      select since, floor(extract(epoch from next.started_at - since) / 86400)::int
        from failed cross join lateral (
          select a.started_at from delivery_attempt a join delivery d using (event_id, endpoint_id)
            where a.endpoint_id = ${endpointId} and a.started_at >= since + (day + 1) * interval '24 hours'
              and not d.is_test and coalesce(a.failure not in (${sqlList(OUR_FAULTS)}), a.status / 100 <> 2)
            order by a.started_at limit 1
        ) next
    )
    select count(*)::int as days from (select from failed limit ${FAILING_DAYS}) enough`;
  return failing && failing.days >= FAILING_DAYS ? disableEndpoint(ctx, tx, endpointId, 'failing') : null;
}

/** Enables an endpoint again, with a clean record. @returns the endpoint as it is now; null when it was not disabled */
export async function enableEndpoint(ctx: Ctx, tx: Tx, endpointId: string): Promise<Row<'WebhookEndpoint'> | null> {
  const [endpoint] = await tx.webhookEndpoint.updateManyAndReturn({
    where: { id: endpointId, status: 'disabled' },
    data: { status: 'enabled', disabledReason: null, disabledAt: null, failingSince: null },
  });
  if (!endpoint) return null;
  await record(ctx, tx, {
    ...{ workspaceId: endpoint.handleId, livemode: endpoint.livemode, action: 'webhook_endpoint.enabled' },
    object: { kind: 'webhook_endpoint', id: endpointId },
  });
  ctx.log.info({ endpoint: endpointId }, 'an endpoint is enabled');
  return endpoint;
}

/**
 * Ends what is left for endpoints that receive nothing: the part of a long backlog that disabling or deleting did not end itself, and what another
 * transaction wrote at that very moment.
 * @param endpointIds those that are enabled by now are left alone
 */
export async function giveUpStray(ctx: Ctx, endpointIds: string[]): Promise<void> {
  for (const id of endpointIds) {
    let ended = GIVEN_UP_AT_ONCE;
    while (ended >= GIVEN_UP_AT_ONCE && !ctx.shutdown.closing())
      ended = await ctx.db.$transaction((tx) => giveUpSome(ctx, tx, id));
  }
}

async function giveUpSome(ctx: Ctx, tx: Tx, endpointId: string): Promise<number> {
  const [endpoint] = await tx.$queryRaw<{ status: EndpointStatus; disabled_reason: DisabledReason | null }[]>`
    select status, disabled_reason from webhook_endpoint where id = ${endpointId} and status <> 'enabled' for no key update`;
  if (!endpoint) return 0;
  const disabled = endpoint.disabled_reason === 'gone' ? 'gone' : 'endpoint_disabled';
  return giveUpPending(ctx, tx, endpointId, endpoint.status === 'deleted' ? 'endpoint_deleted' : disabled);
}
