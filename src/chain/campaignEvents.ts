// What happened to campaigns, in one shape for chains of all families, and what a transaction that someone names did to them.
import { AppError } from '../domain/errors.ts';
import type { Chain } from './chain.ts';
import { readCampaignReceipt } from './logs/campaigns.ts';
import { evmReceipt, type Receipt, type SolanaReceipt } from './receipt.ts';
import { decodeRevert, type RevertReason } from './routers/reverts.ts';
import { type EvmChain, type Hash, receiptOf } from './rpc/client.ts';
import { finalReceipt as finalEvmReceipt } from './rpc/outcomes.ts';
import type { SolanaChain } from './solana/client.ts';
import { finalReceipt } from './solana/history.ts';
import { tokenOf } from './solana/tabs.ts';
import { receiptOfSolana } from './solana/transactions.ts';

/** Amounts in smallest units, `expiry` in Unix seconds; `block` is a slot on Solana, `logIndex` the place among the events of a transaction. */
export type CampaignEntry = { txHash: string; logIndex: number; block: bigint; campaignKey: string } & (
  | {
      kind: 'opened';
      sponsor: string;
      token: string;
      total: bigint;
      mostPerGrant: bigint;
      expiry: bigint;
      /** Places for grants; null where there is no end of them. */
      recipients: number | null;
    }
  | { kind: 'closed' }
  | { kind: 'paid'; recipientKey: bigint; recipient: string; amount: bigint; fee: bigint }
);

export function campaignEntriesOfSolana(
  chain: SolanaChain,
  { hash: txHash, block, events }: SolanaReceipt,
): CampaignEntry[] {
  return events.flatMap((event, logIndex): CampaignEntry[] => {
    if (event.name !== 'campaignOpened' && event.name !== 'campaignClosed' && event.name !== 'grantPaid') return [];
    const place = { txHash, logIndex, block, campaignKey: event.campaignId };
    if (event.name === 'campaignClosed') return [{ ...place, kind: 'closed' }];
    if (event.name === 'grantPaid') {
      const { index, recipient, amount, fee } = event;
      return [{ ...place, kind: 'paid', recipientKey: BigInt(index), recipient, amount, fee }];
    }
    const { sponsor, asset, total, mostPerGrant, expiry, recipients } = event;
    return [
      { ...place, kind: 'opened', sponsor, token: tokenOf(chain, asset), total, mostPerGrant, expiry, recipients },
    ];
  });
}

/** What a transaction that a block has did: `failed` are grants that were refused within it while others were paid. */
export type CampaignEffects = {
  entries: CampaignEntry[];
  failed: { recipientKey: bigint; reason: RevertReason }[];
};

export function campaignEffects(chain: Chain, receipt: Receipt): CampaignEffects {
  if (receipt.family === 'solana')
    return { entries: campaignEntriesOfSolana(chain as SolanaChain, receipt), failed: [] };
  const { entries, failed } = readCampaignReceipt(chain as EvmChain, receipt.raw);
  return {
    entries,
    failed: failed.map(({ recipientKey, reason }) => ({ recipientKey, reason: decodeRevert(reason) })),
  };
}

export type CampaignTransaction = CampaignEffects & {
  succeeded: boolean;
  /** The same with the time of its block, once that is final and still has it; null while it is not. @throws AppError `provider_unavailable` */
  final(): Promise<(CampaignEffects & { at: Date }) | null>;
};

/**
 * @param name a hash in lower case, or a signature on Solana
 * @returns null while no block has it
 * @throws AppError `provider_unavailable`
 */
export function readCampaignTransaction(chain: Chain, name: string): Promise<CampaignTransaction | null> {
  const isHash = name.startsWith('0x');
  if (chain.family === 'solana') return isHash ? Promise.resolve(null) : readOnSolana(chain, name);
  return isHash ? readOnEvm(chain, name as Hash) : Promise.resolve(null);
}

async function readOnEvm(chain: EvmChain, hash: Hash): Promise<CampaignTransaction | null> {
  const raw = await receiptOf(chain, hash);
  if (!raw) return null;
  const effects = campaignEffects(chain, evmReceipt(raw));
  return {
    ...effects,
    succeeded: raw.status === 'success',
    async final() {
      const found = await finalEvmReceipt(chain, hash);
      return found && { ...campaignEffects(chain, evmReceipt(found.receipt)), at: new Date(found.time * 1_000) };
    },
  };
}

async function readOnSolana(chain: SolanaChain, signature: string): Promise<CampaignTransaction | null> {
  const receipt = await receiptOfSolana(chain, signature);
  if (!receipt) return null;
  return {
    ...campaignEffects(chain, receipt),
    succeeded: receipt.succeeded,
    async final() {
      const agreed = await finalReceipt(chain, receipt);
      return agreed && { ...campaignEffects(chain, agreed.receipt), at: agreed.time };
    },
  };
}

/** The same of a transaction whose block is final. @throws AppError `provider_unavailable` when a reorg has just taken it */
export async function finalCampaignEffects(chain: Chain, name: string | null): Promise<CampaignEffects & { at: Date }> {
  const found = name === null ? null : await (await readCampaignTransaction(chain, name))?.final();
  if (!found) throw new AppError('provider_unavailable', `${chain.facts.label} changed while it was read`);
  return found;
}
