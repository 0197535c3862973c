// What people do with a staged escrow: confirm that it was opened, claim it, or claim everything at once. Each step checks the chain.
import { handleKey } from '../../chain/routers/escrow.ts';
import type { EvmChain, Hash } from '../../chain/rpc/client.ts';
import { type Ctx, chainOf } from '../../context.ts';
import type { Row } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { CLOSED_WORDS, type EscrowStatus } from '../../domain/escrow.ts';
import { readEscrowSlug } from '../../domain/escrowSlug.ts';
import { reaches } from '../../domain/walletReach.ts';
import type { SessionHandle } from '../accounts/sessions.ts';
import { wantNames } from '../accounts/usernameChecks.ts';
import { wakeDeliveries } from '../events.ts';
import { ANSWER_WITHIN_MS, pollWithin } from '../polling.ts';
import { askClaim, claimOf } from './claims.ts';
import { applyOpening, sameTerms, termsOfEvent } from './indexing.ts';
import { finalTime, readTx } from './proof.ts';
import { escrowTerms, slugsOf } from './rows.ts';
import { type EscrowView, escrowRow, isSender, viewEscrow, viewEscrows } from './views.ts';

/** Escrows that are claimed in one go. */
const CLAIMS_AT_ONCE = 50;

type Patience = { waitMs?: number };

/**
 * The sender says which transaction opened a staged escrow. The escrow is open once that is final; until then it stays `pending_create`, with the
 * transaction noted, and the indexer opens it. The same call again gives the same answer.
 * @throws AppError `resource_missing`; `tx_not_found`; `tx_mismatch` when the transaction failed, or did not open exactly what was staged from
 * the caller's wallet; `state_conflict` for an escrow that was paid out; `provider_unavailable`
 */
export async function confirmCreate(
  ctx: Ctx,
  handle: SessionHandle,
  id: string,
  given: { txHash: string; onChainId: string },
  { waitMs = ANSWER_WITHIN_MS }: Patience = {},
): Promise<EscrowView> {
  const row = await escrowRow(ctx, id);
  const txHash = given.txHash.toLowerCase() as Hash;
  if (!isSender(handle, row)) throw mismatch('This tab belongs to another wallet.');
  if (given.onChainId.toLowerCase() !== row.tabId.toLowerCase())
    throw mismatch('This is the ID of another tab.', 'onChainId');
  const again = row.openTxHash === txHash;
  if (isClosed(row) && !again)
    throw new AppError('state_conflict', CLOSED_WORDS[row.status as keyof typeof CLOSED_WORDS]);
  if (row.status !== 'pending_create' && again) return viewEscrow(ctx, handle, row);
  const chain = chainOf(ctx, row.chain);
  const { succeeded, events } = await readTx(chain, txHash);
  if (!succeeded) throw mismatch('This transaction failed, so the tab wasn’t opened.');
  const event = events.find((one) => one.args.tabId.toLowerCase() === row.tabId.toLowerCase());
  if (event?.eventName !== 'TabOpened' || !sameTerms(termsOfEvent(event), escrowTerms(row)))
    throw mismatch('This transaction doesn’t open this tab.');
  await ctx.db.escrow.updateMany({ where: { id, status: 'pending_create' }, data: { openTxHash: txHash } });
  const at = await pollWithin(ctx, waitMs, () => finalTime(chain, event));
  if (at) {
    await ctx.db.$transaction((tx) => applyOpening(ctx, tx, chain, event, at));
    await wakeDeliveries(ctx);
  }
  return getView(ctx, handle, id);
}

function mismatch(words: string, param = 'txHash'): AppError {
  return new AppError('tx_mismatch', words, { param });
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

export async function getView(ctx: Ctx, handle: SessionHandle, id: string): Promise<EscrowView> {
  return viewEscrow(ctx, handle, await escrowRow(ctx, id));
}

export type ClaimAnswer = { escrow: EscrowView; txHash: string | null; tx_hash: string | null };

/**
 * Pays an escrow to the wallet of the handle that it is reserved for. One for a username first waits for a day, see services/nameHolds.
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
  requirePayable(handle, chain);
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

function requirePayable({ wallet }: SessionHandle, chain: EvmChain): void {
  if (!wallet) throw new AppError('state_conflict', 'This handle has no wallet yet.');
  if (reaches(wallet, chain.name)) return;
  const words = `Your smart wallet isn’t verified on ${chain.facts.label}, so it can’t be paid there.`;
  throw new AppError('state_conflict', words);
}

/**
 * Claims whatever is open for a handle and its accounts. One escrow that cannot be claimed now holds up no other.
 * @returns the escrows, and how many of them are under way now
 */
export async function claimAll(ctx: Ctx, handle: SessionHandle): Promise<{ escrows: EscrowView[]; claims: number }> {
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
  return { escrows: await viewEscrows(ctx, handle, inOrder), claims };
}
