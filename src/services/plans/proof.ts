// What a named transaction did to plans and subscriptions; and applying it once its block is final, before the feed finds it.
import type { Chain } from '../../chain/chain.ts';
import { type PlanTransaction, readPlanTransaction } from '../../chain/planTransactions.ts';
import type { Ctx } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { wakeDeliveries } from '../events.ts';
import { pollWithin } from '../polling.ts';
import { applyPlanLogs } from './indexing.ts';

/**
 * What a transaction did to plans and subscriptions, on a chain of any family.
 * @param given its hash in lower case, or its signature
 * @param what the failed transaction should have done, for the error: "the plan wasn’t created"
 * @throws AppError `tx_not_found` while it is in no block, `tx_mismatch` for one that failed, `provider_unavailable`
 */
export async function proveTx(chain: Chain, given: string, what: string): Promise<PlanTransaction> {
  const found = await readPlanTransaction(chain, given);
  if (!found) throw new AppError('tx_not_found', undefined, { param: 'txHash' });
  if (!found.succeeded) throw mismatch(`This transaction failed, so ${what}.`);
  return found;
}

export function mismatch(words: string, param = 'txHash'): AppError {
  return new AppError('tx_mismatch', words, { param });
}

/** Applies a transaction as soon as its block is final. @returns whether it was, within the time */
export async function applyWhenFinal(
  ctx: Ctx,
  chain: Chain,
  transaction: PlanTransaction,
  waitMs: number,
): Promise<boolean> {
  const final = await pollWithin(ctx, waitMs, () => transaction.final());
  if (!final) return false;
  const { entries, at } = final;
  const logs = entries.map((entry) => ({ ...entry, at }));
  await ctx.db.$transaction((tx) => applyPlanLogs(ctx, tx, chain, logs));
  await wakeDeliveries(ctx);
  return true;
}
