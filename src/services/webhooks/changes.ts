// Whether anything about a workspace's webhooks changed, for the pages that show them: one look a second for all of a process, and a stamp for each.
import { createHash } from 'node:crypto';
import type { Ctx } from '../../context.ts';
import { createHeldStreams, type Held } from '../streams.ts';

/** What a watcher gets: a new stamp says that endpoints, events, deliveries or attempts are not what they were. */
export type StampWatcher = { tell(stamp: string): void; end(): void };

export type WebhookStreams = {
  /**
   * Sends the stamp at once, and then each new one, until half an hour is over or the account is no longer a member.
   * @returns what takes the watcher away
   * @throws AppError `rate_limited` when there are too many
   */
  watch(of: Membership, watcher: StampWatcher): Promise<() => void>;
  look(): Promise<void>;
  count(): number;
};

/** The account that watches, and the workspace that it watches: its own, or that of its team. */
type Membership = { workspaceId: string; accountId: string };
type Watched = Held & Membership & { told: string | null; watcher: StampWatcher };

export function createWebhookStreams(ctx: Ctx): WebhookStreams {
  const streams = createHeldStreams<Watched>(ctx, 'webhooks', { lookAt });

  function tell(one: Watched, stamp: string | undefined): void {
    if (stamp === undefined || one.told === stamp) return;
    one.told = stamp;
    one.watcher.tell(stamp);
  }

  async function lookAt(watched: Watched[]): Promise<void> {
    const gone = await removedFrom(ctx, watched);
    for (const one of gone) streams.end(one);
    const all = streams.all();
    const stamps = await readStamps(ctx, [...new Set(all.map(({ workspaceId }) => workspaceId))]);
    for (const one of streams.all()) tell(one, stamps.get(one.workspaceId));
  }

  return {
    async watch({ workspaceId, accountId }, watcher) {
      const one: Watched = { workspaceId, accountId, who: accountId, told: null, watcher, end: () => watcher.end() };
      streams.hold(one);
      try {
        tell(one, (await readStamps(ctx, [workspaceId])).get(workspaceId));
      } catch (error) {
        streams.drop(one);
        throw error;
      }
      return () => streams.drop(one);
    },
    look: streams.look,
    count: streams.count,
  };
}

/** Those of a team that their account no longer belongs to. */
async function removedFrom<One extends Membership>(ctx: Ctx, all: One[]): Promise<One[]> {
  const guests = all.filter(({ workspaceId, accountId }) => workspaceId !== accountId);
  if (guests.length === 0) return [];
  const members = await ctx.db.member.findMany({
    where: { OR: guests.map(({ workspaceId: handleId, accountId }) => ({ handleId, accountId })) },
  });
  const known = new Set(members.map(({ handleId, accountId }) => `${handleId} ${accountId}`));
  return guests.filter(({ workspaceId, accountId }) => !known.has(`${workspaceId} ${accountId}`));
}

/** So much of what waits, failed or was tried lately is counted: beyond it other parts of the stamp move. */
const MOST_COUNTED = 500;
/** So many events are looked at: of two that are written at once, the later may have the earlier id. */
const NEWEST = 20;
/** An attempt is written after it ended, so of two that ran at the same time the later one may be written first. */
const WRITTEN_WITHIN = '1 minute';

/**
 * Ends of indexes and short counts, so it costs the same over millions of rows. A row of an endpoint shows by its version (xmin) that it was written.
 * @returns nothing for a workspace that is none
 */
async function readStamps(ctx: Ctx, workspaceIds: string[]): Promise<Map<string, string>> {
  const rows = await ctx.db.$queryRaw<{ id: string; stamp: string }[]>`
    select h.id, concat_ws(' ', live.ids, test.ids, e.stamp) as stamp
    from unnest(${workspaceIds}::text[]) h(id)
      left join lateral (
        select string_agg(id, ' ') as ids from (select id from event where handle_id = h.id and livemode order by id desc limit ${NEWEST}) e
      ) live on true
      left join lateral (
        select string_agg(id, ' ') as ids from (select id from event where handle_id = h.id and not livemode order by id desc limit ${NEWEST}) e
      ) test on true
      left join lateral (
        select string_agg(concat_ws(' ', w.id, w.xmin, waits.stamp, failed.stamp, tried.stamp), ',' order by w.id) as stamp
        from webhook_endpoint w
          left join lateral (
            select concat_ws(' ', count(*), min(next_attempt_at), max(next_attempt_at)) as stamp
            from (select next_attempt_at from delivery where endpoint_id = w.id and next_attempt_at is not null
              order by next_attempt_at limit ${MOST_COUNTED}) d
          ) waits on true
          left join lateral (
            select concat_ws(' ', count(*), max(event_id)) as stamp
            from (select event_id from delivery where endpoint_id = w.id and status = 'failed' order by event_id desc limit ${MOST_COUNTED}) d
          ) failed on true
          left join lateral (
            select concat_ws(' ', count(*), max(started_at)) as stamp
            from (
              select started_at from delivery_attempt
              where endpoint_id = w.id and started_at >
                (select started_at from delivery_attempt where endpoint_id = w.id order by started_at desc limit 1) - ${WRITTEN_WITHIN}::interval
              order by started_at desc limit ${MOST_COUNTED}
            ) a
          ) tried on true
        where w.handle_id = h.id and w.status <> 'deleted'
      ) e on true`;
  return new Map(rows.map(({ id, stamp }) => [id, createHash('sha256').update(stamp).digest('base64url')]));
}
