// Campaigns and grants as they are shown: to sponsors, to programs and in events. Amounts are canonical decimal strings, times ISO 8601 in UTC.
import type { Ctx } from '../../../context.ts';
import { type Row, sqlList, type Tx } from '../../../db.ts';
import {
  CAMPAIGN_PROBLEMS,
  type CampaignProblem,
  type CampaignStatus,
  GRANT_FAILURES,
  type GrantFailure,
  type GrantStatus,
} from '../../../domain/campaign.ts';
import { formatUnits } from '../../../domain/money.ts';
import { slugsOfHandles } from '../../accounts/handles.ts';
import { transactionUrl } from '../../chains.ts';
import { unitsOf } from '../views.ts';

export type Campaign = Row<'Campaign'>;
export type Grant = Row<'Grant'>;

export type CampaignView = {
  id: string;
  object: 'campaign';
  name: string;
  chain: string;
  currency: string;
  /** The most that all grants draw; what is paid; what is neither paid, queued nor sent. */
  budget: string;
  spent: string;
  left: string;
  most_per_grant: string;
  /** `expired` is an active one that is over. */
  status: Exclude<CampaignStatus, 'dropped'> | 'expired';
  expires_at: string;
  sponsor: string;
  /** Places for grants; null where there is no end of them. */
  recipients: number | null;
  /** How many grants are in each status; `waiting` are those of `queued` whose recipients have no account. */
  grants: {
    total: number;
    queued: number;
    waiting: number;
    sent: number;
    paid: number;
    failed: number;
    cancelled: number;
  };
  /** Why its grants are not sent now. */
  problem: { code: CampaignProblem; message: string } | null;
  /** An executor closes it, and that is not final yet. */
  closing: boolean;
  /** Its page, where the sponsor opens and closes it. */
  url: string;
  txHash: string | null;
  livemode: boolean;
  created_at: string;
  opened_at: string | null;
  closed_at: string | null;
};

export type GrantView = {
  id: string;
  object: 'grant';
  campaign: string;
  key: string;
  /** As the sponsor wrote it. */
  recipient: string;
  recipientHandle: string | null;
  /** Wallet that is paid; null until it is sent. */
  address: string | null;
  amount: string;
  currency: string;
  chain: string;
  status: GrantStatus;
  waiting_for_account: boolean;
  failure: { code: GrantFailure; message: string } | null;
  note: string | null;
  txHash: string | null;
  explorer_url: string | null;
  livemode: boolean;
  created_at: string;
  paid_at: string | null;
};

export type Tally = CampaignView['grants'] & { paidUnits: bigint; heldUnits: bigint };

/** What the grants of campaigns add up to: `heldUnits` are paid, sent or queued. */
export async function talliesOf(tx: Tx, ids: readonly string[]): Promise<Map<string, Tally>> {
  const tallies = new Map<string, Tally>();
  if (ids.length === 0) return tallies;
  const groups = await tx.$queryRaw<
    {
      campaign_id: string;
      status: GrantStatus;
      count: number;
      waiting: number;
      units: { toFixed(places: number): string };
    }[]
  >`
    select campaign_id, status, count(*)::int as count, (count(*) filter (where waiting))::int as waiting, sum(units) as units
    from campaign_grant where campaign_id in (${sqlList(ids)}) group by campaign_id, status`;
  for (const { campaign_id: id, status, count, waiting, units } of groups) {
    const tally = tallies.get(id) ?? emptyTally();
    tallies.set(id, tally);
    tally[status] = count;
    tally.total += count;
    if (status === 'queued') tally.waiting = waiting;
    if (status === 'paid') tally.paidUnits = unitsOf(units);
    if (status === 'paid' || status === 'sent' || status === 'queued') tally.heldUnits += unitsOf(units);
  }
  return tallies;
}

function emptyTally(): Tally {
  const counts = { total: 0, queued: 0, waiting: 0, sent: 0, paid: 0, failed: 0, cancelled: 0 };
  return { ...counts, paidUnits: 0n, heldUnits: 0n };
}

export async function viewCampaigns(ctx: Ctx, tx: Tx, rows: readonly Campaign[]): Promise<CampaignView[]> {
  const tallies = await talliesOf(
    tx,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => campaignViewOf(ctx, row, tallies.get(row.id) ?? emptyTally()));
}

export async function viewCampaign(ctx: Ctx, tx: Tx, row: Campaign): Promise<CampaignView> {
  const [view] = await viewCampaigns(ctx, tx, [row]);
  if (!view) throw new Error('every row has its view');
  return view;
}

function campaignViewOf(ctx: Ctx, row: Campaign, { paidUnits, heldUnits, ...grants }: Tally): CampaignView {
  const total = unitsOf(row.totalUnits);
  const money = (units: bigint) => formatUnits(units, row.decimals);
  const isOver = row.status === 'active' && row.expiresAt.getTime() <= ctx.clock.now();
  return {
    id: row.id,
    object: 'campaign',
    name: row.name,
    chain: row.chain,
    currency: 'USDC',
    budget: money(total),
    spent: money(paidUnits),
    left: money(heldUnits > total ? 0n : total - heldUnits),
    most_per_grant: money(unitsOf(row.mostUnits)),
    status: isOver ? 'expired' : (row.status as Exclude<CampaignStatus, 'dropped'>),
    expires_at: row.expiresAt.toISOString(),
    sponsor: row.sponsor,
    recipients: row.recipients,
    grants,
    problem:
      row.problem === null || isOver || row.status !== 'active' ? null : problemOf(row.problem as CampaignProblem),
    closing: row.status === 'active' && row.closeAskedAt !== null,
    url: `${ctx.env.BASE_URL.replace(/\/+$/, '')}/campaigns/${row.id}`,
    txHash: row.openTxHash,
    livemode: row.livemode,
    created_at: row.createdAt.toISOString(),
    opened_at: row.openedAt?.toISOString() ?? null,
    closed_at: row.closedAt?.toISOString() ?? null,
  };
}

function problemOf(code: CampaignProblem): CampaignView['problem'] {
  return { code, message: CAMPAIGN_PROBLEMS[code] };
}

/** Many of one campaign, in their order. */
export async function viewGrants(ctx: Ctx, tx: Tx, campaign: Campaign, rows: readonly Grant[]): Promise<GrantView[]> {
  const handles = await slugsOfHandles(
    tx,
    rows.flatMap(({ handleId }) => handleId ?? []),
  );
  return rows.map((row) => grantViewOf(ctx, campaign, row, handles));
}

export function grantViewOf(ctx: Ctx, campaign: Campaign, row: Grant, handles: ReadonlyMap<string, string>): GrantView {
  const failure = row.failure as GrantFailure | null;
  return {
    id: row.id,
    object: 'grant',
    campaign: campaign.id,
    key: row.key,
    recipient: row.given,
    recipientHandle: handles.get(row.handleId ?? '') ?? null,
    address: row.address,
    amount: formatUnits(unitsOf(row.units), campaign.decimals),
    currency: 'USDC',
    chain: campaign.chain,
    status: row.status as GrantStatus,
    waiting_for_account: row.status === 'queued' && row.waiting,
    failure: row.status === 'failed' && failure !== null ? { code: failure, message: GRANT_FAILURES[failure] } : null,
    note: row.note,
    txHash: row.txHash,
    explorer_url: transactionUrl(ctx, campaign.chain, row.txHash),
    livemode: campaign.livemode,
    created_at: row.createdAt.toISOString(),
    paid_at: row.paidAt?.toISOString() ?? null,
  };
}
