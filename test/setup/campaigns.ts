// Campaigns in a world: staged by a workspace, opened by its wallet, and dispatched while the workers work.
import { encodeFunctionData, erc20Abi } from 'viem';
import { mintUsdc } from '../../local/chains/deploy/usdc.ts';
import type { Address } from '../../src/chain/rpc/client.ts';
import { type CampaignInput, openingCalls, stageCampaign } from '../../src/services/plans/campaigns/campaigns.ts';
import { dispatchGrants } from '../../src/services/plans/campaigns/dispatch.ts';
import { addGrants, type GrantInput } from '../../src/services/plans/campaigns/grants.ts';
import type { DispatchRun } from '../../src/services/plans/campaigns/run.ts';
import type { Campaign, CampaignView, Grant } from '../../src/services/plans/campaigns/views.ts';
import { type Subscriptions, subscriptionsOf } from './subscriptions.ts';
import { localPerson, type World } from './world.ts';

const WEEK_MS = 7 * 86_400_000;

export type Campaigns = ReturnType<typeof campaignsOf>;

export function campaignsOf(world: World) {
  const subs: Subscriptions = subscriptionsOf(world);
  const { db } = world.ctx;
  const readerOf = async (slug: string) => ({
    workspaceId: (await db.handle.findUniqueOrThrow({ where: { slug } })).id,
  });
  const self = {
    ...subs,
    readerOf,
    /** Staged and not opened: 100 USDC on Base for a week by default. */
    async stage(slug: string, wish: Partial<CampaignInput> = {}): Promise<CampaignView> {
      const { workspaceId: id } = await readerOf(slug);
      const expires_at = new Date(world.ctx.clock.now() + WEEK_MS).toISOString();
      const input = { name: 'Spring rewards', chain: 'base', budget: '100', expires_at, ...wish };
      return stageCampaign(world.ctx, { id }, input, { isOperator: true });
    },
    /** What the sponsor's wallet sends. */
    async callsOf(slug: string, { id }: { id: string }) {
      const calls = await openingCalls(world.ctx, await readerOf(slug), id);
      if (!('open' in calls)) throw new Error('its wallet signs');
      return calls;
    },
    async openOnChain(slug: string, campaign: { id: string }): Promise<void> {
      const { approve, open } = await self.callsOf(slug, campaign);
      for (const call of approve ? [approve, open] : [open])
        await self.send(slug, call.to as Address, call.data as `0x${string}`);
      await self.settle();
    },
    async open(slug: string, wish: Partial<CampaignInput> = {}): Promise<CampaignView> {
      const campaign = await self.stage(slug, wish);
      await self.openOnChain(slug, campaign);
      return campaign;
    },
    add: async (slug: string, { id }: { id: string }, grants: GrantInput[], how: { dryRun?: boolean } = {}) =>
      addGrants(world.ctx, await readerOf(slug), id, grants, how),
    dispatch: (): Promise<DispatchRun> =>
      self.whileWorking(dispatchGrants(world.ctx, 'base', { minedWithinMs: 8_000 })),
    campaign: (id: string): Promise<Campaign> => db.campaign.findUniqueOrThrow({ where: { id } }),
    grants: (id: string): Promise<Grant[]> =>
      db.grant.findMany({ where: { campaignId: id }, orderBy: { recipientKey: 'asc' } }),
    fund: (name: string, amount: bigint) =>
      mintUsdc({
        rpcUrl: world.anvilOf().rpcUrl,
        usdc: world.evmChain().usdc,
        to: [self.addressOf(name)],
        amount,
      }),
    allow: (name: string, amount: bigint) => {
      const { usdc, routers } = world.evmChain();
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [routers.bot, amount] });
      return self.send(name, usdc, data);
    },
    addressOf: (name: string) => localPerson(name).address as Address,
  };
  return self;
}
