// The durable inbox: what a platform told us, stored once per message key before the platform may forget it.
import type { Ctx } from '../context.ts';
import type { Tx } from '../db.ts';
import type { ChatButton, ChatMessage } from '../domain/chat.ts';
import type { Command } from '../domain/command.ts';
import { noteSeen, type SeenUser } from './connections.ts';

export type InboxMessage = { kind: 'message'; message: ChatMessage; command: Command };
export type InboxButton = { kind: 'button'; button: ChatButton };
export type InboxEntry = InboxMessage | InboxButton;

/**
 * Stores one entry and who was seen with it at `seenAt` (Unix milliseconds). When this returns, the update may be forgotten by the platform.
 * @returns false when the same message was stored before
 */
export async function recordInbox(
  ctx: Ctx,
  key: string,
  platform: string,
  entry: InboxEntry,
  seen: SeenUser[],
  seenAt: number,
): Promise<boolean> {
  const { kind, ...payload } = storable(entry);
  return ctx.db.$transaction(async (tx) => {
    await noteSeen(tx, platform, seen, seenAt);
    const { count } = await tx.inbox.createMany({
      data: [{ key, platform, kind, payload: payload as object, receivedAt: new Date(ctx.clock.now()) }],
      skipDuplicates: true,
    });
    return count === 1;
  });
}

/** PostgreSQL keeps no NUL and no half of a surrogate pair in JSON; a text that carries one is stored without. */
function storable<T>(value: T): T {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed() as T;
  if (Array.isArray(value)) return value.map(storable) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [storable(name), storable(inner)])) as T;
}

/** The oldest entries that nobody has worked on yet. */
export async function pendingInbox(
  ctx: Ctx,
  platform: string,
  limit: number,
): Promise<{ key: string; entry: InboxEntry }[]> {
  const rows = await ctx.db.inbox.findMany({
    where: { status: 'received', platform },
    orderBy: { receivedAt: 'asc' },
    take: limit,
  });
  return rows.map((row) => ({ key: row.key, entry: { kind: row.kind, ...(row.payload as object) } as InboxEntry }));
}

/** Closes an entry inside the transaction of its effect. @returns false when it was closed already: then nothing may be done */
export async function finishInbox(ctx: Ctx, tx: Tx, key: string, outcome: string): Promise<boolean> {
  const { count } = await tx.inbox.updateMany({
    where: { key, status: 'received' },
    data: { status: 'done', outcome, processedAt: new Date(ctx.clock.now()) },
  });
  return count === 1;
}
