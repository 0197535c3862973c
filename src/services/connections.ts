// Who is who on a platform: usernames that were seen, connections to handles, and how a recipient is found.
// Resolution never falls from one namespace into another: a platform's @name is that platform's only.
import { type Ctx, newId } from '../context.ts';
import type { Tx } from '../db.ts';
import type { Recipient } from '../domain/command.ts';
import { USERNAME_CHANGE_MS, USERNAME_STALE_MS } from '../domain/limits.ts';
import { lockSender } from './pauses.ts';

export type SeenUser = { id: string; username: string | null; isBot: boolean };

/** A person who can be paid: the handle, its wallet and how the chat knows them. */
export type Payee = {
  handleId: string | null;
  slug: string | null;
  address: string;
  preferredChain: string | null;
  /** A contract wallet is paid only where it has proven itself; null where a key is, which is the same on every chain. */
  payableOn: string[] | null;
  label: string;
  /** Reasons to ask the sender first. */
  doubts: ('username_changed' | 'username_stale')[];
};
export type Resolution = { payee: Payee } | { code: RefusedRecipient; label: string };
export type RefusedRecipient =
  | 'recipient_unknown'
  | 'recipient_not_connected'
  | 'recipient_bot'
  | 'handle_not_found'
  | 'recipient_no_wallet';

/** Remembers what each id was called at a time; a sighting older than the last one changes nothing that is newer. @param at Unix milliseconds */
export async function noteSeen(tx: Tx, platform: string, users: SeenUser[], at: number): Promise<void> {
  const now = new Date(at);
  for (const { id, username, isBot } of users) {
    await tx.$executeRaw`
      insert into seen_user (platform, platform_user_id, username, is_bot, last_seen_at)
      values (${platform}, ${id}, ${username?.toLowerCase() ?? null}, ${isBot}, ${now})
      on conflict (platform, platform_user_id) do update
        set username = excluded.username, is_bot = excluded.is_bot, last_seen_at = excluded.last_seen_at
        where seen_user.last_seen_at <= excluded.last_seen_at`;
    if (!username) continue;
    await tx.$executeRaw`
      insert into seen_username (platform, username, platform_user_id, first_seen_at, last_seen_at)
      values (${platform}, ${username.toLowerCase()}, ${id}, ${now}, ${now})
      on conflict (platform, username, platform_user_id) do update
        set last_seen_at = greatest(seen_username.last_seen_at, excluded.last_seen_at)`;
  }
}

/** The handle that a platform account belongs to, while it is connected. */
export function findConnection(ctx: Ctx, platform: string, platformUserId: string) {
  return findConnectionIn(ctx.db, platform, platformUserId);
}

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
 * Links a platform account to a handle; whoever links was seen with that username. A row is never moved: only one that was disconnected
 * is taken anew, with another id, and with a nonce that no earlier signature carries.
 * @returns false when that account is linked already
 */
export async function connectAccount(ctx: Ctx, tx: Tx, connection: NewConnection): Promise<boolean> {
  const { platform, platformUserId, username } = connection;
  const data = { id: newId(ctx, 'con'), ...connection, createdAt: new Date(ctx.clock.now()) };
  const created = await tx.connection.createMany({ data: [data], skipDuplicates: true });
  if (created.count === 0) {
    const taken = await tx.connection.updateMany({
      where: { platform, platformUserId, disconnectedAt: { not: null } },
      data: { ...data, disconnectedAt: null, spendNonce: { increment: 1 } },
    });
    if (taken.count === 0) return false;
  }
  await noteSeen(tx, platform, [{ id: platformUserId, username, isBot: false }], ctx.clock.now());
  return true;
}

/**
 * Ends a connection, in force at once: nothing is signed for it any more once this has committed, because signing waits for the same lock.
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

/** Whether a platform account may spend for a handle: asked under {@link lockSender} before legs are frozen. */
export async function maySpend(tx: Tx, platform: string, platformUserId: string, handleId: string): Promise<boolean> {
  const where = { platform, platformUserId, handleId, canSpend: true, disconnectedAt: null };
  return (await tx.connection.count({ where })) === 1;
}

