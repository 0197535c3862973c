// What escrows need in time without a request: a reminder before the deadline, the refund after it, and an end for what was staged and never opened.
import type { Chain } from '../../chain/chain.ts';
import type { Ctx } from '../../context.ts';
import type { Db, Row, Tx } from '../../db.ts';
import { isAway } from '../../domain/errors.ts';
import { OVERDUE_REFUNDS_PER_SENDER, STAGED_FOR_MS } from '../../domain/escrow.ts';
import { SPEND_WINDOW_MS } from '../../domain/limits.ts';
import { tellBoth } from './notices.ts';
import { queueRefund } from './refundKind.ts';
import { moveEscrows } from './transitions.ts';

const PAGE = 100;
const REFUNDS_AT_ONCE = 10;
/** One that was refused (a token that does not pay its sender, say) is tried again after this. */
const TRY_AGAIN_MS = 3_600_000;

/** Drops what was staged a day ago and not opened since. A chain that shows it as open after all still opens it. */
export async function dropStaged(ctx: Ctx): Promise<number> {
  const stale = await ctx.db.escrow.findMany({
    where: {
      status: 'pending_create',
      // The escrow of a tip ends with its leg.
      origin: { not: 'tip' },
      createdAt: { lte: new Date(ctx.clock.now() - STAGED_FOR_MS) },
    },
    select: { id: true },
    take: PAGE,
  });
  if (stale.length === 0) return 0;
  const moves = stale.map(({ id }) => ({ id, action: 'drop' as const }));
  return (await ctx.db.$transaction((tx) => moveEscrows(ctx, tx, moves))).size;
}

/** Reminds sender and recipient once: 24 hours before the deadline, or half-way where there is less time than that. @returns how many escrows */
export async function remindOfEscrows(ctx: Ctx): Promise<number> {
  const now = ctx.clock.now();
  const due = await ctx.db.$queryRaw<{ id: string }[]>`
    select id from escrow
    where status = 'open' and reminded_at is null and deadline > ${Math.floor(now / 1_000)}
      and greatest(deadline - 86400, (extract(epoch from coalesce(opened_at, created_at)) + deadline) / 2) <= ${now / 1_000}
    order by deadline limit ${PAGE}`;
  for (const { id } of due) {
    await ctx.db.$transaction(async (tx) => {
      const { count } = await tx.escrow.updateMany({
        where: { id, status: 'open', remindedAt: null },
        data: { remindedAt: new Date(now) },
      });
      if (count === 1) await tellBoth(ctx, tx, await tx.escrow.findUniqueOrThrow({ where: { id } }), 'tab_reminder');
    });
  }
  if (due.length > 0) await ctx.queues.flush(ctx.db);
  return due.length;
}

/** Queues refunds of what was not claimed in time, a few at a time, requested ones first. @returns how many were due */
export async function refundOverdueEscrows(ctx: Ctx): Promise<number> {
  const chains = Object.values(ctx.chains);
  const counts = await Promise.all(
    chains.map(async (chain) => {
      try {
        return await refundOnChain(ctx, chain);
      } catch (err) {
        if (!isAway(err)) throw err;
        ctx.log.warn({ err, chain: chain.name }, 'overdue tabs wait for their chain');
        return 0;
      }
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

async function refundOnChain(ctx: Ctx, chain: Chain): Promise<number> {
  const now = ctx.clock.now();
  // After the requested ones: tips and escrows of our pages ("tip", "page") before those that others opened ("chain"). What is being claimed
  // may still be paid to its recipient, so we do not refund it without a request.
  const found = await ctx.db.$queryRaw<{ id: string }[]>`
    select id from escrow e
    where chain = ${chain.name} and status = 'open'
      -- The chain confirmed that a requested one is due, and its clock decides.
      and (deadline <= ${Math.floor(now / 1_000)} or refund_asked_at is not null)
      and (refund_tried_at is null or refund_tried_at <= ${new Date(now - TRY_AGAIN_MS)})
      and (refund_asked_at is not null or not exists (
        select 1 from claim c where c.chain = e.chain and c.tab_id = e.tab_id and c.status in ('asked', 'attested', 'submitted')))
    order by refund_asked_at nulls last, origin desc, deadline limit ${REFUNDS_AT_ONCE}`;
  const rows = await ctx.db.escrow.findMany({ where: { id: { in: found.map(({ id }) => id) } } });
  for (const { id } of found) {
    const row = rows.find((one) => one.id === id);
    if (!row) continue;
    if (await hasRoom(ctx, chain, row)) await queueRefund(ctx, chain, row);
    // Others of this round may have room: the budget is per sender as well.
    else await ctx.db.escrow.update({ where: { id }, data: { refundTriedAt: new Date(now) } });
  }
  return found.length;
}

/** What we pay for in 24 hours: so much of a chain, and so much of one sender. */
async function hasRoom(ctx: Ctx, chain: Chain, row: Row<'Escrow'>): Promise<boolean> {
  const since = new Date(ctx.clock.now() - SPEND_WINDOW_MS);
  const [isFree, own] = await Promise.all([
    chainHasRoom(ctx, ctx.db, chain.name),
    ctx.db.escrow.count({
      where: {
        chain: chain.name,
        senderAddress: row.senderAddress,
        refundTriedAt: { gt: since },
        refundTxId: { not: null },
        id: { not: row.id },
      },
    }),
  ]);
  return isFree && own < OVERDUE_REFUNDS_PER_SENDER;
}

/** Whether the day's budget of a chain has room for what we send for others. */
export async function chainHasRoom(ctx: Ctx, db: Db | Tx, chain: string): Promise<boolean> {
  const createdAt = { gt: new Date(ctx.clock.now() - SPEND_WINDOW_MS) };
  const [sent, calls] = await Promise.all([
    db.outgoingTx.count({ where: { chain, kind: 'escrow_refund', status: { not: 'cancelled' }, createdAt } }),
    db.sponsoredCall.count({ where: { chain, createdAt } }),
  ]);
  return sent + calls < ctx.env.SPONSORED_CALLS_PER_CHAIN;
}
