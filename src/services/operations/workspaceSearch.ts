// A workspace's search: its orders, links, events and escrows by ids, transactions, addresses, descriptions and metadata, the newest first. What is named
// whole is found by its index, however old it is; a part of a text is looked for among the newest rows of each kind.
import type { Ctx } from '../../context.ts';
import { sqlPart } from '../../db.ts';
import { CHAINS, type ChainName } from '../../domain/chains.ts';
import { formatUnits } from '../../domain/money.ts';
import { isLiveChain, type Mode, usualMode } from '../chains.ts';
import { USES } from '../orders/limited.ts';

export type FoundKind = 'order' | 'payment_link' | 'event' | 'tab';
/** `title` is a description, a label, a type or a recipient; null where there is none. `amount` is a canonical decimal string. */
export type Found = {
  id: string;
  kind: FoundKind;
  title: string | null;
  status: string | null;
  amount: string | null;
  currency: string | null;
  livemode: boolean;
  /** ISO 8601. */
  at: string;
};

/** Of each kind, and of rows that are looked through for a part of a text. */
export const MOST_OF_A_KIND = 6;
export const NEWEST = { orders: 5_000, others: 1_000 } as const;

type FoundRow = Omit<Found, 'amount' | 'at'> & { units: string | null; decimals: number | null; at: Date };
type Wanted = { workspaceId: string; modes: boolean[]; q: string; like: string };

export async function searchWorkspace(
  ctx: Ctx,
  workspaceId: string,
  { q, mode = usualMode(ctx) }: { q: string; mode?: Mode | undefined },
): Promise<Found[]> {
  const modes = [mode === 'live'];
  const like = `%${q.replace(/[\\%_]/g, '\\$&')}%`;
  const wanted = { workspaceId, modes, q, like };
  const found = await Promise.all([
    findOrders(ctx, wanted),
    findLinks(ctx, wanted),
    findEvents(ctx, wanted),
    findEscrows(ctx, wanted),
  ]);
  return found.flat().map(({ units, decimals, at, ...row }) => ({
    ...row,
    amount: units === null ? null : formatUnits(BigInt(units), decimals ?? 0),
    at: at.toISOString(),
  }));
}

/** The newest rows of each mode, by their index. */
function findOrders(ctx: Ctx, { workspaceId, modes, q, like }: Wanted): Promise<FoundRow[]> {
  const chains = Object.keys(CHAINS);
  return ctx.db.$queryRaw<FoundRow[]>`
    with named as (
      select id from payment_order where id = ${q}
      union select id from payment_order where tx_hash in (${q}, lower(${q}))
      union select order_id from order_log where chain = any(${chains}::text[]) and tx_hash in (${q}, lower(${q}))
    ), newest as (
      select o.* from unnest(${modes}::boolean[]) as m (livemode) cross join lateral (
        select id, tx_hash, payer, description, client_reference_id, metadata, link_id from payment_order
        where handle_id = ${workspaceId} and livemode = m.livemode order by id desc limit ${NEWEST.orders}) o
    ), ids as (
      select id from named
      union select n.id from newest n left join payment_link l on l.id = n.link_id
        where n.id ilike ${like} or n.tx_hash ilike ${like} or n.payer ilike ${like} or n.description ilike ${like} or l.label ilike ${like}
          or n.client_reference_id ilike ${like}
          or exists (select from jsonb_each_text(n.metadata) as entry where entry.value ilike ${like})
    )
    select o.id, 'order' as kind, coalesce(o.description, l.label) as title, o.status, o.currency, o.livemode, o.created_at as at,
      o.units::text as units, o.decimals
    from payment_order o left join payment_link l on l.id = o.link_id
    where o.id in (select id from ids) and o.handle_id = ${workspaceId} and o.livemode = any(${modes}::boolean[])
    order by o.id desc limit ${MOST_OF_A_KIND}`;
}

function findLinks(ctx: Ctx, { workspaceId, modes, q, like }: Wanted): Promise<FoundRow[]> {
  return ctx.db.$queryRaw<FoundRow[]>`
    with ids as (
      select id from payment_link where id = ${q}
      union select id from (select * from payment_link where handle_id = ${workspaceId} order by id desc limit ${NEWEST.others}) n
        where id ilike ${like} or label ilike ${like} or client_reference_id ilike ${like}
          or exists (select from jsonb_each_text(metadata) as entry where entry.value ilike ${like})
    )
    select id, 'payment_link' as kind, label as title, case when active and (expires_at is null or expires_at > ${new Date(ctx.clock.now())}::timestamptz)
        and (max_uses is null or ${USES} < max_uses) then 'active' else 'inactive' end as status,
      currency, livemode, created_at as at, null as units, null as decimals
    from payment_link l
    where id in (select id from ids) and handle_id = ${workspaceId} and livemode = any(${modes}::boolean[])
    order by id desc limit ${MOST_OF_A_KIND}`;
}

/** Tests of endpoints are in no list, and neither here. */
function findEvents(ctx: Ctx, { workspaceId, modes, q, like }: Wanted): Promise<FoundRow[]> {
  const columns = sqlPart`id, handle_id, livemode, type, is_test, created_at`;
  return ctx.db.$queryRaw<FoundRow[]>`
    select distinct id, 'event' as kind, type as title, null as status, null as currency, livemode, created_at as at,
      null as units, null::int as decimals
    from (
      select ${columns} from event where id = ${q}
      union all select ${columns} from event where resource_id = ${q}
      union all select n.* from unnest(${modes}::boolean[]) as m (livemode) cross join lateral (
        select ${columns} from event
        where handle_id = ${workspaceId} and livemode = m.livemode order by id desc limit ${NEWEST.others}) n
        where n.id ilike ${like} or n.type ilike ${like}
    ) found
    where handle_id = ${workspaceId} and livemode = any(${modes}::boolean[]) and not is_test
    order by id desc limit ${MOST_OF_A_KIND}`;
}

/** Those that the workspace sent. */
function findEscrows(ctx: Ctx, { workspaceId, modes, like }: Wanted): Promise<FoundRow[]> {
  const test = (Object.keys(CHAINS) as ChainName[]).filter((name) => !isLiveChain(ctx, name));
  return ctx.db.$queryRaw<FoundRow[]>`
    select id, 'tab' as kind, recipient_label as title, status, asset as currency, chain <> all(${test}::text[]) as livemode, created_at as at,
      units::text as units, decimals
    from (select * from escrow where sender_handle_id = ${workspaceId} order by created_at desc limit ${NEWEST.others}) t
    where (chain <> all(${test}::text[])) = any(${modes}::boolean[]) and (id ilike ${like} or recipient_label ilike ${like} or note ilike ${like}
      or open_tx_hash ilike ${like} or close_tx_hash ilike ${like})
    order by created_at desc limit ${MOST_OF_A_KIND}`;
}
