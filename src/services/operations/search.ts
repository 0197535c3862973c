// An operator's search: everything of a person, or what an id names, newest first, a page at a time. Reads rows by indexes and changes nothing.
import type { Ctx } from '../../context.ts';
import { type Row, sqlPart, sqlRows } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import type { CaseKind } from './caseLinks.ts';
import { messageLines } from './messages.ts';
import { replyLine } from './replies.ts';
import { readTargets, type SearchedAccount, type Targets } from './searchTargets.ts';
import { escrowLine, orderLine } from './words.ts';

/** One line of a list of cases. `status` is a code: of the intent, the order, the escrow, or what the inbox noted. */
export type CaseLine = {
  id: string;
  kind: CaseKind;
  /** ISO 8601. */
  at: string;
  platform: string | null;
  who: string | null;
  what: string;
  status: string;
};
export type CasePage = { lines: CaseLine[]; nextCursor: string | null };

type Place = { kind: CaseKind; id: string; at: Date };

/** @throws AppError `parameter_invalid` for a text that names nothing that there could be, and for a cursor that is not ours */
export async function searchCases(
  ctx: Ctx,
  q: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<CasePage> {
  const before = cursor === undefined ? null : readPlace(cursor);
  const places = await findPlaces(ctx, await readTargets(ctx, q), limit + 1, before);
  const page = places.slice(0, limit);
  const last = page.at(-1);
  return {
    lines: await linesOf(ctx, page),
    nextCursor: places.length > limit && last ? writePlace(last) : null,
  };
}

/** Each source gives at most `limit` rows by an index of its own; the newest of all are the page. */
async function findPlaces(ctx: Ctx, targets: Targets, limit: number, before: Place | null): Promise<Place[]> {
  const { accounts, handleIds, slugs, messages, messageIds, orders, escrows, replies } = targets;
  const older = (at: ReturnType<typeof sqlPart>, id: ReturnType<typeof sqlPart>) =>
    before === null ? sqlPart`true` : sqlPart`(${at}, ${id}) < (${before.at}::timestamptz, ${before.id})`;
  return ctx.db.$queryRaw<Place[]>`
    select kind, id, max(at) as at from (
      select 'message' as kind, e.key as id, e.received_at as at
        from jsonb_to_recordset(${sqlRows(accounts.map(accountRow))}) as a(platform text, user_id text)
        cross join lateral (select key, received_at from inbox i
          where i.platform = a.platform
            and coalesce(i.payload -> 'message' -> 'sender' ->> 'id', i.payload -> 'button' ->> 'userId') = a.user_id
            and ${older(sqlPart`received_at`, sqlPart`key`)}
          order by received_at desc, key desc limit ${limit}) e
      union all select 'message', e.key, e.received_at from unnest(${messageIds}::text[]) as m(id)
        cross join lateral (select key, received_at from inbox i
          where i.payload -> 'message' ->> 'messageId' = m.id and ${older(sqlPart`received_at`, sqlPart`key`)}
          order by received_at desc, key desc limit ${limit}) e
      union all select 'message', key, received_at from inbox
        where key = any(${messages}::text[]) and ${older(sqlPart`received_at`, sqlPart`key`)}
      union all select 'message', e.inbox_key, e.created_at from unnest(${handleIds}::text[]) as h(id)
        cross join lateral (select n.inbox_key, t.created_at from tip t join intent n on n.id = t.intent_id
          where t.recipient_handle_id = h.id and ${older(sqlPart`t.created_at`, sqlPart`n.inbox_key`)}
          order by t.created_at desc, n.inbox_key desc limit ${limit}) e
      union all select 'reply', e.id, e.created_at from unnest(${messageIds}::text[]) as m(id)
        cross join lateral (select r.id, r.created_at from reply r
          where r.platform_message_id = m.id and ${older(sqlPart`r.created_at`, sqlPart`r.id`)}
          order by r.created_at desc, r.id desc limit ${limit}) e
      union all select 'reply', id, created_at from reply
        where id = any(${replies}::text[]) and ${older(sqlPart`created_at`, sqlPart`id`)}
      union all select 'order', e.id, e.created_at from unnest(${handleIds}::text[]) as h(id)
        cross join (values (true), (false)) as m(livemode)
        cross join lateral (select o.id, o.created_at from payment_order o
          where o.handle_id = h.id and o.livemode = m.livemode and ${older(sqlPart`o.created_at`, sqlPart`o.id`)}
          order by o.id desc limit ${limit}) e
      union all select 'order', id, created_at from payment_order
        where id = any(${orders}::text[]) and ${older(sqlPart`created_at`, sqlPart`id`)}
      union all select 'tab', e.id, e.created_at from unnest(${handleIds}::text[]) as h(id)
        cross join lateral (select x.id, x.created_at from escrow x
          where x.sender_handle_id = h.id and x.origin <> 'tip' and ${older(sqlPart`x.created_at`, sqlPart`x.id`)}
          order by x.created_at desc, x.id desc limit ${limit}) e
      union all select 'tab', e.id, e.created_at from unnest(${slugs}::text[]) as s(slug)
        cross join lateral (select x.id, x.created_at from escrow x
          where x.handle_slug = s.slug and ${older(sqlPart`x.created_at`, sqlPart`x.id`)}
          order by x.created_at desc, x.id desc limit ${limit}) e
      union all select 'tab', id, created_at from escrow
        where id = any(${escrows}::text[]) and ${older(sqlPart`created_at`, sqlPart`id`)}
    ) found group by kind, id order by at desc, id desc limit ${limit}`;
}

function accountRow({ platform, userId }: SearchedAccount) {
  return { platform, user_id: userId };
}

/** What a list says of each of these, in their order. */
export async function linesOf(ctx: Ctx, places: Place[]): Promise<CaseLine[]> {
  const idsOf = (wanted: CaseKind) => places.flatMap(({ kind, id }) => (kind === wanted ? [id] : []));
  const [messages, orders, escrows, replies] = await Promise.all([
    messageLines(ctx, idsOf('message')),
    ctx.db.order.findMany({ where: { id: { in: idsOf('order') } } }),
    ctx.db.escrow.findMany({ where: { id: { in: idsOf('tab') } } }),
    ctx.db.reply.findMany({ where: { id: { in: idsOf('reply') } } }),
  ]);
  const slugs = await slugsOf(ctx, orders, escrows);
  const lines = new Map<string, Omit<CaseLine, 'id' | 'kind' | 'at'>>([
    ...messages,
    ...orders.map((row) => [row.id, orderLine(row, slugs)] as const),
    ...escrows.map((row) => [row.id, escrowLine(row, slugs)] as const),
    ...replies.map((row) => [row.id, replyLine(row)] as const),
  ]);
  return places.flatMap(({ kind, id, at }) => {
    const line = lines.get(id);
    return line ? [{ id, kind, at: at.toISOString(), ...line }] : [];
  });
}

async function slugsOf(
  ctx: Ctx,
  orders: Row<'Order'>[],
  escrows: Row<'Escrow'>[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [
    ...orders.map(({ handleId }) => handleId),
    ...escrows.flatMap(({ senderHandleId }) => senderHandleId ?? []),
  ];
  if (ids.length === 0) return new Map();
  const rows = await ctx.db.handle.findMany({ where: { id: { in: ids } }, select: { id: true, slug: true } });
  return new Map(rows.map(({ id, slug }) => [id, slug]));
}

function writePlace({ at, id }: Place): string {
  return Buffer.from(`${at.toISOString()} ${id}`).toString('base64url');
}

function readPlace(cursor: string): Place {
  const [, iso = '', id = ''] = /^(\S{24}) (\S+)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  const at = new Date(iso);
  if (id === '' || Number.isNaN(at.getTime()) || writePlace({ kind: 'message', at, id }) !== cursor)
    throw new AppError('parameter_invalid', 'Invalid cursor. Pass the next_cursor of the previous page.', {
      param: 'cursor',
    });
  return { kind: 'message', at, id };
}
