// The grants of a campaign: checked and queued up to a thousand at a time, listed, cancelled while they are not sent, and tried again where that helps.

import { type Ctx, chainOf, newId } from '../../../context.ts';
import { decimalOf, type Tx } from '../../../db.ts';
import {
  CURABLE,
  GRANT_FAILURES,
  GRANT_KEY,
  type GrantStatus,
  MOST_GRANTS,
  readGrantRecipient,
} from '../../../domain/campaign.ts';
import { CHAINS, type ChainName } from '../../../domain/chains.ts';
import { AppError } from '../../../domain/errors.ts';
import { parseUnits, scaleUnits } from '../../../domain/money.ts';
import { record } from '../../audit.ts';
import { lockKey } from '../../locks.ts';
import { readPlainText } from '../../plainText.ts';
import { transition } from '../../transitions.ts';
import { wake } from '../../wake.ts';
import type { WorkspaceReader } from '../../workspaces/workspaces.ts';
import { unitsOf } from '../views.ts';
import { entryOf, ownCampaign } from './campaigns.ts';
import { type Grantee, isOfChain, resolveGrantees } from './recipients.ts';
import {
  type Campaign,
  type CampaignView,
  type Grant,
  type GrantView,
  talliesOf,
  viewCampaign,
  viewGrants,
} from './views.ts';

/** USDC is written with six decimals everywhere. */
const DECIMALS = 6;
/** Grants of one campaign. */
const MOST_OF_CAMPAIGN = 100_000;

export type GrantInput = { key: string; recipient: string; amount: string; note?: string | null | undefined };
export type GrantRejection = {
  /** Its place in the request, from 0. */
  index: number;
  key: string;
  code: keyof typeof REJECTIONS;
  message: string;
};
/** `existing` are the keys of those among `grants` that were there before. */
export type AddedGrants = { grants: GrantView[]; existing: string[]; rejected: GrantRejection[] };

const REJECTIONS = {
  key_invalid: 'The key must be 1 to 64 visible ASCII characters.',
  key_repeated: 'This key is in the request twice.',
  key_used: 'This key is another grant of the campaign.',
  recipient_invalid: 'The recipient must be @handle, platform:id:<id>, platform:name or an address of the network.',
  amount_invalid: 'The amount must be above 0, with a point and up to 6 decimals: 12.50.',
  note_invalid: 'The note must be plain text of at most 280 characters.',
  grant_too_large: GRANT_FAILURES.grant_too_large,
  budget_exceeded: 'The campaign’s budget doesn’t cover it.',
  handle_not_found: GRANT_FAILURES.handle_not_found,
  recipient_bot: GRANT_FAILURES.recipient_bot,
  recipient_uncertain: GRANT_FAILURES.recipient_uncertain,
} as const;

type Wanted = { index: number; key: string; given: string; recipient: string; units: bigint; note: string | null };

/** Grants that were checked, with whom they are for. */
type Ready = {
  campaign: Campaign;
  known: Wanted[];
  grantees: ReadonlyMap<number, Grantee | undefined>;
  rejected: readonly GrantRejection[];
};

/**
 * Queues what is right and says what is wrong with the rest. The same grant under the same key is queued once.
 * @param dryRun checks, and writes nothing
 * @throws AppError as {@link readyGrants}
 */
export async function addGrants(
  ctx: Ctx,
  reader: WorkspaceReader,
  id: string,
  inputs: readonly GrantInput[],
  { dryRun = false } = {},
): Promise<AddedGrants> {
  const ready = await readyGrants(ctx, reader, id, inputs);
  return ctx.db.$transaction((tx) => writeGrants(ctx, tx, ready, { dryRun }));
}

/**
 * What can be said before anything is written, outside a transaction.
 * @throws AppError `resource_missing`, `parameter_invalid` for none or too many, `state_conflict` for a campaign that is over
 */
export async function readyGrants(
  ctx: Ctx,
  reader: WorkspaceReader,
  id: string,
  inputs: readonly GrantInput[],
): Promise<Ready> {
  if (inputs.length === 0 || inputs.length > MOST_GRANTS)
    throw new AppError('parameter_invalid', `Send 1 to ${MOST_GRANTS} grants.`, { param: 'grants' });
  const campaign = await ownCampaign(ctx.db, reader, id);
  if (campaign.status === 'closed' || campaign.expiresAt.getTime() <= ctx.clock.now())
    throw new AppError('state_conflict', 'This campaign is over. Create another one.');
  const rejected: GrantRejection[] = [];
  const reject = (index: number, code: GrantRejection['code']) =>
    rejected.push(rejectionOf(index, inputs[index]?.key ?? '', code));
  const wanted = readInputs(campaign, inputs, reject);
  const found = await resolveGrantees(
    ctx,
    chainOf(ctx, campaign.chain),
    wanted.map(({ recipient }) => recipient),
  );
  const known = wanted.filter(({ index }, at) => {
    const grantee = found[at];
    if (grantee?.kind !== 'refused' || !isRejection(grantee.code)) return true;
    reject(index, grantee.code);
    return false;
  });
  return { campaign, known, grantees: new Map(wanted.map(({ index }, at) => [index, found[at]])), rejected };
}

