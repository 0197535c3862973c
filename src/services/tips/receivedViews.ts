// A notice about received money as its reader sees it, from the rows as they are now.
import type { Ctx } from '../../context.ts';
import { platformLabel } from '../../domain/escrowSlug.ts';
import { formatUnits } from '../../domain/money.ts';
import { type ReceivedPace, shownNote, unlinked } from '../../domain/received.ts';
import type { DueReply } from '../outbox/due.ts';
import { areNoticesOff } from './receivedSettings.ts';
import { legsOfStrangers } from './strangers.ts';

/** Who sent it: `platform` is set when that is another one than the reader's. */
export type ReceivedSender = { name: string; platform: string | null };
export type ReceivedGroup = {
  count: number;
  people: number;
  /** The sender, when there is one only. */
  sender: ReceivedSender | null;
  /** Decimal strings, one an asset. */
  sums: { amount: string; asset: string }[];
  /** Labels of the chains on which a part is not final. */
  confirming: string[];
};
export type ReceivedNotice = {
  pace: ReceivedPace;
  isOff: boolean;
  /** In the reader's wallet. */
  paid: ReceivedGroup | null;
  /** In escrows, until this Unix time in milliseconds. */
  waiting: (ReceivedGroup & { until: number }) | null;
  /** Reverted by a reorg and sent again. */
  undone: ReceivedGroup | null;
  /** Not received after all: failed after a reorg, or refunded to the sender. */
  returned: ReceivedGroup | null;
  /** The only leg, and its note: shown when the sender is no stranger. */
  only: { tipId: string; note: string | null } | null;
};

type Leg = {
  id: string;
  status: string;
  failed: boolean;
  asset: string;
  decimals: number;
  units: string;
  chain: string;
  sender_handle_id: string;
  sender_username: string | null;
  slug: string | null;
  platform: string;
  escrow_status: string | null;
  deadline: bigint | null;
  memo: string | null;
};
type Fate = 'paid' | 'waiting' | 'undone' | 'returned';

/** The notice behind a reply; null when there is nothing to show, or the reader no longer gets notices. */
export async function receivedNotice(ctx: Ctx, reply: DueReply<'received'>): Promise<ReceivedNotice | null> {
  const { noticeId, reader, pace, userId } = reply.data;
  const isShown = reply.platformMessageId !== null;
  if (reader.startsWith('hdl_') && !(await isConnected(ctx, reply.platform, userId, reader))) return null;
  const isOff = await areNoticesOff(ctx.db, [reader, `${reply.platform}:${userId}`]);
  if (isOff && !isShown) return null;
  const legs = await ctx.db.$queryRaw<Leg[]>`
    select t.id, case when p.status = 'succeeded' then 'settled' else t.status end as status,
      t.failure is not null and p.status is distinct from 'succeeded' as failed, t.asset, t.decimals, t.units::text, coalesce(t.to_chain, t.chain) as chain, t.sender_handle_id,
      i.sender_username, h.slug, i.platform, e.status as escrow_status, e.deadline, i.command->>'memo' as memo
    from received_leg r join tip t on t.id = r.tip_id join intent i on i.id = t.intent_id
    left join handle h on h.id = t.sender_handle_id left join escrow e on e.tip_id = t.id
    left join smart_payment p on p.tip_id = t.id
    where r.notice_id = ${noticeId} order by r.created_at, t.id`;
  const of = (fate: Fate) => legs.filter((leg) => fateOf(leg) === fate);
  const groupOf = (fate: Fate) => group(ctx, of(fate), reply.platform);
  const waiting = groupOf('waiting');
  const paid = groupOf('paid');
  // A reader whose notice did not show the payment needs no correction.
  if (!isShown && !paid && !waiting) return null;
  const until = Math.min(...of('waiting').map((leg) => Number(leg.deadline) * 1_000));
  return {
    ...{ pace, isOff, paid },
    waiting: waiting && { ...waiting, until },
    undone: groupOf('undone'),
    returned: groupOf('returned'),
    only: legs.length === 1 && legs[0] ? { tipId: legs[0].id, note: await noteOf(ctx, legs[0]) } : null,
  };
}

async function isConnected(ctx: Ctx, platform: string, platformUserId: string, handleId: string): Promise<boolean> {
  return (await ctx.db.connection.count({ where: { platform, platformUserId, handleId, disconnectedAt: null } })) > 0;
}

function fateOf({ status, failed, escrow_status }: Leg): Fate {
  if (status === 'failed' || escrow_status === 'refunded') return 'returned';
  if (status !== 'settled' && (status !== 'mined' || failed)) return 'undone';
  return escrow_status === null || escrow_status === 'claimed' ? 'paid' : 'waiting';
}

function group(ctx: Ctx, legs: Leg[], platform: string): ReceivedGroup | null {
  const [first] = legs;
  if (!first) return null;
  const people = new Set(legs.map((leg) => leg.sender_handle_id)).size;
  const sums = new Map<string, { asset: string; decimals: number; units: bigint }>();
  for (const { asset, decimals, units } of legs) {
    const key = `${asset} ${decimals}`;
    sums.set(key, { asset, decimals, units: (sums.get(key)?.units ?? 0n) + BigInt(units) });
  }
  const open = legs.filter((leg) => leg.status === 'mined').map((leg) => leg.chain);
  const labelOf = (chain: string) => ctx.chains[chain as keyof typeof ctx.chains]?.facts.label ?? chain;
  return {
    count: legs.length,
    people,
    sender: people === 1 ? senderOf(first, platform) : null,
    sums: [...sums.values()].map(({ asset, decimals, units }) => ({ amount: formatUnits(units, decimals), asset })),
    confirming: [...new Set(open)].map(labelOf),
  };
}

function senderOf({ sender_username: username, slug, platform }: Leg, readOn: string): ReceivedSender {
  if (username === null) return { name: `${slug ?? ''}@ampersat`, platform: null };
  // A name of the same platform is as safe as everywhere else in that chat; one of another may look like an address.
  if (platform === readOn) return { name: `@${username}`, platform: null };
  return { name: unlinked(`@${username}`), platform: platformLabel(platform) };
}

async function noteOf(ctx: Ctx, { id, memo }: Leg): Promise<string | null> {
  if (!memo || (await legsOfStrangers(ctx.db, [id])).has(id)) return null;
  return shownNote(memo);
}
