// What waits for a handle right now: told when an account is connected, and on the page.
import type { Ctx } from '../../context.ts';
import type { Tx } from '../../db.ts';
import { chainLabel } from '../../domain/chains.ts';
import { formatUnits } from '../../domain/money.ts';
import { slugsOf } from './rows.ts';

export type WaitingMoney = {
  count: number;
  sums: { chain: string; chainLabel: string; asset: string; amount: string; count: number }[];
};

/** What has not opened a day after it was staged is no longer announced. */
const CONFIRMING_MS = 86_400_000;

/** How many escrows for a handle are opened in a block that is not final yet: they can be claimed once it is. */
export async function confirmingFor(ctx: Ctx, handleId: string): Promise<number> {
  const keys = [...(await slugsOf(ctx.db, handleId)).keys()];
  return ctx.db.escrow.count({
    where: {
      handleKey: { in: keys },
      status: 'pending_create',
      createdAt: { gt: new Date(ctx.clock.now() - CONFIRMING_MS) },
      OR: [{ openTxHash: { not: null } }, { tip: { status: 'mined' } }],
    },
  });
}

/** Open escrows for a handle and its accounts, with sums (decimal strings) per chain and asset. */
export async function waitingFor(tx: Tx, handleId: string): Promise<WaitingMoney> {
  const keys = [...(await slugsOf(tx, handleId)).keys()];
  const groups = await tx.escrow.groupBy({
    by: ['chain', 'asset', 'decimals'],
    where: { handleKey: { in: keys }, status: 'open' },
    _count: true,
    _sum: { units: true },
    orderBy: [{ chain: 'asc' }, { asset: 'asc' }],
  });
  const sums = groups.map(({ chain, asset, decimals, _count, _sum }) => ({
    chain,
    chainLabel: chainLabel(chain),
    asset,
    amount: formatUnits(BigInt(_sum.units?.toFixed(0) ?? 0), decimals),
    count: _count,
  }));
  return { count: sums.reduce((total, { count }) => total + count, 0), sums };
}
