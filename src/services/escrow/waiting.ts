// What waits for a handle right now: told when an account is connected, and on the page.
import type { Tx } from '../../db.ts';
import { chainLabel } from '../../domain/chains.ts';
import { formatUnits } from '../../domain/money.ts';
import { slugsOf } from './rows.ts';

export type WaitingMoney = {
  count: number;
  sums: { chain: string; chainLabel: string; asset: string; amount: string; count: number }[];
};

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
