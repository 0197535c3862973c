// The leaderboard of a chat: who joined it, and what those gave and received there in the last 30 days. It lists only members who joined.
import type { Ctx } from '../../context.ts';
import { type ChatMessage, guestQueryOf } from '../../domain/chat.ts';
import { formatUsd } from '../../domain/money.ts';
import { readLeaderboardWish } from '../../domain/settingWords.ts';
import type { ReplyData } from '../outbox/content.ts';
import { wantReply } from '../outbox/replies.ts';
import { closeEntry } from './entries.ts';

/** The outcome of a `/leaderboard`; `elsewhere` where there is no group that could have one, `left_all` for `off` said there. */
export type LeaderboardOutcome = ReplyData<'leaderboard'>['outcome'];

/** `name` is what they are called now (`@carol`, `Carol`), null where that is not known; `usd` a decimal string at the value of acceptance, without fees. */
type Line = { userId: string; name: string | null; usd: string };
export type Leaderboard = { members: number; received: Line[]; gave: Line[] };

export const LEADERBOARD_MS = 30 * 24 * 3_600_000;
/** With the two headings a message of ten lines. */
const LINES_EACH = 4;

/** Shows the leaderboard of a group, or puts the sender into it or out of it. Leaving is in force with the next look at it. */
export async function leaderboardByMessage(ctx: Ctx, key: string, message: ChatMessage): Promise<void> {
  const { platform, chatId, sender } = message;
  const wish = readLeaderboardWish(message.input.text ?? '');
  const isGroup = message.chatKind === 'group' && guestQueryOf(chatId) === null;
  await ctx.db.$transaction(async (tx) => {
    if (!(await closeEntry(ctx, tx, key, message, 'leaderboard'))) return;
    const account = { platform, platformUserId: sender.id };
    let outcome: LeaderboardOutcome = wish === 'show' ? 'shown' : wish;
    if (!isGroup) outcome = wish === 'off' ? 'left_all' : 'elsewhere';
    if (outcome === 'left_all') await tx.leaderboardMember.deleteMany({ where: account });
    if (outcome === 'off') await tx.leaderboardMember.deleteMany({ where: { ...account, chatId } });
    if (outcome === 'on') {
      const data = [{ ...account, chatId, joinedAt: new Date(ctx.clock.now()) }];
      await tx.leaderboardMember.createMany({ data, skipDuplicates: true });
    }
    await wantReply(ctx, tx, {
      key: `answer:${key}`,
      to: message,
      replyTo: message.messageId,
      kind: 'leaderboard',
      data: { userId: sender.id, outcome },
    });
  });
  await ctx.queues.flush(ctx.db);
}

type SumRow = { side: 'gave' | 'received'; id: string; name: string | null; micros: bigint };

/**
 * What members gave and received in a chat. Final payments count alone: money that went back was not given, and what still waits in an escrow was
 * not received. A member counts as recipient only under the name or id that was typed: their Ampersat handle and their addresses stay
 * private.
 */
export async function leaderboardOf(ctx: Ctx, platform: string, chatId: string): Promise<Leaderboard> {
  const members = await ctx.db.leaderboardMember.count({ where: { platform, chatId } });
  if (members === 0) return { members, received: [], gave: [] };
  const since = new Date(ctx.clock.now() - LEADERBOARD_MS);
  const rows = await ctx.db.$queryRaw<SumRow[]>`
    with legs as (
      select i.sender_id, t.tab_slug, t.recipient_handle_id, lower(substr(t.recipient_label, 2)) as label, e.status as tab, p.status as crossing,
        i.command -> 'recipients' -> t.leg ->> 'by' as by, i.command -> 'recipients' -> t.leg ->> 'value' as value,
        round(t.usd_micros * t.units / (t.units + t.fee_units + t.bridge_units)) as micros
      from intent i join tip t on t.intent_id = i.id left join escrow e on e.tip_id = t.id
        left join smart_payment p on p.tip_id = t.id
      where i.platform = ${platform} and i.chat_id = ${chatId} and i.accepted_at > ${since} and t.status = 'settled'
    ), received as (
      select micros, case
        when by in ('id', 'reply') then value
        when by <> 'handle' or value like '%@ampersat' then null
        when tab_slug is not null then substr(tab_slug, length(${`${platform}:id:`}) + 1)
        else (select c.platform_user_id from connection c join seen_username u
            on u.platform = c.platform and u.platform_user_id = c.platform_user_id and u.username = legs.label
          where c.platform = ${platform} and c.handle_id = legs.recipient_handle_id and c.disconnected_at is null
          order by u.last_seen_at desc limit 1)
        end as id
      from legs where coalesce(tab = 'claimed', tab_slug is null) and coalesce(crossing = 'succeeded', true)
    ), sums as (
      select 'gave' as side, sender_id as id, sum(micros) as micros from legs
        where tab is distinct from 'refunded' and crossing is distinct from 'refunded' group by sender_id
      union all select 'received', id, sum(micros) from received where id is not null group by id
    ), ranked as (
      select s.*, row_number() over (partition by s.side order by s.micros desc, s.id) as place
      from sums s join leaderboard_member m on m.platform = ${platform} and m.chat_id = ${chatId} and m.platform_user_id = s.id
    )
    select r.side, r.id, coalesce('@' || u.username, u.display_name) as name, r.micros::bigint as micros
    from ranked r left join seen_user u on u.platform = ${platform} and u.platform_user_id = r.id
    where r.place <= ${LINES_EACH} order by r.side, r.place`;
  const lines = (side: SumRow['side']) =>
    rows
      .filter((row) => row.side === side)
      .map((row) => ({ userId: row.id, name: row.name, usd: formatUsd(row.micros) }));
  return { members, received: lines('received'), gave: lines('gave') };
}
