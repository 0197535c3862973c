// What operators see of replies: when one was wanted, shown or given up, and the platform's reason. Never what it said.
import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import { platformLabel } from '../../domain/escrowSlug.ts';
import { scrub } from '../../domain/scrub.ts';
import { type CaseStep, step } from './steps.ts';

const MOST = 200;

/** A platform's words for why it did not take a reply, without secrets, shortened. */
export function reasonWords(reason: string): string {
  const words = scrub(reason);
  return words.length <= 300 ? words : `${words.slice(0, 299)}…`;
}

export function replyLine(row: Row<'Reply'>) {
  return { platform: row.platform, who: null, what: `reply ${row.kind}`, status: replyStatus(row) };
}

function replyStatus(row: Pick<Row<'Reply'>, 'failure' | 'open'>): string {
  if (row.failure !== null) return 'failed';
  return row.open ? 'open' : 'sent';
}

/** The replies of a case by their keys, with the pointers that stand in for those that a direct chat refused. */
export async function repliesByKeys(ctx: Ctx, keys: string[]): Promise<Row<'Reply'>[]> {
  const replies = await ctx.db.reply.findMany({ where: { key: { in: keys } }, take: MOST });
  const pointers = await ctx.db.reply.findMany({
    where: { key: { in: replies.map(({ id }) => `pointer:${id}`) } },
    take: MOST,
  });
  return [...replies, ...pointers];
}

export function replySteps(reply: Row<'Reply'>): CaseStep[] {
  const { id, kind, platform, version, sentVersion, platformMessageId, attempts, failure } = reply;
  const steps = [
    step(`${id} wanted`, reply.createdAt, 'reply_wanted', { detail: `${kind} on ${platformLabel(platform)}` }),
  ];
  if (reply.sentAt && sentVersion > 0) {
    const shown = platformMessageId ? `message ${platformMessageId}` : 'nothing to say';
    const detail = `${kind}, version ${sentVersion} of ${version}, ${shown}`;
    steps.push(step(`${id} sent`, reply.sentAt, 'reply_sent', { detail, tone: 'good' }));
  }
  if (failure !== null) {
    const detail = `${kind}: ${reasonWords(failure)} (attempt ${Math.max(1, attempts)})`;
    steps.push(step(`${id} failed`, reply.failedAt ?? reply.createdAt, 'reply_failed', { detail, tone: 'bad' }));
  } else if (reply.open && attempts > 0) {
    const detail = `${kind}: attempt ${attempts + 1} is due then`;
    steps.push(step(`${id} later`, reply.nextAttemptAt, 'reply_later', { detail, tone: 'busy' }));
  }
  return steps;
}
