// Counts that only grow, without reading the whole history each time: what can no longer change is counted once and kept, the rest is counted afresh.
import type { Ctx } from '../../context.ts';
import { formatId, type IdPrefix } from '../../domain/ids.ts';

/** Rows that came to their end longer ago than this have surely been committed. */
const SETTLE_DOWN_MS = 60_000;
const NEVER = new Date(0);

export type TipTotals = { platform: string; chain: string; count: number; usd: number; feesUsd: number };
export type ReplyTotals = { platform: string; sent: number; failed: number };

type Kept = { tips: { until: Date; rows: TipTotals[] }; replies: { until: Date; rows: ReplyTotals[] } };
const keptBy = new WeakMap<Ctx['db'], Kept>();

function keptOf(ctx: Ctx): Kept {
  let kept = keptBy.get(ctx.db);
  if (!kept) {
    kept = { tips: { until: NEVER, rows: [] }, replies: { until: NEVER, rows: [] } };
    keptBy.set(ctx.db, kept);
  }
  return kept;
}

/** Settled legs by platform and chain, since ever. Amounts in USD at acceptance; the fee is its share of what left the sender. */
export async function settledTotals(ctx: Ctx): Promise<TipTotals[]> {
  const kept = keptOf(ctx);
  const until = new Date(ctx.clock.now() - SETTLE_DOWN_MS);
  if (until > kept.tips.until) {
    kept.tips = { until, rows: addTips([...kept.tips.rows, ...(await settledBetween(ctx, kept.tips.until, until))]) };
  }
  return addTips([...kept.tips.rows, ...(await settledBetween(ctx, kept.tips.until, null))]);
}

async function settledBetween(ctx: Ctx, from: Date, to: Date | null): Promise<TipTotals[]> {
  return ctx.db.$queryRaw<TipTotals[]>`
    select i.platform, t.chain, count(*)::int as count,
      (sum(t.usd_micros * t.units / (t.units + t.fee_units + t.bridge_units)) / 1e6)::float8 as usd,
      (sum(t.usd_micros * t.fee_units / (t.units + t.fee_units + t.bridge_units)) / 1e6)::float8 as "feesUsd"
    from tip t join intent i on i.id = t.intent_id
    where t.status = 'settled' and t.settled_at >= ${from} and (${to}::timestamptz is null or t.settled_at < ${to})
    group by i.platform, t.chain`;
}

function addTips(rows: TipTotals[]): TipTotals[] {
  const sums = new Map<string, TipTotals>();
  for (const row of rows) {
    const key = `${row.platform} ${row.chain}`;
    const sum = sums.get(key) ?? { ...row, count: 0, usd: 0, feesUsd: 0 };
    sums.set(key, {
      ...sum,
      count: sum.count + row.count,
      usd: sum.usd + row.usd,
      feesUsd: sum.feesUsd + row.feesUsd,
    });
  }
  return [...sums.values()];
}

/** A reply is shown or given up within this time, nearly always: later ones are missed until the next start. */
const REPLY_ENDS_WITHIN_MS = 24 * 3_600_000;

/** Replies by platform, since ever: shown at least once, and given up. */
export async function replyTotals(ctx: Ctx): Promise<ReplyTotals[]> {
  const kept = keptOf(ctx);
  const until = new Date(ctx.clock.now() - REPLY_ENDS_WITHIN_MS);
  if (until > kept.replies.until) {
    const more = await repliesBetween(ctx, kept.replies.until, until);
    kept.replies = { until, rows: addReplies([...kept.replies.rows, ...more]) };
  }
  return addReplies([...kept.replies.rows, ...(await repliesBetween(ctx, kept.replies.until, null))]);
}

async function repliesBetween(ctx: Ctx, from: Date, to: Date | null): Promise<ReplyTotals[]> {
  return ctx.db.$queryRaw<ReplyTotals[]>`
    select platform, count(*) filter (where sent_version > 0)::int as sent, count(*) filter (where failure is not null)::int as failed
    from reply where id >= ${lowestIdAt('rpl', from)} and (${to}::timestamptz is null or id < ${lowestIdAt('rpl', to ?? from)})
    group by platform`;
}

function addReplies(rows: ReplyTotals[]): ReplyTotals[] {
  const sums = new Map<string, ReplyTotals>();
  for (const { platform, sent, failed } of rows) {
    const sum = sums.get(platform) ?? { platform, sent: 0, failed: 0 };
    sums.set(platform, { platform, sent: sum.sent + sent, failed: sum.failed + failed });
  }
  return [...sums.values()];
}

/** The smallest id that could have been given out at a time: ids sort by it, so the primary key finds the rows since then. */
export function lowestIdAt(prefix: IdPrefix, time: Date): string {
  return formatId(prefix, time.getTime(), new Uint8Array(10));
}
