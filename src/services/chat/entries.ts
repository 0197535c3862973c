// The end of a message's entry in the inbox: closed once, in the transaction of what it leads to.
import type { Ctx } from '../../context.ts';
import type { Tx } from '../../db.ts';
import type { ChatMessage } from '../../domain/chat.ts';
import { reviveReplies } from '../outbox/revival.ts';
import { finishEntries } from './inbox.ts';

type Closing = { key: string; message: ChatMessage; outcome: string };

/** Closes a message's entry. A message in the direct chat also releases the replies that were held back there. */
export async function closeEntry(
  ctx: Ctx,
  tx: Tx,
  key: string,
  message: ChatMessage,
  outcome: string,
): Promise<boolean> {
  return (await closeEntries(ctx, tx, [{ key, message, outcome }])).has(key);
}

/** The same for many. @returns the keys that were still open */
export async function closeEntries(ctx: Ctx, tx: Tx, entries: Closing[]): Promise<Set<string>> {
  const closed = await finishEntries(
    ctx,
    tx,
    entries.map(({ key, outcome }) => ({ key, outcome })),
  );
  for (const { key, message } of entries) {
    if (closed.has(key) && message.chatKind === 'dm') await reviveReplies(ctx, tx, message);
  }
  return closed;
}
