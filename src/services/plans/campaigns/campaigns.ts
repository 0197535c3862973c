// A sponsor's campaigns: staged with the exact call that its wallet is to make, listed, closed by an executor at its request, dropped when never opened.

import type { SignedCall, TransactionToSign } from '../../../chain/calls.ts';
import { readCampaignTransaction } from '../../../chain/campaignEvents.ts';
import {
  type CampaignTerms,
  campaignKey,
  campaignRent,
  campaignSalt,
  closeCampaignCall,
  hasPlaces,
  type OpeningCalls,
  PLACES,
  prepareOpening,
  prepareTakeBack,
  readCampaign,
  readOpening,
  readTakeBack,
  type WalletCall,
} from '../../../chain/campaigns.ts';
import type { Chain } from '../../../chain/chain.ts';
import { type Ctx, chainOf, newId } from '../../../context.ts';
import { decimalOf, type Tx } from '../../../db.ts';
import { CAMPAIGN_LASTS_MS, CAMPAIGN_STAGED_FOR_MS } from '../../../domain/campaign.ts';
import { canonicalChain } from '../../../domain/chains.ts';
import { AppError } from '../../../domain/errors.ts';
import { isId } from '../../../domain/ids.ts';
import { CALL_SIGNATURE_MS } from '../../../domain/limits.ts';
import { formatUnits } from '../../../domain/money.ts';
import { record } from '../../audit.ts';
import { isLive, servedChain } from '../../chains.ts';
import { wakeDeliveries } from '../../events.ts';
import { isKeyInUse } from '../../outgoing/keys.ts';
import { choosePayer } from '../../outgoing/payers.ts';
import { queueCall } from '../../outgoing/queue.ts';
import { queueRentReturns } from '../../outgoing/rent.ts';
import { readCursor, writeCursor } from '../../pagination.ts';
import { readPlainText } from '../../plainText.ts';
import { ANSWER_WITHIN_MS, pollWithin } from '../../polling.ts';
import { requireStake } from '../../spending/sponsorBudget.ts';
import { type CallView, noKey, sponsorCall, usedUp } from '../../spending/sponsoredCalls.ts';
import { transition } from '../../transitions.ts';
import { readUsdcAmount } from '../../usdcAmounts.ts';
import { findPayout, payeeOn } from '../../workspaces/payouts.ts';
import type { WorkspaceReader } from '../../workspaces/workspaces.ts';
import { mismatch } from '../proof.ts';
import { unitsOf } from '../views.ts';
import { applyCampaignLogs } from './indexing.ts';
import { type Campaign, type CampaignView, viewCampaign, viewCampaigns } from './views.ts';

/** USDC is written with six decimals everywhere, whatever the chain's token has. */
const NAME_MOST = 80;

export type CampaignInput = {
  name: string;
  chain: string;
  budget: string;
  most_per_grant?: string | undefined;
  /** ISO 8601, or Unix seconds as a number. */
  expires_at: string;
  /** Places for grants, on chains where the sponsor pays rent for them. */
  recipients?: number | undefined;
};

/**
 * Promises nothing yet: the campaign is active once the sponsor’s wallet has opened it on-chain.
 * @param isOperator an operator's campaigns may be of any workspace
 * @throws AppError `business_required`, `unsupported_chain`, `mode_mismatch`, `amount_out_of_range`, `parameter_invalid`, `state_conflict` for a workspace without a wallet
 */
