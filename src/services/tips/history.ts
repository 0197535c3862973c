// A person's tips and sends, sent and received: page by page, day by day, and as a file.
import type { Ctx } from '../../context.ts';
import { type Json, sqlPart } from '../../db.ts';
import { chainLabel } from '../../domain/chains.ts';
import { csvLine } from '../../domain/csv.ts';
import { AppError } from '../../domain/errors.ts';
import type { EscrowStatus } from '../../domain/escrow.ts';
import { failureSentence, type PublicStatus, publicStatus } from '../../domain/history.ts';
import { formatUnits, formatUsd } from '../../domain/money.ts';
import type { Refusal } from '../../domain/plan.ts';
import type { SmartStatus } from '../../domain/smartLeg.ts';
import type { TipStatus } from '../../domain/tip.ts';
import { isLive, transactionUrl } from '../chains.ts';

export type HistoryFilters = {
  direction?: 'sent' | 'received' | undefined;
  /** `paid` means in a block, final or not. */
  status?: 'paid' | 'pending' | 'failed' | undefined;
  chain?: string | undefined;
  asset?: string | undefined;
  /** Days in UTC, `YYYY-MM-DD`, both included. */
  from?: string | undefined;
  to?: string | undefined;
  /** Part of the other side's name; or a whole transaction hash or tip id. */
  q?: string | undefined;
};

export type HistoryLine = {
  id: string;
  direction: 'sent' | 'received';
  /** "@bob", "bob@ampersat", "0x12ab…89ef". */
  counterparty: string;
  amount: string;
  /** With what a bridge took. Null when received: the sender paid it. */
  fee: string | null;
  asset: string;
  chain: string;
  chain_label: string;
  /** Of a tip that was sent to another chain: where it arrives. */
  to_chain_label: string | null;
  status: PublicStatus;
  /** A sentence, for the sender of a failed tip. */
  failure: string | null;
  tx_hash: string | null;
  /** Null where no explorer knows the chain, as on a local stack. */
  explorer_url: string | null;
  /** "wallet" for what its sender sent from their own wallet. */
  platform: string;
  at: string;
  /** Null for a send: its transaction is its receipt. */
  receipt_url: string | null;
};

export type HistoryPage = { lines: HistoryLine[]; nextCursor: string | null };

