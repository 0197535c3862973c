// Token accounts that we open for recipients, where a chain needs one: a few of each sender's a month.
import { spotPrice } from '../../chain/prices.ts';
import { accountCost } from '../../chain/recipients.ts';
import { type Ctx, chainOf } from '../../context.ts';
import { sqlPart } from '../../db.ts';
import { NEW_ACCOUNTS_MS, NEW_ACCOUNTS_USD } from '../../domain/limits.ts';
import { type MicroUsd, usdForUnits } from '../../domain/money.ts';

/** What is assumed of a native asset that no feed prices. */
const DEAR: MicroUsd = 300_000_000n;

/** How many accounts we still open for the recipients of a sender's tips, sends and grants this month, and for everybody today. */
export async function accountsLeft(ctx: Ctx, handleId: string, name: string): Promise<number> {
  const chain = chainOf(ctx, name);
  const answer = await spotPrice(chain, ctx.chains);
  const cost = usdForUnits(accountCost(chain), 'price' in answer ? answer.price : DEAR, chain.facts.nativeDecimals);
  const now = ctx.clock.now();
  const since = (ms: number) => new Date(now - ms);
  const tips = (createdAt: { gt: Date }) => ({
    chain: name,
    opensAccount: true,
    status: { not: 'failed' },
    createdAt,
  });
  // By when they were sent: what was queued may wait for long.
  const grants = (createdAt: { gt: Date }) => sqlPart`
    select count(*)::int as count from campaign_grant g join grant_batch b on b.id = g.batch_id join campaign c on c.id = g.campaign_id
    where g.opens_account and c.chain = ${name} and b.created_at > ${createdAt.gt}`;
  const sends = (createdAt: { gt: Date }) => ({
    chain: name,
    way: 'opening',
    status: { in: ['processing', 'completed'] },
    createdAt,
  });
  const [month, day] = [{ gt: since(NEW_ACCOUNTS_MS) }, { gt: since(86_400_000) }];
  const [own, all, ownSends, allSends, [ownGrants], [allGrants]] = await Promise.all([
    ctx.db.tip.count({ where: { senderHandleId: handleId, ...tips(month) } }),
    ctx.db.tip.count({ where: tips(day) }),
    ctx.db.send.count({ where: { handleId, ...sends(month) } }),
    ctx.db.send.count({ where: sends(day) }),
    ctx.db.$queryRaw<{ count: number }[]>`${grants(month)} and c.handle_id = ${handleId}`,
    ctx.db.$queryRaw<{ count: number }[]>`${grants(day)}`,
  ]);
  const [ofSender, ofAll] = [own + ownSends + (ownGrants?.count ?? 0), all + allSends + (allGrants?.count ?? 0)];
  return Math.min(Number(NEW_ACCOUNTS_USD / cost) - ofSender, ctx.env.SPONSORED_CALLS_PER_CHAIN - ofAll);
}
