// What recipients request: one escrow, or everything that waits for them. The claims themselves are rows, see services/escrow/claims.
import type { Chain } from '../../chain/chain.ts';
import { handleKey } from '../../chain/routers/escrow.ts';
import { type Ctx, chainOf } from '../../context.ts';
import type { Row } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { readEscrowSlug } from '../../domain/escrowSlug.ts';
import { reaches } from '../../domain/walletReach.ts';
import type { SessionHandle } from '../accounts/sessions.ts';
import { wantNames } from '../accounts/usernameChecks.ts';
import { ANSWER_WITHIN_MS, pollWithin } from '../polling.ts';
import { askClaim, claimOf, noWallet } from './claims.ts';
import { escrowTerms, requireOpen, slugsOf } from './rows.ts';
import { type EscrowView, escrowRow, getView, viewEscrows } from './views.ts';
import { confirmingFor } from './waiting.ts';

/** Escrows that are claimed in one go. */
const CLAIMS_AT_ONCE = 50;

type Patience = { waitMs?: number };

export type ClaimAnswer = { escrow: EscrowView; txHash: string | null; tx_hash: string | null };

/**
 * Pays an escrow to the wallet of the handle that it is reserved for. One for a username first waits for a day, see services/escrow/usernameHolds.
 * @returns `txHash` is null while nothing was sent yet
 * @throws AppError `resource_missing`, `not_reserved_handle`, `state_conflict` for an escrow that is not open or a wallet that is not paid there,
 * `provider_unavailable`
 */
export async function claimEscrow(
  ctx: Ctx,
  handle: SessionHandle,
  id: string,
  { waitMs = ANSWER_WITHIN_MS }: Patience = {},
): Promise<ClaimAnswer> {
  const row = await escrowRow(ctx, id);
  const claim = await askFor(ctx, handle, row);
  const isHeld = claim.held_until !== null;
  const txHash = await pollWithin(ctx, isHeld ? 0 : waitMs, async () => {
    const now = await claimOf(ctx, claim.id);
    return now.status === 'failed' ? '' : now.tx_hash;
  });
  const sent = txHash || null;
  return { escrow: await getView(ctx, handle, id), txHash: sent, tx_hash: sent };
}

async function askFor(ctx: Ctx, handle: SessionHandle, row: Row<'Escrow'>) {
  const slug = (await slugsOf(ctx.db, handle.id)).get(row.handleKey);
  if (!slug) throw await notReserved(ctx, handle, row);
  requireOpen(row);
  const chain = chainOf(ctx, row.chain);
  await requirePayable(ctx, handle.id, chain);
  return askClaim(ctx, chain, escrowTerms(row), handle.id, slug.kind === 'username' ? slug.slug : null);
}

/** An account that was renamed just now is not known under its new name yet: the platform is queried, for the next try. */
async function notReserved(ctx: Ctx, handle: SessionHandle, row: Row<'Escrow'>): Promise<AppError> {
  const slug = row.handleSlug === null ? null : readEscrowSlug(row.handleSlug);
  if (slug?.kind !== 'username' || handleKey(slug.slug) !== row.handleKey) return new AppError('not_reserved_handle');
  const { platform, name } = slug;
  const accounts = await ctx.db.connection.findMany({ where: { handleId: handle.id, platform, disconnectedAt: null } });
  if (accounts.length === 0) return new AppError('not_reserved_handle');
  await ctx.db.$transaction((tx) => wantNames(ctx, tx, accounts, null));
  const words = `None of your connected accounts is called @${name}. If you renamed one just now, try again in a minute.`;
  return new AppError('not_reserved_handle', words);
}

async function requirePayable(ctx: Ctx, handleId: string, chain: Chain): Promise<void> {
  const { family } = chain;
  const wallet = await ctx.db.wallet.findUnique({ where: { handleId_family: { handleId, family } } });
  if (!wallet) throw new AppError('state_conflict', noWallet(family));
  if (reaches(wallet, chain.name)) return;
  const words = `Your smart wallet isn’t verified on ${chain.facts.label}, so it can’t be paid there.`;
  throw new AppError('state_conflict', words);
}

/**
 * Claims whatever is open for a handle and its accounts. One escrow that cannot be claimed now holds up no other.
 * @returns the escrows, how many of them are under way now, and how many more are opened but not confirmed yet
 */
export async function claimAll(
  ctx: Ctx,
  handle: SessionHandle,
): Promise<{ escrows: EscrowView[]; claims: number; confirming: number }> {
  const keys = [...(await slugsOf(ctx.db, handle.id)).keys()];
  const rows = await ctx.db.escrow.findMany({
    where: { handleKey: { in: keys }, status: 'open', chain: { in: Object.keys(ctx.chains) } },
    orderBy: [{ deadline: 'asc' }, { id: 'asc' }],
    take: CLAIMS_AT_ONCE,
  });
  const asked = await Promise.allSettled(rows.map((row) => askFor(ctx, handle, row)));
  for (const answer of asked)
    if (answer.status === 'rejected' && !(answer.reason instanceof AppError)) throw answer.reason;
  const now = await ctx.db.escrow.findMany({ where: { id: { in: rows.map(({ id }) => id) } } });
  const inOrder = rows.flatMap(({ id }) => now.find((row) => row.id === id) ?? []);
  const claims = asked.filter((answer) => answer.status === 'fulfilled').length;
  const confirming = await confirmingFor(ctx, handle.id);
  return { escrows: await viewEscrows(ctx, handle, inOrder), claims, confirming };
}