/** The newest tips first. @throws AppError `parameter_invalid` for a cursor that is not ours */
export async function listHistory(
  ctx: Ctx,
  handleId: string,
  filters: HistoryFilters,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<HistoryPage> {
  const rows = await historyRows(
    ctx,
    handleId,
    filters,
    limit + 1,
    cursor === undefined ? FROM_NOW : readCursor(cursor),
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    lines: page.map((row) => historyLine(ctx, handleId, row)),
    nextCursor: rows.length > limit && last ? writeCursor(last) : null,
  };
}

const CSV_PAGE = 500;
/** A file has at most this many lines; a longer history is exported year by year with the filters. */
const CSV_LINES = 100_000;
const CSV_COLUMNS = 'time,direction,counterparty,amount,fee,asset,chain,status,transaction,platform,id'.split(',');

/** The same tips as a file, in pieces that are read as they are taken. */
export async function* historyCsv(ctx: Ctx, handleId: string, filters: HistoryFilters): AsyncGenerator<string> {
  yield csvLine(CSV_COLUMNS);
  let cursor: string | undefined;
  for (let lines = 0; lines < CSV_LINES; lines += CSV_PAGE) {
    const page: HistoryPage = await listHistory(ctx, handleId, filters, { limit: CSV_PAGE, cursor });
    const cells = page.lines.map((line) => [
      line.at,
      line.direction,
      line.counterparty,
      line.amount,
      line.fee ?? '',
      line.asset,
      line.chain,
      line.status,
      line.tx_hash ?? '',
      line.platform,
      line.id,
    ]);
    if (cells.length > 0) yield cells.map(csvLine).join('');
    if (page.nextCursor === null) return;
    cursor = page.nextCursor;
  }
}

export type HistorySummary = {
  days: { date: string; sent_usd: string; received_usd: string; count: number }[];
  sent_usd: string;
  received_usd: string;
  fees_usd: string;
};

const DAY_MS = 86_400_000;

/**
 * What was paid on each of the last days, in UTC, in USD as it was worth then. `sent` is without fees; the fee of what a bridge sent back is not returned,
 * and counts.
 * @param mode both without it
 */
export async function summariseHistory(
  ctx: Ctx,
  handleId: string,
  { days, mode }: { days: number; mode?: 'test' | 'live' | undefined },
): Promise<HistorySummary> {
  const today = Math.floor(ctx.clock.now() / DAY_MS);
  const since = new Date((today - days + 1) * DAY_MS);
  const chains = Object.values(ctx.chains).filter((chain) => mode === undefined || isLive(chain) === (mode === 'live'));
  const names = chains.map(({ name }) => name);
  // The stored worth is that of amount and fee together; each has its share by units.
  const rows = await ctx.db.$queryRaw<{ day: string; sent: string; received: string; fees: string; count: number }[]>`
    select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day,
      coalesce(sum(usd_micros - fee) filter (where sender_handle_id = ${handleId} and not is_back), 0)::text as sent,
      coalesce(sum(usd_micros - fee) filter (where sender_handle_id <> ${handleId}), 0)::text as received,
      coalesce(sum(fee) filter (where sender_handle_id = ${handleId}), 0)::text as fees,
      count(*) filter (where not is_back)::int as count
    from tip,
      lateral (select exists (select from smart_payment p where p.tip_id = tip.id and p.status = 'refunded') as is_back) as way,
      lateral (select round(usd_micros * (fee_units + case when is_back then 0 else bridge_units end)
        / nullif(units + fee_units + bridge_units, 0)) as fee) as part
    where (sender_handle_id = ${handleId} or recipient_handle_id = ${handleId})
      and created_at >= ${since}
      ${mode === undefined ? sqlPart`` : sqlPart`and chain = any(${names}::text[])`}
      and (status = 'settled' or (status = 'mined' and failure is null))
      and not exists (select 1 from escrow tab where tab.tip_id = tip.id and tab.status = 'refunded')
      and not exists (select 1 from smart_payment p where p.tip_id = tip.id
        and p.status <> 'succeeded' and sender_handle_id <> ${handleId})
    group by day`;
  const sends = await ctx.db.$queryRaw<typeof rows>`
    select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day,
      coalesce(sum(usd_micros - fee) filter (where handle_id = ${handleId}), 0)::text as sent,
      coalesce(sum(usd_micros - fee) filter (where recipient_handle_id = ${handleId}), 0)::text as received,
      coalesce(sum(fee) filter (where handle_id = ${handleId}), 0)::text as fees,
      count(*)::int as count
    from send, lateral (select round(usd_micros * fee_units / (units + fee_units)) as fee) as part
    where (handle_id = ${handleId} or recipient_handle_id = ${handleId}) and status = 'completed' and created_at >= ${since}
      ${mode === undefined ? sqlPart`` : sqlPart`and chain = any(${names}::text[])`}
    group by day`;
  const all = [...rows, ...sends];
  const sumOf = (part: 'sent' | 'received' | 'fees', of: typeof rows) =>
    of.reduce((sum, row) => sum + BigInt(row[part]), 0n);
  const total = (part: 'sent' | 'received' | 'fees') => sumOf(part, all);
  return {
    days: Array.from({ length: days }, (_, i) => {
      const date = new Date((today - days + 1 + i) * DAY_MS).toISOString().slice(0, 10);
      const ofDay = all.filter(({ day }) => day === date);
      return {
        date,
        sent_usd: formatUsd(sumOf('sent', ofDay)),
        received_usd: formatUsd(sumOf('received', ofDay)),
        count: ofDay.reduce((sum, { count }) => sum + count, 0),
      };
    }),
    sent_usd: formatUsd(total('sent')),
    received_usd: formatUsd(total('received')),
    fees_usd: formatUsd(total('fees')),
  };
}

const SENT_BY_WALLET = 'wallet';

type HistoryRow = {
  id: string;
  created_at: Date;
  sender_handle_id: string;
  sender_slug: string | null;
  recipient_label: string;
  chain: string;
  asset: string;
  decimals: number;
  units: string;
  fee_units: string;
  status: TipStatus;
  failure: Json | null;
  tx_hash: string | null;
  platform: string;
  tab_status: EscrowStatus | null;
  crossing_status: SmartStatus | null;
  to_chain: string | null;
  bridge_units: string;
  arrive_tx_hash: string | null;
};
/** A place between two tips: the next page begins below it. */
type Place = { at: Date; id: string };
const FROM_NOW: Place = { at: new Date('9999-12-31T00:00:00Z'), id: '' };

/** What both tables show of a row. */
const TIP_COLUMNS = sqlPart`id, created_at, sender_handle_id, recipient_label, chain, asset, decimals, units, fee_units, status, failure, tx_hash,
  to_chain, bridge_units, intent_id`;
/** A send as a leg: from its own wallet, without a message. */
const SEND_COLUMNS = sqlPart`id, created_at, handle_id, recipient_label, chain, 'USDC', decimals, units, fee_units,
  case status when 'completed' then 'settled' when 'failed' then 'failed' else 'submitted' end,
  null::jsonb, tx_hash, null, 0::numeric, null`;

/**
 * Both directions are read along an index of their own, newest first, and merged. A recipient sees an incoming payment once it is in a
 * block.
 */
async function historyRows(
  ctx: Ctx,
  handleId: string,
  filters: HistoryFilters,
  limit: number,
  below: Place,
): Promise<HistoryRow[]> {
  const { direction = null, status = null, chain = null, asset = null, q = null } = filters;
  const from = filters.from === undefined ? new Date(0) : new Date(`${filters.from}T00:00:00Z`);
  const until = filters.to === undefined ? FROM_NOW.at : new Date(Date.parse(`${filters.to}T00:00:00Z`) + DAY_MS);
  const like = q === null ? null : `%${q.replace(/[\\%_]/g, '\\$&')}%`;
  return ctx.db.$queryRaw<HistoryRow[]>`
    select leg.id, leg.created_at, leg.sender_handle_id, sender.slug as sender_slug, leg.recipient_label, leg.chain, leg.asset, leg.decimals,
      leg.units::text as units, leg.fee_units::text as fee_units, leg.status, leg.failure, leg.tx_hash,
      coalesce(intent.platform, ${SENT_BY_WALLET}) as platform, tab.status as tab_status, crossing.status as crossing_status, leg.to_chain,
      leg.bridge_units::text as bridge_units, way.destination_hash as arrive_tx_hash
    from (
      (select ${TIP_COLUMNS} from tip
        where sender_handle_id = ${handleId}
          and ${direction}::text is distinct from 'received'
          and created_at >= ${from} and created_at < ${until}
          and (created_at, id) < (${below.at}, ${below.id})
          and (${chain}::text is null or chain = ${chain})
          and (${asset}::text is null or asset = ${asset})
          and case ${status}::text
            when 'paid' then status = 'settled' or (status = 'mined' and failure is null)
            when 'pending' then status in ('ready', 'submitted') or (status = 'mined' and failure is not null)
            when 'failed' then status = 'failed'
            else true end
          and (${like}::text is null or recipient_label ilike ${like} or tx_hash in (${q}, lower(${q})) or id = ${q})
        order by created_at desc, id desc limit ${limit})
      union all
      (select ${TIP_COLUMNS} from tip
        where recipient_handle_id = ${handleId}
          and ${direction}::text is distinct from 'sent'
          and created_at >= ${from} and created_at < ${until}
          and (created_at, id) < (${below.at}, ${below.id})
          and (${chain}::text is null or chain = ${chain})
          and (${asset}::text is null or asset = ${asset})
          and (status = 'settled' or (status = 'mined' and failure is null))
          and (to_chain is null or exists (select 1 from smart_payment p where p.tip_id = tip.id and p.status = 'succeeded'))
          and coalesce(${status}::text, 'paid') = 'paid'
          and (${like}::text is null or tx_hash in (${q}, lower(${q})) or id = ${q}
            or exists (select 1 from handle where handle.id = sender_handle_id and handle.slug || '@ampersat' ilike ${like}))
        order by created_at desc, id desc limit ${limit})
      union all
      (select ${SEND_COLUMNS} from send
        where handle_id = ${handleId}
          and ${direction}::text is distinct from 'received'
          and created_at >= ${from} and created_at < ${until}
          and (created_at, id) < (${below.at}, ${below.id})
          and (${chain}::text is null or chain = ${chain})
          and coalesce(${asset}::text, 'USDC') = 'USDC'
          and status = any(case ${status}::text when 'paid' then array['completed'] when 'pending' then array['processing']
            when 'failed' then array['failed'] else array['completed', 'processing', 'failed'] end)
          and (${like}::text is null or recipient_label ilike ${like} or tx_hash in (${q}, lower(${q})) or id = ${q})
        order by created_at desc, id desc limit ${limit})
      union all
      (select ${SEND_COLUMNS} from send
        where recipient_handle_id = ${handleId}
          and ${direction}::text is distinct from 'sent'
          and created_at >= ${from} and created_at < ${until}
          and (created_at, id) < (${below.at}, ${below.id})
          and (${chain}::text is null or chain = ${chain})
          and coalesce(${asset}::text, 'USDC') = 'USDC'
          and status = 'completed' and coalesce(${status}::text, 'paid') = 'paid'
          and (${like}::text is null or tx_hash in (${q}, lower(${q})) or id = ${q}
            or exists (select 1 from handle where handle.id = handle_id and handle.slug || '@ampersat' ilike ${like}))
        order by created_at desc, id desc limit ${limit})
    ) as leg
    left join intent on intent.id = leg.intent_id
    left join handle as sender on sender.id = leg.sender_handle_id
    left join escrow as tab on tab.tip_id = leg.id
    left join smart_payment as crossing on crossing.tip_id = leg.id
    left join smart_leg as way on way.payment_id = crossing.id
    order by leg.created_at desc, leg.id desc
    limit ${limit}`;
}

function historyLine(ctx: Ctx, handleId: string, row: HistoryRow): HistoryLine {
  const sent = row.sender_handle_id === handleId;
  const money = (units: string) => formatUnits(BigInt(units), row.decimals);
  const status = publicStatus(row.status, row.failure !== null, row.tab_status, row.crossing_status);
  // A recipient looks for what arrived, where it arrived.
  const chain = sent ? row.chain : (row.to_chain ?? row.chain);
  const hash = sent ? row.tx_hash : (row.arrive_tx_hash ?? row.tx_hash);
  return {
    id: row.id,
    direction: sent ? 'sent' : 'received',
    counterparty: sent ? row.recipient_label : `${row.sender_slug}@ampersat`,
    amount: money(row.units),
    fee: sent ? money(String(BigInt(row.fee_units) + BigInt(row.bridge_units))) : null,
    asset: row.asset,
    chain,
    chain_label: chainLabel(chain),
    to_chain_label: sent && row.to_chain !== null ? chainLabel(row.to_chain) : null,
    status,
    failure: status === 'failed' ? failureSentence(row.failure as Refusal | null) : null,
    tx_hash: hash,
    explorer_url: transactionUrl(ctx, chain, hash),
    platform: row.platform,
    at: row.created_at.toISOString(),
    receipt_url: row.platform === SENT_BY_WALLET ? null : `/r/${row.id}`,
  };
}

function writeCursor({ created_at, id }: HistoryRow): string {
  return Buffer.from(`${created_at.getTime()}.${id}`).toString('base64url');
}

function readCursor(cursor: string): Place {
  const [, at, id] = /^(\d{1,15})\.((?:tip|snd)_[0-9a-z]{26})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (at === undefined || id === undefined)
    throw new AppError('parameter_invalid', 'Invalid cursor. Pass the next_cursor of the previous page.', {
      param: 'cursor',
    });
  return { at: new Date(Number(at)), id };
}
