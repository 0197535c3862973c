// What waits for whom, read from the rows: every step of a tip's way, how much lies before it and since when.
import type { ReadCtx } from '../../context.ts';
import { SLOW_MS } from '../../domain/delivery.ts';

/** A tip's way through our rows, and the side ways. */
export const STEPS = [
  'inbox',
  'intents',
  'legs',
  'transactions',
  'confirmations',
  'replies',
  'outbox',
  'pauses',
  'claims',
  'payments',
  'charges',
  'trials',
  'grants',
  'deliveries',
] as const;
export type Step = (typeof STEPS)[number];

/**
 * `subject` is a platform, a chain, a queue or nothing; of deliveries how their endpoints are: "healthy", "slow" or "failing". `oldestMs` is null
 * when nothing waits.
 */
export type Waiting = { step: Step; subject: string; waiting: number; oldestMs: number | null };

type WaitingRow = { step: Step; subject: string; waiting: number; oldest: Date | null };

/** Every step before which something lies; a step with nothing is left out. Reads indexes of open rows only, however long the history is. */
export async function readWork(ctx: ReadCtx): Promise<Waiting[]> {
  const now = new Date(ctx.clock.now());
  const rows = await ctx.db.$queryRaw<WaitingRow[]>`
    select 'inbox' as step, platform as subject, count(*)::int as waiting, min(received_at) as oldest
      from inbox where status = 'received' group by platform
    union all select 'intents', platform, count(*)::int, min(coalesce(confirmed_at, accepted_at))
      from intent where status = 'accepted' and next_attempt_at <= ${now} group by platform
    union all select 'legs', chain, count(*)::int, min(created_at) from tip where status = 'ready' group by chain
    union all select 'transactions', chain, count(*)::int, min(created_at)
      from outgoing_tx where status in ('signed', 'sent') group by chain
    union all select 'confirmations', chain, count(*)::int, min(created_at)
      from outgoing_tx where status = 'mined' group by chain
    union all select 'replies', platform, count(*)::int, min(greatest(created_at, sent_at))
      from reply where open group by platform
    union all select 'outbox', queue, count(*)::int, min(created_at) from outbox group by queue
    union all select 'pauses', chain, count(*)::int, min(since) from pause where status in ('wanted', 'sent') group by chain
    union all select 'claims', chain, count(*)::int, min(created_at) from claim where status in ('asked', 'attested') and held_until is null group by chain
    union all select 'payments', chain, count(*)::int, min(created_at) from order_submission where status = 'queued' group by chain
    union all select 'charges', chain, count(*)::int, min(next_charge_at) from subscription
      where status = 'active' and next_charge_at <= ${now} and failure is null and charge_batch_id is null group by chain
    union all select 'trials', chain, count(*)::int, min(try_at) from trial where status = 'waiting' and try_at <= ${now} group by chain
    union all select 'grants', c.chain, count(*)::int, min(greatest(g.created_at, c.opened_at, g.next_try_at))
      from campaign c join campaign_grant g on g.campaign_id = c.id
      where c.status = 'active' and c.problem is null and g.status = 'queued' and not g.waiting
        and (g.next_try_at is null or g.next_try_at <= ${now}) group by c.chain
    union all select 'deliveries', health, sum(due)::int, min(oldest) from (
      select d.due, d.oldest,
          case when w.failing_since is not null then 'failing' when a.latency_ms > ${SLOW_MS}::int then 'slow' else 'healthy' end as health
        from webhook_endpoint w
        cross join lateral (
          select count(*) as due, min(next_attempt_at) as oldest from delivery
            where endpoint_id = w.id and next_attempt_at <= ${now}) d
        left join lateral (
          select latency_ms from delivery_attempt where endpoint_id = w.id order by started_at desc limit 1) a on true
        where w.status = 'enabled' and d.due > 0) endpoint group by health`;
  return rows.map(({ oldest, ...row }) => ({
    ...row,
    oldestMs: oldest ? Math.max(0, now.getTime() - oldest.getTime()) : null,
  }));
}
