// A sponsor's campaigns: staged with the exact call that its wallet is to make, listed, closed by an executor at its request, dropped when never opened.
import { readCampaignReceipt } from '../../../chain/logs/campaigns.ts';
import {
  campaignKeyOf,
  campaignSalt,
  encodeCloseCampaign,
  encodeOpenCampaign,
  readCampaign,
} from '../../../chain/routers/campaign.ts';
import type { Address, EvmChain, Hex } from '../../../chain/rpc/client.ts';
import { encodeApprove } from '../../../chain/signing/permits.ts';
import { type Ctx, evmChainOf, evmChains, newId } from '../../../context.ts';
import { decimalOf, type Tx } from '../../../db.ts';
import { CAMPAIGN_LASTS_MS, CAMPAIGN_STAGED_FOR_MS } from '../../../domain/campaign.ts';
import { canonicalChain } from '../../../domain/chains.ts';
import { AppError } from '../../../domain/errors.ts';
import { isId } from '../../../domain/ids.ts';
import { isLive, servedEvmChain } from '../../chains.ts';
import { queueCall } from '../../outgoing/queue.ts';
import { readCursor, writeCursor } from '../../pagination.ts';
import { readPlainText } from '../../plainText.ts';
import { ANSWER_WITHIN_MS } from '../../polling.ts';
import { transition } from '../../transitions.ts';
import { readUsdcAmount } from '../../usdcAmounts.ts';
import { findPayout, payeeOn } from '../../workspaces/payouts.ts';
import type { WorkspaceReader } from '../../workspaces/workspaces.ts';
import { mismatch, proveReceipt, whenFinal } from '../proof.ts';
import type { WalletCall } from '../staging.ts';
import { unitsOf } from '../views.ts';
import { applyCampaignLogs } from './indexing.ts';
import { type Campaign, type CampaignView, viewCampaign, viewCampaigns } from './views.ts';

/** USDC is written with six decimals everywhere, whatever the chain's token has. */
const NAME_MOST = 80;
/** More than any balance: the wallet set no limit. */
const UNLIMITED = 2n ** 160n;
/** Measured at 29,000. */
const CLOSE_GAS = 120_000n;

export type CampaignInput = {
  name: string;
  chain: string;
  budget: string;
  most_per_grant?: string | undefined;
  /** ISO 8601, or Unix seconds as a number. */
  expires_at: string;
};

/** The sponsor's calls: `approve` of the budget on top of what stands, null where the allowance has no limit, and `openCampaign`. */
export type OpeningCalls = { approve: WalletCall | null; open: WalletCall };

/**
 * Promises nothing yet: the campaign is active once the sponsor’s wallet has opened it on-chain.
 * @param isOperator an operator's campaigns may be of any workspace
 * @throws AppError `business_required`, `unsupported_chain`, `mode_mismatch`, `amount_out_of_range`, `parameter_invalid`, `state_conflict` for a workspace without a wallet
 */
