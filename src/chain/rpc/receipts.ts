// Waiting for one transaction, for deployments, the local stack and tests: whatever pays has its own way, which survives a restart.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, type Hash, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem';
import { getTransactionReceipt } from 'viem/actions';

const WITHIN_MS = 180_000;

/**
 * The receipt of a transaction, once it is in a block. Asks for the receipt itself and not for new blocks, as viem's own waiting does: on a
 * chain that only mines on demand there is no further block after the one that was missed, and such a wait never ends.
 * @param client its `pollingInterval` (milliseconds) is the pace
 * @throws Error that names the transaction when it is in no block in time
 */
export async function waitForReceipt(
  client: Client,
  hash: Hash,
  { withinMs = WITHIN_MS }: { withinMs?: number } = {},
): Promise<TransactionReceipt> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    try {
      return await getTransactionReceipt(client, { hash });
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError)) throw error;
    }
    if (Date.now() > deadline)
      throw new Error(
        `The transaction ${hash} is in no block after ${withinMs / 1_000} s. It may still come: look for it before anything is sent again.`,
      );
    await sleep(client.pollingInterval);
  }
}
