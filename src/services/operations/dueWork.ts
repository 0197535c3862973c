// The fallback behind every wake of the workers: one statement that finds the topics with rows that are due, for what falls due by the clock, and for
// what a lost notification or a crash left.
import type { Ctx } from '../../context.ts';
import { BRIDGE_FAILURE, BRIDGE_FAILURE_OPEN_MS } from '../../domain/smartLeg.ts';
import type { Topic } from '../../wakes.ts';

/** A transaction that opens an escrow is mined by then, or not at all. */
const EXPECTED_MS = 24 * 3_600_000;

/**
 * Wakes the loops of this process whose rows may be due. Each loop judges by itself: a row that it leaves alone costs it a round.
 * @returns the topics that were woken
 */
export async function wakeDue(ctx: Ctx): Promise<Topic[]> {
  const now = new Date(ctx.clock.now());
  const seconds = Math.floor(ctx.clock.now() / 1_000);
  const recently = new Date(ctx.clock.now() - EXPECTED_MS);
  const givenUp = new Date(ctx.clock.now() - BRIDGE_FAILURE_OPEN_MS);
  const chains = Object.keys(ctx.chains);
  const due = await ctx.db.$queryRaw<{ topic: Topic }[]>`
    select topic from (
      select 'outgoing' as topic, exists (select 1 from outgoing_tx where chain = any(${chains}) and status = 'queued') as is_due
      union all select 'sent', exists (
        select 1 from outgoing_tx where chain = any(${chains}) and status in ('signed', 'sent'))
      union all select 'mined', exists (
        select 1 from outgoing_tx where chain = any(${chains}) and status = 'mined' and (next_look_at is null or next_look_at <= ${now}))
      union all select 'expected',
        exists (select 1 from payment_order where chain = any(${chains}) and status in ('awaiting_payment', 'processing'))
        or exists (select 1 from escrow where status = 'pending_create' and open_tx_hash is not null and created_at > ${recently})
      union all select 'pauses', exists (select 1 from pause where status = 'wanted')
      union all select 'names', exists (select 1 from claim where status = 'asked' and held_until <= ${now})
      union all select 'refunds', exists (
        select 1 from escrow where status = 'open' and (deadline <= ${seconds} or refund_asked_at is not null))
      union all select 'deposits', exists (
        select 1 from payment_order where chain = any(${chains}) and status = 'awaiting_payment' and deposit_shown_at is not null)
      union all select 'received', exists (select 1 from received_leg where due_at <= ${now})
      union all select 'charges', exists (
        select 1 from subscription where chain = any(${chains}) and status = 'active' and next_charge_at <= ${now}
          and charge_batch_id is null and (next_try_at is null or next_try_at <= ${now}))
      union all select 'trials', exists (select 1 from trial where chain = any(${chains}) and status = 'waiting' and try_at <= ${now})
      union all select 'grants', exists (
        select 1 from campaign c join campaign_grant g on g.campaign_id = c.id
        where c.chain = any(${chains}) and c.status in ('active', 'closed') and g.status = 'queued'
          and (c.status = 'closed' or c.expires_at <= ${now} or g.next_try_at is null or g.next_try_at <= ${now}))
      union all select 'legs', exists (
        select 1 from smart_leg where chain = any(${chains}) and status in ('prepared', 'sent', 'bridging') and next_look_at <= ${now})
        or exists (select 1 from smart_leg where chain = any(${chains}) and status = 'failed' and reason = ${BRIDGE_FAILURE}
          and ended_at > ${givenUp} and next_look_at <= ${now})
      union all select 'sends', exists (select 1 from send where chain = any(${chains}) and status = 'processing')
      union all select 'alerts', exists (select 1 from alert where next_tell_at <= ${now})
      union all select 'retries',
        exists (select 1 from intent where status = 'accepted')
        or exists (select 1 from intent where status in ('awaiting_confirmation', 'waiting') and next_attempt_at <= ${now})
        or exists (select 1 from tip where chain = any(${chains}) and status = 'ready')
        or exists (select 1 from reply where open and next_attempt_at <= ${now})
        or exists (select 1 from link where status in ('open', 'redeemed') and expires_at <= ${now})
        or exists (select 1 from wallet_change where status = 'pending' and effective_at <= ${now})
        or exists (select 1 from outbox)
    ) as topics where is_due`;
  for (const { topic } of due) ctx.wakes.wake(topic);
  return due.map(({ topic }) => topic);
}
