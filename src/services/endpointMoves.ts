// The only writer of endpoints' statuses after they were made: whoever disables one ends what waits for it in the same transaction.
import type { Ctx } from '../context.ts';
import { type Row, sqlList, type Tx } from '../db.ts';
import type { DisabledReason, EndpointStatus } from '../domain/webhookEndpoint.ts';
import { giveUpPending } from './deliveryMoves.ts';
import { tellEndpointDisabled } from './endpointNotices.ts';

/**
 * Disables an endpoint and ends its pending deliveries, which are listed as failed and may be replayed once it is enabled again.
 * @returns the endpoint as it is now; null when it was not enabled
 */
export async function disableEndpoint(
  ctx: Ctx,
  tx: Tx,
  endpointId: string,
  reason: DisabledReason,
): Promise<Row<'WebhookEndpoint'> | null> {
  const [endpoint] = await tx.webhookEndpoint.updateManyAndReturn({
    where: { id: endpointId, status: 'enabled' },
    data: { status: 'disabled', disabledReason: reason, disabledAt: new Date(ctx.clock.now()) },
  });
  if (!endpoint) return null;
  const ended = await giveUpPending(ctx, tx, endpointId, reason === 'gone' ? 'gone' : 'endpoint_disabled');
  await tellEndpointDisabled(ctx, tx, endpoint);
  ctx.log.info({ endpoint: endpointId, reason, ended }, 'an endpoint is disabled');
  return endpoint;
}

/** Enables an endpoint again, with a clean record. @returns the endpoint as it is now; null when it was not disabled */
export async function enableEndpoint(ctx: Ctx, tx: Tx, endpointId: string): Promise<Row<'WebhookEndpoint'> | null> {
  const [endpoint] = await tx.webhookEndpoint.updateManyAndReturn({
    where: { id: endpointId, status: 'disabled' },
    data: { status: 'enabled', disabledReason: null, disabledAt: null, failingSince: null },
  });
  if (!endpoint) return null;
  ctx.log.info({ endpoint: endpointId }, 'an endpoint is enabled');
  return endpoint;
}

/**
 * Ends what was written for endpoints in the very moment in which they were disabled or deleted: whoever wrote it could not know.
 * @param endpointIds those that are enabled by now are left alone
 */
export async function giveUpStray(ctx: Ctx, tx: Tx, endpointIds: string[]): Promise<void> {
  const endpoints = await tx.$queryRaw<
    { id: string; status: EndpointStatus; disabled_reason: DisabledReason | null }[]
  >`
    select id, status, disabled_reason from webhook_endpoint
      where id in (${sqlList(endpointIds)}) and status <> 'enabled' order by id for no key update`;
  for (const { id, status, disabled_reason: reason } of endpoints) {
    const disabled = reason === 'gone' ? 'gone' : 'endpoint_disabled';
    await giveUpPending(ctx, tx, id, status === 'deleted' ? 'endpoint_deleted' : disabled);
  }
}
