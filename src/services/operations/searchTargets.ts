// What an operator may type to find a complaint: a person, a message, a tip, an order, an escrow, a transaction.
import type { Ctx } from '../../context.ts';
import { sqlRows } from '../../db.ts';
import { looksLikeAddress, readAddress } from '../../domain/command/addresses.ts';
import { AppError } from '../../domain/errors.ts';
import { HANDLE_PATTERN } from '../../domain/handles.ts';
import { isId } from '../../domain/ids.ts';
import { readSolanaSignature } from '../../domain/solanaAddress.ts';
import { familyOf } from '../../domain/walletFamily.ts';
import { caseOfReply, casesOfTransactions } from './caseLinks.ts';

export type SearchedAccount = { platform: string; userId: string };
/** What a search looks for. `messages` are keys of the inbox, `messageIds` what a platform calls a message. */
export type Targets = {
  accounts: SearchedAccount[];
  handleIds: string[];
  slugs: string[];
  messages: string[];
  messageIds: string[];
  orders: string[];
  escrows: string[];
  replies: string[];
};

const PLATFORMS = ['telegram', 'discord', 'x'] as const;
const NUMBER = /^\d{1,20}$/;
const INBOX_KEY = /^(tg|dc|x):[A-Za-z0-9_:-]{3,200}$/;
const HASH = /^0x[0-9a-f]{64}$/i;
const USERNAME = /^[a-z0-9_.]{1,32}$/;
/** Accounts that once had a name: more than a handful is a name that goes around. */
const MOST_ACCOUNTS = 20;

function none(): Targets {
  return { accounts: [], handleIds: [], slugs: [], messages: [], messageIds: [], orders: [], escrows: [], replies: [] };
}

