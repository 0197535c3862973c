// Transactions that pay grants: what each block says about each of them. And the one that closes a campaign.
import { simulateQueued } from '../../../chain/calls.ts';
import { type CampaignEffects, campaignEffects, finalCampaignEffects } from '../../../chain/campaignEvents.ts';
import { readCampaign } from '../../../chain/campaigns.ts';
import type { Chain } from '../../../chain/chain.ts';
import type { RevertReason } from '../../../chain/routers/reverts.ts';
import type { Ctx } from '../../../context.ts';
import type { GrantFailure } from '../../../domain/campaign.ts';
import { workingExecutor } from '../../outgoing/keys.ts';
import { NOTHING, type Outgoing, type OutgoingKind, type Write } from '../../outgoing/kinds.ts';
import { type Transition, transition, transitionOne } from '../../transitions.ts';
import { wake } from '../../wake.ts';
import { unitsOf } from '../views.ts';
import { applyCampaignLogs, type CampaignLog } from './indexing.ts';
import { batchRows, release } from './rows.ts';
import { termsOf } from './terms.ts';
import type { Campaign, Grant } from './views.ts';

/** Of each grant of a batch, by its id: paid, to be sent again, or why it failed. */
export type GrantOutcomes = Record<string, 'paid' | 'again' | GrantFailure>;

/** What is sent again waits for this long: the sponsor may have to act first. */
const AGAIN_MS = 60_000;

export const grantsKind: OutgoingKind = {
  async check(ctx, chain, { subjectId: id, toAddress: to, data, gas }) {
    const batch = await ctx.db.grantBatch.findUniqueOrThrow({ where: { id } });
    const campaign = await ctx.db.campaign.findUniqueOrThrow({ where: { id: batch.campaignId } });
    const rows = await batchRows(ctx.db, id);
    const isOver = campaign.status !== 'active' || campaign.expiresAt.getTime() <= ctx.clock.now();
    if (isOver) return putBack(ctx, id, rows);
    const address = await workingExecutor(ctx, chain);
    const refusal = await simulateQueued(chain, { to, data, gas }, address);
    if (refusal?.name === 'Paused') return 'wait';
    const [first] = rows;
    if (!refusal || !first) return null;
    const terms = await termsOf(chain, campaign);
    // A grant that fails among others is reported by the router; where it takes its transaction with it, it is found first.
    if (batch.size > 1 && !terms.isAtomic) return null;
    const outcomes: GrantOutcomes = {};
    for (const row of rows) {
      const alone = batch.size === 1 ? refusal : await simulateQueued(chain, terms.call([paymentOf(row)]), address);
      if (alone) outcomes[row.id] = await failureOf(chain, campaign, row, alone);
    }
    // Each alone would be paid, and not all together: the first goes alone, the others later.
    if (Object.keys(outcomes).length === 0) for (const { id: other } of rows.slice(1)) outcomes[other] = 'again';
    return async (tx) => {
      await settle(ctx, tx, rows, outcomes);
      await release(
        ctx,
        tx,
        rows.filter((row) => outcomes[row.id] === undefined),
      );
      await finish(ctx, tx, id, outcomes);
      await wake(tx, 'grants');
    };
  },
  async onMined(ctx, chain, { subjectId: id, succeeded }, receipt) {
    const outcomes = await outcomesOf(ctx, chain, id, campaignEffects(chain, receipt), succeeded === true);
    return async (tx) => void (await transitionOne(ctx, tx, 'grant_batch', id, 'mine', { outcomes }));
  },
  onUnmined: async (ctx, { subjectId: id }) => {
    return async (tx) => void (await transitionOne(ctx, tx, 'grant_batch', id, 'unmine', { outcomes: null }));
  },
  async onFinal(ctx, chain, outgoing) {
    const { subjectId: id, succeeded } = outgoing;
    const { logs, effects } = await campaignLogs(chain, outgoing);
    const rows = await batchRows(ctx.db, id);
    const batch = await ctx.db.grantBatch.findUniqueOrThrow({ where: { id } });
    // As of its block: what the sponsor has now says nothing about why one failed then.
    const outcomes =
      (batch.outcomes as GrantOutcomes | null) ?? (await outcomesOf(ctx, chain, id, effects, succeeded === true));
    return async (tx) => {
      await applyCampaignLogs(ctx, tx, chain, logs);
      await settle(ctx, tx, rows, outcomes);
      await finish(ctx, tx, id, outcomes);
    };
  },
  onLost: async (ctx, _chain, { subjectId: id }) => putBack(ctx, id, await batchRows(ctx.db, id)),
};

function paymentOf({ recipientKey: number, address, units, opensAccount }: Grant) {
  return { number, recipient: address ?? '', units: unitsOf(units), opensAccount };
}