export async function stageCampaign(
  ctx: Ctx,
  workspace: { id: string },
  input: CampaignInput,
  { livemode, isOperator = false, tx: within }: { livemode?: boolean | undefined; isOperator?: boolean; tx?: Tx } = {},
): Promise<CampaignView> {
  if (!Object.hasOwn(ctx.chains, canonicalChain(input.chain)))
    throw new AppError('unsupported_chain', undefined, { param: 'chain' });
  const chain = servedChain(ctx, input.chain);
  if (livemode !== undefined && livemode !== isLive(chain))
    throw new AppError('mode_mismatch', undefined, { param: 'chain' });
  const payout = await findPayout(within ?? ctx.db, { id: workspace.id });
  if (payout.kind !== 'business' && !isOperator) throw new AppError('business_required');
  const sponsor = payeeOn(payout, chain).payee;
  const total = readUsdcAmount(chain, input.budget, { param: 'budget', least: 1n });
  const most =
    input.most_per_grant === undefined
      ? total
      : readUsdcAmount(chain, input.most_per_grant, { param: 'most_per_grant', least: 1n });
  if (most > total)
    throw new AppError('parameter_invalid', 'most_per_grant can’t be above budget.', { param: 'most_per_grant' });
  const expiresAt = expiryOf(ctx, input.expires_at);
  const recipients = placesOf(chain, input.recipients);
  const name = readPlainText(input.name, 'name', NAME_MOST);
  if (name === null || name.includes('\n'))
    throw new AppError('parameter_invalid', `name must be one line of 1 to ${NAME_MOST} characters.`, {
      param: 'name',
    });
  const id = newId(ctx, 'cgr');
  const salt = campaignSalt(id);
  const write = async (tx: Tx) => {
    const row = await tx.campaign.create({
      data: {
        id,
        chain: chain.name,
        campaignKey: campaignKey(chain, { sponsor, salt, expiry: BigInt(expiresAt.getTime() / 1_000) }),
        salt,
        handleId: workspace.id,
        sponsor,
        livemode: isLive(chain),
        status: 'pending_create',
        name,
        token: chain.usdc,
        decimals: chain.facts.usdcDecimals,
        totalUnits: decimalOf(total),
        mostUnits: decimalOf(most),
        recipients,
        expiresAt,
        createdAt: new Date(ctx.clock.now()),
      },
    });
    await record(ctx, tx, {
      ...{ ...entryOf(row), action: 'campaign.created' },
      after: { name, budget: input.budget, expires_at: expiresAt.toISOString() },
    });
    return viewCampaign(ctx, tx, row);
  };
  return within ? write(within) : ctx.db.$transaction(write);
}

export const entryOf = ({ handleId: workspaceId, livemode, id }: Campaign) => ({
  workspaceId,
  livemode,
  object: { kind: 'campaign' as const, id },
});

function placesOf(chain: Chain, given: number | undefined): number | null {
  const param = 'recipients';
  if (!hasPlaces(chain)) {
    if (given === undefined) return null;
    throw new AppError('parameter_invalid', `${param} has no limit on ${chain.facts.label}. Leave it out.`, { param });
  }
  const places = given ?? PLACES.usual;
  if (Number.isInteger(places) && places >= 1 && places <= PLACES.most) return places;
  throw new AppError('parameter_invalid', `${param} must be from 1 to ${PLACES.most}.`, { param });
}

function expiryOf(ctx: Ctx, text: string): Date {
  const param = 'expires_at';
  const at = Date.parse(text);
  if (Number.isNaN(at))
    throw new AppError('parameter_invalid', 'expires_at must be a time such as "2027-01-31T00:00:00Z".', { param });
  const lasts = at - ctx.clock.now();
  if (lasts < CAMPAIGN_LASTS_MS.least || lasts > CAMPAIGN_LASTS_MS.most)
    throw new AppError('parameter_invalid', 'expires_at must be from 1 hour to 366 days from now.', { param });
  return new Date(Math.floor(at / 1_000) * 1_000);
}

/**
 * What the sponsor's wallet still has to send, or to sign for an executor to send.
 * @throws AppError `state_conflict` once it is open, `call_refused` where the wallet lacks the rent, `provider_unavailable`
 */
