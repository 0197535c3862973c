// How many commands a person has used up: an hour's window, in which a command that paid nothing in the end does not count.
import type { Ctx } from '../../context.ts';
import { type Db, sqlPart, type Tx } from '../../db.ts';
import type { ChatMessage } from '../../domain/chat.ts';
import {
  REACTION_TIPS_PER_WINDOW,
  reactionsKey,
  TIPS_PER_WINDOW_CONNECTED,
  TIPS_PER_WINDOW_UNCONNECTED,
  tipsKey,
} from '../../domain/limits.ts';
import { type Action, forget, hitMany, type RateAnswer, remaining } from '../rateLimit.ts';

/** `canSpend` is false for an account that only receives. */
export type Counted = { key: string; message: ChatMessage; handleId: string | null; canSpend: boolean };

/**
 * Counts for the platform account and for the handle behind all of its accounts. An account that only receives is refused in any case, so it
 * uses up nothing of those that spend.
 */
function actionOf({ key, message, handleId, canSpend }: Counted): Action {
  const { platform, sender } = message;
  if (handleId === null) {
    return {
      id: key,
      limits: [{ key: `pending:${tipsKey(platform, sender.id)}`, window: TIPS_PER_WINDOW_UNCONNECTED }],
    };
  }
  const keyOf = message.byReaction ? reactionsKey : tipsKey;
  const window = message.byReaction ? REACTION_TIPS_PER_WINDOW : TIPS_PER_WINDOW_CONNECTED;
  const own = keyOf(platform, sender.id);
  return {
    id: key,
    limits: (canSpend ? [keyOf('handle', handleId), own] : [own]).map((name) => ({ key: name, window })),
  };
}

/**
 * Counts commands in the order given. Where a window is full, commands in it that paid nothing are removed from it first: they have ended
 * permanently, so removing them twice, or in a transaction that is rolled back, changes nothing.
 */
export async function countCommands(ctx: Ctx, tx: Tx, commands: Counted[], now: number): Promise<RateAnswer[]> {
  const answers = await hitMany(ctx, tx, commands.map(actionOf), now);
  for (const [index, command] of commands.entries()) {
    if (answers[index]?.allowed !== false) continue;
    const action = actionOf(command);
    const since = now - Math.max(...action.limits.map(({ window }) => window.windowMs));
    const unpaid = await unpaidCommands(tx, command.message, command.handleId, since);
    if (unpaid.length === 0) continue;
    await forget(
      ctx,
      tx,
      action.limits.map((limit) => limit.key),
      unpaid,
    );
    const [again] = await hitMany(ctx, tx, [action], now);
    if (again) answers[index] = again;
  }
  return answers;
}

/** Commands that are left of the hour: of an account, or of a handle over all of its accounts. */
export async function commandsLeft(
  ctx: Ctx,
  who: { platform: string; userId: string } | { handleId: string },
  now: number,
): Promise<number> {
  const window = TIPS_PER_WINDOW_CONNECTED;
  const since = now - window.windowMs;
  if ('handleId' in who) {
    const unpaid = await unpaidCommands(ctx.db, null, who.handleId, since);
    return remaining(ctx, ctx.db, { key: tipsKey('handle', who.handleId), window }, now, unpaid);
  }
  const account = { platform: who.platform, sender: { id: who.userId } };
  const unpaid = await unpaidCommands(ctx.db, account, null, since);
  return remaining(ctx, ctx.db, { key: tipsKey(who.platform, who.userId), window }, now, unpaid);
}

/** Inbox keys of commands that were refused, declined or never answered, or of which every leg failed. */
async function unpaidCommands(
  db: Db | Tx,
  account: { platform: string; sender: { id: string } } | null,
  handleId: string | null,
  since: number,
): Promise<string[]> {
  const byAccount =
    account === null
      ? sqlPart`false`
      : sqlPart`(i.platform = ${account.platform} and i.sender_id = ${account.sender.id})`;
  const byHandle = handleId === null ? sqlPart`false` : sqlPart`i.sender_handle_id = ${handleId}`;
  const rows = await db.$queryRaw<{ key: string }[]>`
    select i.inbox_key as key from intent i
    where (${byAccount} or ${byHandle}) and i.accepted_at > ${new Date(since)}::timestamptz
      and (i.status in ('refused', 'declined', 'lapsed')
        or (i.status = 'completed' and not exists (select from tip t where t.intent_id = i.id and t.status <> 'failed')))`;
  return rows.map(({ key }) => key);
}
