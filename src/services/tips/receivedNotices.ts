// Notices about received money. A leg's row is written with its status; a worker makes notices from the rows, one a recipient and minute.
import type { Ctx } from '../../context.ts';
import { newId } from '../../context.ts';
import { sqlList, sqlPart, sqlRows, type Tx } from '../../db.ts';
import type { ChatAddress } from '../../domain/chat.ts';
import { RECEIVED_WINDOW_MS, type ReceivedPace, STRANGER_BELOW } from '../../domain/received.ts';
import { directChatsWith, type PlatformAccount } from '../outbox/directMessages.ts';
import { bumpReplies, wantReplies } from '../outbox/replies.ts';
import { wake } from '../wake.ts';
import { switchButtons } from './receivedSettings.ts';
import { legsOfStrangers } from './strangers.ts';

const PAGE = 500;
/** What goes to another chain is received when it is there, in final blocks. */
const HAS_ARRIVED = sqlPart`(t.to_chain is null or exists (select 1 from smart_payment p where p.tip_id = t.id and p.status = 'succeeded'))`;

/** Key of a notice's reply. It sorts behind the other keys that a transaction of legs locks. */
function noticeKey(noticeId: string): string {
  return `you-received:${noticeId}`;
}

/** Notes which of these legs are received, or changed since; in the transaction that writes their status. One statement for all. */
export async function noteReceived(ctx: Ctx, tx: Tx, tipIds: string[]): Promise<void> {
  if (tipIds.length === 0) return;
  const now = new Date(ctx.clock.now());
  await tx.$executeRaw`
    insert into received_leg as known (tip_id, due_at, created_at)
      select t.id, ${now}::timestamptz, ${now}::timestamptz from tip t
      where t.id in (${sqlList(tipIds)})
        and (t.recipient_handle_id is not null or t.tab_slug like '%:id:%')
        and t.recipient_handle_id is distinct from t.sender_handle_id
        and (((t.status = 'settled' or (t.status = 'mined' and t.failure is null)) and ${HAS_ARRIVED})
          or exists (select 1 from received_leg r where r.tip_id = t.id))
      order by t.id
    -- A recipient who could not be written to at the first block is not written to at the last one.
    on conflict (tip_id) do update set due_at = excluded.due_at where known.notice_id is not null`;
  await wake(tx, 'received');
}

/** Refreshes the notices of these legs, where there are any. */
export async function refreshReceived(ctx: Ctx, tx: Tx, tipIds: string[]): Promise<void> {
  if (tipIds.length === 0) return;
  await tx.receivedLeg.updateMany({ where: { tipId: { in: tipIds } }, data: { dueAt: new Date(ctx.clock.now()) } });
  await wake(tx, 'received');
}

/** Posts and edits what is due. Any number of workers may run it. @returns how many legs were looked at */
export async function postReceived(ctx: Ctx): Promise<number> {
  const count = await ctx.db.$transaction(async (tx) => {
    const due = await tx.$queryRaw<{ tip_id: string; notice_id: string | null }[]>`
      select tip_id, notice_id from received_leg where due_at <= ${new Date(ctx.clock.now())}
      order by due_at, tip_id limit ${PAGE} for update skip locked`;
    if (due.length === 0) return 0;
    await tx.receivedLeg.updateMany({ where: { tipId: { in: due.map((leg) => leg.tip_id) } }, data: { dueAt: null } });
    const fresh = due.filter((leg) => leg.notice_id === null).map((leg) => leg.tip_id);
    await dropUnpaid(tx, fresh);
    const extended = await addToNotices(ctx, tx, fresh);
    const changed = due.flatMap((leg) => leg.notice_id ?? []);
    await bumpReplies(ctx, tx, [...new Set([...changed, ...extended])].map(noticeKey));
    return due.length;
  });
  if (count > 0) await ctx.queues.flush(ctx.db);
  return count;
}

/** Legs that a reorg reverted before they had a notice start again when they are paid again. */
async function dropUnpaid(tx: Tx, tipIds: string[]): Promise<void> {
  if (tipIds.length === 0) return;
  await tx.$executeRaw`
    delete from received_leg r using tip t where t.id = r.tip_id and r.tip_id in (${sqlList(tipIds)})
      and t.status <> 'settled' and (t.status <> 'mined' or t.failure is not null)`;
}