export async function openingCalls(
  ctx: Ctx,
  reader: WorkspaceReader,
  id: string,
): Promise<OpeningCalls | TransactionToSign> {
  const row = await stagedCampaign(ctx, reader, id);
  const chain = chainOf(ctx, row.chain);
  const prepared = await prepareOpening(chain, termsOf(row), await choosePayer(ctx, chain, 0));
  if (!('shortage' in prepared)) return prepared;
  const { native, nativeDecimals, label } = chain.facts;
  const [needs, has] = [prepared.shortage.needs, prepared.shortage.has].map((units) =>
    formatUnits(units, nativeDecimals),
  );
  const words = `The sponsor’s wallet needs ${needs} ${native} on ${label} for the campaign’s account; it has ${has}. It gets the rent back when the campaign is over.`;
  throw new AppError('call_refused', words);
}

async function stagedCampaign(ctx: Ctx, reader: WorkspaceReader, id: string): Promise<Campaign> {
  const row = await ownCampaign(ctx.db, reader, id);
  if (row.status !== 'pending_create') throw new AppError('state_conflict', 'This campaign is opened already.');
  return row;
}

function termsOf(row: Campaign): CampaignTerms {
  const { sponsor, token, recipients } = row;
  return {
    sponsor,
    salt: row.salt as CampaignTerms['salt'],
    token,
    total: unitsOf(row.totalUnits),
    mostPerGrant: unitsOf(row.mostUnits),
    expiry: BigInt(row.expiresAt.getTime() / 1_000),
    recipients,
  };
}

/**
 * Sends the opening that the sponsor's wallet has signed whole, as {@link openingCalls} gave it. The campaign opens once that is final. The same
 * transaction twice is one call.
 * @param transaction in base64
 * @throws AppError as {@link openingCalls}; `signature_invalid` for anything else than it gave, `call_refused`, `rate_limited`
 */
export async function openSigned(
  ctx: Ctx,
  reader: WorkspaceReader,
  id: string,
  transaction: string,
): Promise<{ campaign: CampaignView; request: CallView }> {
  const row = await stagedCampaign(ctx, reader, id);
  const signed = await readOpening(chainOf(ctx, row.chain), termsOf(row), transaction);
  const request = await sponsor(ctx, row, 'campaign_open', signed);
  return { campaign: await getCampaign(ctx, reader, id), request };
}

async function sponsor(
  ctx: Ctx,
  row: Campaign,
  kind: 'campaign_open' | 'campaign_allowance',
  signed: SignedCall | null,
): Promise<CallView> {
  if (!signed) throw new AppError('signature_invalid');
  const chain = chainOf(ctx, row.chain);
  const { call, number, payer } = signed;
  const use = `${kind}:${chain.name}:${row.campaignKey}:${number}`;
  const deadline = Math.floor((ctx.clock.now() + CALL_SIGNATURE_MS) / 1_000);
  return sponsorCall(
    ctx,
    { handleId: row.handleId, kind, chain, use, isWhole: true, ...call, deadline },
    {
      async before() {
        if (!(await isKeyInUse(ctx, chain, payer))) throw noKey(chain);
        await requireStake(ctx, row.handleId, chain, row.sponsor);
      },
      async within(tx) {
        // What was signed as a whole is sent once, also when it has failed.
        if ((await tx.sponsoredCall.count({ where: { use } })) > 0) throw usedUp();
      },
    },
  );
}

/**
 * The sponsor says that its wallet opened or closed a campaign. It is so once that is final; until then the feed brings it.
 * @throws AppError `resource_missing`; `tx_not_found`; `tx_mismatch` for a transaction that did nothing to this campaign; `provider_unavailable`
 */
export async function confirmCampaign(
  ctx: Ctx,
  reader: WorkspaceReader,
  id: string,
  txHash: string,
  { waitMs = ANSWER_WITHIN_MS }: { waitMs?: number } = {},
): Promise<CampaignView> {
  const row = await ownCampaign(ctx.db, reader, id);
  const chain = chainOf(ctx, row.chain);
  const found = await readCampaignTransaction(chain, txHash);
  if (!found) throw new AppError('tx_not_found', undefined, { param: 'txHash' });
  if (!found.succeeded) throw mismatch('This transaction failed, so nothing was changed.');
  if (!found.entries.some(({ campaignKey }) => campaignKey === row.campaignKey))
    throw mismatch('This transaction did nothing to this campaign.');
  const final = await pollWithin(ctx, waitMs, () => found.final());
  if (final) {
    const logs = final.entries.map((entry) => ({ ...entry, at: final.at }));
    await ctx.db.$transaction((tx) => applyCampaignLogs(ctx, tx, chain, logs));
    await wakeDeliveries(ctx);
  }
  return getCampaign(ctx, reader, id);
}