/** The legs among these whose account may not spend any more: asked under {@link lockSender} before anything is signed. */
export async function legsWithoutRight(tx: Tx, legIds: string[]): Promise<Set<string>> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    select t.id from tip t join intent i on i.id = t.intent_id
    where t.id = any(${legIds}) and not exists (
      select 1 from connection c where c.platform = i.platform and c.platform_user_id = i.sender_id
        and c.handle_id = t.sender_handle_id and c.can_spend and c.disconnected_at is null)`;
  return new Set(rows.map((row) => row.id));
}

export async function resolveRecipient(ctx: Ctx, platform: string, recipient: Recipient): Promise<Resolution> {
  const { by, value } = recipient;
  if (by === 'address') return { payee: walletPayee(value) };
  if (by === 'id' || by === 'reply') return resolveId(ctx, platform, value, `user ${value}`, []);
  if (value.endsWith('@ampersat')) return resolveSlug(ctx, value.slice(0, -'@ampersat'.length));
  return resolveUsername(ctx, platform, value);
}

function walletPayee(address: string): Payee {
  const label = `${address.slice(0, 6)}…${address.slice(-4)}`;
  return { handleId: null, slug: null, address, preferredChain: null, payableOn: null, label, doubts: [] };
}

/** One username maps to one id, and the newest wins; two ids in 30 days, or a name long unseen, is a doubt. */
async function resolveUsername(ctx: Ctx, platform: string, username: string): Promise<Resolution> {
  const label = `@${username}`;
  const rows = await ctx.db.seenUsername.findMany({
    where: { platform, username: username.toLowerCase() },
    orderBy: { lastSeenAt: 'desc' },
    take: 5,
  });
  const [newest, ...older] = rows;
  if (!newest) return { code: 'recipient_unknown', label };
  // Whoever is called something else by now has left the name: it may be anybody's.
  const current = await ctx.db.seenUser.findUnique({
    where: { platform_platformUserId: { platform, platformUserId: newest.platformUserId } },
  });
  if (current?.username !== username.toLowerCase()) return { code: 'recipient_unknown', label };
  const now = ctx.clock.now();
  const doubts: Payee['doubts'] = [];
  if (older.some((row) => now - row.lastSeenAt.getTime() < USERNAME_CHANGE_MS)) doubts.push('username_changed');
  if (now - newest.lastSeenAt.getTime() > USERNAME_STALE_MS) doubts.push('username_stale');
  return resolveId(ctx, platform, newest.platformUserId, label, doubts);
}

async function resolveId(
  ctx: Ctx,
  platform: string,
  id: string,
  given: string,
  doubts: Payee['doubts'],
): Promise<Resolution> {
  const seen = await ctx.db.seenUser.findUnique({
    where: { platform_platformUserId: { platform, platformUserId: id } },
  });
  const label = seen?.username ? `@${seen.username}` : given;
  if (seen?.isBot) return { code: 'recipient_bot', label };
  const connection = await findConnection(ctx, platform, id);
  if (!connection) return { code: 'recipient_not_connected', label };
  return handlePayee(connection.handle, seen?.username ? label : `${connection.handle.slug}@ampersat`, doubts);
}

async function resolveSlug(ctx: Ctx, slug: string): Promise<Resolution> {
  const label = `${slug}@ampersat`;
  const handle = await ctx.db.handle.findUnique({ where: { slug }, include: { wallets: true } });
  return handle ? handlePayee(handle, label, []) : { code: 'handle_not_found', label };
}

type HandleWithWallets = {
  id: string;
  slug: string;
  preferredChain: string;
  wallets: { family: string; address: string; kind: string; provenChains: string[] }[];
};

function handlePayee(handle: HandleWithWallets, label: string, doubts: Payee['doubts']): Resolution {
  const wallet = handle.wallets.find((one) => one.family === 'evm');
  if (!wallet) return { code: 'recipient_no_wallet', label };
  const { id: handleId, slug, preferredChain } = handle;
  const payableOn = wallet.kind === 'contract' ? wallet.provenChains : null;
  return { payee: { handleId, slug, address: wallet.address, preferredChain, payableOn, label, doubts } };
}
