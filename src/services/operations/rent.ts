// Rent that comes back from every room whose accounts cost some.
import type { Chain } from '../../chain/chain.ts';
import { returnableRent } from '../../chain/rent.ts';
import type { Ctx } from '../../context.ts';
import { orderRent, type RentRounds } from '../orders/rent.ts';
import { queueRentReturns } from '../outgoing/rent.ts';
import { queueCampaignRent } from '../plans/campaigns/campaigns.ts';
import { closeEndedSubscriptions } from '../plans/rentReturns.ts';
import { sendRent } from '../sends/rent.ts';

export type { RentRounds };

/** One look on one chain. @returns how many accounts are closed now. @throws AppError `provider_unavailable` */
export async function returnRent(ctx: Ctx, chain: Chain, rounds: RentRounds): Promise<number> {
  const ofOrders = [...(await orderRent(ctx, chain, rounds)), ...(await sendRent(ctx, chain, rounds))];
  const found = [...(await returnableRent(chain)), ...ofOrders];
  const queued = await queueRentReturns(ctx, chain, found);
  return queued + (await closeEndedSubscriptions(ctx, chain)) + (await queueCampaignRent(ctx, chain));
}
