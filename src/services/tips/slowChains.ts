// Tells whoever waits for a payment on a chain that does not answer, or makes no blocks, that it takes longer.
import type { EvmChain } from '../../chain/rpc/client.ts';
import type { Ctx } from '../../context.ts';
import { bumpIntentReplies } from '../outbox/replies.ts';

/** After this long the chat reads that it takes longer: a short hiccup is no news. */
export const TELL_AFTER_MS = 10_000;

/** A head that stands for this many block times, and for this long, while a transaction of ours waits in the pool. */
const STILL_AFTER_BLOCKS = 4;
const STILL_AFTER_MS = 5_000;

/** The head that was seen last, and since when it stands there, by our clock. A process that starts begins to count. */
const heads = new WeakMap<EvmChain, { head: bigint; since: number }>();

/**
 * Whether the chain should have made a block since then and has not. A local one makes blocks only when something happens; a transaction that waits is
 * something, so `since` is when the oldest one that waits was signed.
 */
export function isFrozen(ctx: Ctx, chain: EvmChain, head: bigint, since: number): boolean {
  const now = ctx.clock.now();
  const known = heads.get(chain);
  if (known?.head !== head) heads.set(chain, { head, since: now });
  const stands = now - Math.max(heads.get(chain)?.since ?? now, since);
  return stands >= Math.max(STILL_AFTER_MS, chain.facts.blockTimeMs * STILL_AFTER_BLOCKS);
}

export type Trouble = 'does not answer' | 'makes no blocks';

/** Says it once, in the chats of those who wait for long enough. */
export async function tellSlow(ctx: Ctx, chain: EvmChain, trouble: Trouble, intentIds: string[]): Promise<void> {
  if (intentIds.length === 0) return;
  const detail = JSON.stringify({ isLate: true, waitingFor: `${chain.facts.label} ${trouble}` });
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
