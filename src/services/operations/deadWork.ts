// Work that does not go on by itself, why, and the few kinds of it that an operator may try again. Trying again wakes the same steps that would
// have done it: no step is skipped, and none that moved money is done twice.
import type { Ctx } from '../../context.ts';
import { chainLabel } from '../../domain/chains.ts';
import { AppError } from '../../domain/errors.ts';
import { platformLabel } from '../../domain/escrowSlug.ts';
import { enqueue } from '../../queues.ts';
import { requestSettle } from '../tips/settle.ts';
import { replayFailedSince } from '../webhooks/replays.ts';
import { caseIdOfReply } from './caseLinks.ts';
import { reasonWords } from './replies.ts';

/** `retry` is false where trying again by hand is of no use, or not safe; `case_id` leads to the time line. */
export type DeadItem = {
  kind: 'reply' | 'command' | 'payment' | 'message' | 'transaction' | 'endpoint';
  id: string;
  what: string;
  reason: string;
  /** ISO 8601. */
  since: string;
  case_id: string | null;
  retry: boolean;
};

/** What is younger than this is surely still being worked on. */
const STUCK_MS = 60_000;
/** Discord waits so long for an answer to a command. */
const HELD_MS = 15 * 60_000;
/** An older reply would be news from another week. */
const REPLIES_MS = 7 * 24 * 3_600_000;
const DELIVERIES_MS = 30 * 24 * 3_600_000;
const MOST = 50;

/** At most fifty of each kind, oldest work first, replies newest first. */
export async function listDeadWork(ctx: Ctx): Promise<DeadItem[]> {
  const lists = await Promise.all([
    commands(ctx),
    payments(ctx),
    transactions(ctx),
    messages(ctx),
    replies(ctx),
    endpoints(ctx),
  ]);
  return lists.flat();
}

async function commands(ctx: Ctx): Promise<DeadItem[]> {
  const stuck = new Date(ctx.clock.now() - STUCK_MS);
  const rows = await ctx.db.intent.findMany({
    where: {
      status: 'accepted',
      OR: [{ confirmedAt: { lte: stuck } }, { confirmedAt: null, acceptedAt: { lte: stuck } }],
    },
    orderBy: { nextAttemptAt: 'asc' },
    take: MOST,
  });
  return rows.map((row) => {
    const { waitingFor } = (row.detail ?? {}) as { waitingFor?: string };
    return {
      kind: 'command',
      id: row.id,
      what: `Command on ${platformLabel(row.platform)}`,
      reason: waitingFor ? `Waits for ${waitingFor} (${row.attempts} attempts)` : 'Not planned yet',
      since: (row.confirmedAt ?? row.acceptedAt).toISOString(),
      case_id: row.inboxKey,
      retry: true,
    };
  });
}

async function payments(ctx: Ctx): Promise<DeadItem[]> {
  const rows = await ctx.db.tip.findMany({
    where: {
      chain: { in: [...Object.keys(ctx.chains), ...ctx.refused.keys()] },
      status: 'ready',
      createdAt: { lte: new Date(ctx.clock.now() - STUCK_MS) },
    },
    include: { intent: { select: { inboxKey: true } } },
    orderBy: { createdAt: 'asc' },
    take: MOST,
  });
  return rows.map(({ id, chain, createdAt, intent }) => ({
    kind: 'payment',
    id,
    what: `Payment on ${chainLabel(chain)}`,
    reason: ctx.chains[chain as keyof typeof ctx.chains] ? 'Not signed yet' : 'The network is not served',
    since: createdAt.toISOString(),
    case_id: intent.inboxKey,
    retry: true,
  }));
}

/** The watcher follows, sends again and replaces them: a second hand at a nonce could only do harm. */
async function transactions(ctx: Ctx): Promise<DeadItem[]> {
  const rows = await ctx.db.outgoingTx.findMany({
    where: { status: { in: ['signed', 'sent'] }, createdAt: { lte: new Date(ctx.clock.now() - STUCK_MS) } },
    include: {
      attempts: { select: { lastError: true, number: true }, orderBy: { number: 'desc' }, take: 1 },
      tips: { select: { intent: { select: { inboxKey: true } } }, take: 1 },
    },
    orderBy: { createdAt: 'asc' },
    take: MOST,
  });
  return rows.map(({ id, chain, kind, createdAt, attempts: [latest], tips: [leg] }) => ({
    kind: 'transaction',
    id,
    what: `Transaction (${kind}) on ${chainLabel(chain)}`,
    reason: latest?.lastError ? reasonWords(latest.lastError) : `Not mined after attempt ${latest?.number ?? 0}`,
    since: createdAt.toISOString(),
    case_id: leg?.intent.inboxKey ?? null,
    retry: false,
  }));
}

/** The bots take the inbox up each second by themselves; what Discord never took is not done, because its user saw it fail. */
async function messages(ctx: Ctx): Promise<DeadItem[]> {
  const now = ctx.clock.now();
  const rows = await ctx.db.inbox.findMany({
    where: {
      OR: [
        { status: 'received', receivedAt: { lte: new Date(now - STUCK_MS) } },
        { status: 'held', receivedAt: { lte: new Date(now - HELD_MS) } },
      ],
    },
    select: { key: true, platform: true, status: true, receivedAt: true },
    orderBy: { receivedAt: 'asc' },
    take: MOST,
  });
  return rows.map(({ key, platform, status, receivedAt }) => ({
    kind: 'message',
    id: key,
    what: `Message on ${platformLabel(platform)}`,
    reason: status === 'held' ? 'Discord never confirmed the command' : 'Not read; the bots try again each second',
    since: receivedAt.toISOString(),
    case_id: key,
    retry: false,
  }));
}

