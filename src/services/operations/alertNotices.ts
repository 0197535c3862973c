// Tells the operators' webhook of alerts: what began and what is over, at least once each, without ever holding up the work.
import type { Ctx } from '../../context.ts';
import { ALERTS, type AlertKind } from '../../domain/alerts.ts';
import { leaseTime } from '../leaseTime.ts';

const TIMEOUT_MS = 5_000;
const RETRY_MS = [5_000, 15_000, 60_000, 300_000, 900_000];
const ATTEMPTS = 20;
/** While one process tells, the others leave the row alone. */
const LEASE_MS = 30_000;
/** A webhook that is set up later does not get older alerts. */
const NEWS_FOR_MS = 24 * 3_600_000;
const PAGE = 20;

type Due = {
  id: string;
  kind: AlertKind;
  subject: string;
  detail: { message?: string };
  raisedAt: Date;
  resolvedAt: Date | null;
  raisedToldAt: Date | null;
  attempts: number;
};

/** Posts what is due. @returns how many notices were taken */
export async function tellAlerts(ctx: Ctx): Promise<number> {
  const url = ctx.env.ALERT_WEBHOOK_URL;
  if (!url) return 0;
  const now = ctx.clock.now();
  const due = await ctx.db.$queryRaw<Due[]>`
    update alert set telling_until = ${leaseTime(ctx, LEASE_MS)} where id in (
      select id from alert where next_tell_at <= ${new Date(now)} and (telling_until is null or telling_until <= ${leaseTime(ctx)}) and tell_attempts < ${ATTEMPTS} and last_seen_at > ${new Date(now - NEWS_FOR_MS)}
      order by id limit ${PAGE} for update skip locked)
    returning id, kind, subject, detail, raised_at as "raisedAt", resolved_at as "resolvedAt", raised_told_at as "raisedToldAt", tell_attempts as attempts`;
  const taken = await Promise.all(due.map((row) => tell(ctx, url, row)));
  return taken.filter(Boolean).length;
}

async function tell(ctx: Ctx, url: string, row: Due): Promise<boolean> {
  // The beginning is published first, also when the alert is over by now.
  const event = row.raisedToldAt === null ? 'alert.raised' : 'alert.resolved';
  const problem = await post(url, noticeOf(ctx, event, row));
  const now = ctx.clock.now();
  if (problem !== null) {
    const wait = RETRY_MS[Math.min(row.attempts, RETRY_MS.length - 1)] ?? 900_000;
    ctx.log.warn({ alert: row.id, problem }, 'the webhook for alerts did not take a notice; it is tried again');
    const data = { tellAttempts: { increment: 1 }, nextTellAt: new Date(now + wait), tellingUntil: null };
    await ctx.db.alert.update({ where: { id: row.id }, data });
    return false;
  }
  const told = event === 'alert.raised' ? { raisedToldAt: new Date(now) } : { resolvedToldAt: new Date(now) };
  // It may have ended during the delivery: then the end is due at once. An end by itself sets its own time.
  const { resolvedAt } = await ctx.db.alert.update({
    where: { id: row.id },
    data: { ...told, tellAttempts: 0 },
    select: { resolvedAt: true },
  });
  const nextTellAt = event === 'alert.raised' && resolvedAt ? new Date(now) : null;
  await ctx.db.alert.updateMany({ where: { id: row.id, resolvedAt }, data: { nextTellAt } });
  await ctx.db.alert.updateMany({ where: { id: row.id }, data: { tellingUntil: null } });
  return true;
}

function noticeOf(ctx: Ctx, event: string, row: Due) {
  const { title, advice } = ALERTS[row.kind];
  const message = row.detail.message ?? '';
  return {
    event,
    id: row.id,
    kind: row.kind,
    subject: row.subject,
    message,
    advice,
    raised_at: row.raisedAt.toISOString(),
    resolved_at: row.resolvedAt?.toISOString() ?? null,
    // What chat services show of an incoming webhook.
    text: `${event === 'alert.raised' ? '⚠️' : '✅ Over:'} ${title}. ${message}`,
    url: new URL('/operations', ctx.env.BASE_URL).href,
  };
}

/** @returns why it was not taken, without the address, which may hold a secret; null when it was */
async function post(url: string, body: object): Promise<string | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.ok ? null : `it answered ${response.status}`;
  } catch (error) {
    return (error as Error).name === 'TimeoutError' ? 'it did not answer in time' : 'it cannot be reached';
  }
}
