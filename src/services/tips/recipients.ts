// How the recipients of commands are found, many at a time. Resolution never falls from one namespace into another: a platform's @name is
// that platform's only.

import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import { platformSlug } from '../../domain/claim.ts';
import type { Recipient } from '../../domain/command.ts';
import { USERNAME_CHANGE_MS, USERNAME_STALE_MS } from '../../domain/limits.ts';
import { familyOf } from '../../domain/walletFamily.ts';
import { type Places, placesOf } from '../../domain/walletReach.ts';
import { type Connection, findConnections } from '../accounts/connections.ts';

/** A person who can be paid: the handle, its wallet and how the chat knows them. */
export type Payee = {
  handleId: string | null;
  slug: string | null;
  /** Where they are paid. Empty for a recipient without an account: their money waits in an escrow, which names them by `tabSlug`. */
  places: Places;
  tabSlug: string | null;
  /** Whom a tab names where their wallet cannot be paid; null for an address. */
  keptFor: string | null;
  /** It was named by its address alone, which is of one family of chains. */
  isAddress: boolean;
  preferredChain: string | null;
  label: string;
  /** Reasons to ask the sender first. */
  doubts: ('username_changed' | 'username_stale')[];
};
/** `to` is how an escrow names a username whose owner is unknown: `telegram:name`. */
export type Resolution = { payee: Payee } | { code: RefusedRecipient; label: string; to?: string };
export type RefusedRecipient = 'recipient_unknown' | 'recipient_bot' | 'handle_not_found' | 'recipient_no_wallet';

/** What the rows say of everybody who may be meant. */
type Known = {
  now: number;
  /** Who carried a username, newest first, five at most. */
  names: Map<string, NameRow[]>;
  users: Map<string, Row<'SeenUser'>>;
  connections: Map<string, Connection>;
  handles: Map<string, Connection['handle']>;
};
type NameRow = { username: string; platform_user_id: string; last_seen_at: Date };

/** Finds recipients that were named on a platform. @returns the answer to each, in the same order */
export async function resolveRecipients(ctx: Ctx, platform: string, recipients: Recipient[]): Promise<Resolution[]> {
  const valuesOf = (wanted: (recipient: Recipient) => boolean) =>
    unique(recipients.filter(wanted).map((recipient) => recipient.value));
  const names = await readNames(ctx, platform, unique(valuesOf(isUsername).map((name) => name.toLowerCase())));
  const newest = [...names.values()].flatMap(([row]) => row?.platform_user_id ?? []);
  const ids = unique([...valuesOf(({ by }) => by === 'id' || by === 'reply'), ...newest]);
  const slugs = valuesOf(isHandle).map(slugOf);
  const [users, connections, handles] = await Promise.all([
    ids.length > 0 ? ctx.db.seenUser.findMany({ where: { platform, platformUserId: { in: ids } } }) : [],
    ids.length > 0 ? findConnections(ctx, platform, ids) : new Map<string, Connection>(),
    slugs.length > 0 ? ctx.db.handle.findMany({ where: { slug: { in: slugs } }, include: { wallets: true } }) : [],
  ]);
  const known: Known = {
    now: ctx.clock.now(),
    names,
    users: new Map(users.map((user) => [user.platformUserId, user])),
    connections,
    handles: new Map(handles.map((handle) => [handle.slug, handle])),
  };
  return recipients.map((recipient) => resolve(known, platform, recipient));
}

function unique(values: string[]): string[] {
  return [...new Set(values)];
}

function isHandle({ by, value }: Recipient): boolean {
  return by === 'handle' && value.endsWith('@ampersat');
}

function isUsername(recipient: Recipient): boolean {
  return recipient.by === 'handle' && !isHandle(recipient);
}

function slugOf(value: string): string {
  return value.slice(0, -'@ampersat'.length);
}

