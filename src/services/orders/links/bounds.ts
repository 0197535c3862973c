// What ends a payment link by itself, and what follows a payment: how many orders it may begin, until when, and what the buyer reads or where they go on.
import type { Ctx } from '../../../context.ts';
import { type Row, sqlList, type Tx } from '../../../db.ts';
import { AppError } from '../../../domain/errors.ts';
import { readPlainText } from '../../plainText.ts';
import { countUses, USES } from '../limited.ts';
import { readUrl } from '../shopFields.ts';

const MAX_USES = 1_000_000;
/** A link that ends sooner could not be shared in time. */
const LEAST_AHEAD_MS = 60_000;

/** As the API takes it; `expires_at` ISO 8601. */
export type BoundsWish = {
  after_completion?: { type: 'message'; message: string } | { type: 'url'; url: string } | null | undefined;
  max_uses?: number | null | undefined;
  expires_at?: string | null | undefined;
};

type Bounds = {
  successUrl: string | null;
  afterMessage: string | null;
  maxUses: number | null;
  expiresAt: Date | null;
};

/** @throws AppError `parameter_invalid` */
export function readBounds(
  ctx: Ctx,
  { after_completion: after, max_uses, expires_at }: BoundsWish,
  livemode: boolean,
): Bounds {
  return {
    successUrl: after?.type === 'url' ? requireUrl(after.url, livemode) : null,
    afterMessage: after?.type === 'message' ? requireMessage(after.message) : null,
    maxUses: readMaxUses(max_uses ?? null),
    expiresAt: readExpiresAt(ctx, expires_at ?? null),
  };
}

function requireUrl(text: string, livemode: boolean): string {
  const param = 'after_completion[url]';
  const url = readUrl(text, param, livemode);
  if (url === null) throw new AppError('parameter_invalid', `${param} can’t be empty.`, { param });
  return url;
}

function requireMessage(text: string): string {
  const param = 'after_completion[message]';
  const message = readPlainText(text, param);
  if (message === null) throw new AppError('parameter_invalid', `${param} can’t be empty.`, { param });
  return message;
}

function readMaxUses(given: number | null): number | null {
  if (given === null || (Number.isInteger(given) && given >= 1 && given <= MAX_USES)) return given;
  throw new AppError('parameter_invalid', `max_uses must be a whole number from 1 to ${MAX_USES}.`, {
    param: 'max_uses',
  });
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;

function readExpiresAt(ctx: Ctx, given: string | null): Date | null {
  if (given === null) return null;
  const param = 'expires_at';
  const at = ISO.test(given) ? Date.parse(given) : Number.NaN;
  if (Number.isNaN(at))
    throw new AppError('parameter_invalid', `${param} must be a time such as 2026-12-31T23:00:00Z.`, { param });
  if (at < ctx.clock.now() + LEAST_AHEAD_MS)
    throw new AppError('parameter_invalid', `${param} must be at least a minute from now.`, { param });
  return new Date(at);
}

export type LinkState = 'active' | 'inactive' | 'expired' | 'used_up';

type Link = Row<'PaymentLink'>;

/** @param uses needed of links with `max_uses` */
export function stateOf({ active, expiresAt, maxUses }: Link, uses: number | undefined, nowMs: number): LinkState {
  if (!active) return 'inactive';
  if (expiresAt !== null && expiresAt.getTime() <= nowMs) return 'expired';
  return maxUses !== null && (uses ?? 0) >= maxUses ? 'used_up' : 'active';
}

export async function linkState(ctx: Ctx, link: Link): Promise<LinkState> {
  return stateOf(link, link.maxUses === null ? undefined : await countUses(ctx.db, link.id), ctx.clock.now());
}

/** Of those with `max_uses`. */
export async function usesOf(tx: Tx, links: Link[]): Promise<ReadonlyMap<string, number>> {
  const ids = links.filter(({ maxUses }) => maxUses !== null).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const rows = await tx.$queryRaw<{ id: string; uses: number }[]>`
    select l.id, ${USES} as uses from payment_link l where l.id in (${sqlList(ids)})`;
  return new Map(rows.map(({ id, uses }) => [id, uses]));
}

/** Links of a workspace whose uses are all taken now. */
export async function findUsedUp(ctx: Ctx, workspaceId: string): Promise<string[]> {
  const rows = await ctx.db.$queryRaw<{ id: string }[]>`
    select l.id from payment_link l where l.handle_id = ${workspaceId} and l.active and l.max_uses is not null and ${USES} >= l.max_uses`;
  return rows.map(({ id }) => id);
}

/** As a condition of Prisma. */
export function whereActive(active: boolean, { usedUp, now }: { usedUp: string[]; now: Date }) {
  if (active) return { active, id: { notIn: usedUp }, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] };
  return { OR: [{ active }, { expiresAt: { lte: now } }, { id: { in: usedUp } }] };
}
