// Notices that a payment takes longer, to senders on a chain that does not answer, or makes no blocks.

import type { Chain } from '../../chain/chain.ts';
import type { Ctx } from '../../context.ts';
import type { Stall } from '../outgoing/kinds.ts';
import { bumpIntentReplies } from './intentReplies.ts';

/** After this long the chat reads that it takes longer: a short hiccup is no news. */
export const TELL_AFTER_MS = 10_000;

/** Says it once, in the chats of those who wait for long enough. */
export async function tellSlow(ctx: Ctx, chain: Chain, problem: Stall, intentIds: string[]): Promise<void> {
  if (intentIds.length === 0) return;
  const detail = JSON.stringify({ isLate: true, waitingFor: `${chain.facts.label} ${problem}` });
  const since = new Date(ctx.clock.now() - TELL_AFTER_MS);
  const told = await ctx.db.$transaction(async (tx) => {
    const rows = await tx.$queryRaw<{ id: string }[]>`
      update intent set detail = coalesce(detail, '{}'::jsonb) || cast(${detail} as jsonb)
      where id = any(${intentIds}) and status = 'routed' and coalesce(confirmed_at, accepted_at) <= ${since}
        and not coalesce(cast(detail->>'isLate' as boolean), false)
      returning id`;
    await bumpIntentReplies(
      ctx,
      tx,
      rows.map(({ id }) => id),
    );
    return rows.length > 0;
  });
  if (told) await ctx.queues.flush(ctx.db);
}
