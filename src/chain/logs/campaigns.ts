// The bot router's campaign events of a block range, as entries that a room applies.
import type { Hash } from 'viem';
import { campaignEvents } from '../routers/campaign.ts';
import type { BlockLog, BlockRange } from '../rpc/blockRanges.ts';
import type { Address, EvmChain, Hex, TransactionReceipt } from '../rpc/client.ts';
import { CAMPAIGN_EVENTS } from './filter.ts';

type Place = { txHash: Hash; logIndex: number; block: bigint; campaignKey: Hex };

/** Amounts in smallest units, addresses checksummed, `expiry` in Unix seconds. */
export type CampaignEntry = Place &
  (
    | {
        kind: 'opened';
        sponsor: Address;
        token: Address;
        total: bigint;
        mostPerGrant: bigint;
        expiry: bigint;
        recipients: null;
      }
    | { kind: 'closed' }
    | { kind: 'paid'; recipientKey: bigint; recipient: Address; amount: bigint; fee: bigint }
  );
/** A grant that the router refused within a batch. */
export type FailedGrant = { recipientKey: bigint; reason: Hex };

type RouterEvent = ReturnType<typeof campaignEvents>[number];

/** In the chain's order. */
export function readCampaignEntries(chain: EvmChain, { logs }: Pick<BlockRange, 'logs'>): CampaignEntry[] {
  const own = logs.filter(({ topics: [selector] }) => selector !== undefined && CAMPAIGN_EVENTS.has(selector));
  return campaignEvents(chain, own).flatMap((event) => entryOf(event as RouterEvent & BlockLog) ?? []);
}

/** What one transaction did. */
export function readCampaignReceipt(
  chain: EvmChain,
  { logs }: Pick<TransactionReceipt, 'logs'>,
): { entries: CampaignEntry[]; failed: FailedGrant[] } {
  const events = campaignEvents(chain, logs);
  return {
    entries: events.flatMap((event) => entryOf(event as RouterEvent & BlockLog) ?? []),
    failed: events.flatMap((event) => (event.eventName === 'GrantFailed' ? [event.args] : [])),
  };
}

function entryOf(event: RouterEvent & BlockLog): CampaignEntry | null {
  const { transactionHash: txHash, logIndex, blockNumber: block } = event;
  if (!('campaignId' in event.args)) return null;
  const place = { txHash, logIndex, block, campaignKey: event.args.campaignId };
  switch (event.eventName) {
    case 'CampaignOpened': {
      const { sponsor, token, total, mostPerGrant, expiry } = event.args;
      return { ...place, kind: 'opened', sponsor, token, total, mostPerGrant, expiry, recipients: null };
    }
    case 'CampaignClosed':
      return { ...place, kind: 'closed' };
    case 'GrantPaid': {
      const { recipientKey, recipient, amount, fee } = event.args;
      return { ...place, kind: 'paid', recipientKey, recipient, amount, fee };
    }
    default:
      return null;
  }
}