/**
 * What takes the unused budget of a closed campaign out of the allowance, to send or to sign; null where nothing is left of it.
 * @throws AppError `resource_missing`, `state_conflict` before it is over, `provider_unavailable`
 */
export async function takeBackCall(
  ctx: Ctx,
  reader: WorkspaceReader,
  id: string,
): Promise<{ approve: WalletCall | TransactionToSign | null }> {
  const row = await overCampaign(ctx, reader, id);
  if (row.takenBackAt !== null) return { approve: null };
  const chain = chainOf(ctx, row.chain);
  const { allowance, total, spent } = await readCampaign(chain, row.campaignKey, row.sponsor);
  // Where the chain has forgotten it, its events count.
  const rest = total > 0n ? total - spent : unitsOf(row.totalUnits) - (await paidUnits(ctx, row));
  const payer = await choosePayer(ctx, chain, 0);
  return { approve: await prepareTakeBack(chain, { sponsor: row.sponsor, rest, allowance }, payer) };
}

async function overCampaign(ctx: Ctx, reader: WorkspaceReader, id: string): Promise<Campaign> {
  const row = await ownCampaign(ctx.db, reader, id);
  const isOver = row.status === 'closed' || row.expiresAt.getTime() <= ctx.clock.now();
  if (!isOver) throw new AppError('state_conflict', 'Close the campaign first.');
  return row;
}

async function paidUnits(ctx: Ctx, { chain, campaignKey }: Campaign): Promise<bigint> {
  const { _sum } = await ctx.db.campaignLog.aggregate({
    where: { chain, campaignKey, kind: 'paid' },
    _sum: { units: true },
  });
  return _sum.units ? unitsOf(_sum.units) : 0n;
}

/**
 * Sends the lowered allowance that the sponsor's wallet has signed whole, as {@link takeBackCall} gave it.
 * @param transaction in base64
 * @throws AppError as {@link takeBackCall}; `signature_invalid` for anything else than it gave, `call_refused`, `rate_limited`
 */
export async function takeBackSigned(
  ctx: Ctx,
  reader: WorkspaceReader,
  id: string,
  transaction: string,
): Promise<{ campaign: CampaignView; request: CallView }> {
  const row = await overCampaign(ctx, reader, id);
  const signed = await readTakeBack(chainOf(ctx, row.chain), row.sponsor, transaction);
  const request = await sponsor(ctx, row, 'campaign_allowance', signed);
  return { campaign: await getCampaign(ctx, reader, id), request };
}

/** The wallet lowered its allowance: once more would lower what chat tips may draw. @throws AppError `resource_missing` */
export async function noteTakenBack(ctx: Ctx, reader: WorkspaceReader, id: string): Promise<CampaignView> {
  const row = await ownCampaign(ctx.db, reader, id);
  const takenBackAt = new Date(ctx.clock.now());
  await ctx.db.$transaction((tx) =>
    tx.campaign.updateMany({ where: { id, takenBackAt: null }, data: { takenBackAt } }),
  );
  return viewCampaign(ctx, ctx.db, row);
}

/** @throws AppError `resource_missing`, also for another workspace’s and for one of the other mode */
export async function ownCampaign(tx: Tx, { workspaceId, livemode }: WorkspaceReader, id: string): Promise<Campaign> {
  const row = isId('cgr', id) ? await tx.campaign.findUnique({ where: { id } }) : null;
  const isOwn = row?.handleId === workspaceId && (livemode ?? row.livemode) === row.livemode;
  if (!row || !isOwn || row.status === 'dropped')
    throw new AppError('resource_missing', 'No such campaign. Check the ID.');
  return row;
}

