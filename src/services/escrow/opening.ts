// A staged escrow is opened: by a transaction that its sender names, or, where an executor can send it, by one that the sender signs.
import type { TransactionToSign } from '../../chain/calls.ts';
import type { Chain } from '../../chain/chain.ts';
import { prepareOpening, readOpening } from '../../chain/tabs.ts';
import { type Ctx, chainOf } from '../../context.ts';
import type { Row } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { CLOSED_WORDS } from '../../domain/escrow.ts';
import { CALL_SIGNATURE_MS } from '../../domain/limits.ts';
import type { SessionHandle } from '../accounts/sessions.ts';
import { wakeDeliveries } from '../events.ts';
import { isKeyInUse } from '../outgoing/keys.ts';
import { choosePayer } from '../outgoing/payers.ts';
import { ANSWER_WITHIN_MS, pollWithin } from '../polling.ts';
import { requireStake } from '../spending/sponsorBudget.ts';
import { type CallView, noKey, sponsorCall, usedUp } from '../spending/sponsoredCalls.ts';
import { applyOpening, sameTerms } from './indexing.ts';
import { readTx } from './proof.ts';
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
  const { txHash } = given;
  if (!isSender(handle, await walletsOf(ctx.db, handle.id), row)) throw mismatch('This tab belongs to another wallet.');
  if (given.onChainId.toLowerCase() !== row.tabId.toLowerCase())
    throw mismatch('This is the ID of another tab.', 'onChainId');
  const again = row.openTxHash === txHash;
  if (isClosed(row) && !again)
    throw new AppError('state_conflict', CLOSED_WORDS[row.status as keyof typeof CLOSED_WORDS]);
  if (row.status !== 'pending_create' && again) return viewEscrow(ctx, handle, row);
  const chain = chainOf(ctx, row.chain);
  const { succeeded, change } = await readTx(chain, txHash, row.tabId);
  if (!succeeded) throw mismatch('This transaction failed, so the tab wasn’t opened.');
  if (change?.event.name !== 'opened' || !sameTerms(change.event.terms, escrowTerms(row)))
    throw mismatch('This transaction doesn’t open this tab.');
  await ctx.db.escrow.updateMany({ where: { id, status: 'pending_create' }, data: { openTxHash: txHash } });
  const opening = await pollWithin(ctx, waitMs, () => change.final());
  if (opening?.name === 'opened') {
    await ctx.db.$transaction((tx) => applyOpening(ctx, tx, chain, opening));
    await wakeDeliveries(ctx);
  }
  return getView(ctx, handle, id);
}

function mismatch(words: string, param = 'txHash'): AppError {
  return new AppError('tx_mismatch', words, { param });
}

/**
 * What the sender of a staged escrow signs on a chain where an executor sends the opening. Changes nothing.
 * @throws AppError `resource_missing`, `signature_invalid` for another handle, `state_conflict` where it is open, or its wallet sends it, `provider_unavailable`
 */
export async function openingData(ctx: Ctx, handle: SessionHandle, id: string): Promise<TransactionToSign> {
  const { row, chain } = await stagedRow(ctx, handle, id);
  const prepared = await prepareOpening(chain, escrowTerms(row), await choosePayer(ctx, chain, 0));
  if (prepared) return prepared;
  const words = `On ${chain.facts.label} your wallet opens the tab by itself, with onChainArgs.`;
  throw new AppError('state_conflict', words);
}

/**
 * Sends the opening that the sender's wallet has signed whole, as {@link openingData} gave it. The escrow opens once that is final. The same
 * transaction twice is one call.
 * @param transaction in base64
 * @throws AppError as {@link openingData}; `signature_invalid` for anything else than it gave, `call_refused`, `rate_limited`
 */
export async function openSigned(
  ctx: Ctx,
  handle: SessionHandle,
  id: string,
  transaction: string,
): Promise<{ escrow: EscrowView; request: CallView }> {
  const { row, chain } = await stagedRow(ctx, handle, id);
  const opening = await readOpening(chain, escrowTerms(row), transaction);
  if (!opening) throw new AppError('signature_invalid');
  const { call, number, payer } = opening;
  const use = `tab_open:${chain.name}:${row.tabId}:${number}`;
  const deadline = Math.floor((ctx.clock.now() + CALL_SIGNATURE_MS) / 1_000);
  const request = await sponsorCall(
    ctx,
    { handleId: handle.id, kind: 'tab_open', chain, use, isWhole: true, ...call, deadline },
    {
      async before() {
        if (!(await isKeyInUse(ctx, chain, payer))) throw noKey(chain);
        await requireStake(ctx, handle.id, chain, row.senderAddress);
      },
      async within(tx) {
        // What was signed as a whole is sent once, also when it has failed.
        if ((await tx.sponsoredCall.count({ where: { use } })) > 0) throw usedUp();
      },
      refusal: ({ name }) => (REFUSED[name] === undefined ? null : new AppError('call_refused', REFUSED[name])),
    },
  );
  return { escrow: await getView(ctx, handle, id), request };
}

const REFUSED: Readonly<Record<string, string>> = {
  InvalidNonce: 'You opened another tab after this one was prepared. Please start again.',
  InvalidDeadline: 'The deadline is too close by now. Please start again.',
  BalanceTooLow: 'Your wallet has too little USDC on this network for the tab.',
};

async function stagedRow(ctx: Ctx, handle: SessionHandle, id: string): Promise<{ row: Row<'Escrow'>; chain: Chain }> {
  const row = await escrowRow(ctx, id);
  if (!isSender(handle, await walletsOf(ctx.db, handle.id), row))
    throw new AppError('signature_invalid', 'This tab belongs to another wallet.');
  if (row.status !== 'pending_create') throw new AppError('state_conflict', 'This tab is open already.');
  return { row, chain: chainOf(ctx, row.chain) };
}