async function replies(ctx: Ctx): Promise<DeadItem[]> {
  const rows = await ctx.db.reply.findMany({
    where: { failure: { not: null }, failedAt: { gte: new Date(ctx.clock.now() - REPLIES_MS) } },
    orderBy: [{ failedAt: 'desc' }, { id: 'desc' }],
    take: MOST,
  });
  return Promise.all(
    rows.map(async (row) => ({
      kind: 'reply' as const,
      id: row.id,
      what: `Reply (${row.kind}) on ${platformLabel(row.platform)}`,
      reason: reasonWords(row.failure ?? ''),
      since: (row.failedAt ?? row.createdAt).toISOString(),
      case_id: await caseIdOfReply(ctx, row),
      retry: true,
    })),
  );
}

type EndpointRow = { id: string; host: string; status: string; since: Date; failed: number };

/** Counted up to a thousand: how many more there are changes nothing. */
async function endpoints(ctx: Ctx): Promise<DeadItem[]> {
  const rows = await ctx.db.$queryRaw<EndpointRow[]>`
    select w.id, w.host, w.status, d.since, d.failed from webhook_endpoint w
      cross join lateral (select count(*)::int as failed, min(ended_at) as since from (
        select ended_at from delivery where endpoint_id = w.id and status = 'failed' and not is_test
          and ended_at >= ${new Date(ctx.clock.now() - DELIVERIES_MS)}::timestamptz limit 1000) f) d
      where w.status <> 'deleted' and d.failed > 0 order by d.since limit ${MOST}`;
  return rows.map(({ id, host, status, since, failed }) => ({
    kind: 'endpoint',
    id,
    what: `Webhooks to ${host}`,
    reason: `${failed === 1_000 ? '1,000 or more' : failed} failed${status === 'enabled' ? '' : '; the endpoint is disabled'}`,
    since: since.toISOString(),
    case_id: null,
    retry: status === 'enabled',
  }));
}

export const RETRIED = ['reply', 'command', 'payment', 'endpoint'] as const;
export type Retried = (typeof RETRIED)[number];

/**
 * Tries one again. Pressed twice, the second finds nothing to do.
 * @param by who, for the record
 * @returns how many were begun
 * @throws AppError `resource_missing`, or `state_conflict` for work that is under way again, done, or no longer retried
 */
export async function retryDeadWork(
  ctx: Ctx,
  { kind, id, by }: { kind: Retried; id: string; by: string },
): Promise<number> {
  const retry = { reply: retryReply, command: retryCommand, payment: retryPayment, endpoint: retryEndpoint }[kind];
  const begun = await retry(ctx, id);
  ctx.log.warn({ kind, [kind]: id, begun, by }, 'an operator had work tried again');
  await ctx.queues.flush(ctx.db);
  return begun;
}

function gone(): AppError {
  return new AppError('state_conflict', 'This is no longer stuck: it is in progress again, or done.');
}

/** The row is open again, with the current texts. */
async function retryReply(ctx: Ctx, id: string): Promise<number> {
  const now = ctx.clock.now();
  await ctx.db.$transaction(async (tx) => {
    const { count } = await tx.reply.updateMany({
      where: { id, failure: { not: null }, failedAt: { gte: new Date(now - REPLIES_MS) } },
      data: { failure: null, failedAt: null, open: true, attempts: 0, nextAttemptAt: new Date(now) },
    });
    if (count === 0) throw (await tx.reply.count({ where: { id } })) > 0 ? gone() : new AppError('resource_missing');
    await enqueue(tx, 'replies', `reply-${id}-again-${now}`, { replyIds: [id] }, now);
  });
  return 1;
}

/** Planning starts an accepted command once, however often a retry is requested. */
async function retryCommand(ctx: Ctx, id: string): Promise<number> {
  const now = ctx.clock.now();
  await ctx.db.$transaction(async (tx) => {
    const { count } = await tx.intent.updateMany({
      where: { id, status: 'accepted' },
      data: { nextAttemptAt: new Date(now) },
    });
    if (count === 0) throw (await tx.intent.count({ where: { id } })) > 0 ? gone() : new AppError('resource_missing');
    await enqueue(tx, 'intents', `intent-${id}-again-${now}`, { intentIds: [id] }, now);
  });
  return 1;
}

/** Wakes a settling run of its chain. The lease of a run that is under way stays. */
async function retryPayment(ctx: Ctx, id: string): Promise<number> {
  const leg = await ctx.db.tip.findUnique({ where: { id }, select: { status: true, chain: true } });
  if (!leg) throw new AppError('resource_missing');
  if (leg.status !== 'ready') throw gone();
  await ctx.db.$transaction((tx) => requestSettle(ctx, tx, leg.chain));
  return 1;
}

/** The same replay that its merchant has, within the same caps. */
async function retryEndpoint(ctx: Ctx, id: string): Promise<number> {
  const endpoint = await ctx.db.webhookEndpoint.findUnique({ where: { id } });
  if (!endpoint || endpoint.status === 'deleted') throw new AppError('resource_missing');
  const { handleId: workspaceId, livemode } = endpoint;
  const begun = await replayFailedSince(ctx, { workspaceId, livemode }, id, ctx.clock.now() - DELIVERIES_MS);
  if (begun === 0) throw gone();
  return begun;
}
