// Signed-in browsers: a random value in a cookie, its hash in a row. A session ends 30 days after its last use, or when it is ended.
import { createHash, randomBytes } from 'node:crypto';
import { type Ctx, newId } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { isId } from '../../domain/ids.ts';
import { SESSION_TOUCH_MS, SESSION_TTL_MS } from '../../domain/session.ts';
import { familyOf, WALLET_FAMILIES, type WalletFamily } from '../../domain/walletFamily.ts';

export type WalletKind = 'account' | 'contract';
export type Session = {
  id: string;
  /** The wallet that signed in: checksummed, or in base58. */
  address: string;
  kind: WalletKind;
  /** Where a contract wallet proved its signature. */
  chain: string | null;
  handle: SessionHandle | null;
};
export type SessionHandle = {
  id: string;
  slug: string;
  preferredChain: string;
  createdAt: Date;
  /** Of the EVM family. */
  wallet: { address: string; kind: WalletKind; provenChains: string[] } | null;
};
/** What a person sees of their own account. `address` is the payout wallet once there is a handle: the one on EVM chains before the one on Solana. */
export type AccountView = {
  address: string;
  kind: WalletKind;
  /** Of each family; without a handle only the wallet that signed in. */
  wallets: Record<WalletFamily, string | null>;
  handle: string | null;
  handle_kind: 'personal' | 'business' | null;
  preferred_chain: string | null;
  created_at: string | null;
};
export type SessionView = {
  id: string;
  current: boolean;
  user_agent: string;
  created_at: string;
  last_seen_at: string;
  expires_at: string;
};

export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

export type NewSession = {
  address: string;
  kind: WalletKind;
  chain: string | null;
  handleId: string | null;
  userAgent: string;
};

/** @returns the value for the cookie; only the browser keeps it */
export async function createSession(ctx: Ctx, tx: Tx, given: NewSession): Promise<{ id: string; token: string }> {
  const now = ctx.clock.now();
  const token = newToken();
  const id = newId(ctx, 'ses');
  await tx.session.create({
    data: {
      ...given,
      id,
      tokenHash: hashToken(token),
      userAgent: plainLine(given.userAgent, 200),
      createdAt: new Date(now),
      lastSeenAt: new Date(now),
      expiresAt: new Date(now + SESSION_TTL_MS),
    },
  });
  return { id, token };
}

/** The session of a cookie's value while it is valid. `renewed` says that its 30 days start again, so the cookie must be set again. */
export async function findSession(ctx: Ctx, token: string): Promise<{ session: Session; renewed: boolean } | null> {
  const now = ctx.clock.now();
  const row = await ctx.db.session.findUnique({
    where: { tokenHash: hashToken(token) },
    include: { handle: { include: { wallets: true } } },
  });
  if (!row || row.revokedAt !== null || row.expiresAt.getTime() <= now) return null;
  const renewed = now - row.lastSeenAt.getTime() >= SESSION_TOUCH_MS;
  if (renewed) {
    await ctx.db.session.updateMany({
      where: { id: row.id, revokedAt: null },
      data: { lastSeenAt: new Date(now), expiresAt: new Date(now + SESSION_TTL_MS) },
    });
  }
  const { id, address, kind, chain, handle } = row;
  const session = { id, address, kind: kind as WalletKind, chain, handle: handle && handleOf(handle) };
  return { renewed, session };
}

type HandleRow = Row<'Handle'> & { wallets: Row<'Wallet'>[] };

function handleOf(row: HandleRow): SessionHandle {
  const { id, slug, preferredChain, createdAt } = row;
  const wallet = walletIn(row, 'evm');
  return {
    ...{ id, slug, preferredChain, createdAt },
    wallet: wallet
      ? { address: wallet.address, kind: wallet.kind as WalletKind, provenChains: wallet.provenChains }
      : null,
  };
}

/** A handle as a session has its own, for one that acts for another's workspace; null for an unknown one. */
export async function handleOfSlug(ctx: Ctx, slug: string): Promise<SessionHandle | null> {
  const row = await ctx.db.handle.findUnique({ where: { slug }, include: { wallets: true } });
  return row && handleOf(row);
}

/** Reads a session's account again: it may have changed since the session was read. */
export async function accountOf(ctx: Ctx, sessionId: string): Promise<AccountView> {
  const { address, kind, handle } = await ctx.db.session.findUniqueOrThrow({
    where: { id: sessionId },
    include: { handle: { include: { wallets: true } } },
  });
  const own = { family: familyOf(address), address, kind };
  const [evm, solana] = WALLET_FAMILIES.map((family) =>
    handle ? walletIn(handle, family) : own.family === family ? own : undefined,
  );
  const wallet = evm ?? solana ?? own;
  return {
    address: wallet.address,
    kind: wallet.kind as WalletKind,
    wallets: { evm: evm?.address ?? null, solana: solana?.address ?? null },
    handle: handle?.slug ?? null,
    handle_kind: (handle?.kind ?? null) as AccountView['handle_kind'],
    preferred_chain: handle?.preferredChain ?? null,
    created_at: handle?.createdAt.toISOString() ?? null,
  };
}

function walletIn<W extends { family: string }>(handle: { wallets: W[] } | null, family: WalletFamily): W | undefined {
  return handle?.wallets.find((one) => one.family === family);
}

/** Every browser that is signed in to the same account, the newest first. */
export async function listSessions(ctx: Ctx, session: Session): Promise<SessionView[]> {
  const rows = await ctx.db.session.findMany({
    where: { ...sameAccount(session), revokedAt: null, expiresAt: { gt: new Date(ctx.clock.now()) } },
    orderBy: { lastSeenAt: 'desc' },
    take: 100,
  });
  return rows.map((row) => ({
    id: row.id,
    current: row.id === session.id,
    user_agent: row.userAgent,
    created_at: row.createdAt.toISOString(),
    last_seen_at: row.lastSeenAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
  }));
}

/** Ends one session of the same account. @throws AppError `resource_missing` */
export async function endSession(ctx: Ctx, session: Session, id: string): Promise<void> {
  const where = { ...sameAccount(session), id, revokedAt: null };
  const end = { revokedAt: new Date(ctx.clock.now()) };
  const count = isId('ses', id) ? (await ctx.db.session.updateMany({ where, data: end })).count : 0;
  if (count === 0) throw new AppError('resource_missing', 'No such session.');
}

/** Signs out everywhere, this browser too. */
export async function endAllSessions(ctx: Ctx, session: Session): Promise<void> {
  await ctx.db.session.updateMany({
    where: { ...sameAccount(session), revokedAt: null },
    data: { revokedAt: new Date(ctx.clock.now()) },
  });
}

function sameAccount({ handle, ...proven }: Session) {
  return handle ? { handleId: handle.id } : sameWallet(proven);
}

/** Sessions without a handle that the same wallet opened: code at one address may have other owners on another chain. */
export function sameWallet({ address, kind, chain }: Pick<Session, 'address' | 'kind' | 'chain'>) {
  return { handleId: null, address, kind, chain };
}

/** One line for a list: nothing in it that could break or turn a line around. */
function plainLine(text: string, length: number): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').slice(0, length);
}
