// What a named transaction did to plans and subscriptions; and applying it once its block is final, before the feed finds it.
import type { Chain } from '../../chain/chain.ts';
import { type PlanTransaction, readPlanTransaction } from '../../chain/planTransactions.ts';
import { blockFacts } from '../../chain/rpc/blockRanges.ts';
import { type EvmChain, type Hash, headBlock, receiptOf, type TransactionReceipt } from '../../chain/rpc/client.ts';
import type { Ctx } from '../../context.ts';
import type { Tx } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { wakeDeliveries } from '../events.ts';
import { pollWithin } from '../polling.ts';
import { applyPlanLogs } from './indexing.ts';

export type ProvenTx = { hash: Hash; block: bigint; blockHash: Hash; receipt: TransactionReceipt };
/**
 * @param what the failed transaction should have done, for the error: "the plan wasn’t created"
 * @throws AppError `tx_not_found` while it is in no block, `tx_mismatch` for one that failed, `provider_unavailable`
 */
export async function proveReceipt(chain: EvmChain, given: string, what: string): Promise<ProvenTx> {
  const hash = given.toLowerCase() as Hash;
  const receipt = await receiptOf(chain, hash);
  if (!receipt) throw new AppError('tx_not_found', undefined, { param: 'txHash' });
  if (receipt.status !== 'success') throw mismatch(`This transaction failed, so ${what}.`);
  return { hash, block: receipt.blockNumber, blockHash: receipt.blockHash, receipt };
}

/** The same, with what it did to plans and subscriptions, on a chain of any family. @param given its hash in lower case, or its signature */
export async function proveTx(chain: Chain, given: string, what: string): Promise<PlanTransaction> {
  const found = await readPlanTransaction(chain, given);
  if (!found) throw new AppError('tx_not_found', undefined, { param: 'txHash' });
  if (!found.succeeded) throw mismatch(`This transaction failed, so ${what}.`);
  return found;
}

export function mismatch(words: string, param = 'txHash'): AppError {
  return new AppError('tx_mismatch', words, { param });
}

/** The newest block whose events count. @throws AppError `provider_unavailable` */
async function finalBlock(chain: EvmChain): Promise<bigint> {
  return (await headBlock(chain)) - BigInt(chain.confirmations) + 1n;
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

/** @param write with the time of the block @returns whether it was final within the time */
export async function whenFinal(
  ctx: Ctx,
  chain: EvmChain,
  proven: ProvenTx,
  waitMs: number,
  write: (tx: Tx, at: Date) => Promise<void>,
): Promise<boolean> {
  const at = await pollWithin(ctx, waitMs, () => finalTime(chain, proven));
  if (!at) return false;
  await ctx.db.$transaction((tx) => write(tx, at));
  await wakeDeliveries(ctx);
  return true;
}

/** When the block was made, if it is final and still the chain's. */
async function finalTime(chain: EvmChain, { block, blockHash }: ProvenTx): Promise<Date | null> {
  if ((await finalBlock(chain)) < block) return null;
  const facts = await blockFacts(chain, block);
  return facts?.hash === blockHash ? facts.time : null;
}