async function readNames(ctx: Ctx, platform: string, usernames: string[]): Promise<Map<string, NameRow[]>> {
  const names = new Map<string, NameRow[]>(usernames.map((username) => [username, []]));
  if (usernames.length === 0) return names;
  const rows = await ctx.db.$queryRaw<NameRow[]>`
    select username, platform_user_id, last_seen_at from (
      select username, platform_user_id, last_seen_at,
        row_number() over (partition by username order by last_seen_at desc) as place
      from seen_username where platform = ${platform} and username = any(${usernames})
    ) as ranked where place <= 5 order by place`;
  for (const row of rows) names.get(row.username)?.push(row);
  return names;
}

function resolve(known: Known, platform: string, recipient: Recipient): Resolution {
  const { by, value } = recipient;
  if (by === 'address') return { payee: walletPayee(value) };
  if (by === 'id' || by === 'reply') return resolveId(known, platform, value, `user ${value}`, []);
  return isHandle(recipient) ? resolveSlug(known, slugOf(value)) : resolveUsername(known, platform, value);
}

const NO_HANDLE = { handleId: null, slug: null, preferredChain: null } as const;

/** The platform knows the account, and no wallet is known: the money waits in an escrow that names the numeric id, which no other account can have. */
function escrowPayee(tabSlug: string, label: string, doubts: Payee['doubts']): Payee {
  return { ...NO_HANDLE, places: {}, isAddress: false, tabSlug, keptFor: tabSlug, label, doubts };
}

function walletPayee(address: string): Payee {
  const label = `${address.slice(0, 6)}…${address.slice(-4)}`;
  const places = { [familyOf(address)]: { address, on: null } };
  return { ...NO_HANDLE, places, isAddress: true, tabSlug: null, keptFor: null, label, doubts: [] };
}

/** One username maps to one id, and the newest wins; two ids in 30 days, or a name long unseen, is a doubt. */
function resolveUsername(known: Known, platform: string, username: string): Resolution {
  const label = `@${username}`;
  const [newest, ...older] = known.names.get(username.toLowerCase()) ?? [];
  const unknown = { code: 'recipient_unknown', label, to: `${platform}:${username.toLowerCase()}` } as const;
  if (!newest) return unknown;
  // An account with another name by now has left this one: it may have any owner.
  const current = known.users.get(newest.platform_user_id);
  if (current?.username !== username.toLowerCase()) return unknown;
  const doubts: Payee['doubts'] = [];
  if (older.some((row) => known.now - row.last_seen_at.getTime() < USERNAME_CHANGE_MS)) doubts.push('username_changed');
  if (known.now - newest.last_seen_at.getTime() > USERNAME_STALE_MS) doubts.push('username_stale');
  return resolveId(known, platform, newest.platform_user_id, label, doubts);
}

function resolveId(known: Known, platform: string, id: string, given: string, doubts: Payee['doubts']): Resolution {
  const seen = known.users.get(id);
  const label = seen?.username ? `@${seen.username}` : (seen?.displayName ?? given);
  if (seen?.isBot) return { code: 'recipient_bot', label };
  const connection = known.connections.get(id);
  if (!connection) return { payee: escrowPayee(platformSlug(platform, id), label, doubts) };
  const name = seen?.username ? label : `${connection.handle.slug}@ampersat`;
  return handlePayee(connection.handle, name, doubts, platformSlug(platform, id));
}

function resolveSlug(known: Known, slug: string): Resolution {
  const label = `${slug}@ampersat`;
  const handle = known.handles.get(slug);
  return handle ? handlePayee(handle, label, [], handle.slug) : { code: 'handle_not_found', label };
}

function handlePayee(
  handle: Connection['handle'],
  label: string,
  doubts: Payee['doubts'],
  keptFor: string,
): Resolution {
  if (handle.wallets.length === 0) return { code: 'recipient_no_wallet', label };
  const { id: handleId, slug, preferredChain } = handle;
  const account = { handleId, slug, preferredChain, places: placesOf(handle.wallets) };
  return { payee: { ...account, isAddress: false, tabSlug: null, keptFor, label, doubts } };
}