/** @throws AppError `parameter_invalid` for a text that can be none of these */
export async function readTargets(ctx: Ctx, text: string): Promise<Targets> {
  const q = text.trim();
  if (HASH.test(q)) return targetsOfHash(ctx, q.toLowerCase());
  if (readSolanaSignature(q) !== null) return targetsOfHash(ctx, q);
  if (INBOX_KEY.test(q) && q.split(':').length > 2) return { ...none(), messages: [q] };
  const byId = await targetsOfId(ctx, q);
  if (byId) return byId;
  if (looksLikeAddress(q)) {
    const address = readAddress(q);
    if (typeof address === 'string') return targetsOfWallet(ctx, address);
  }
  const link = /^https?:\/\/\S*?\/(\d{1,20})\/?(?:[?#]\S*)?$/.exec(q);
  if (link?.[1]) return { ...none(), messageIds: [link[1]] };
  const typed = /^(telegram|discord|x):\s*(?:id:)?@?(\S+)$/i.exec(q);
  const platforms = typed?.[1] ? [typed[1].toLowerCase()] : [...PLATFORMS];
  const name = (typed?.[2] ?? q).replace(/^@/, '').toLowerCase();
  if (NUMBER.test(name)) {
    const accounts = platforms.map((platform) => ({ platform, userId: name }));
    return withHandles(ctx, { ...none(), accounts, messageIds: typed ? [] : [name] });
  }
  const handle = name.replace(/@ampersat$/, '');
  if (handle !== name || !USERNAME.test(name)) {
    if (!HANDLE_PATTERN.test(handle)) throw notReadable();
    return withAccounts(ctx, none(), handle);
  }
  return withAccounts(ctx, await accountsCalled(ctx, platforms, name), typed ? null : handle);
}

/** @param hash of a transaction, in lower case on EVM; a leg's, an order's or an escrow's id on the chain too */
async function targetsOfHash(ctx: Ctx, hash: string): Promise<Targets> {
  const { orders = [], messages = [], ...others } = await casesOfTransactions(ctx, hash);
  const bridged = await casesOfPayments(ctx, { legs: { some: legOf(hash) } });
  const all = {
    orders: [...new Set([...orders, ...bridged.orders])],
    messages: [...new Set([...messages, ...bridged.messages])],
  };
  return { ...none(), ...others, ...all };
}

/** Everything of the handle whose wallet it is. */
async function targetsOfWallet(ctx: Ctx, address: string): Promise<Targets> {
  const wallet = await ctx.db.wallet.findFirst({
    where: { family: familyOf(address), address },
    include: { handle: true },
  });
  return wallet ? withAccounts(ctx, none(), wallet.handle.slug) : none();
}

function notReadable(): AppError {
  return new AppError(
    'parameter_invalid',
    'Enter a person, a message ID, a wallet, a tip, an order, a tab or a transaction.',
    { param: 'q' },
  );
}

/** A leg by any hash of it: its bridge's request, and its transactions on both chains. */
function legOf(hash: string) {
  const names = ['requestId', 'originHash', 'destinationHash', 'refundHash'] as const;
  return { OR: names.map((name) => ({ [name]: hash })) };
}

/** What smart payments are for: an order, or a tip and its message. One to a wallet alone is for nothing of ours. */
async function casesOfPayments(
  ctx: Ctx,
  where: NonNullable<Parameters<Ctx['db']['smartPayment']['findMany']>[0]>['where'],
): Promise<Pick<Targets, 'orders' | 'messages'>> {
  const found = await ctx.db.smartPayment.findMany({
    where: where ?? {},
    select: { orderId: true, tip: { select: { intent: { select: { inboxKey: true } } } } },
    take: MOST_ACCOUNTS,
  });
  return {
    orders: found.flatMap(({ orderId }) => orderId ?? []),
    messages: found.flatMap(({ tip }) => tip?.intent.inboxKey ?? []),
  };
}

/** Ids of ours: a tip and a command lead to the message, an unknown one to nothing. */
async function targetsOfId(ctx: Ctx, q: string): Promise<Targets | null> {
  if (isId('ord', q)) return { ...none(), orders: [q] };
  if (isId('pay', q)) return { ...none(), ...(await casesOfPayments(ctx, { id: q })) };
  if (isId('leg', q)) return { ...none(), ...(await casesOfPayments(ctx, { legs: { some: { id: q } } })) };
  if (isId('esc', q)) return { ...none(), escrows: [q] };
  if (isId('int', q)) {
    const intent = await ctx.db.intent.findUnique({ where: { id: q }, select: { inboxKey: true } });
    return { ...none(), messages: intent ? [intent.inboxKey] : [] };
  }
  if (isId('tip', q)) {
    const tip = await ctx.db.tip.findUnique({ where: { id: q }, select: { intent: { select: { inboxKey: true } } } });
    return { ...none(), messages: tip ? [tip.intent.inboxKey] : [] };
  }
  if (isId('rpl', q)) {
    const reply = await ctx.db.reply.findUnique({ where: { id: q } });
    return { ...none(), ...(reply ? await caseOfReply(ctx, reply) : {}) };
  }
  return null;
}

/** Accounts that are or once were called so, on these platforms. */
async function accountsCalled(ctx: Ctx, platforms: string[], name: string): Promise<Targets> {
  const seen = await ctx.db.seenUsername.findMany({
    where: { platform: { in: platforms }, username: name },
    orderBy: { lastSeenAt: 'desc' },
    take: MOST_ACCOUNTS,
  });
  const accounts = seen.map(({ platform, platformUserId }) => ({ platform, userId: platformUserId }));
  return withHandles(ctx, { ...none(), accounts, slugs: platforms.map((platform) => `${platform}:${name}`) });
}

/** With the handles that these accounts are connected to, and the escrows that name them. */
async function withHandles(ctx: Ctx, targets: Targets): Promise<Targets> {
  const { accounts } = targets;
  if (accounts.length === 0) return targets;
  const rows = accounts.map(({ platform, userId }) => ({ platform, user_id: userId }));
  const connected = await ctx.db.$queryRaw<{ handle_id: string }[]>`
    select distinct c.handle_id from jsonb_to_recordset(${sqlRows(rows)}) as a(platform text, user_id text)
      join connection c on c.platform = a.platform and c.platform_user_id = a.user_id where c.disconnected_at is null`;
  const handleIds = [...new Set([...targets.handleIds, ...connected.map((row) => row.handle_id)])];
  const slugs = accounts.map(({ platform, userId }) => `${platform}:id:${userId}`);
  return { ...targets, handleIds, slugs: [...new Set([...targets.slugs, ...slugs])] };
}

/** With the handle of that name and all accounts that are connected to it. */
async function withAccounts(ctx: Ctx, targets: Targets, slug: string | null): Promise<Targets> {
  const handle = slug === null ? null : await ctx.db.handle.findUnique({ where: { slug }, select: { id: true } });
  if (!handle || slug === null) return targets;
  const connections = await ctx.db.connection.findMany({ where: { handleId: handle.id }, take: MOST_ACCOUNTS });
  const known = new Set(targets.accounts.map(({ platform, userId }) => `${platform} ${userId}`));
  const more = connections
    .map(({ platform, platformUserId }) => ({ platform, userId: platformUserId }))
    .filter(({ platform, userId }) => !known.has(`${platform} ${userId}`));
  const both = { ...targets, accounts: [...targets.accounts, ...more], handleIds: [...targets.handleIds, handle.id] };
  return withHandles(ctx, { ...both, slugs: [...targets.slugs, slug] });
}
