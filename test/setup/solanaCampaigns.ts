// Campaigns on a Solana cluster in a world: staged by a workspace, opened by its wallet's signature, and paid while slots pass by hand.
import { localSolanaKey } from '../../local/solana/keys.ts';
import { readCampaign } from '../../src/chain/campaigns.ts';
import { tokenAccount } from '../../src/chain/solana/addresses.ts';
import { indexChain } from '../../src/services/operations/feed.ts';
import {
  type CampaignInput,
  openingCalls,
  openSigned,
  stageCampaign,
} from '../../src/services/plans/campaigns/campaigns.ts';
import { dispatchGrants } from '../../src/services/plans/campaigns/dispatch.ts';
import { addGrants, type GrantInput } from '../../src/services/plans/campaigns/grants.ts';
import type { Campaign, CampaignView, Grant } from '../../src/services/plans/campaigns/views.ts';
import { signTransaction } from './signer.ts';
import { addSolana } from './solanaInWorld.ts';
import type { World } from './world.ts';

const WEEK_MS = 7 * 86_400_000;

export type SolanaCampaigns = Awaited<ReturnType<typeof startSolanaCampaigns>>;

export async function startSolanaCampaigns(world: World) {
  const { ctx } = world;
  const { db } = ctx;
  const solana = await addSolana(world);
  const { chain } = solana;
  const handleId = async (slug: string) => (await db.handle.findUniqueOrThrow({ where: { slug } })).id;
  const readerOf = async (slug: string) => ({ workspaceId: await handleId(slug) });
  const self = {
    solana,
    chain,
    handleId,
    readerOf,
    /** Our clock and the cluster's, of which some slots pass. */
    later(ms: number) {
      world.later(ms);
      solana.later(ms);
      solana.step(3);
    },
    /** Gives a handle a Solana wallet, with SOL, USDC and limits unless it is new to the chain. */
    async walletOf(slug: string, { name = slug, isNew = false } = {}): Promise<string> {
      const { address } = isNew ? localSolanaKey(name) : solana.person(name);
      const id = await handleId(slug);
      const createdAt = new Date(ctx.clock.now());
      await db.wallet.upsert({
        where: { handleId_family: { handleId: id, family: 'solana' } },
        create: { handleId: id, family: 'solana', address, createdAt },
        update: { address },
      });
      solana.step(3);
      return address;
    },
    /** The address of someone with a USDC account and nothing in it. */
    recipient: (name: string) => solana.person(name, { lamports: 0n, usdc: 0n }).address,
    async stage(slug: string, wish: Partial<CampaignInput> = {}): Promise<CampaignView> {
      const expires_at = new Date(ctx.clock.now() + WEEK_MS).toISOString();
      const input = { name: 'Spring rewards', chain: 'solana', budget: '100', expires_at, recipients: 64, ...wish };
      return stageCampaign(ctx, { id: await handleId(slug) }, input);
    },
    async toSign(slug: string, { id }: { id: string }): Promise<string> {
      solana.step();
      const prepared = await openingCalls(ctx, await readerOf(slug), id);
      if (!('solana_transaction' in prepared)) throw new Error('its wallet sends');
      return prepared.solana_transaction;
    },
    async openOnChain(slug: string, campaign: { id: string }, name = slug): Promise<void> {
      const signed = signTransaction(localSolanaKey(name), await self.toSign(slug, campaign));
      await openSigned(ctx, await readerOf(slug), campaign.id, signed);
      await self.settle();
    },
    async open(slug: string, wish: Partial<CampaignInput> = {}): Promise<CampaignView> {
      const campaign = await self.stage(slug, wish);
      await self.openOnChain(slug, campaign);
      return campaign;
    },
    add: async (slug: string, { id }: { id: string }, grants: GrantInput[], how: { dryRun?: boolean } = {}) =>
      addGrants(ctx, await readerOf(slug), id, grants, how),
    /** Sends what is queued, follows it to its final slot, and reads the events. */
    async settle() {
      await solana.run();
      await indexChain(ctx, chain);
    },
    /** One run, without waiting for slots: `settle` makes them. */
    async dispatch() {
      solana.step(3);
      return dispatchGrants(ctx, 'solana', { minedWithinMs: 0 });
    },
    async pay() {
      const run = await self.dispatch();
      await self.settle();
      return run;
    },
    campaign: (id: string): Promise<Campaign> => db.campaign.findUniqueOrThrow({ where: { id } }),
    async state(id: string) {
      const { campaignKey, sponsor } = await self.campaign(id);
      solana.step(3);
      return readCampaign(chain, campaignKey, sponsor);
    },
    grants: (id: string): Promise<Grant[]> =>
      db.grant.findMany({ where: { campaignId: id }, orderBy: { recipientKey: 'asc' } }),
    statuses: async (id: string) =>
      (await self.grants(id)).map(({ status, failure, waiting }) =>
        status === 'queued' && waiting ? 'waiting' : (failure ?? status),
      ),
    hasAccount: (owner: string) => solana.data(tokenAccount(owner, solana.usdc).address) !== null,
    stop: () => solana.stop(),
  };
  return self;
}
