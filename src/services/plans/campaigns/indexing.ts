// The bot router’s campaign events become rows: a campaign opens and closes, a grant is paid. An event may be ingested any number of times.
import type { CampaignEntry } from '../../../chain/campaignEvents.ts';
import type { Chain } from '../../../chain/chain.ts';
import type { Ctx } from '../../../context.ts';
import { decimalOf, sqlRows, type Tx } from '../../../db.ts';
import { isSameAddress } from '../../../domain/walletFamily.ts';
import { slugsOfHandles } from '../../accounts/handles.ts';
import { type EventDraft, writeEvents } from '../../events.ts';
import { lockKey } from '../../locks.ts';
import { type Transition, transition, transitionOne } from '../../transitions.ts';
import { wake } from '../../wake.ts';
import { unitsOf } from '../views.ts';
import { notifyGrantees } from './notices.ts';
import { resolveGrantees } from './recipients.ts';
import { type Campaign, type Grant, grantViewOf } from './views.ts';

/** An entry with the time of its block. */
export type CampaignLog = CampaignEntry & { at: Date };
type Paid = Extract<CampaignLog, { kind: 'paid' }>;

/** In the transaction that saves the checkpoint, or with a transaction that was proven final. */
export async function applyCampaignLogs(ctx: Ctx, tx: Tx, chain: Chain, logs: readonly CampaignLog[]): Promise<void> {
  if (logs.length === 0) return;
  await lockKey(tx, `campaigns:${chain.name}`);
  const fresh = await insertLogs(tx, chain, logs);
  if (fresh.length === 0) return;
  const keys = [...new Set(fresh.map(({ campaignKey }) => campaignKey))];
  const rows = await tx.campaign.findMany({ where: { chain: chain.name, campaignKey: { in: keys } } });
  const byKey = new Map(rows.map((row) => [row.campaignKey, row]));
  for (const log of fresh) {
    const row = byKey.get(log.campaignKey);
    if (!row)
      ctx.log.info({ chain: chain.name, campaign: log.campaignKey }, 'an event of a campaign that we do not know');
    else if (log.kind === 'opened') await applyOpened(ctx, tx, chain, row, log);
    else if (log.kind === 'closed') await applyClosed(ctx, tx, row, log);
  }
  for (const row of rows)
    await applyPaid(
      ctx,
      tx,
      chain,
      row,
      fresh.filter((log): log is Paid => log.kind === 'paid' && log.campaignKey === row.campaignKey),
    );
}

/** @returns those that were not there */
async function insertLogs(tx: Tx, chain: Chain, logs: readonly CampaignLog[]): Promise<CampaignLog[]> {
  const rows = logs.map((log) => ({
    tx_hash: log.txHash,
    log_index: log.logIndex,
    block: log.block,
    at: log.at,
    campaign_key: log.campaignKey,
    kind: log.kind,
    recipient_key: log.kind === 'paid' ? log.recipientKey : null,
    recipient: log.kind === 'paid' ? log.recipient : null,
    units: log.kind === 'paid' ? log.amount + log.fee : 0n,
  }));
  const inserted = await tx.$queryRaw<{ tx_hash: string; log_index: number }[]>`
    insert into campaign_log (chain, tx_hash, log_index, block, at, campaign_key, kind, recipient_key, recipient, units)
    select ${chain.name}, tx_hash, log_index, block, at, campaign_key, kind, recipient_key, recipient, units
    from jsonb_to_recordset(${sqlRows(rows)}) as l(tx_hash text, log_index int, block bigint, at timestamptz, campaign_key text, kind text,
      recipient_key numeric, recipient text, units numeric)
    on conflict do nothing returning tx_hash, log_index`;
  const keys = new Set(inserted.map((row) => `${row.tx_hash} ${row.log_index}`));
  return logs.filter(({ txHash, logIndex }) => keys.has(`${txHash} ${logIndex}`));
}

async function applyOpened(
  ctx: Ctx,
  tx: Tx,
  chain: Chain,
  { id, token }: Campaign,
  log: Extract<CampaignLog, { kind: 'opened' }>,
): Promise<void> {
  if (!isSameAddress(log.token, token))
    return ctx.log.error(
      { campaign: id, chain: chain.name, token: log.token },
      'a campaign was opened in another token',
    );
  // The wallet may have sent other terms than those that were shown to it: the chain's count.
  const patch = {
    totalUnits: decimalOf(log.total),
    mostUnits: decimalOf(log.mostPerGrant),
    expiresAt: dateOf(log.expiry),
    recipients: log.recipients,
    openTxHash: log.txHash,
    openedAt: log.at,
  };
  await transitionOne(ctx, tx, 'campaign', id, 'open', patch);
  await wake(tx, 'grants');
}

/** The router takes any number; the database has no year beyond this. */
const LAST_S = 253_402_300_799n;

function dateOf(seconds: bigint): Date {
  return new Date(Number(seconds < LAST_S ? seconds : LAST_S) * 1_000);
}

async function applyClosed(ctx: Ctx, tx: Tx, { id }: Campaign, log: CampaignLog): Promise<void> {
  await transitionOne(ctx, tx, 'campaign', id, 'close', { closedAt: log.at });
  await wake(tx, 'grants');
}

