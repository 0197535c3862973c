// What a given transaction really did to a tab, by the chain.
import type { Chain } from '../../chain/chain.ts';
import { readTabTransaction, type TabChange } from '../../chain/tabTransactions.ts';
import { AppError } from '../../domain/errors.ts';

/** @param change of this tab; the first one where there are more. @throws AppError `tx_not_found` while it is in no block, `provider_unavailable` */
export async function readTx(
  chain: Chain,
  hash: string,
  tabId: string,
): Promise<{ succeeded: boolean; change: TabChange | undefined }> {
  const read = await readTabTransaction(chain, hash);
  if (!read) throw new AppError('tx_not_found', undefined, { param: 'txHash' });
  const change = read.changes.find(({ event }) => event.tabId.toLowerCase() === tabId.toLowerCase());
  return { succeeded: read.succeeded, change };
}
