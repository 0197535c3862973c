// What payers wrote on a handle page: shown to its owner once it is paid, and on the page only where payer and owner both agreed.

import type { Ctx } from '../../../context.ts';
import { type Row, sqlPart } from '../../../db.ts';
import { AppError } from '../../../domain/errors.ts';
import { MOST_SHOWN } from '../../../domain/handlePage.ts';
import { isId } from '../../../domain/ids.ts';
import { formatUnits } from '../../../domain/money.ts';
import { record } from '../../audit.ts';
import { readCursor, writeCursor } from '../../pagination.ts';
import { unitsOf } from '../views.ts';

/** As a page shows it: nothing of its order, whose id opens the receipt. `amount` is null unless the owner shows amounts. */
export type ShownMessage = {
  id: string;
  name: string | null;
  note: string;
  amount: string | null;
  currency: string;
  /** ISO 8601. */
  at: string;
};

/** As its owner sees it. `may_show`: the payer agreed that it stands on the page. */
export type OwnMessage = {
  id: string;
  order: string;
  name: string | null;
  note: string | null;
  amount: string;
  currency: string;
  livemode: boolean;
  at: string;
  may_show: boolean;
  hidden: boolean;
};

type MessageRow = {
  id: string;
  order_id: string;
  name: string | null;
  note: string | null;
  may_show: boolean;
  hidden_at: Date | null;
  units: Row<'Order'>['units'];
  refunded_units: Row<'Order'>['units'];
  decimals: number;
  currency: string;
  livemode: boolean;
  ended_at: Date | null;
  created_at: Date;
};

const COLUMNS = sqlPart`m.id, m.order_id, m.name, m.note, m.may_show, m.hidden_at, m.created_at, o.units, o.refunded_units, o.decimals, o.currency, o.livemode,
  o.ended_at`;

/** Of paid orders alone, in the mode of the page: play money is no praise. What was sent back is no support. */
export async function shownMessages(
  ctx: Ctx,
  { handleId, livemode, showAmounts }: Pick<Row<'HandlePage'>, 'handleId' | 'livemode' | 'showAmounts'>,
): Promise<ShownMessage[]> {
  const rows = await ctx.db.$queryRaw<MessageRow[]>`
    select ${COLUMNS} from page_message m join payment_order o on o.id = m.order_id
    where m.handle_id = ${handleId} and m.may_show and m.hidden_at is null and m.note is not null
      and o.status = 'completed' and o.livemode = ${livemode} and o.refunded_units < o.units
    order by m.id desc limit ${MOST_SHOWN}`;
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    note: row.note ?? '',
    amount: showAmounts ? keptOf(row) : null,
    currency: row.currency,
    at: (row.ended_at ?? row.created_at).toISOString(),
  }));
}

/** What was paid, less what went back. */
const keptOf = ({ units, refunded_units, decimals }: MessageRow) =>
  formatUnits(unitsOf(units) - unitsOf(refunded_units), decimals);

/** The newest first. @throws AppError `parameter_invalid` for a cursor that is not ours */
export async function listMessages(
  ctx: Ctx,
  handleId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ data: OwnMessage[]; nextCursor: string | null }> {
  const below = cursor === undefined ? sqlPart`true` : sqlPart`m.id < ${readCursor('pmsg', cursor)}`;
  const rows = await ctx.db.$queryRaw<MessageRow[]>`
    select ${COLUMNS} from page_message m join payment_order o on o.id = m.order_id
    where m.handle_id = ${handleId} and o.status = 'completed' and ${below}
    order by m.id desc limit ${limit + 1}`;
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { data: page.map(viewOwn), nextCursor: last ? writeCursor(last.id) : null };
}

/** Takes a message off the page, or lets it stand there again. @throws AppError `resource_missing` */
export async function hideMessage(ctx: Ctx, handleId: string, id: string, hidden: boolean): Promise<OwnMessage> {
  if (isId('pmsg', id)) {
    const hiddenAt = hidden ? new Date(ctx.clock.now()) : null;
    await ctx.db.$transaction(async (tx) => {
      const { count } = await tx.pageMessage.updateMany({
        where: { id, handleId, hiddenAt: hidden ? null : { not: null } },
        data: { hiddenAt },
      });
      if (count > 0)
        await record(ctx, tx, {
          ...{ workspaceId: handleId, action: 'handle_page.changed', object: { kind: 'handle_page', id: handleId } },
          after: { message: id, hidden },
        });
    });
    const [row] = await ctx.db.$queryRaw<MessageRow[]>`
      select ${COLUMNS} from page_message m join payment_order o on o.id = m.order_id
      where m.id = ${id} and m.handle_id = ${handleId} and o.status = 'completed'`;
    if (row) return viewOwn(row);
  }
  throw new AppError('resource_missing', 'No such message.');
}

function viewOwn(row: MessageRow): OwnMessage {
  return {
    id: row.id,
    order: row.order_id,
    name: row.name,
    note: row.note,
    amount: keptOf(row),
    currency: row.currency,
    livemode: row.livemode,
    at: (row.ended_at ?? row.created_at).toISOString(),
    may_show: row.may_show && row.note !== null,
    hidden: row.hidden_at !== null,
  };
}

const FORGET_PAGE = 1_000;

/** Deletes what was written beside orders that can no longer be paid, page by page: no statement reads the whole table. */
export async function forgetUnpaidMessages(ctx: Ctx, endedBefore: Date, pageSize = FORGET_PAGE): Promise<void> {
  for (let after: string | null = ''; after !== null && !ctx.shutdown.closing(); ) {
    const rows: { last: string | null }[] = await ctx.db.$queryRaw`
      with page as (select id, order_id from page_message where id > ${after} order by id limit ${pageSize}),
        gone as (
          delete from page_message m using page p, payment_order o
          where m.id = p.id and o.id = p.order_id and o.status in ('expired', 'cancelled') and o.ended_at < ${endedBefore})
      select max(id) as last from page`;
    after = rows[0]?.last ?? null;
  }
}