/** Posts the daily notices whose day is over. @returns how many */
export async function postDailyReceived(ctx: Ctx): Promise<number> {
  const now = new Date(ctx.clock.now());
  const count = await ctx.db.$transaction(async (tx) => {
    const due = await tx.$queryRaw<WindowRow[]>`
      update received_window set posted_at = ${now} where (reader, pace) in (
        select reader, pace from received_window where posted_at is null and closes_at <= ${now}
        order by reader, pace limit ${PAGE} for update skip locked)
      returning reader, pace, notice_id, platform, bot_id, chat_id, user_id`;
    await postNotices(ctx, tx, due);
    return due.length;
  });
  if (count > 0) await ctx.queues.flush(ctx.db);
  return count;
}

type WindowRow = {
  reader: string;
  pace: ReceivedPace;
  notice_id: string;
  platform: string;
  bot_id: string;
  chat_id: string;
  user_id: string;
};
type Addressed = { tipId: string; reader: string; pace: ReceivedPace; chat: ChatAddress; userId: string };

/** Adds legs to the open notices of their recipients, or opens new ones. @returns the notices that were open before */
async function addToNotices(ctx: Ctx, tx: Tx, tipIds: string[]): Promise<string[]> {
  const addressed = await addressLegs(tx, tipIds);
  if (addressed.length === 0) return [];
  const now = ctx.clock.now();
  const groups = new Map(addressed.map((leg) => [`${leg.reader} ${leg.pace}`, leg]));
  const wanted = [...groups.values()].map(({ reader, pace, chat, userId }) => ({
    reader,
    pace,
    notice_id: newId(ctx, 'ntc'),
    platform: chat.platform,
    bot_id: chat.botId,
    chat_id: chat.chatId,
    user_id: userId,
    closes_at: new Date(now + RECEIVED_WINDOW_MS[pace]),
    posted_at: pace === 'minute' ? new Date(now) : null,
  }));
  // A minute ends by the clock; a day when its notice is posted, so that nothing that comes late is lost.
  const opened = await tx.$queryRaw<WindowRow[]>`
    insert into received_window as known (reader, pace, notice_id, platform, bot_id, chat_id, user_id, closes_at, posted_at)
      select reader, pace, notice_id, platform, bot_id, chat_id, user_id, closes_at, posted_at
      from jsonb_to_recordset(${sqlRows(wanted)}) as w(reader text, pace text, notice_id text, platform text, bot_id text, chat_id text,
        user_id text, closes_at timestamptz, posted_at timestamptz)
      order by reader, pace
    on conflict (reader, pace) do update set notice_id = excluded.notice_id, platform = excluded.platform, bot_id = excluded.bot_id,
        chat_id = excluded.chat_id, user_id = excluded.user_id, closes_at = excluded.closes_at, posted_at = excluded.posted_at
      where known.posted_at is not null and known.closes_at <= ${new Date(now)}::timestamptz
    returning reader, pace, notice_id, platform, bot_id, chat_id, user_id`;
  const noticeOf = await openNotices(tx, wanted);
  const rows = addressed.map(({ tipId, reader, pace }) => ({
    tip_id: tipId,
    notice_id: noticeOf.get(`${reader} ${pace}`),
  }));
  await tx.$executeRaw`
    update received_leg r set notice_id = n.notice_id
    from jsonb_to_recordset(${sqlRows(rows)}) as n(tip_id text, notice_id text) where r.tip_id = n.tip_id`;
  await postNotices(
    ctx,
    tx,
    opened.filter((one) => one.pace === 'minute'),
  );
  const isNew = new Set(opened.map((one) => one.notice_id));
  return [...noticeOf.values()].filter((id) => !isNew.has(id));
}

async function openNotices(tx: Tx, readers: { reader: string; pace: string }[]): Promise<Map<string, string>> {
  const rows = await tx.$queryRaw<{ reader: string; pace: string; notice_id: string }[]>`
    select known.reader, known.pace, known.notice_id
    from jsonb_to_recordset(${sqlRows(readers)}) as w(reader text, pace text) join received_window known using (reader, pace)`;
  return new Map(rows.map((row) => [`${row.reader} ${row.pace}`, row.notice_id]));
}

