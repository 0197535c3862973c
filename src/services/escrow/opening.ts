// The sender of a staged escrow says which transaction opened it; the chain is checked.
import type { Hash } from '../../chain/rpc/client.ts';
import { tabEventOf } from '../../chain/tabEvents.ts';
import { type Ctx, evmChainOf } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { CLOSED_WORDS } from '../../domain/escrow.ts';
import type { SessionHandle } from '../accounts/sessions.ts';
import { wakeDeliveries } from '../events.ts';
import { ANSWER_WITHIN_MS, pollWithin } from '../polling.ts';
import { applyOpening, sameTerms } from './indexing.ts';
import { finalTime, readTx } from './proof.ts';
import { escrowTerms, isClosed, walletsOf } from './rows.ts';
import { type EscrowView, escrowRow, getView, isSender, viewEscrow } from './views.ts';

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
  if (!isSender(handle, await walletsOf(ctx.db, handle.id), row)) throw mismatch('This tab belongs to another wallet.');
  if (given.onChainId.toLowerCase() !== row.tabId.toLowerCase())
    throw mismatch('This is the ID of another tab.', 'onChainId');
  const again = row.openTxHash === txHash;
  if (isClosed(row) && !again)
    throw new AppError('state_conflict', CLOSED_WORDS[row.status as keyof typeof CLOSED_WORDS]);
  if (row.status !== 'pending_create' && again) return viewEscrow(ctx, handle, row);
  const chain = evmChainOf(ctx, row.chain);
  const { succeeded, events } = await readTx(chain, txHash);
  if (!succeeded) throw mismatch('This transaction failed, so the tab wasn’t opened.');
  const event = events.find((one) => one.args.tabId.toLowerCase() === row.tabId.toLowerCase());
  const opening = event && tabEventOf(event, row.createdAt);
  if (!event || opening?.name !== 'opened' || !sameTerms(opening.terms, escrowTerms(row)))
    throw mismatch('This transaction doesn’t open this tab.');
  await ctx.db.escrow.updateMany({ where: { id, status: 'pending_create' }, data: { openTxHash: txHash } });
  const at = await pollWithin(ctx, waitMs, () => finalTime(chain, event));
  if (at) {
    await ctx.db.$transaction((tx) => applyOpening(ctx, tx, chain, { ...opening, at }));
    await wakeDeliveries(ctx);
  }
  return getView(ctx, handle, id);
}

function mismatch(words: string, param = 'txHash'): AppError {
  return new AppError('tx_mismatch', words, { param });
}
