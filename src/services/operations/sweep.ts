// The sweeper: finds from the rows whatever a lost job, a killed process or an emptied queue left behind, and wakes it again.
import type { Ctx } from '../../context.ts';
import type { Tx } from '../../db.ts';
import type { ChainName } from '../../domain/chains.ts';
import { enqueue } from '../../queues.ts';
import { expireLinks } from '../accounts/connectLinks.ts';
import { applyWalletChanges } from '../accounts/walletChanges.ts';
import { leaseTime } from '../leaseTime.ts';
import { lapseIntents } from '../tips/preparation.ts';

/** Rows younger than this are surely still being worked on. */
const GRACE_MS = 1_500;
const PAGE = 200;

/**
 * One sweep. Its job ids carry the ten seconds that they belong to: rows that stay stuck are not queued over and over, and a job that died
 * silently does not block its successor for long.
 * @returns 0 when nothing waits for a retry either
 */
export async function sweep(ctx: Ctx): Promise<number> {
  const queuesAway = (await ctx.queues.flush(ctx.db)) === null;
  const now = ctx.clock.now();
  const stamp = Math.floor(now / 10_000);
  const before = new Date(now - GRACE_MS);
  const at = new Date(now);
  await lapseIntents(ctx);
  await expireLinks(ctx);
  await applyWalletChanges(ctx);
  // What waits for the queues is in the outbox already: asking again while they are away would only fill it.
  if (queuesAway) return 1;
  const [intents, chains, replies] = await Promise.all([
    ctx.db.intent.findMany({
      where: { status: 'accepted', acceptedAt: { lte: before }, nextAttemptAt: { lte: at } },
      orderBy: { nextAttemptAt: 'asc' },
      select: { id: true },
      take: PAGE,
    }),
    ctx.db.$queryRaw<{ chain: string }[]>`
      select distinct chain from tip
      where status = 'ready' and created_at <= ${before} and (lease_until is null or lease_until <= ${leaseTime(ctx)})`,
    ctx.db.reply.findMany({
      where: { open: true, nextAttemptAt: { lte: before } },
      orderBy: { nextAttemptAt: 'asc' },
      select: { id: true },
      take: PAGE,
    }),
  ]);
  await ctx.db.$transaction(async (tx: Tx) => {
    const [intent, reply] = [intents[0], replies[0]];
    if (intent)
      await enqueue(
        tx,
        'intents',
        `intent-${intent.id}-${intents.length}-s${stamp}`,
        { intentIds: intents.map((row) => row.id) },
        now,
      );
    for (const { chain } of chains)
      await enqueue(tx, 'settle', `settle-${chain}-s${stamp}`, { chain: chain as ChainName }, now);
    if (reply)
      await enqueue(
        tx,
        'replies',
        `reply-${reply.id}-${replies.length}-s${stamp}`,
        { replyIds: replies.map((row) => row.id) },
        now,
      );
  });
  await ctx.queues.flush(ctx.db);
  return countWaiting(ctx);
}

/** Payments that a worker holds at the moment, or that wait for their next attempt. */
async function countWaiting(ctx: Ctx): Promise<number> {
  const [found] = await ctx.db.$queryRaw<{ waiting: boolean }[]>`
    select exists (select 1 from intent where status = 'accepted') or exists (select 1 from tip where status = 'ready') as waiting`;
  return Number(found?.waiting);
}