/** @throws AppError `state_conflict` for more grants than a campaign has */
export async function writeGrants(
  ctx: Ctx,
  tx: Tx,
  { campaign, known, grantees, rejected: before }: Ready,
  { dryRun = false } = {},
): Promise<AddedGrants> {
  const rejected = [...before];
  const keys = new Map(known.map(({ index, key }) => [index, key]));
  const reject: Reject = (index, code) => rejected.push(rejectionOf(index, keys.get(index) ?? '', code));
  const { rows, existing } = await insert(ctx, tx, campaign, known, grantees, { reject, dryRun });
  rejected.sort((one, other) => one.index - other.index);
  const count = rows.length - existing.length;
  if (count > 0 && !dryRun)
    await record(ctx, tx, { ...{ ...entryOf(campaign), action: 'campaign.grants_added' }, after: { count } });
  return { grants: await viewGrants(ctx, tx, campaign, rows), existing, rejected };
}

function rejectionOf(index: number, key: string, code: GrantRejection['code']): GrantRejection {
  return { index, key, code, message: REJECTIONS[code] };
}

function isRejection(code: string): code is GrantRejection['code'] {
  return Object.hasOwn(REJECTIONS, code);
}

type Reject = (index: number, code: GrantRejection['code']) => unknown;

function readInputs(campaign: Campaign, inputs: readonly GrantInput[], reject: Reject): Wanted[] {
  const keys = new Set<string>();
  const { family } = CHAINS[campaign.chain as ChainName];
  return inputs.flatMap(({ key, recipient: given, amount, note: text }, index) => {
    const refuse = (code: GrantRejection['code']) => {
      reject(index, code);
      return [];
    };
    if (!GRANT_KEY.test(key)) return refuse('key_invalid');
    if (keys.has(key)) return refuse('key_repeated');
    keys.add(key);
    const recipient = readGrantRecipient(given);
    if (recipient === null || !isOfChain(recipient, family)) return refuse('recipient_invalid');
    const micros = parseUnits(amount, DECIMALS);
    if (micros === null || micros === 0n) return refuse('amount_invalid');
    const units = scaleUnits(micros, DECIMALS, campaign.decimals);
    if (units > unitsOf(campaign.mostUnits)) return refuse('grant_too_large');
    try {
      return { index, key, given: given.trim(), recipient, units, note: readPlainText(text, 'note') };
    } catch {
      return refuse('note_invalid');
    }
  });
}

/** Under the campaign's lock, so that numbers and the budget are given out once. */
async function insert(
  ctx: Ctx,
  tx: Tx,
  campaign: Campaign,
  wanted: readonly Wanted[],
  grantees: ReadonlyMap<number, Grantee | undefined>,
  { reject, dryRun }: { reject: Reject; dryRun: boolean },
): Promise<{ rows: Grant[]; existing: string[] }> {
  await lockKey(tx, `campaign:${campaign.id}`);
  const keys = wanted.map(({ key }) => key);
  const existing = new Map(
    (await tx.grant.findMany({ where: { campaignId: campaign.id, key: { in: keys } } })).map((row) => [row.key, row]),
  );
  const tally = (await talliesOf(tx, [campaign.id])).get(campaign.id);
  let left = unitsOf(campaign.totalUnits) - (tally?.heldUnits ?? 0n);
  const fresh = wanted.filter((one) => {
    const { index, key, units } = one;
    const row = existing.get(key);
    if (row) {
      if (!isSameGrant(row, one)) reject(index, 'key_used');
      return false;
    }
    if (units > left) {
      reject(index, 'budget_exceeded');
      return false;
    }
    left -= units;
    return true;
  });
  const most = campaign.recipients ?? MOST_OF_CAMPAIGN;
  if ((tally?.total ?? 0) + fresh.length > most)
    throw new AppError('state_conflict', `This campaign has at most ${most} grants. Create another one.`);
  const { nextKey } = await tx.campaign.findUniqueOrThrow({ where: { id: campaign.id }, select: { nextKey: true } });
  const createdAt = new Date(ctx.clock.now());
  const rows = fresh.map(({ index, key, given, recipient, units, note }, at): Grant => {
    const grantee = grantees.get(index);
    const isWaiting = grantee?.kind === 'waiting';
    return {
      id: newId(ctx, 'grt'),
      campaignId: campaign.id,
      key,
      recipientKey: nextKey + at,
      recipient: isWaiting ? grantee.recipient : recipient,
      given,
      units: decimalOf(units),
      note,
      status: 'queued',
      waiting: isWaiting,
      failure: null,
      address: null,
      handleId: null,
      batchId: null,
      opensAccount: false,
      nextTryAt: null,
      txHash: null,
      createdAt,
      paidAt: null,
    };
  });
  if (!dryRun && rows.length > 0) {
    await tx.grant.createMany({ data: rows });
    await tx.campaign.update({ where: { id: campaign.id }, data: { nextKey: nextKey + rows.length } });
    await wake(tx, 'grants');
  }
  const added = new Map(rows.map((row) => [row.key, row]));
  const all = wanted.flatMap((one) => {
    const row = existing.get(one.key);
    return added.get(one.key) ?? (row && isSameGrant(row, one) ? row : []);
  });
  return { rows: all, existing: all.flatMap(({ key }) => (added.has(key) ? [] : key)) };
}