async function applyPaid(ctx: Ctx, tx: Tx, chain: Chain, campaign: Campaign, logs: readonly Paid[]): Promise<void> {
  if (logs.length === 0) return;
  const numbers = logs.flatMap(({ recipientKey }) => (recipientKey < 2n ** 31n ? Number(recipientKey) : []));
  const rows = await tx.grant.findMany({ where: { campaignId: campaign.id, recipientKey: { in: numbers } } });
  const byNumber = new Map(rows.map((row) => [BigInt(row.recipientKey), row]));
  const addresses = await expectedAddresses(ctx, chain, rows);
  const moves: Transition<'grant'>[] = [];
  for (const log of logs) {
    const row = byNumber.get(log.recipientKey);
    const isOurs =
      row && unitsOf(row.units) === log.amount && isSameAddress(addresses.get(row.id) ?? '', log.recipient);
    if (isOurs) moves.push({ id: row.id, action: 'pay', patch: paidBy(log) });
    else if (row) moves.push({ id: row.id, action: 'fail', patch: { failure: 'number_used', waiting: false } });
    if (!isOurs)
      ctx.log.error(
        { campaign: campaign.id, number: log.recipientKey, tx: log.txHash },
        'a grant that we did not send',
      );
  }
  const moved = await transition(ctx, tx, 'grant', moves);
  const done = await tx.grant.findMany({
    where: { id: { in: [...moved] }, status: 'paid' },
    orderBy: { recipientKey: 'asc' },
  });
  await publish(ctx, tx, campaign, done);
  await notifyGrantees(ctx, tx, campaign, done);
}

function paidBy({ recipient, txHash, at }: Paid) {
  const over = { failure: null, waiting: false, nextTryAt: null };
  return { address: recipient, txHash, paidAt: at, ...over };
}

/** Whose payment proves a grant paid: the wallet that it was sent to, or, after a backup was restored, the one that it would be sent to. */
async function expectedAddresses(ctx: Ctx, chain: Chain, rows: readonly Grant[]): Promise<Map<string, string>> {
  const unsent = rows.filter(({ address }) => address === null);
  const grantees = await resolveGrantees(
    ctx,
    chain,
    unsent.map(({ recipient }) => recipient),
  );
  const resolved = unsent.flatMap(({ id }, index) => {
    const grantee = grantees[index];
    return grantee?.kind === 'payable' ? [[id, grantee.address] as const] : [];
  });
  const sent = rows.flatMap(({ id, address }) => (address === null ? [] : [[id, address] as const]));
  return new Map([...resolved, ...sent]);
}

async function publish(ctx: Ctx, tx: Tx, campaign: Campaign, rows: readonly Grant[]): Promise<void> {
  const handles = await slugsOfHandles(
    tx,
    rows.flatMap(({ handleId }) => handleId ?? []),
  );
  const drafts = rows.map(
    (row): EventDraft => ({
      handleId: campaign.handleId,
      livemode: campaign.livemode,
      type: 'campaign.grant_paid',
      resourceId: row.id,
      uniqueKey: `${row.id}:paid`,
      object: { grant: grantViewOf(ctx, campaign, row, handles) },
    }),
  );
  await writeEvents(ctx, tx, drafts);
}

/** What failed because of the closing is queued again. */
async function reopen(ctx: Ctx, tx: Tx, { id: campaignId }: Campaign): Promise<void> {
  await transitionOne(ctx, tx, 'campaign', campaignId, 'reopen', { closedAt: null });
  const failed = await tx.grant.findMany({
    where: { campaignId, status: 'failed', failure: 'campaign_closed' },
    select: { id: true },
  });
  const patch = { failure: null, batchId: null };
  await transition(
    ctx,
    tx,
    'grant',
    failed.map(({ id }) => ({ id, action: 'retry' as const, patch })),
  );
  await wake(tx, 'grants');
}

/** Takes back what blocks above one had. What the chain includes again is ingested again; the router pays each number once. */
export async function revertCampaignLogs(ctx: Ctx, tx: Tx, chain: Chain, block: bigint): Promise<void> {
  await lockKey(tx, `campaigns:${chain.name}`);
  const gone = await tx.$queryRaw<{ campaign_key: string; kind: string; tx_hash: string }[]>`
    with gone as (delete from campaign_log where chain = ${chain.name} and block > ${block} returning campaign_key, kind, tx_hash)
    select distinct campaign_key, kind, tx_hash from gone`;
  for (const { campaign_key: campaignKey, kind, tx_hash: txHash } of gone) {
    const row = await tx.campaign.findUnique({ where: { chain_campaignKey: { chain: chain.name, campaignKey } } });
    if (!row) continue;
    if (kind === 'opened')
      await transitionOne(ctx, tx, 'campaign', row.id, 'unopen', { openTxHash: null, openedAt: null });
    if (kind === 'closed') await reopen(ctx, tx, row);
    if (kind !== 'paid') continue;
    const paid = await tx.grant.findMany({
      where: { campaignId: row.id, txHash, status: 'paid' },
      select: { id: true },
    });
    const patch = { batchId: null, txHash: null, paidAt: null };
    await transition(
      ctx,
      tx,
      'grant',
      paid.map(({ id }) => ({ id, action: 'unpay' as const, patch })),
    );
    await wake(tx, 'grants');
  }
}
