// Who is who on a platform: usernames that were seen, and connections to handles.

import { type Ctx, newId } from '../../context.ts';
import type { Tx } from '../../db.ts';
import { sqlRows } from '../../db.ts';
import { type Language, languageOfTag } from '../../domain/language.ts';
import { lockSender } from '../locks.ts';

/** `language` is a tag as the platform gives it (`de`, `es-MX`), `displayName` a cleaned name; both absent where it gives none. */
export type SeenUser = {
  id: string;
  username: string | null;
  isBot: boolean;
  displayName?: string | null | undefined;
  language?: string | null | undefined;
};

/** An account that was seen at a time in Unix milliseconds. */
export type Sighting = SeenUser & { at: number };

/** Remembers what each id was called at a time; a sighting older than the last one changes nothing that is newer. @param at Unix milliseconds */
export function noteSeen(tx: Tx, platform: string, users: SeenUser[], at: number): Promise<void> {
  return noteSightings(
    tx,
    platform,
    users.map((user) => ({ ...user, at })),
  );
}

/** The same for many, each with its own time, in the order in which they were seen. All writers lock the rows in one order. */
export async function noteSightings(tx: Tx, platform: string, sightings: Sighting[]): Promise<void> {
  type User = {
    id: string;
    username: string | null;
    display_name: string | null;
    is_bot: boolean;
    language: Language | null;
    at: Date;
  };
  const users = new Map<string, User>();
  const names = new Map<string, { id: string; username: string; first: Date; last: Date }>();
  for (const sighting of sightings.toSorted((a, b) => a.at - b.at)) {
    const { id, isBot } = sighting;
    const at = new Date(sighting.at);
    const username = sighting.username?.toLowerCase() ?? null;
    const language = languageOfTag(sighting.language) ?? users.get(id)?.language ?? null;
    const displayName = sighting.displayName ?? users.get(id)?.display_name ?? null;
    users.set(id, { id, username, display_name: displayName, is_bot: isBot, language, at });
    if (!username) continue;
    const first = names.get(`${username} ${id}`)?.first ?? at;
    names.set(`${username} ${id}`, { id, username, first, last: at });
  }
  if (users.size === 0) return;
  await tx.$executeRaw`
    insert into seen_user (platform, platform_user_id, username, display_name, is_bot, language, last_seen_at)
      select ${platform}, id, username, display_name, is_bot, language, at
      from jsonb_to_recordset(${sqlRows([...users.values()])})
        as u(id text, username text, display_name text, is_bot boolean, language text, at timestamptz)
      order by id
    on conflict (platform, platform_user_id) do update
      set username = excluded.username, display_name = coalesce(excluded.display_name, seen_user.display_name),
        is_bot = excluded.is_bot, language = coalesce(excluded.language, seen_user.language),
        last_seen_at = excluded.last_seen_at
      where seen_user.last_seen_at <= excluded.last_seen_at`;
  if (names.size === 0) return;
  await tx.$executeRaw`
    insert into seen_username (platform, username, platform_user_id, first_seen_at, last_seen_at)
      select ${platform}, username, id, first, last
      from jsonb_to_recordset(${sqlRows([...names.values()])}) as n(id text, username text, first timestamptz, last timestamptz) order by username, id
    on conflict (platform, username, platform_user_id) do update
      set last_seen_at = greatest(seen_username.last_seen_at, excluded.last_seen_at)`;
}

/** The handle that a platform account belongs to, while it is connected. */
export function findConnection(ctx: Ctx, platform: string, platformUserId: string) {
  return findConnectionIn(ctx.db, platform, platformUserId);
}

/** The same for many platform accounts, by their ids. */
export async function findConnections(ctx: Ctx, platform: string, platformUserIds: string[]) {
  const connections = await ctx.db.connection.findMany({
    where: { platform, platformUserId: { in: platformUserIds }, disconnectedAt: null },
    include: { handle: { include: { wallets: true } } },
  });
  return new Map(connections.map((connection) => [connection.platformUserId, connection]));
}
export type Connection = Awaited<ReturnType<typeof findConnections>> extends Map<string, infer One> ? One : never;

/** The same, inside a transaction. */
export async function findConnectionIn(tx: Tx, platform: string, platformUserId: string) {
  return tx.connection.findFirst({
    where: { platform, platformUserId, disconnectedAt: null },
    include: { handle: { include: { wallets: true } } },
  });
}

export type NewConnection = {
  platform: string;
  platformUserId: string;
  username: string | null;
  handleId: string;
  canSpend: boolean;
};

/**
 * Links a platform account to a handle. Its username dates from the request of the link, so it is no sighting: the name may belong to another
 * account by now. A row is never moved: only a disconnected one is reused, with another id, and with a nonce that no earlier
 * signature carries.
 * @returns false when that account is linked already
 */
export async function connectAccount(ctx: Ctx, tx: Tx, connection: NewConnection): Promise<boolean> {
  const { platform, platformUserId } = connection;
  const data = { id: newId(ctx, 'con'), ...connection, createdAt: new Date(ctx.clock.now()) };
  const created = await tx.connection.createMany({ data: [data], skipDuplicates: true });
  if (created.count === 0) {
    const taken = await tx.connection.updateMany({
      where: { platform, platformUserId, disconnectedAt: { not: null } },
      data: { ...data, disconnectedAt: null, spendNonce: { increment: 1 } },
    });
    if (taken.count === 0) return false;
  }
  return true;
}

/**
 * Ends a connection, in force at once: nothing is signed for it after this commits, because signing waits for the same lock.
 * @returns false when there is no such connection of this handle
 */
export async function disconnectAccount(ctx: Ctx, tx: Tx, id: string, handleId: string): Promise<boolean> {
  await lockSender(tx, handleId);
  const { count } = await tx.connection.updateMany({
    where: { id, handleId, disconnectedAt: null },
    data: { disconnectedAt: new Date(ctx.clock.now()), canSpend: false, spendNonce: { increment: 1 } },
  });
  return count === 1;
}

/** Takes the right to spend from every connection of a handle, and voids what was signed for it before. Run it under {@link lockSender}. */
export async function makeReceiveOnly(tx: Tx, handleId: string): Promise<void> {
  await tx.connection.updateMany({
    where: { handleId, disconnectedAt: null },
    data: { canSpend: false, spendNonce: { increment: 1 } },
  });
}

/**
 * Which platform accounts may spend for these handles: asked under {@link lockSender} before legs are frozen.
 * @returns an answer for an account and a handle
 */
export async function spenders(
  tx: Tx,
  handleIds: string[],
): Promise<(platform: string, platformUserId: string, handleId: string) => boolean> {
  const rows = await tx.connection.findMany({
    where: { handleId: { in: handleIds }, canSpend: true, disconnectedAt: null },
    select: { platform: true, platformUserId: true, handleId: true },
  });
  const allowed = new Set(rows.map((row) => [row.platform, row.platformUserId, row.handleId].join(' ')));
  return (...account) => allowed.has(account.join(' '));
}

/** The legs among these whose account may no longer spend: checked under {@link lockSender} before anything is signed. */
export async function legsWithoutRight(tx: Tx, legIds: string[]): Promise<Set<string>> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    select t.id from tip t join intent i on i.id = t.intent_id
    where t.id = any(${legIds}) and not exists (
      select 1 from connection c where c.platform = i.platform and c.platform_user_id = i.sender_id
        and c.handle_id = t.sender_handle_id and c.can_spend and c.disconnected_at is null)`;
  return new Set(rows.map((row) => row.id));
}
