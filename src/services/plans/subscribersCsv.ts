// A creator's subscribers as a file, in pieces that are read as they are taken.
import type { Ctx } from '../../context.ts';
import { csvLine } from '../../domain/csv.ts';
import type { SessionHandle } from '../accounts/sessions.ts';
import { ownPlanRow } from './plans.ts';
import { listSubscribers, type SubscriberFilter } from './subscriptions.ts';

const PAGE = 500;
/** A file has at most this many lines. */
const MOST = 100_000;
const COLUMNS =
  'id,plan,plan_name,handle,subscriber,status,amount,currency,chain,started,last_charged,charges,total_paid,next_charge,failing,ended,cancelled_by,reason,mode';

/** @throws AppError `resource_missing` for a plan that is not the caller's, before the first line */
export async function subscriberCsv(
  ctx: Ctx,
  handle: SessionHandle,
  planId: string | undefined,
  filter: SubscriberFilter,
): Promise<AsyncGenerator<string>> {
  if (planId !== undefined) await ownPlanRow(ctx, handle.id, planId);
  return lines(ctx, handle, planId, filter);
}

async function* lines(
  ctx: Ctx,
  handle: SessionHandle,
  planId: string | undefined,
  filter: SubscriberFilter,
): AsyncGenerator<string> {
  yield csvLine(COLUMNS.split(','));
  let cursor: string | undefined;
  for (let count = 0; count < MOST; count += PAGE) {
    const { subscriptions, nextCursor } = await listSubscribers(ctx, handle, planId, {
      ...filter,
      limit: PAGE,
      cursor,
    });
    yield subscriptions
      .map((sub) =>
        csvLine([
          sub.id,
          sub.plan,
          sub.plan_name,
          sub.subscriberHandle ?? '',
          sub.subscriber,
          sub.status,
          sub.amount,
          sub.currency,
          sub.chain,
          new Date(sub.startedAt).toISOString(),
          new Date(sub.lastChargedAt).toISOString(),
          String(sub.chargesPaid),
          sub.total_paid,
          sub.next_charge_at ?? '',
          sub.failing?.code ?? '',
          sub.ended_at ?? '',
          sub.cancelled_by ?? '',
          sub.reason ?? '',
          sub.livemode ? 'live' : 'test',
        ]),
      )
      .join('');
    if (nextCursor === null) return;
    cursor = nextCursor;
  }
}
