// A dispatch run: finds the grants that can be paid now, says why others cannot, and sends them in batches. The router pays each number once, so any
// run may be repeated.
import { type CampaignState, type GrantTerms, readCampaign } from '../../../chain/campaigns.ts';
import type { Chain } from '../../../chain/chain.ts';
import { type Ctx, newId } from '../../../context.ts';
import type { CampaignProblem, GrantFailure } from '../../../domain/campaign.ts';
import type { ChainName } from '../../../domain/chains.ts';
import { AppError } from '../../../domain/errors.ts';
import { runShared } from '../../exclusiveRuns.ts';
import { lockKey } from '../../locks.ts';
import { queueCall } from '../../outgoing/queue.ts';
import { type Transition, transition } from '../../transitions.ts';
import { minedBatches } from '../minedBatches.ts';
import { unitsOf } from '../views.ts';
import type { GrantOutcomes } from './grantsKind.ts';
import { failQueued, judge, moneyOf, type Payable, poorBy } from './judging.ts';
import { duePage, PAGE } from './rows.ts';
import { type DispatchRun, emptyRun, noteFailure } from './run.ts';
import { termsOf } from './terms.ts';
import type { Campaign } from './views.ts';

/** A run queues for this long; the next run goes on. */
const SENDING_MS = 60_000;
/** Then it waits for blocks; what is in none by then is followed all the same. */
const MINED_WITHIN_MS = 45_000;
export type Timing = { sendingMs?: number; minedWithinMs?: number };

/**
 * One run on a chain, at most one at a time: a call during a run waits for that one and answers with its result.
 * @throws AppError `unsupported_chain` for a chain that is not served here, `provider_unavailable`
 */
export async function dispatchGrants(ctx: Ctx, name: ChainName, timing: Timing = {}): Promise<DispatchRun> {
  const chain = ctx.chains[name];
  if (!chain) throw new AppError('unsupported_chain', undefined, { param: 'chain' });
  return runShared(ctx, `dispatch-grants:${name}`, () => dispatchDue(ctx, chain, timing));
}

/** The same on every chain, summed. A chain that does not answer is left out, and named in the log. */
export async function dispatchEverywhere(ctx: Ctx): Promise<DispatchRun> {
  const runs = await Promise.all(
    Object.values(ctx.chains).map(({ name }) =>
      dispatchGrants(ctx, name).catch((err: unknown) => {
        ctx.log.warn({ err, chain: name }, 'grants were not dispatched');
        return emptyRun();
      }),
    ),
  );
  const total = emptyRun();
  for (const run of runs) {
    for (const name of ['scanned', 'sent', 'paid', 'waiting', 'failed'] as const) total[name] += run[name];
    total.errors.push(...run.errors);
  }
  return total;
}

async function dispatchDue(
  ctx: Ctx,
  chain: Chain,
  { sendingMs = SENDING_MS, minedWithinMs = MINED_WITHIN_MS }: Timing,
): Promise<DispatchRun> {
  const until = performance.now() + sendingMs;
  const run = emptyRun();
  const batches: string[] = [];
  for (const campaign of await campaignsWithGrants(ctx, chain)) {
    const isLate = () => performance.now() >= until || ctx.shutdown.closing();
    batches.push(...(await dispatchCampaign(ctx, chain, campaign, run, isLate)));
  }
  await ctx.queues.flush(ctx.db);
  await collect(ctx, run, batches, minedWithinMs);
  return run;
}

function campaignsWithGrants(ctx: Ctx, chain: Chain): Promise<Campaign[]> {
  return ctx.db.campaign.findMany({
    where: { chain: chain.name, status: { in: ['active', 'closed'] }, grants: { some: { status: 'queued' } } },
    orderBy: { id: 'asc' },
  });
}

/** @returns the batches that it queued */
async function dispatchCampaign(
  ctx: Ctx,
  chain: Chain,
  campaign: Campaign,
  run: DispatchRun,
  isLate: () => boolean,
): Promise<string[]> {
  const over = overBy(ctx, campaign);
  if (over) {
    await failAll(ctx, campaign, over, run);
    return [];
  }
  const state = await readCampaign(chain, campaign.campaignKey, campaign.sponsor);
  const money = await moneyOf(ctx, campaign, state);
  let problem = standing(state);
  const terms = await termsOf(chain, campaign);
  const batches: string[] = [];
  for (let after = -1; problem === null; ) {
    const page = await duePage(ctx, campaign, after);
    const last = page.at(-1);
    if (!last) break;
    if (isLate()) {
      run.errors.push({ campaign: campaign.id, grant: null, code: 'more_due' });
      break;
    }
    after = last.recipientKey;
    run.scanned += page.length;
    const { payable, poor } = await judge(ctx, chain, campaign, page, money, run);
    problem = poor ? poorBy(state) : null;
    for (const pack of terms.pack(payable.map(toPay))) {
      const batch = await queueBatch(ctx, chain, campaign, terms, pack);
      run.sent += batch.size;
      if (batch.size > 0) batches.push(batch.id);
    }
    await ctx.queues.flush(ctx.db);
    if (page.length < PAGE) break;
  }
  if (problem !== null) run.errors.push({ campaign: campaign.id, grant: null, code: problem });
  if (problem !== campaign.problem) await ctx.db.campaign.update({ where: { id: campaign.id }, data: { problem } });
  return batches;
}