async function postNotices(ctx: Ctx, tx: Tx, windows: WindowRow[]): Promise<void> {
  if (windows.length === 0) return;
  const replyIds = await wantReplies(
    ctx,
    tx,
    windows.map((one) => ({
      key: noticeKey(one.notice_id),
      to: { platform: one.platform, botId: one.bot_id, chatId: one.chat_id },
      replyTo: null,
      kind: 'received',
      data: { noticeId: one.notice_id, reader: one.reader, pace: one.pace, userId: one.user_id },
    })),
  );
  await tx.button.createMany({
    data: windows.flatMap(({ platform, chat_id: chatId, user_id: userId }, index) =>
      switchButtons(ctx, { replyId: replyIds[index] ?? '', platform, chatId, userId }),
    ),
  });
}

type Candidate = {
  tip_id: string;
  handle_id: string | null;
  is_small_escrow: boolean;
  is_tip_platform: boolean;
  platform: string;
  platform_user_id: string;
};

/** Who is notified of each leg, where and how soon. Legs of those who are not to be notified are left out. */
async function addressLegs(tx: Tx, tipIds: string[]): Promise<Addressed[]> {
  const candidates = await recipientAccounts(tx, tipIds);
  const accounts = new Map(candidates.map((one) => [accountKey(one), accountOf(one)]));
  const chats = new Map(
    (await directChatsWith(tx, [...accounts.values()]))
      .filter((one) => !one.isClosed)
      .map((one) => [`${one.platform}:${one.platformUserId}`, one.chat]),
  );
  const small = candidates.filter((one) => one.is_small_escrow).map((one) => one.tip_id);
  const ofStrangers = await legsOfStrangers(tx, [...new Set(small)]);
  const addressed = new Map<string, Addressed>();
  for (const one of candidates) {
    const chat = chats.get(accountKey(one));
    if (!chat || addressed.has(one.tip_id)) continue;
    addressed.set(one.tip_id, {
      tipId: one.tip_id,
      reader: one.handle_id ?? accountKey(one),
      pace: ofStrangers.has(one.tip_id) ? 'day' : 'minute',
      chat,
      userId: one.platform_user_id,
    });
  }
  return [...addressed.values()];
}

/**
 * The accounts of each leg's recipient, best first: on the platform of the tip, then by when they last wrote. Not on X, where a message costs
 * money; none for a recipient who turned notices off, and for an account that was disconnected.
 */
async function recipientAccounts(tx: Tx, tipIds: string[]): Promise<Candidate[]> {
  if (tipIds.length === 0) return [];
  return tx.$queryRaw<Candidate[]>`
    with leg as (
      select t.id, i.platform, t.tab_slug is not null and t.usd_micros < ${STRANGER_BELOW} as is_small_escrow,
        coalesce(t.recipient_handle_id, c.handle_id) as handle_id, c.handle_id is null and c.id is not null as is_disconnected,
        split_part(t.tab_slug, ':', 1) as slug_platform, split_part(t.tab_slug, ':', 3) as slug_user
      from tip t join intent i on i.id = t.intent_id
      left join lateral (
        select id, case when disconnected_at is null then handle_id end as handle_id from connection
        where platform = split_part(t.tab_slug, ':', 1) and platform_user_id = split_part(t.tab_slug, ':', 3)) c on true
      where t.id in (${sqlList(tipIds)}) and (t.status = 'settled' or (t.status = 'mined' and t.failure is null))
        and coalesce(t.recipient_handle_id, c.handle_id) is distinct from t.sender_handle_id
    ), account as (
      select leg.*, c.platform as to_platform, c.platform_user_id
      from leg join connection c on c.handle_id = leg.handle_id and c.disconnected_at is null
      union all
      select leg.*, slug_platform, slug_user from leg where handle_id is null and not is_disconnected
    )
    select a.id as tip_id, a.handle_id, a.is_small_escrow, a.to_platform = a.platform as is_tip_platform,
      a.to_platform as platform, a.platform_user_id
    from account a left join seen_user s on s.platform = a.to_platform and s.platform_user_id = a.platform_user_id
    where a.to_platform in ('telegram', 'discord')
      and not exists (select 1 from received_off o where o.reader in (a.handle_id, a.to_platform || ':' || a.platform_user_id))
    order by a.id, is_tip_platform desc, s.last_seen_at desc nulls last, a.to_platform`;
}

function accountKey({ platform, platform_user_id }: Candidate): string {
  return `${platform}:${platform_user_id}`;
}
function accountOf({ platform, platform_user_id: platformUserId }: Candidate): PlatformAccount {
  return { platform, platformUserId };
}
