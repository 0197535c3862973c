// Lists of escrows, page by page: those that a handle opened, and those that are, or were, reserved for it.
import type { Ctx } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import type { SessionHandle } from '../accounts/sessions.ts';
import { slugsOf } from './rows.ts';
import { type EscrowView, viewEscrows } from './views.ts';

export type EscrowPage = { escrows: EscrowView[]; nextCursor: string | null };
type Paging = { limit: number; cursor?: string | undefined };
/** A place between two escrows: the next page begins below it. Of those for a recipient the open ones (1) come first. */
type Place = { open: number; at: Date; id: string };

/** Escrows of a sender, the newest first. @throws AppError `parameter_invalid` for a cursor that is not ours */
export async function listSent(ctx: Ctx, handle: SessionHandle, paging: Paging): Promise<EscrowPage> {
  const below = readCursor(paging.cursor);
  const rows = await ctx.db.$queryRaw<Found[]>`
    select id, created_at, 1 as open from escrow
    where sender_handle_id = ${handle.id} and status <> 'dropped' and (created_at, id) < (${below.at}, ${below.id})
    order by created_at desc, id desc limit ${paging.limit + 1}`;
  return pageOf(ctx, handle, rows, paging.limit);
}

/** Escrows that are reserved for a handle or its accounts, the open ones first. Same errors as {@link listSent}. */
export async function listReceived(ctx: Ctx, handle: SessionHandle, paging: Paging): Promise<EscrowPage> {
  const below = readCursor(paging.cursor);
  const keys = [...(await slugsOf(ctx.db, handle.id)).keys()];
  const rows = await ctx.db.$queryRaw<Found[]>`
    select id, created_at, open from (
      select id, created_at, (status = 'open')::int as open from escrow
      where handle_key = any(${keys}) and status in ('open', 'claimed', 'refunded')
    ) as mine
    where (open, created_at, id) < (${below.open}, ${below.at}, ${below.id})
    order by open desc, created_at desc, id desc limit ${paging.limit + 1}`;
  return pageOf(ctx, handle, rows, paging.limit);
}

type Found = { id: string; created_at: Date; open: number };

async function pageOf(ctx: Ctx, handle: SessionHandle, found: Found[], limit: number): Promise<EscrowPage> {
  const page = found.slice(0, limit);
  const rows = await ctx.db.escrow.findMany({ where: { id: { in: page.map(({ id }) => id) } } });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const last = page.at(-1);
  return {
    escrows: await viewEscrows(
      ctx,
      handle,
      page.flatMap(({ id }) => byId.get(id) ?? []),
    ),
    nextCursor: found.length > limit && last ? writeCursor(last) : null,
  };
}

function writeCursor({ open, created_at, id }: Found): string {
  return Buffer.from(`${open}.${created_at.getTime()}.${id}`).toString('base64url');
}

function readCursor(cursor: string | undefined): Place {
  if (cursor === undefined) return { open: 2, at: new Date('9999-12-31T00:00:00Z'), id: '' };
  const [, open, at, id] =
    /^([01])\.(\d{1,15})\.(esc_[0-9a-z]{26})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (open === undefined || at === undefined || id === undefined)
    throw new AppError('parameter_invalid', 'Invalid cursor. Pass the next_cursor of the previous page.', {
      param: 'cursor',
    });
  return { open: Number(open), at: new Date(Number(at)), id };
}