/** @throws AppError `resource_missing` */
export async function getCampaign(ctx: Ctx, reader: WorkspaceReader, id: string): Promise<CampaignView> {
  return viewCampaign(ctx, ctx.db, await ownCampaign(ctx.db, reader, id));
}

/** The newest first. @throws AppError `parameter_invalid` for a cursor that is not ours */
export async function listCampaigns(
  ctx: Ctx,
  { workspaceId: handleId, livemode }: WorkspaceReader,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ data: CampaignView[]; nextCursor: string | null }> {
  const rows = await ctx.db.campaign.findMany({
    where: {
      handleId,
      status: { not: 'dropped' },
      ...(livemode === undefined ? {} : { livemode }),
      ...(cursor === undefined ? {} : { id: { lt: readCursor('cgr', cursor) } }),
    },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { data: await viewCampaigns(ctx, ctx.db, page), nextCursor: last ? writeCursor(last.id) : null };
}

/** An executor closes it at the sponsor’s request. Once more changes nothing. @throws AppError `resource_missing`, `state_conflict` before it is open */
export async function requestClose(ctx: Ctx, reader: WorkspaceReader, id: string): Promise<CampaignView> {
  const row = await ownCampaign(ctx.db, reader, id);
  if (row.status === 'pending_create') throw new AppError('state_conflict', 'This campaign isn’t open.');
  const chain = chainOf(ctx, row.chain);
  await ctx.db.$transaction(async (tx) => {
    const { count } = await tx.campaign.updateMany({
      where: { id, status: 'active', closeAskedAt: null },
      data: { closeAskedAt: new Date(ctx.clock.now()) },
    });
    if (count === 0) return;
    await record(ctx, tx, { ...{ ...entryOf(row), action: 'campaign.close_requested' }, before: { name: row.name } });
    const call = closeCampaignCall(chain, row.campaignKey);
    await queueCall(ctx, tx, chain.name, { kind: 'campaign_close', subjectId: id, ...call });
  });
  return getCampaign(ctx, reader, id);
}

const PAGE = 200;

/** Drops what was staged a week ago and not opened since. A chain that shows it after all still opens it. */
export async function dropStagedCampaigns(ctx: Ctx): Promise<number> {
  const stale = await ctx.db.campaign.findMany({
    where: { status: 'pending_create', createdAt: { lte: new Date(ctx.clock.now() - CAMPAIGN_STAGED_FOR_MS) } },
    select: { id: true },
    take: PAGE,
  });
  const moves = stale.map(({ id }) => ({ id, action: 'drop' as const }));
  return (await ctx.db.$transaction((tx) => transition(ctx, tx, 'campaign', moves))).size;
}

/** Clocks differ: nothing is deleted at the very second. */
const RENT_AFTER_MS = 3_600_000;
/** Rent that a longer pause of the workers leaves behind stays. */
const RENT_WITHIN_MS = 30 * 86_400_000;
const MOST_RENTS = 500;

/** Queues the deletion of what campaigns that are over left on the chain: their rent goes back to who paid it. @returns how many are queued now */
export async function queueCampaignRent(ctx: Ctx, chain: Chain): Promise<number> {
  if (!hasPlaces(chain)) return 0;
  const ago = (ms: number) => new Date(ctx.clock.now() - ms);
  const rows = await ctx.db.campaign.findMany({
    where: {
      chain: chain.name,
      openTxHash: { not: null },
      expiresAt: { gt: ago(RENT_WITHIN_MS), lt: ago(RENT_AFTER_MS) },
    },
    orderBy: { expiresAt: 'desc' },
    select: { campaignKey: true },
    take: MOST_RENTS,
  });
  if (rows.length === 0) return 0;
  const found = await campaignRent(
    chain,
    rows.map((row) => row.campaignKey),
  );
  return queueRentReturns(ctx, chain, found);
}
