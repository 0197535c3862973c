// Transfers to the treasury as operators see them, and which of them wait.
import type { Ctx, ReadCtx } from '../../context.ts';
import type { ChainName } from '../../domain/chains.ts';
import { CHAINS } from '../../domain/chains.ts';
import { formatUnits } from '../../domain/money.ts';
import type { TransferStatus } from '../../domain/treasuryTransfer.ts';
import { transactionUrl } from '../chains.ts';
import { unitsOf } from '../orders/views.ts';
import { readCursor, writeCursor } from '../pagination.ts';

/** `waiting`: names no order, or could not be passed on. */
export type TransferList = 'waiting' | 'all';

export type TransferView = {
  object: 'treasury_transfer';
  id: string;
  chain: string;
  status: TransferStatus;
  /** Decimal string of `currency`. */
  amount: string;
  currency: 'USDC';
  /** The wallet that sent it; null where several gave it. */
  from: string | null;
  /** The order that it names, and by what. */
  order: string | null;
  named_by: 'reference' | 'memo' | null;
  tx_hash: string;
  explorer_url: string | null;
  /** Why the last try to send it on did not work. */
  failure: string | null;
  /** ISO 8601, by the chain. */
  at: string;
};

type Place = { limit: number; cursor?: string | undefined };

const WAITING = { OR: [{ status: 'unmatched' }, { status: 'matched', failure: { not: null } }] };

/** The newest first. @throws AppError `parameter_invalid` for a cursor that is not ours */
export async function listTransfers(
  ctx: Ctx,
  list: TransferList,
  { limit, cursor }: Place,
): Promise<{ lines: TransferView[]; nextCursor: string | null }> {
  const below = cursor === undefined ? {} : { id: { lt: readCursor('trt', cursor) } };
  const rows = await ctx.db.treasuryTransfer.findMany({
    where: { ...(list === 'waiting' && WAITING), ...below },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const shown = rows.slice(0, limit);
  const lines = shown.map((row): TransferView => {
    return {
      object: 'treasury_transfer',
      id: row.id,
      chain: row.chain,
      status: row.status as TransferStatus,
      amount: formatUnits(unitsOf(row.units), CHAINS[row.chain as ChainName].usdcDecimals),
      currency: 'USDC',
      from: row.fromAddress,
      order: row.orderId,
      named_by: row.namedBy as TransferView['named_by'],
      tx_hash: row.txHash,
      explorer_url: transactionUrl(ctx, row.chain, row.txHash),
      failure: row.failure,
      at: row.at.toISOString(),
    };
  });
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { lines, nextCursor: last ? writeCursor(last.id) : null };
}

export type WaitingTransfers = {
  chain: ChainName;
  /** `unmatched`: an operator decides; `stuck`: they name an order and cannot be passed on. */
  kind: 'unmatched' | 'stuck';
  count: number;
  amount: string;
  failure: string | null;
};

/** What waits for an operator, chain by chain. */
export async function waitingTransfers(ctx: ReadCtx): Promise<WaitingTransfers[]> {
  const groups = await ctx.db.treasuryTransfer.groupBy({
    by: ['chain', 'status'],
    where: WAITING,
    _count: true,
    _sum: { units: true },
    _max: { failure: true },
    orderBy: [{ chain: 'asc' }, { status: 'asc' }],
  });
  return groups.map(({ chain, status, _count, _sum, _max }) => ({
    chain: chain as ChainName,
    kind: status === 'unmatched' ? 'unmatched' : 'stuck',
    count: _count,
    amount: formatUnits(BigInt(_sum.units?.toFixed(0) ?? 0), CHAINS[chain as ChainName].usdcDecimals),
    failure: _max.failure,
  }));
}
