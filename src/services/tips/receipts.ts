// The public receipt of one tip: for anyone with its address, and the one projection that strangers see.
import type { Ctx } from '../../context.ts';
import type { ChainName } from '../../domain/chains.ts';
import { chainLabel } from '../../domain/chains.ts';
import { AppError } from '../../domain/errors.ts';
import type { EscrowStatus } from '../../domain/escrow.ts';
import { type PublicStatus, publicStatus } from '../../domain/history.ts';
import { isId } from '../../domain/ids.ts';
import { formatUnits } from '../../domain/money.ts';
import type { SmartStatus } from '../../domain/smartLeg.ts';
import type { TipStatus } from '../../domain/tip.ts';
import { isLiveChain, transactionUrl } from '../chains.ts';

export type TipReceipt = {
  id: string;
  /** Ampersat handles, "alice@ampersat"; a wallet without one is "0x12ab…89ef", a recipient who has not connected is "someone new". Names of a
   * platform stay on it. */
  from: string;
  to: string;
  amount: string;
  /** With what a bridge took; of a tip that a bridge sent back only what was not returned. */
  fee: string;
  asset: string;
  chain: string;
  chain_label: string;
  /** Of a tip to another chain: where it arrives, and the transaction that brought it there. */
  to_chain_label: string | null;
  arrive_tx_hash: string | null;
  arrive_explorer_url: string | null;
  /** Of one that a bridge sent back: the transaction that did. */
  return_tx_hash: string | null;
  return_explorer_url: string | null;
  /** False for play money: a test network, or a chain of this machine. */
  livemode: boolean;
  status: PublicStatus;
  tx_hash: string | null;
  explorer_url: string | null;
  at: string;
};

/** @throws AppError `resource_missing` */
export async function tipReceipt(ctx: Ctx, id: string): Promise<TipReceipt> {
  const tip = isId('tip', id)
    ? await ctx.db.tip.findUnique({ where: { id }, include: { escrow: true, crossing: { include: { legs: true } } } })
    : null;
  if (!tip) throw new AppError('resource_missing', 'Receipt not found. Check the address.');
  const known = [tip.senderHandleId, tip.recipientHandleId].filter((handleId) => handleId !== null);
  const handles = await ctx.db.handle.findMany({ where: { id: { in: known } }, select: { id: true, slug: true } });
  const nameOf = (handleId: string | null, address: string) => {
    const handle = handles.find((one) => one.id === handleId);
    return handle ? `${handle.slug}@ampersat` : `${address.slice(0, 6)}…${address.slice(-4)}`;
  };
  const isBack = tip.crossing?.status === 'refunded';
  const arrived = isBack ? null : (tip.crossing?.legs[0]?.destinationHash ?? null);
  const returned = tip.crossing?.legs[0]?.refundHash ?? null;
  return {
    id: tip.id,
    from: nameOf(tip.senderHandleId, tip.senderAddress),
    to:
      tip.escrow && tip.recipientHandleId === null
        ? 'someone new'
        : nameOf(tip.recipientHandleId, tip.recipientAddress),
    amount: formatUnits(BigInt(tip.units.toFixed(0)), tip.decimals),
    fee: formatUnits(
      BigInt(tip.feeUnits.toFixed(0)) + (isBack ? 0n : BigInt(tip.bridgeUnits.toFixed(0))),
      tip.decimals,
    ),
    asset: tip.asset,
    chain: tip.chain,
    chain_label: chainLabel(tip.chain),
    to_chain_label: tip.toChain === null ? null : chainLabel(tip.toChain),
    arrive_tx_hash: arrived,
    arrive_explorer_url: tip.toChain === null ? null : transactionUrl(ctx, tip.toChain, arrived),
    return_tx_hash: returned,
    return_explorer_url: transactionUrl(ctx, tip.chain, returned),
    livemode: isLiveChain(ctx, tip.chain as ChainName),
    status: publicStatus(
      tip.status as TipStatus,
      tip.failure !== null,
      (tip.escrow?.status ?? null) as EscrowStatus | null,
      (tip.crossing?.status ?? null) as SmartStatus | null,
    ),
    tx_hash: tip.txHash,
    explorer_url: transactionUrl(ctx, tip.chain, tip.txHash),
    at: tip.createdAt.toISOString(),
  };
}