export async function stageCampaign(
  ctx: Ctx,
  workspace: { id: string },
  input: CampaignInput,
  { livemode, isOperator = false, tx = ctx.db }: { livemode?: boolean | undefined; isOperator?: boolean; tx?: Tx } = {},
): Promise<CampaignView> {
  if (!Object.hasOwn(evmChains(ctx), canonicalChain(input.chain)))
    throw new AppError('unsupported_chain', undefined, { param: 'chain' });
  const chain = servedEvmChain(ctx, input.chain);
  if (livemode !== undefined && livemode !== isLive(chain))
    throw new AppError('mode_mismatch', undefined, { param: 'chain' });
  const payout = await findPayout(tx, { id: workspace.id });
  if (payout.kind !== 'business' && !isOperator) throw new AppError('business_required');
  const sponsor = payeeOn(payout, chain).payee as Address;
  const total = readUsdcAmount(chain, input.budget, { param: 'budget', least: 1n });
  const most =
    input.most_per_grant === undefined
      ? total
      : readUsdcAmount(chain, input.most_per_grant, { param: 'most_per_grant', least: 1n });
  if (most > total)
    throw new AppError('parameter_invalid', 'most_per_grant can’t be above budget.', { param: 'most_per_grant' });
  const expiresAt = expiryOf(ctx, input.expires_at);
  const name = readPlainText(input.name, 'name', NAME_MOST);
  if (name === null || name.includes('\n'))
    throw new AppError('parameter_invalid', `name must be one line of 1 to ${NAME_MOST} characters.`, {
      param: 'name',
    });
  const id = newId(ctx, 'cgr');
  const salt = campaignSalt(id);
  const row = await tx.campaign.create({
    data: {
      id,
      chain: chain.name,
      campaignKey: campaignKeyOf(chain, sponsor, salt),
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
      expiresAt,
      createdAt: new Date(ctx.clock.now()),
    },
  });
  return viewCampaign(ctx, tx, row);
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

/** What the sponsor's wallet still has to send. @throws AppError `state_conflict` once it is open, `provider_unavailable` */
export async function openingCalls(ctx: Ctx, reader: WorkspaceReader, id: string): Promise<OpeningCalls> {
  const row = await ownCampaign(ctx.db, reader, id);
  if (row.status !== 'pending_create') throw new AppError('state_conflict', 'This campaign is opened already.');
  const chain = evmChainOf(ctx, row.chain);
  const total = unitsOf(row.totalUnits);
  const { allowance } = await readCampaign(chain, row.campaignKey as Hex, row.sponsor as Address);
  const data = encodeOpenCampaign({
    salt: row.salt as Hex,
    token: row.token as Address,
    total,
    mostPerGrant: unitsOf(row.mostUnits),
    maxFee: 0n,
    expiry: BigInt(row.expiresAt.getTime() / 1_000),
  });
  // Chat tips and other campaigns draw on the same allowance, so the budget comes on top of what stands.
  return {
    approve: allowance >= UNLIMITED ? null : allowanceCall(chain, allowance + total),
    open: { to: chain.routers.bot, data, value: '0x0', chainId: chain.facts.chainId },
  };
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
  const chain = evmChainOf(ctx, row.chain);
  const proven = await proveReceipt(chain, txHash, 'nothing was changed');
  const { entries } = readCampaignReceipt(chain, proven.receipt);
  if (!entries.some(({ campaignKey }) => campaignKey === row.campaignKey))
    throw mismatch('This transaction did nothing to this campaign.');
  await whenFinal(ctx, chain, proven, waitMs, (tx, at) =>
    applyCampaignLogs(
      ctx,
      tx,
      chain,
      entries.map((entry) => ({ ...entry, at })),
    ),
  );
  return getCampaign(ctx, reader, id);
}

/** The call that takes the unused budget of a closed campaign out of the allowance; null where nothing is left of it. */
export async function takeBackCall(
  ctx: Ctx,
  reader: WorkspaceReader,
  id: string,
): Promise<{ approve: WalletCall | null }> {
  const row = await ownCampaign(ctx.db, reader, id);
  const isOver = row.status === 'closed' || row.expiresAt.getTime() <= ctx.clock.now();
  if (!isOver) throw new AppError('state_conflict', 'Close the campaign first.');
  if (row.takenBackAt !== null) return { approve: null };
  const chain = evmChainOf(ctx, row.chain);
  const { allowance, total, spent } = await readCampaign(chain, row.campaignKey as Hex, row.sponsor as Address);
  const rest = total - spent;
  if (allowance === 0n || rest === 0n || allowance >= UNLIMITED) return { approve: null };
  return { approve: allowanceCall(chain, allowance > rest ? allowance - rest : 0n) };
}

/** The wallet lowered its allowance: once more would lower what chat tips may draw. @throws AppError `resource_missing` */
export async function noteTakenBack(ctx: Ctx, reader: WorkspaceReader, id: string): Promise<CampaignView> {
  const row = await ownCampaign(ctx.db, reader, id);
  const takenBackAt = new Date(ctx.clock.now());
  await ctx.db.campaign.updateMany({ where: { id, takenBackAt: null }, data: { takenBackAt } });
  return viewCampaign(ctx, ctx.db, row);
}

function allowanceCall(chain: EvmChain, amount: bigint): WalletCall {
  const data = encodeApprove(chain.routers.bot, amount);
  return { to: chain.usdc, data, value: '0x0', chainId: chain.facts.chainId };
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
  const chain = evmChainOf(ctx, row.chain);
  await ctx.db.$transaction(async (tx) => {
    const { count } = await tx.campaign.updateMany({
      where: { id, status: 'active', closeAskedAt: null },
      data: { closeAskedAt: new Date(ctx.clock.now()) },
    });
    if (count === 0) return;
    const call = { to: chain.routers.bot, data: encodeCloseCampaign(row.campaignKey as Hex), gas: CLOSE_GAS };
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