function overBy(ctx: Ctx, { status, expiresAt }: Campaign): GrantFailure | null {
  if (status === 'closed') return 'campaign_closed';
  return expiresAt.getTime() <= ctx.clock.now() ? 'campaign_expired' : null;
}

/** What stands in the way of all grants. A campaign that was closed just now comes with the feed. */
function standing(state: CampaignState): CampaignProblem | null {
  if (state.routerPaused) return 'router_paused';
  if (state.sponsorPaused) return 'sponsor_paused';
  return state.balance === 0n || state.allowance === 0n ? poorBy(state) : null;
}

/** What was queued of a campaign that is over. */
async function failAll(ctx: Ctx, campaign: Campaign, code: GrantFailure, run: DispatchRun): Promise<void> {
  for (;;) {
    const where = { campaignId: campaign.id, status: 'queued' };
    const rows = await ctx.db.grant.findMany({ where, select: { id: true }, take: PAGE });
    run.scanned += rows.length;
    await ctx.db.$transaction((tx) =>
      failQueued(
        ctx,
        tx,
        campaign,
        rows.map((row) => ({ row, code })),
        run,
      ),
    );
    if (rows.length < PAGE) return;
  }
}

type Pay = ReturnType<typeof toPay>;

function toPay(one: Payable) {
  const { row, address: recipient, opensAccount } = one;
  return { ...one, number: row.recipientKey, recipient, units: unitsOf(row.units), opensAccount };
}

/** Queues one transaction with those of the grants that are still queued. */
async function queueBatch(
  ctx: Ctx,
  chain: Chain,
  campaign: Campaign,
  terms: GrantTerms,
  payable: readonly Pay[],
): Promise<{ id: string; size: number }> {
  const id = newId(ctx, 'gbt');
  const size = await ctx.db.$transaction(async (tx) => {
    await lockKey(tx, `campaign:${campaign.id}`);
    const moves = payable.map(
      ({ row, address, handleId, opensAccount }): Transition<'grant'> => ({
        id: row.id,
        action: 'send',
        from: 'queued',
        patch: { batchId: id, address, handleId, opensAccount, waiting: false, failure: null, nextTryAt: null },
      }),
    );
    const moved = await transition(ctx, tx, 'grant', moves);
    const mine = payable.filter(({ row }) => moved.has(row.id));
    if (mine.length === 0) return 0;
    const createdAt = new Date(ctx.clock.now());
    await tx.grantBatch.create({
      data: { id, chain: chain.name, campaignId: campaign.id, status: 'open', size: mine.length, createdAt },
    });
    await queueCall(ctx, tx, chain.name, { kind: 'grants', subjectId: id, ...terms.call(mine) });
    return mine.length;
  });
  return { id, size };
}

/** Adds what blocks say about the batches of this run. */
async function collect(ctx: Ctx, run: DispatchRun, batches: readonly string[], withinMs: number): Promise<void> {
  const read = () => ctx.db.grantBatch.findMany({ where: { id: { in: [...batches] } } });
  for (const { campaignId, outcomes } of await minedBatches(ctx, batches, read, withinMs)) {
    for (const [grant, outcome] of Object.entries((outcomes ?? {}) as GrantOutcomes)) {
      if (outcome === 'paid') run.paid += 1;
      else if (outcome !== 'again') noteFailure(run, campaignId, grant, outcome);
    }
  }
}

/** For the workers’ loop. @returns how many grants it sent, so that a run that stopped early goes on at once */
export async function dispatchQueued(ctx: Ctx, chain: Chain): Promise<number> {
  if ((await campaignsWithGrants(ctx, chain)).length === 0) return 0;
  const { sent, errors } = await dispatchGrants(ctx, chain.name);
  return sent + Number(errors.some(({ code }) => code === 'more_due'));
}
