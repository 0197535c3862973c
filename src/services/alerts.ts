// Alerts as rows: raised once, refreshed while their cause stands, over when it is gone. Every raise and every end is a line in the log, and told to
// the operators' webhook.

import { type Ctx, newId } from '../context.ts';
import type { Json, Tx } from '../db.ts';
import { ALERTS, type AlertKind } from '../domain/alerts.ts';
import { AppError } from '../domain/errors.ts';
import { lockKey } from './locks.ts';
import { wake } from './wake.ts';

/** Something wrong. `message` is one sentence for an operator and holds no secret; `subject` says what it is about: a chain, a key, a step. */
export type Finding = { subject: string; message: string; detail?: Record<string, Json> };

/** A whole answer to one question: what is wrong of this kind now. What is open and not among it is over. */
export type Check = {
  kind: AlertKind;
  /** Only alerts whose subject begins with this were looked at; all of the kind when left out. */
  scope?: string;
  found: Finding[];
  /** An end is believed only after this many quiet milliseconds. */
  lingerMs?: number;
};

/** Brings the rows in line with what was found. Several processes may do so at once. */
export async function recordChecks(ctx: Ctx, tx: Tx, checks: readonly Check[]): Promise<void> {
  await lockKey(tx, 'alerts');
  // One query for all of them: they run every few seconds, and nearly always nothing is open.
  const kinds = [...new Set(checks.map(({ kind }) => kind))];
  const openOfAll = await tx.alert.findMany({ where: { kind: { in: kinds }, resolvedAt: null } });
  for (const check of checks) {
    const open = openOfAll.filter(({ kind, subject }) => kind === check.kind && covers(check.scope, subject));
    for (const finding of check.found) {
      const row = open.find(({ subject }) => subject === finding.subject);
      if (row) await refresh(ctx, tx, row.id, finding);
      else await raise(ctx, tx, check.kind, finding);
    }
    for (const row of open) {
      if (check.found.some(({ subject }) => subject === row.subject)) continue;
      if (row.lastSeenAt.getTime() + (check.lingerMs ?? 0) <= ctx.clock.now())
        await resolve(ctx, tx, row.id, row.kind, row.subject);
    }
  }
}

function covers(scope: string | undefined, subject: string): boolean {
  return scope === undefined || subject === scope || subject.startsWith(`${scope} `);
}

/** Raises an alert about an event, inside the transaction that notes the event. Of one kind and subject there is one at a time. */
export async function raiseEvent(ctx: Ctx, tx: Tx, kind: AlertKind, finding: Finding): Promise<void> {
  await lockKey(tx, 'alerts');
  const row = await tx.alert.findFirst({ where: { kind, subject: finding.subject, resolvedAt: null } });
  if (row) await refresh(ctx, tx, row.id, finding);
  else await raise(ctx, tx, kind, finding);
}

function detailOf({ message, detail }: Finding): object {
  return { message, ...detail };
}

async function refresh(ctx: Ctx, tx: Tx, id: string, finding: Finding): Promise<void> {
  const data = { lastSeenAt: new Date(ctx.clock.now()), detail: detailOf(finding) };
  await tx.alert.update({ where: { id }, data });
}

async function raise(ctx: Ctx, tx: Tx, kind: AlertKind, finding: Finding): Promise<void> {
  await wake(tx, 'alerts');
  const now = new Date(ctx.clock.now());
  const { subject } = finding;
  const id = newId(ctx, 'alr');
  const row = { id, kind, subject, detail: detailOf(finding), raisedAt: now, lastSeenAt: now, nextTellAt: now };
  await tx.alert.create({ data: row });
  ctx.log.error({ alert: id, kind, subject, why: finding.message }, `alert: ${ALERTS[kind].title}`);
}

async function resolve(ctx: Ctx, tx: Tx, id: string, kind: string, subject: string): Promise<void> {
  const now = new Date(ctx.clock.now());
  await tx.alert.update({ where: { id }, data: { resolvedAt: now, nextTellAt: now, tellAttempts: 0 } });
  ctx.log.info({ alert: id, kind, subject }, `alert over: ${ALERTS[kind as AlertKind].title}`);
}

/**
 * An operator closes an alert. One whose cause still stands is raised again at the next check.
 * @throws AppError `resource_missing`, `state_conflict` when it is over already
 */
export async function closeAlert(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.$transaction(async (tx) => {
    await lockKey(tx, 'alerts');
    const row = await tx.alert.findUnique({ where: { id } });
    if (!row) throw new AppError('resource_missing');
    if (row.resolvedAt) throw new AppError('state_conflict', 'This alert is already resolved.');
    await resolve(ctx, tx, id, row.kind, row.subject);
  });
}

export type AlertView = {
  id: string;
  kind: AlertKind;
  title: string;
  advice: string;
  subject: string;
  message: string;
  raised_at: string;
  last_seen_at: string;
  resolved_at: string | null;
};

/** Newest first; open ones only, or the history before an alert. */
export async function listAlerts(
  ctx: Ctx,
  { open = false, limit, before }: { open?: boolean; limit: number; before?: string | undefined },
): Promise<AlertView[]> {
  const rows = await ctx.db.alert.findMany({
    where: { ...(open ? { resolvedAt: null } : {}), ...(before ? { id: { lt: before } } : {}) },
    orderBy: { id: 'desc' },
    take: limit,
  });
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind as AlertKind,
    ...ALERTS[row.kind as AlertKind],
    subject: row.subject,
    message: (row.detail as { message?: string }).message ?? '',
    raised_at: row.raisedAt.toISOString(),
    last_seen_at: row.lastSeenAt.toISOString(),
    resolved_at: row.resolvedAt?.toISOString() ?? null,
  }));
}
