// Transactions that pay grants: what each block says about each of them. And the one that closes a campaign.
import { type CampaignEntry, type FailedGrant, readCampaignReceipt } from '../../../chain/logs/campaigns.ts';
import { readCampaign } from '../../../chain/routers/campaign.ts';
import { decodeRevert, type RevertReason, simulateCall } from '../../../chain/routers/reverts.ts';
import type { Address, EvmChain, Hex, TransactionReceipt } from '../../../chain/rpc/client.ts';
import type { Ctx } from '../../../context.ts';
import type { GrantFailure } from '../../../domain/campaign.ts';
import { workingExecutor } from '../../outgoing/keys.ts';
import { NOTHING, type Outgoing, type OutgoingKind, ofEvm, type Write } from '../../outgoing/kinds.ts';
import { type Transition, transition, transitionOne } from '../../transitions.ts';
import { wake } from '../../wake.ts';
import { minedReceipt } from '../minedReceipt.ts';
import { unitsOf } from '../views.ts';
import { applyCampaignLogs, type CampaignLog } from './indexing.ts';
import { batchRows, release } from './rows.ts';
import type { Campaign, Grant } from './views.ts';

/** Of each grant of a batch, by its id: paid, to be sent again, or why it failed. */
export type GrantOutcomes = Record<string, 'paid' | 'again' | GrantFailure>;

/** What is sent again waits for this long: the sponsor may have to act first. */
const AGAIN_MS = 60_000;

export const grantsKind: OutgoingKind = ofEvm({
  async check(ctx, chain, { subjectId: id, toAddress, data }) {
    const batch = await ctx.db.grantBatch.findUniqueOrThrow({ where: { id } });
    const campaign = await ctx.db.campaign.findUniqueOrThrow({ where: { id: batch.campaignId } });
    const rows = await batchRows(ctx.db, id);
    const isOver = campaign.status !== 'active' || campaign.expiresAt.getTime() <= ctx.clock.now();
    if (isOver) return putBack(ctx, id, rows);
    const account = await workingExecutor(ctx, chain);
    const refusal = await simulateCall(chain, { account, to: toAddress as Address, data: data as Hex });
    if (refusal?.name === 'Paused') return 'wait';
    const [first] = rows;
    // A grant that fails among others is reported by the router; one that is alone would take its transaction with it.
    if (!refusal || batch.size > 1 || !first) return null;
    const outcomes: GrantOutcomes = { [first.id]: await failureOf(chain, campaign, first, refusal) };
    return async (tx) => {
      await settle(ctx, tx, rows, outcomes);
      await finish(ctx, tx, id, outcomes);
    };
  },
  async onMined(ctx, chain, { subjectId: id, succeeded }, receipt) {
    const outcomes = await outcomesOf(ctx, chain, id, receipt, succeeded === true);
    return async (tx) => void (await transitionOne(ctx, tx, 'grant_batch', id, 'mine', { outcomes }));
  },
  onUnmined: async (ctx, { subjectId: id }) => {
    return async (tx) => void (await transitionOne(ctx, tx, 'grant_batch', id, 'unmine', { outcomes: null }));
  },
  async onFinal(ctx, chain, outgoing) {
    const { subjectId: id, succeeded } = outgoing;
    const { receipt, logs } = await campaignLogs(chain, outgoing);
    const rows = await batchRows(ctx.db, id);
    const batch = await ctx.db.grantBatch.findUniqueOrThrow({ where: { id } });
    // As of its block: what the sponsor has now says nothing about why one failed then.
    const outcomes =
      (batch.outcomes as GrantOutcomes | null) ?? (await outcomesOf(ctx, chain, id, receipt, succeeded === true));
    return async (tx) => {
      await applyCampaignLogs(ctx, tx, chain, logs);
      await settle(ctx, tx, rows, outcomes);
      await finish(ctx, tx, id, outcomes);
    };
  },
  onLost: async (ctx, _chain, { subjectId: id }) => putBack(ctx, id, await batchRows(ctx.db, id)),
});

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
  chain: EvmChain,
  batchId: string,
  receipt: Pick<TransactionReceipt, 'logs'>,
  succeeded: boolean,
): Promise<GrantOutcomes> {
  const rows = await batchRows(ctx.db, batchId);
  if (!succeeded || rows.length === 0) return Object.fromEntries(rows.map(({ id }) => [id, 'again' as const]));
  const { campaignId } = await ctx.db.grantBatch.findUniqueOrThrow({ where: { id: batchId } });
  const campaign = await ctx.db.campaign.findUniqueOrThrow({ where: { id: campaignId } });
  const { entries, failed } = readCampaignReceipt(chain, receipt);
  const paid = new Set(entries.flatMap((entry: CampaignEntry) => (entry.kind === 'paid' ? [entry.recipientKey] : [])));
  const reasons = new Map(failed.map((one: FailedGrant) => [one.recipientKey, one.reason]));
  const outcomes: GrantOutcomes = {};
  for (const row of rows) {
    const number = BigInt(row.recipientKey);
    const reason = reasons.get(number);
    if (paid.has(number)) outcomes[row.id] = 'paid';
    else
      outcomes[row.id] = reason === undefined ? 'again' : await failureOf(chain, campaign, row, decodeRevert(reason));
  }
  return outcomes;
}

const FAILURES: Readonly<Record<string, GrantFailure>> = {
  CampaignIsClosed: 'campaign_closed',
  Expired: 'campaign_expired',
  CampaignExhausted: 'budget_exhausted',
  GrantTooLarge: 'grant_too_large',
  InvalidRecipient: 'recipient_refused',
};

/** A number that is paid already waits for the feed, which has whom it paid. */
async function failureOf(
  chain: EvmChain,
  campaign: Campaign,
  row: Grant,
  { name }: RevertReason,
): Promise<GrantFailure | 'again'> {
  const known = FAILURES[name];
  if (known !== undefined) return known;
  if (name !== 'TransferFailed') return 'again';
  const state = await readCampaign(chain, campaign.campaignKey as Hex, campaign.sponsor as Address);
  const units = unitsOf(row.units);
  return state.balance < units || state.allowance < units ? 'again' : 'token_refused';
}

async function campaignLogs(
  chain: EvmChain,
  outgoing: Pick<Outgoing, 'minedHash'>,
): Promise<{ receipt: TransactionReceipt; logs: CampaignLog[] }> {
  const { receipt, at } = await minedReceipt(chain, outgoing);
  const { entries } = readCampaignReceipt(chain, receipt);
  return { receipt, logs: entries.map((entry: CampaignEntry) => ({ ...entry, at })) };
}

export const campaignCloseKind: OutgoingKind = ofEvm({
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
});

/** The sponsor may request it once more. */
function askAgain(id: string) {
  return async (tx: Tx) => void (await tx.campaign.updateMany({ where: { id }, data: { closeAskedAt: null } }));
}