function isSameGrant(row: Grant, { given, units, note }: Wanted): boolean {
  return row.given === given && unitsOf(row.units) === units && row.note === note;
}

export type GrantFilters = { status?: GrantStatus | undefined; limit: number; cursor?: string | undefined };

/** In the order in which they were added. @throws AppError `resource_missing`, `parameter_invalid` for a cursor that is not ours */
export async function listGrants(
  ctx: Ctx,
  reader: WorkspaceReader,
  id: string,
  { status, limit, cursor }: GrantFilters,
): Promise<{ data: GrantView[]; nextCursor: string | null }> {
  const campaign = await ownCampaign(ctx.db, reader, id);
  const rows = await ctx.db.grant.findMany({
    where: {
      campaignId: id,
      ...(status === undefined ? {} : { status }),
      recipientKey: { gt: cursor === undefined ? -1 : keyOf(cursor) },
    },
    orderBy: { recipientKey: 'asc' },
    take: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { data: await viewGrants(ctx, ctx.db, campaign, page), nextCursor: last ? String(last.recipientKey) : null };
}

function keyOf(cursor: string): number {
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor);
  const words = 'Invalid cursor. Pass the next_cursor of the previous page.';
  throw new AppError('parameter_invalid', words, { param: 'cursor' });
}

const PAGE = 1_000;

/**
 * Cancels grants that are not sent: those with these keys, or all. What is sent or paid stays so.
 * @throws AppError `resource_missing`
 */
export async function cancelGrants(
  ctx: Ctx,
  reader: WorkspaceReader,
  id: string,
  { keys, tx: within }: { keys?: readonly string[] | undefined; tx?: Tx } = {},
): Promise<CampaignView> {
  if (!within) return ctx.db.$transaction((tx) => cancelGrants(ctx, reader, id, { keys, tx }));
  const tx = within;
  let count = 0;
  const campaign = await ownCampaign(tx, reader, id);
  const ofKeys = keys === undefined ? {} : { key: { in: [...keys] } };
  for (;;) {
    const rows = await tx.grant.findMany({
      where: { campaignId: id, status: 'queued', ...ofKeys },
      select: { id: true },
      take: PAGE,
    });
    const moves = rows.map((row) => ({ id: row.id, action: 'cancel' as const, patch: { waiting: false } }));
    count += (await transition(ctx, tx, 'grant', moves)).size;
    if (rows.length === PAGE) continue;
    if (count > 0)
      await record(ctx, tx, { ...{ ...entryOf(campaign), action: 'campaign.grants_cancelled' }, after: { count } });
    return viewCampaign(ctx, tx, campaign);
  }
}

/** Queues failed grants again that another try may pay. @throws AppError `resource_missing`, `state_conflict` for a campaign that is over */
export async function retryGrants(ctx: Ctx, reader: WorkspaceReader, id: string): Promise<CampaignView> {
  const campaign = await ownCampaign(ctx.db, reader, id);
  if (campaign.status !== 'active' || campaign.expiresAt.getTime() <= ctx.clock.now())
    throw new AppError('state_conflict', 'This campaign is over.');
  const failed = await ctx.db.grant.findMany({
    where: { campaignId: id, status: 'failed', failure: { in: [...CURABLE] } },
    select: { id: true },
    take: PAGE,
  });
  await ctx.db.$transaction(async (tx) => {
    const moves = failed.map((row) => ({
      id: row.id,
      action: 'retry' as const,
      patch: { failure: null, batchId: null, nextTryAt: null },
    }));
    const { size: count } = await transition(ctx, tx, 'grant', moves);
    if (count > 0)
      await record(ctx, tx, { ...{ ...entryOf(campaign), action: 'campaign.grants_retried' }, after: { count } });
    await wake(tx, 'grants');
  });
  return viewCampaign(ctx, ctx.db, campaign);
}
