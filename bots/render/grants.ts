// Renders grants of campaigns in direct chats: that one waits for an account, and that it was paid.
import type { Ctx } from '../../src/context.ts';
import { chainLabel } from '../../src/domain/chains.ts';
import { formatUnits } from '../../src/domain/money.ts';
import type { DueReply } from '../../src/services/outbox/due.ts';
import { unitsOf } from '../../src/services/plans/views.ts';
import type { Rendered } from '../adapter.ts';
import { inUtc } from './dates.ts';
import { plain, type RenderContext } from './message.ts';
import { quiet } from './orders.ts';
import { say } from './say.ts';

/** One message a grant: it changes once the grant is paid, or can be no more. */
export async function renderGrant(
  ctx: Ctx,
  reply: DueReply<'grant'>,
  { adapter, language }: RenderContext,
): Promise<Rendered | null> {
  const { campaign, ...grant } = await ctx.db.grant.findUniqueOrThrow({
    where: { id: reply.data.grantId },
    include: { campaign: true },
  });
  const sponsor = await ctx.db.handle.findUniqueOrThrow({ where: { id: campaign.handleId }, select: { slug: true } });
  const about = {
    amount: { amount: formatUnits(unitsOf(grant.units), campaign.decimals), asset: 'USDC' },
    sponsor: `${sponsor.slug}@ampersat`,
    campaign: quiet(campaign.name),
    chain: chainLabel(campaign.chain),
  };
  if (grant.status === 'paid') return plain(say(language, 'grant-paid', about));
  if (grant.status !== 'queued' || !grant.waiting) return plain(say(language, 'grant-over', about));
  const date = inUtc(language, campaign.expiresAt.getTime());
  return plain(say(language, 'grant-waits', { ...about, date }), [
    [adapter.connectButton(say(language, 'button-connect'))],
  ]);
}
