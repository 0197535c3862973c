// How a chain pays the grants of a campaign.
import { type GrantTerms, grantTerms } from '../../../chain/campaigns.ts';
import type { Chain } from '../../../chain/chain.ts';
import { batchSize } from '../batchSize.ts';
import type { Campaign } from './views.ts';

/** Grants of one transaction: more would make it wait for room in a block. */
const MOST_GRANTS = 60;

/** @throws AppError `provider_unavailable` */
export function termsOf(chain: Chain, { campaignKey: key, sponsor, expiresAt }: Campaign): Promise<GrantTerms> {
  const expiry = BigInt(Math.floor(expiresAt.getTime() / 1_000));
  return grantTerms(chain, { key, sponsor, expiry }, (gas, gasFor) => batchSize(gas, MOST_GRANTS, gasFor));
}
