// What one message has been given in all: once several people tipped under it, a single line there adds it up and follows every further tip.
import type { Ctx } from '../../context.ts';
import type { Tx } from '../../db.ts';
import { formatUnits } from '../../domain/money.ts';
import { wantReply } from '../outbox/replies.ts';

/** Below this a total would only repeat the receipts. */
const SENDERS_FOR_A_TOTAL = 3;
/** Names that the total lists; the others are counted. */
const MOST_NAMES = 3;

/** A message that is answered with tips. */
type Thread = { platform: string; botId: string; chatId: string; messageId: string };

/** Updates the totals under the messages of these intents, where there is one to show. */
export async function bumpThreads(ctx: Ctx, tx: Tx, intentIds: string[]): Promise<void> {
  const threads = await tx.intent.findMany({
    where: { id: { in: intentIds }, chatKind: 'group', answersMessageId: { not: null } },
    distinct: ['platform', 'botId', 'chatId', 'answersMessageId'],
    select: { platform: true, botId: true, chatId: true, answersMessageId: true, senderId: true },
  });
  for (const { answersMessageId, senderId, ...chat } of threads) {
    const thread = { ...chat, messageId: answersMessageId ?? '' };
    const { senders } = await readThread(tx, thread);
    const key = `thread:${thread.platform}:${thread.botId}:${thread.chatId}:${thread.messageId}`;
    // What came back may leave fewer than that: a total that stands there is kept right all the same.
    const stands = (await tx.reply.count({ where: { key } })) > 0;
    if (senders.length < SENDERS_FOR_A_TOTAL && !stands) continue;
    await wantReply(ctx, tx, {
      key,
      to: thread,
      replyTo: thread.messageId,
      kind: 'thread_total',
      data: { thread, userId: senderId },
    });
  }
}

type SenderRow = { sender_id: string; username: string | null };
type SumRow = { asset: string; decimals: number; units: string };

/** Final legs under a message, of all senders and to all recipients; what went back, from an escrow or a bridge, was not given. */
async function readThread(tx: Tx | Ctx['db'], { platform, botId, chatId, messageId }: Thread) {
  const senders = await tx.$queryRaw<SenderRow[]>`
    select i.sender_id, max(i.sender_username) as username
    from intent i join tip t on t.intent_id = i.id left join escrow e on e.tip_id = t.id
      left join smart_payment p on p.tip_id = t.id
    where i.platform = ${platform} and i.bot_id = ${botId} and i.chat_id = ${chatId} and i.answers_message_id = ${messageId}
      and t.status = 'settled' and e.status is distinct from 'refunded' and p.status is distinct from 'refunded'
    group by i.sender_id order by min(i.accepted_at)`;
  const sums = await tx.$queryRaw<SumRow[]>`
    select t.asset, t.decimals, sum(t.units)::text as units
    from intent i join tip t on t.intent_id = i.id left join escrow e on e.tip_id = t.id
      left join smart_payment p on p.tip_id = t.id
    where i.platform = ${platform} and i.bot_id = ${botId} and i.chat_id = ${chatId} and i.answers_message_id = ${messageId}
      and t.status = 'settled' and e.status is distinct from 'refunded' and p.status is distinct from 'refunded'
    group by t.asset, t.decimals order by t.asset, t.decimals`;
  return { senders, sums };
}

export type ThreadTotal = { names: string[]; others: number; sums: { amount: string; asset: string }[] };

/** A thread as its chat reads it: one amount for each asset and number of decimals, canonical. */
export async function threadTotal(ctx: Ctx, thread: Thread): Promise<ThreadTotal> {
  const { senders, sums } = await readThread(ctx.db, thread);
  const names = senders.flatMap(({ username }) => (username === null ? [] : [`@${username}`])).slice(0, MOST_NAMES);
  return {
    names,
    others: senders.length - names.length,
    sums: sums.map(({ asset, decimals, units }) => ({ amount: formatUnits(BigInt(units), decimals), asset })),
  };
}
