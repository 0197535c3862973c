// What a transaction of ours did to plans and subscriptions, once its block is final.
import type { Chain } from '../../chain/chain.ts';
import { finalPlanTransaction } from '../../chain/planTransactions.ts';
import type { Receipt } from '../../chain/receipt.ts';
import type { Outgoing } from '../outgoing/kinds.ts';
import type { PlanLog } from './indexing.ts';

/** @throws AppError `provider_unavailable` when a reorg has just taken it */
export async function finalLogs(
  chain: Chain,
  outgoing: Pick<Outgoing, 'minedHash'>,
): Promise<{ receipt: Receipt; logs: PlanLog[] }> {
  const { receipt, entries, at } = await finalPlanTransaction(chain, outgoing);
  return { receipt, logs: entries.map((entry) => ({ ...entry, at })) };
}
