// Queued grants as a run reads them, page by page, and claims them: each is in one transaction at a time.
import type { Ctx } from '../../../context.ts';
import type { Tx } from '../../../db.ts';
import { type Transition, transition } from '../../transitions.ts';
import type { Campaign, Grant } from './views.ts';

export const PAGE = 500;

/** Queued and to be tried now, in the order in which they were added. Who waits for an account is looked at once it is connected, or after a while. */
export async function duePage(ctx: Ctx, campaign: Campaign, after: number): Promise<Grant[]> {
  const now = new Date(ctx.clock.now());
  const found = await ctx.db.$queryRaw<{ id: string }[]>`
    select g.id from campaign_grant g
    where g.campaign_id = ${campaign.id} and g.status = 'queued' and g.recipient_key > ${after}
      and (g.next_try_at is null or g.next_try_at <= ${now} or (g.waiting and exists (
        select 1 from connection c where c.disconnected_at is null and c.platform = split_part(g.recipient, ':', 1)
          and g.recipient in (c.platform || ':id:' || c.platform_user_id, c.platform || ':' || lower(c.username)))))
    order by g.recipient_key limit ${PAGE}`;
  return ctx.db.grant.findMany({
    where: { id: { in: found.map(({ id }) => id) } },
    orderBy: { recipientKey: 'asc' },
  });
}

/** Those of a transaction: under way, or paid by the feed already. */
export function batchRows(tx: Tx, batchId: string): Promise<Grant[]> {
  return tx.grant.findMany({ where: { batchId, status: { in: ['sent', 'paid'] } }, orderBy: { recipientKey: 'asc' } });
}

/** Puts grants back into the queue. */
export async function release(ctx: Ctx, tx: Tx, rows: readonly Grant[], nextTryAt: Date | null = null): Promise<void> {
  const patch = { batchId: null, nextTryAt };
  const moves = rows.map(({ id }): Transition<'grant'> => ({ id, action: 'release', patch }));
  await transition(ctx, tx, 'grant', moves);
}