/** Nothing of it was paid: the next run looks at each again. */
function putBack(ctx: Ctx, batchId: string, rows: readonly Grant[]): Write {
  return async (tx) => {
    await release(ctx, tx, rows);
    await finish(ctx, tx, batchId, {});
    await wake(tx, 'grants');
  };
}

type Tx = Parameters<typeof transition>[1];

async function finish(ctx: Ctx, tx: Tx, id: string, outcomes: GrantOutcomes): Promise<void> {
  await transitionOne(ctx, tx, 'grant_batch', id, 'finish', { outcomes, endedAt: new Date(ctx.clock.now()) });
}

/** What was paid is so by the log; the rest fails, or goes back into the queue. */
async function settle(ctx: Ctx, tx: Tx, rows: readonly Grant[], outcomes: GrantOutcomes): Promise<void> {
  const failed = rows.flatMap(({ id }): Transition<'grant'>[] => {
    const outcome = outcomes[id];
    if (outcome === undefined || outcome === 'paid' || outcome === 'again') return [];
    return [{ id, action: 'fail', from: 'sent', patch: { failure: outcome, batchId: null } }];
  });
  await transition(ctx, tx, 'grant', failed);
  const again = rows.filter(({ id }) => outcomes[id] === 'again');
  await release(ctx, tx, again, new Date(ctx.clock.now() + AGAIN_MS));
}

async function outcomesOf(
  ctx: Ctx,
  chain: Chain,
  batchId: string,
  { entries, failed }: CampaignEffects,
  succeeded: boolean,
): Promise<GrantOutcomes> {
  const rows = await batchRows(ctx.db, batchId);
  if (!succeeded || rows.length === 0) return Object.fromEntries(rows.map(({ id }) => [id, 'again' as const]));
  const { campaignId } = await ctx.db.grantBatch.findUniqueOrThrow({ where: { id: batchId } });
  const campaign = await ctx.db.campaign.findUniqueOrThrow({ where: { id: campaignId } });
  const paid = new Set(entries.flatMap((entry) => (entry.kind === 'paid' ? [entry.recipientKey] : [])));
  const reasons = new Map(failed.map((one) => [one.recipientKey, one.reason]));
  const outcomes: GrantOutcomes = {};
  for (const row of rows) {
    const number = BigInt(row.recipientKey);
    const reason = reasons.get(number);
    if (paid.has(number)) outcomes[row.id] = 'paid';
    else outcomes[row.id] = reason === undefined ? 'again' : await failureOf(chain, campaign, row, reason);
  }
  return outcomes;
}

const FAILURES: Readonly<Record<string, GrantFailure>> = {
  CampaignIsClosed: 'campaign_closed',
  CampaignClosed: 'campaign_closed',
  UnknownRecipient: 'places_used',
  Expired: 'campaign_expired',
  CampaignExhausted: 'budget_exhausted',
  GrantTooLarge: 'grant_too_large',
  InvalidRecipient: 'recipient_refused',
};

/** A number that is paid already waits for the feed, which has whom it paid. */
async function failureOf(
  chain: Chain,
  campaign: Campaign,
  row: Grant,
  { name }: RevertReason,
): Promise<GrantFailure | 'again'> {
  const known = FAILURES[name];
  if (known !== undefined) return known;
  if (name !== 'TransferFailed') return 'again';
  const state = await readCampaign(chain, campaign.campaignKey, campaign.sponsor);
  const units = unitsOf(row.units);
  return state.balance < units || state.allowance < units ? 'again' : 'token_refused';
}

async function campaignLogs(
  chain: Chain,
  { minedHash }: Pick<Outgoing, 'minedHash'>,
): Promise<{ effects: CampaignEffects; logs: CampaignLog[] }> {
  const { at, ...effects } = await finalCampaignEffects(chain, minedHash);
  return { effects, logs: effects.entries.map((entry) => ({ ...entry, at })) };
}

export const campaignCloseKind: OutgoingKind = {
  async check(ctx, _chain, { subjectId: id }) {
    const { status } = await ctx.db.campaign.findUniqueOrThrow({ where: { id } });
    return status === 'active' ? null : NOTHING;
  },
  async onFinal(ctx, chain, outgoing) {
    if (!outgoing.succeeded) return askAgain(outgoing.subjectId);
    const { logs } = await campaignLogs(chain, outgoing);
    return (tx) => applyCampaignLogs(ctx, tx, chain, logs);
  },
  onLost: async (_ctx, _chain, { subjectId }) => askAgain(subjectId),
};

/** The sponsor may request it once more. */
function askAgain(id: string) {
  return async (tx: Tx) => void (await tx.campaign.updateMany({ where: { id }, data: { closeAskedAt: null } }));
}
