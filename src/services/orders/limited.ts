// Orders of a link that takes only so many. A use is an order that is paid or can still be paid: one that expires or is cancelled frees its place.
import type { Ctx } from '../../context.ts';
import { type Row, sqlPart, type Tx } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { type Cause, wakeDeliveries, writeEvents } from '../events.ts';

export type LinkLimit = { linkId: string; maxUses: number };

/** Seconds that a buyer's press holds a use: as long as a payment takes, so that visitors who press and leave don't use a link up. */
export const USE_HELD = 900;

/** How many orders of a link `l` count as uses, in a statement. An index of its own has those alone. */
export const USES = sqlPart`(select count(*)::int from payment_order u where u.link_id = l.id and u.status not in ('expired', 'cancelled'))`;

export async function countUses(tx: Tx, linkId: string): Promise<number> {
  const [row] = await tx.$queryRaw<{ uses: number }[]>`select ${USES} as uses from (select ${linkId}::text as id) l`;
  return row?.uses ?? 0;
}

type Draft = { row: Row<'Order'>; object: object; cause: Cause };

/** Inserts an order and its event in a transaction, and with a limit while its link has a use left. Starts of one link wait for each other. @throws AppError `link_used_up`, `link_inactive` */
export async function insertWithin(ctx: Ctx, limit: LinkLimit | null, draft: Draft): Promise<void> {
  const { chat: _none, metadata, lineItems, ...columns } = draft.row;
  await ctx.db.$transaction(async (tx) => {
    if (limit) await requireUse(tx, limit);
    await tx.order.create({ data: { ...columns, metadata: metadata ?? {}, lineItems: lineItems ?? [] } });
    const { id, handleId, livemode } = draft.row;
    const told = {
      handleId,
      livemode,
      type: 'order.created',
      resourceId: id,
      uniqueKey: `${id}:order.created`,
    } as const;
    await writeEvents(ctx, tx, [{ ...told, object: draft.object }], draft.cause);
  });
  await wakeDeliveries(ctx);
}

async function requireUse(tx: Tx, { linkId, maxUses }: LinkLimit): Promise<void> {
  const [link] = await tx.$queryRaw<{ active: boolean }[]>`
    select active from payment_link where id = ${linkId} for no key update`;
  if (!link?.active) throw new AppError('link_inactive', LINK_INACTIVE);
  if ((await countUses(tx, linkId)) >= maxUses) throw new AppError('link_used_up');
}

export const LINK_INACTIVE = 'This payment link is no longer active. Contact the merchant.';
