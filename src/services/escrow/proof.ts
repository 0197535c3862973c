// What a given transaction really did, by the chain: its receipt, the router's own event, and whether its block is final.
import { type EscrowLog, isEscrowLog, readEscrowBlock } from '../../chain/logs/escrow.ts';
import { escrowEvents } from '../../chain/routers/escrow.ts';
import { type EvmChain, type Hash, headBlock, receiptOf } from '../../chain/rpc/client.ts';
import { AppError } from '../../domain/errors.ts';

export type NamedTx = {
  succeeded: boolean;
  /** The router's own. */
  events: EscrowLog[];
  block: bigint;
};

/** @throws AppError `tx_not_found` while it is in no block, `provider_unavailable` */
export async function readTx(chain: EvmChain, hash: Hash): Promise<NamedTx> {
  const receipt = await receiptOf(chain, hash);
  if (!receipt) throw new AppError('tx_not_found', undefined, { param: 'txHash' });
  const events = escrowEvents(chain, receipt.logs).filter(isEscrowLog);
  return { succeeded: receipt.status === 'success', events, block: receipt.blockNumber };
}

/** When the block of an event was made, if it is final and the event still in it; null while it is not. @throws AppError `provider_unavailable` */
export async function finalTime(chain: EvmChain, event: EscrowLog): Promise<Date | null> {
  const { blockNumber } = event;
  if ((await headBlock(chain)) - blockNumber + 1n < BigInt(chain.confirmations)) return null;
  const read = await readEscrowBlock(chain, blockNumber);
  if (!read) return null;
  const same = read.events.some(
    (one) => one.transactionHash === event.transactionHash && one.logIndex === event.logIndex,
  );
  return same ? (read.blocks.get(blockNumber)?.time ?? null) : null;
}
