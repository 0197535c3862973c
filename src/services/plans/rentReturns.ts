// Rent of subscriptions that have ended: their accounts are closed once nothing in them counts.
import type { Chain } from '../../chain/chain.ts';
import { hasSubscriptionRent, subscriptionRent } from '../../chain/charges.ts';
import type { RentReturn } from '../../chain/rent.ts';
import type { Ctx } from '../../context.ts';
import { queueRentReturns } from '../outgoing/rent.ts';

const PAGE = 500;

/** Queues the closing of what can be closed, and notes what is. @returns how many are queued now @throws AppError `provider_unavailable` */
export async function closeEndedSubscriptions(ctx: Ctx, chain: Chain): Promise<number> {
  if (!hasSubscriptionRent(chain)) return 0;
  const now = new Date(ctx.clock.now());
  // A wallet that subscribed again uses the same account.
  const ended = await ctx.db.$queryRaw<{ id: string; planKey: string; subscriber: string }[]>`
    select s.id, s.plan_key as "planKey", s.subscriber from subscription s join plan p on p.id = s.plan_id
    where s.chain = ${chain.name} and s.status in ('cancelled', 'halted') and s.rent_returned_at is null
      and s.last_charged_at + make_interval(secs => p.period_s / 2.0) <= ${now}
      and not exists (
        select 1 from subscription n where n.chain = s.chain and n.plan_key = s.plan_key and n.subscriber = s.subscriber
          and n.status <> 'reverted' and n.started_at > s.started_at)
    order by s.id limit ${PAGE}`;
  if (ended.length === 0) return 0;
  const rents = await subscriptionRent(chain, ended);
  const closed = ended.filter((_, index) => rents[index] === 'closed').map(({ id }) => id);
  await ctx.db.subscription.updateMany({ where: { id: { in: closed } }, data: { rentReturnedAt: now } });
  const returns = rents.filter((rent): rent is RentReturn => typeof rent === 'object');
  return queueRentReturns(ctx, chain, returns);
}
