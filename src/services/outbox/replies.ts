// The outbox of chats: which replies are wanted, in which version.
import type { Ctx } from '../../context.ts';
import { newId } from '../../context.ts';
import { sqlList, sqlPart, sqlRows, type Tx } from '../../db.ts';
import type { ChatAddress } from '../../domain/chat.ts';
import { RECEIVED_EDIT_MS } from '../../domain/received.ts';
import type { ReplyContent } from './content.ts';
import { enqueueReplies } from './jobs.ts';

export type ReplyInput = ReplyContent & {
  key: string;
  to: ChatAddress;
  replyTo: string | null;
  /** The message in a group that a private reply answers: a pointer there stands in for what the direct chat refuses. */
  origin?: { chatId: string; messageId: string } | undefined;
  /** Whether this version is the first that shows a payment: what people wait for is measured from the message to its showing. */
  isReceipt?: boolean;
};

/** Wants a reply, or a newer version of the one under the same key, which edits the sent message. @returns the row's id */
export async function wantReply(ctx: Ctx, tx: Tx, input: ReplyInput): Promise<string> {
  const [id] = await wantReplies(ctx, tx, [input]);
  if (!id) throw new Error('every reply has its row');
  return id;
}

type WantedReply = { id: string; key: string; version: number; failure: string | null };

/** The same for many, of which no two have the same key. @returns the rows' ids, in the order of the input */
export async function wantReplies(ctx: Ctx, tx: Tx, inputs: ReplyInput[]): Promise<string[]> {
  if (inputs.length === 0) return [];
  const rows = inputs.map(({ key, to, replyTo, kind, data, origin, isReceipt = false }) => ({
    id: newId(ctx, 'rpl'),
    key,
    platform: to.platform,
    bot_id: to.botId,
    chat_id: to.chatId,
    reply_to_message_id: replyTo,
    kind,
    data: origin === undefined ? data : { ...data, origin },
    is_receipt: isReceipt,
  }));
  const now = ctx.clock.now();
  const wanted = await tx.$queryRaw<WantedReply[]>`
    insert into reply as known (id, key, platform, bot_id, chat_id, reply_to_message_id, kind, data, receipt_version, next_attempt_at, created_at)
      select id, key, platform, bot_id, chat_id, reply_to_message_id, kind, data, case when is_receipt then 1 end, at, at
      from jsonb_to_recordset(${sqlRows(rows)}) as w(id text, key text, platform text, bot_id text, chat_id text,
        reply_to_message_id text, kind text, data jsonb, is_receipt boolean), cast(${new Date(now)} as timestamptz) as at
      order by key
    on conflict (key) do update set data = excluded.data,
      receipt_version = coalesce(known.receipt_version, excluded.receipt_version + known.version), ${nextVersion(now)}
    returning id, key, version, failure`;
  await enqueueWanted(tx, wanted, now);
  const idOf = new Map(wanted.map((row) => [row.key, row.id]));
  return inputs.map(({ key }) => idOf.get(key) ?? '');
}

/** Shows an existing reply as it is now: it is rendered again. */
export function bumpReply(ctx: Ctx, tx: Tx, key: string): Promise<void> {
  return bumpReplies(ctx, tx, [key]);
}

/** The same for many. Keys without a reply are left out. */
export async function bumpReplies(ctx: Ctx, tx: Tx, keys: string[]): Promise<void> {
  if (keys.length === 0) return;
  const now = ctx.clock.now();
  const wanted = await tx.$queryRaw<WantedReply[]>`
    with locked as (select id from reply where key in (${sqlList(keys)}) order by key for update)
    update reply known set ${nextVersion(now)} from locked where known.id = locked.id
    returning known.id, known.key, known.version, known.failure`;
  await enqueueWanted(tx, wanted, now);
}

/** What the platform refused stays refused, and a wait that it asked for is kept, whatever there is to show. */
function nextVersion(now: number) {
  const at = new Date(now);
  return sqlPart`version = known.version + 1,
      open = known.open or known.failure is null,
      next_attempt_at = case
        when known.failure is not null or known.attempts > 0 then known.next_attempt_at
        -- Any number of payments may come in at once: their notice is edited every few seconds.
        when known.kind = 'received' then greatest(${at}::timestamptz, known.sent_at + ${RECEIVED_EDIT_MS} * interval '1 millisecond')
        else ${at}::timestamptz end`;
}

function enqueueWanted(tx: Tx, wanted: WantedReply[], now: number): Promise<void> {
  return enqueueReplies(
    tx,
    wanted.filter((row) => row.failure === null),
    now,
  );
}
