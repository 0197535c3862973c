// Transactions of plans and subscriptions on a chain of any family: what one did, and whether that is final.
import { AppError } from '../domain/errors.ts';
import type { Chain } from './chain.ts';
import { readPlanReceipt } from './logs/subscriptions.ts';
import { type PlanEntry, planEntriesOfSolana } from './planEvents.ts';
import { evmReceipt, type Receipt } from './receipt.ts';
import { type EvmChain, type Hash, receiptOf } from './rpc/client.ts';
import { finalReceipt as finalEvmReceipt } from './rpc/outcomes.ts';
import type { SolanaChain } from './solana/client.ts';
import { finalReceipt } from './solana/history.ts';
import { receiptOfSolana } from './solana/transactions.ts';

export type FinalPlanTransaction = { receipt: Receipt; entries: PlanEntry[]; at: Date };
export type PlanTransaction = {
  succeeded: boolean;
  entries: PlanEntry[];
  /** The same with the time of its block, once that is final and still the chain's; null while it is not. @throws AppError `provider_unavailable` */
  final(): Promise<FinalPlanTransaction | null>;
};

/**
 * @param name its hash in lower case, or its signature on Solana
 * @returns null while no block has it
 * @throws AppError `provider_unavailable`
 */
export function readPlanTransaction(chain: Chain, name: string): Promise<PlanTransaction | null> {
  return chain.family === 'solana' ? readOnSolana(chain, name) : readOnEvm(chain, name as Hash);
}

/**
 * The same of one of ours whose block is final for us.
 * @throws AppError `provider_unavailable` when a reorg has just taken it, or the chain does not show it clearly
 */
export async function finalPlanTransaction(
  chain: Chain,
  { minedHash }: { minedHash: string | null },
): Promise<FinalPlanTransaction> {
  const found = minedHash === null ? null : await readPlanTransaction(chain, minedHash);
  const final = await found?.final();
  if (final) return final;
  throw new AppError('provider_unavailable', `${chain.facts.label} changed while it was read`);
}

async function readOnEvm(chain: EvmChain, hash: Hash): Promise<PlanTransaction | null> {
  const raw = await receiptOf(chain, hash);
  if (!raw) return null;
  const { entries } = readPlanReceipt(chain, raw);
  return {
    succeeded: raw.status === 'success',
    entries,
    async final() {
      const found = await finalEvmReceipt(chain, hash);
      if (!found) return null;
      const { receipt, time } = found;
      const agreed = readPlanReceipt(chain, receipt).entries;
      return { receipt: evmReceipt(receipt), entries: agreed, at: new Date(time * 1_000) };
    },
  };
}

async function readOnSolana(chain: SolanaChain, signature: string): Promise<PlanTransaction | null> {
  const receipt = await receiptOfSolana(chain, signature);
  if (!receipt) return null;
  return {
    succeeded: receipt.succeeded,
    entries: planEntriesOfSolana(chain, receipt),
    async final() {
      const agreed = await finalReceipt(chain, receipt);
      if (!agreed) return null;
      return { receipt: agreed.receipt, entries: planEntriesOfSolana(chain, agreed.receipt), at: agreed.time };
    },
  };
}
