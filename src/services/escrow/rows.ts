// Escrows as rows: their terms as the chain has them, and which escrows are whose.
import type { Chain } from '../../chain/chain.ts';
import { handleKey } from '../../chain/routers/escrow.ts';
import type { Hex } from '../../chain/rpc/client.ts';
import type { Db, Row, Tx } from '../../db.ts';
import { platformSlug } from '../../domain/claim.ts';
import { AppError } from '../../domain/errors.ts';
import { CLOSED_WORDS, type EscrowStatus } from '../../domain/escrow.ts';
import { type EscrowSlug, readEscrowSlug, slugLabel, usernameSlug } from '../../domain/escrowSlug.ts';
import type { TabTerms } from '../../domain/typedData/escrow.ts';
import { isSameAddress } from '../../domain/walletFamily.ts';

/** The terms of an escrow as its row has them. */
export function escrowTerms(row: Row<'Escrow'>): TabTerms {
  return {
    sender: row.senderAddress,
    token: row.token,
    handleKey: row.handleKey as Hex,
    amount: BigInt(row.units.toFixed(0)),
    deadline: row.deadline,
    senderNonce: BigInt(row.senderNonce.toFixed(0)),
    revocable: row.revocable,
  };
}

/** What is paid with a token in which tabs are open, and its decimals. */
export function assetOf(chain: Chain, token: string): { asset: string; decimals: number } {
  return isSameAddress(token, chain.usdc)
    ? { asset: 'USDC', decimals: chain.facts.usdcDecimals }
    : { asset: chain.facts.native, decimals: chain.facts.nativeDecimals };
}

/**
 * Every slug under which something may wait for a handle, by the hash that the chain knows. A username is what the account was last seen
 * under: enough to show an escrow, and nothing that pays it.
 */
export async function slugsOf(db: Db | Tx, handleId: string): Promise<Map<string, EscrowSlug>> {
  const handle = await db.handle.findUniqueOrThrow({
    where: { id: handleId },
    include: { connections: { where: { disconnectedAt: null } } },
  });
  const accounts = handle.connections.map(({ platform, platformUserId }) => ({ platform, platformUserId }));
  const seen = accounts.length === 0 ? [] : await db.seenUser.findMany({ where: { OR: accounts } });
  const texts = handle.connections.flatMap(({ platform, platformUserId, username }) => {
    const sighting = seen.find((one) => one.platform === platform && one.platformUserId === platformUserId);
    const name = usernameSlug(platform, sighting ? sighting.username : username);
    return [platformSlug(platform, platformUserId), ...(name === null ? [] : [name])];
  });
  const slugs = [handle.slug, ...texts].flatMap((text) => readEscrowSlug(text) ?? []);
  return new Map(slugs.map((slug) => [handleKey(slug.slug), slug]));
}

/** The recipient of an escrow, as people read it. */
export async function labelOf(db: Db | Tx, slug: EscrowSlug): Promise<string> {
  if (slug.kind !== 'id') return slugLabel(slug);
  const seen = await db.seenUser.findUnique({
    where: { platform_platformUserId: { platform: slug.platform, platformUserId: slug.id } },
  });
  return slugLabel(slug, seen?.username ? `@${seen.username}` : (seen?.displayName ?? null));
}

/** The handle that an escrow is reserved for now, or null: a handle by its name, an account while it is connected. A username has no certain owner. */
export async function reservedFor(db: Db | Tx, row: Pick<Row<'Escrow'>, 'handleSlug'>): Promise<string | null> {
  const slug = row.handleSlug === null ? null : readEscrowSlug(row.handleSlug);
  if (slug?.kind === 'handle') return (await db.handle.findUnique({ where: { slug: slug.slug } }))?.id ?? null;
  if (slug?.kind !== 'id') return null;
  const { platform, id: platformUserId } = slug;
  const account = await db.connection.findFirst({ where: { platform, platformUserId, disconnectedAt: null } });
  return account?.handleId ?? null;
}

/** The wallets of a handle, one a family at most. */
export function walletsOf(db: Db | Tx, handleId: string): Promise<Row<'Wallet'>[]> {
  return db.wallet.findMany({ where: { handleId } });
}

export function isClosed({ status }: Pick<Row<'Escrow'>, 'status'>): boolean {
  return status === 'claimed' || status === 'refunded';
}

/** @throws AppError `state_conflict` with why it is not open */
export function requireOpen(row: Row<'Escrow'>): void {
  const status = row.status as EscrowStatus;
  if (status === 'claimed' || status === 'refunded') throw new AppError('state_conflict', CLOSED_WORDS[status]);
  if (status !== 'open') throw new AppError('state_conflict', 'This tab isn’t open yet.');
}
