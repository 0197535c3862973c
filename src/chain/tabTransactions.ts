// What a transaction that someone names really did to tabs, on a chain of any family, and whether that is final.
import type { Chain } from './chain.ts';
import { isEscrowLog, readEscrowBlock } from './logs/escrow.ts';
import { escrowEvents } from './routers/escrow.ts';
import { type EvmChain, type Hash, receiptOf } from './rpc/client.ts';
import { agreedHead } from './rpc/finality.ts';
import type { SolanaChain } from './solana/client.ts';
import { finalReceipt } from './solana/history.ts';
import { receiptOfSolana } from './solana/transactions.ts';
import { type TabEvent, tabEventOf, tabEventsOfSolana } from './tabEvents.ts';

/** An event whose block's time is known once it is final. */
export type TabChange = {
  event: TabEvent;
  /** The same event with the time of its block, if that is final and still has it; null while it is not. @throws AppError `provider_unavailable` */
  final(): Promise<TabEvent | null>;
};
export type TabTransaction = { succeeded: boolean; changes: TabChange[] };

const UNKNOWN_TIME = new Date(0);

/**
 * @param hash a hash in lower case, or a signature on Solana
 * @returns null while no block has it
 * @throws AppError `provider_unavailable`
 */
export function readTabTransaction(chain: Chain, hash: string): Promise<TabTransaction | null> {
  return chain.family === 'solana' ? readOnSolana(chain, hash) : readOnEvm(chain, hash as Hash);
}

async function readOnEvm(chain: EvmChain, hash: Hash): Promise<TabTransaction | null> {
  const receipt = await receiptOf(chain, hash);
  if (!receipt) return null;
  const logs = escrowEvents(chain, receipt.logs).filter(isEscrowLog);
  const changes = logs.map((log): TabChange => {
    const { blockNumber, transactionHash, logIndex } = log;
    return {
      event: tabEventOf(log, UNKNOWN_TIME),
      async final() {
        if ((await agreedHead(chain)) - blockNumber + 1n < BigInt(chain.confirmations)) return null;
        const read = await readEscrowBlock(chain, blockNumber);
        const isSame = read?.events.some((one) => one.transactionHash === transactionHash && one.logIndex === logIndex);
        const time = read?.blocks.get(blockNumber)?.time;
        return isSame && time ? tabEventOf(log, time) : null;
      },
    };
  });
  return { succeeded: receipt.status === 'success', changes };
}

async function readOnSolana(chain: SolanaChain, signature: string): Promise<TabTransaction | null> {
  const receipt = await receiptOfSolana(chain, signature);
  if (!receipt) return null;
  const changes = tabEventsOfSolana(chain, receipt, UNKNOWN_TIME).map(
    (event): TabChange => ({
      event,
      async final() {
        const agreed = await finalReceipt(chain, receipt);
        const again = agreed ? tabEventsOfSolana(chain, agreed.receipt, agreed.time) : [];
        return again.find(({ tabId, name }) => tabId === event.tabId && name === event.name) ?? null;
      },
    }),
  );
  return { succeeded: receipt.succeeded, changes };
}
