// The durable inbox: what a platform told us, stored once per message key before the platform may forget it.
import type { Ctx } from '../../context.ts';
import type { Tx } from '../../db.ts';
import { sqlPart, sqlRows, sqlState } from '../../db.ts';
import type { ChatButton, ChatMessage } from '../../domain/chat.ts';
import type { Command } from '../../domain/command.ts';
import { INBOX } from '../../domain/inbox.ts';
import { noteSightings, type SeenUser, type Sighting } from '../accounts/connections.ts';

export type InboxMessage = { kind: 'message'; message: ChatMessage; command: Command };
export type InboxButton = { kind: 'button'; button: ChatButton };
export type InboxEntry = InboxMessage | InboxButton;

/**
 * The content of one update: who was seen at `seenAt` (Unix milliseconds), and an entry when it has a command. A held entry is processed
 * only after it was released, an ignored one never.
 */
export type News = {
  seen: SeenUser[];
  seenAt: number;
  entry: { key: string; content: InboxEntry; held?: boolean; ignored?: boolean } | null;
};

/**
 * Stores news of a platform, all or nothing. When this returns, the updates may be forgotten by the platform.
 * @param more what else is stored in the same transaction, and the news that come of it
 * @returns the keys that are new and wait for work: the others were stored before
 */
export async function recordNews(
  ctx: Ctx,
  platform: string,
  news: News[],
  more: (tx: Tx) => Promise<News[]> = async () => [],
): Promise<Set<string>> {
  return ctx.db.$transaction(async (tx) => storeNews(ctx, tx, platform, [...news, ...(await more(tx))]));
}

async function storeNews(ctx: Ctx, tx: Tx, platform: string, news: News[]): Promise<Set<string>> {
  const now = new Date(ctx.clock.now());
  const entries = new Map<string, object>();
  for (const { entry } of news) {
    if (!entry || entries.has(entry.key)) continue;
    const { kind, ...payload } = storable(entry.content);
    const done = { status: 'done', outcome: 'ignored', processed_at: now };
    const state = entry.ignored ? done : { status: entry.held ? 'held' : 'received' };
    entries.set(entry.key, { key: entry.key, kind, payload, ...state });
  }
  const sightings = news.flatMap(sightingsIn);
  await noteSightings(tx, platform, sightings);
  if (entries.size === 0) return new Set();
  const stored = await tx.$queryRaw<{ key: string; status: string }[]>`
    insert into inbox (key, platform, kind, payload, status, outcome, processed_at, received_at)
      select key, ${platform}, kind, payload, status, outcome, processed_at, ${now}::timestamptz
      from jsonb_to_recordset(${sqlRows([...entries.values()])})
        as e(key text, kind text, payload jsonb, status text, outcome text, processed_at timestamptz)
      order by key
    on conflict do nothing returning key, status`;
  return new Set(stored.filter(({ status }) => status !== 'done').map((row) => row.key));
}

/** Who was seen; the language of a message is that of its sender, unless the platform tells it of the person. */
function sightingsIn({ seen, seenAt, entry }: News): Sighting[] {
  const message = entry?.content.kind === 'message' ? entry.content.message : null;
  return seen.map((user) => {
    const typed = user.id === message?.sender.id ? message.input.ctx.lang : undefined;
    return { ...user, language: user.language ?? (typeof typed === 'string' ? typed : null), at: seenAt };
  });
}

/** The user was shown that it is being worked on: from here on it is. */
export async function releaseEntry(ctx: Ctx, key: string): Promise<void> {
  await ctx.db.inbox.updateMany({ where: { key, status: 'held' }, data: { status: INBOX.held.release } });
}

/** The user was shown that it failed: nothing is ever done for it. */
export async function dropHeldEntry(ctx: Ctx, key: string, outcome: string): Promise<void> {
  const data = { status: INBOX.held.drop, outcome, processedAt: new Date(ctx.clock.now()) };
  await ctx.db.inbox.updateMany({ where: { key, status: 'held' }, data });
}

/**
 * Whether it was the data itself that PostgreSQL refused to keep (SQLSTATE class 22): it is the same at every try and must not hold up everybody
 * behind it. Judged by the code alone: the text of an error names ports and milliseconds.
 */
export function isUnstorable(error: unknown): boolean {
  return sqlState(error)?.startsWith('22') ?? false;
}

/** PostgreSQL keeps no NUL and no half of a surrogate pair in JSON; a text that carries one is stored without. */
function storable<T>(value: T): T {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed() as T;
  if (Array.isArray(value)) return value.map(storable) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [storable(name), storable(inner)])) as T;
}

export type PendingEntry = { key: string; entry: InboxEntry; receivedAt: Date };
/** What takes the right to spend away: it is looked for by itself, so that nothing can stand before it. */
const URGENT = ['pause', 'disconnect'];
type Part = {
  /** Only what is urgent, or only what is not. */
  urgent?: boolean;
  /** Only what comes behind this entry. */
  after?: PendingEntry | undefined;
};

/** The oldest unprocessed entries; of those that came together, in the order of their messages. */
export async function pendingInbox(
  ctx: Ctx,
  platform: string,
  limit: number,
  { urgent, after }: Part = {},
): Promise<PendingEntry[]> {
  const isUrgent = sqlPart`coalesce(payload -> 'command' ->> 'kind', '') = any(${URGENT})`;
  const rows = await ctx.db.$queryRaw<{ key: string; kind: string; payload: object; received_at: Date }[]>`
    select key, kind, payload, received_at from inbox where status = 'received' and platform = ${platform}
    ${urgent === undefined ? sqlPart`` : sqlPart`and (${isUrgent}) = ${urgent}`}
    ${after ? sqlPart`and (received_at, length(key), key) > (${after.receivedAt}::timestamptz, length(${after.key}), ${after.key})` : sqlPart``}
    order by received_at, length(key), key limit ${limit}`;
  return rows.map(({ key, kind, payload, received_at }) => ({
    key,
    entry: { kind, ...payload } as InboxEntry,
    receivedAt: received_at,
  }));
}

/** Closes an entry inside the transaction of its effect. @returns false when it was closed already: then nothing may be done */
export async function finishInbox(ctx: Ctx, tx: Tx, key: string, outcome: string): Promise<boolean> {
  return (await finishEntries(ctx, tx, [{ key, outcome }])).has(key);
}

/** The same for many. @returns the keys that were still open: for the others nothing may be done */
export async function finishEntries(
  ctx: Ctx,
  tx: Tx,
  entries: { key: string; outcome: string }[],
): Promise<Set<string>> {
  const closed = await tx.$queryRaw<{ key: string }[]>`
    with closing as (
      select * from jsonb_to_recordset(${sqlRows(entries)}) as c(key text, outcome text)
    ), held as (
      select key from inbox where key in (select key from closing) and status = 'received' order by key for update
    )
    update inbox i set status = ${INBOX.received.finish}, outcome = c.outcome, processed_at = ${new Date(ctx.clock.now())}
    from closing c join held h on h.key = c.key where i.key = c.key
    returning i.key`;
  return new Set(closed.map((row) => row.key));
}
