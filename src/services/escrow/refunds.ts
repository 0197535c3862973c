// Refunds of an escrow: by the caller's own transaction, by the sender's signature, or, after the deadline, by us on anyone's request.

import { simulateQueued } from '../../chain/calls.ts';
import { encodeEscrowRefundBySig } from '../../chain/routers/escrow.ts';
import { type RevertReason, simulateCall } from '../../chain/routers/reverts.ts';
import type { Address, Hex } from '../../chain/rpc/client.ts';
import { normalSignature } from '../../chain/signing/permits.ts';
import { proveSignature, typedDataHash } from '../../chain/signing/signatures.ts';
import { type EarlyRefund, prepareEarlyRefund, readEarlyRefund, refundRefusal } from '../../chain/tabs.ts';
import { type Ctx, chainOf, evmChainOf } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import {
  CLOSED_WORDS,
  refundable,
  refundUse,
  SPONSORED_REFUND_AFTER_MS,
  SPONSORED_REFUNDS,
} from '../../domain/escrow.ts';
import { CALL_SIGNATURE_MS } from '../../domain/limits.ts';
import { type EscrowTerms, escrowRefundData } from '../../domain/typedData/escrow.ts';
import type { SessionHandle } from '../accounts/sessions.ts';
import { checkDeadline } from '../accounts/signing.ts';
import { lockSender } from '../locks.ts';
import { choosePayer } from '../outgoing/payers.ts';
import { ANSWER_WITHIN_MS, pollWithin } from '../polling.ts';
import { progress, requireRoom, WITH_TX } from '../spending/sponsorBudget.ts';
import { storeCall } from '../spending/sponsoredCalls.ts';
import { wake } from '../wake.ts';
import { chainHasRoom } from './deadlines.ts';
import { applyClosing, type OnClosed } from './indexing.ts';
import { readTx } from './proof.ts';
import { storeRefund } from './refundKind.ts';
import { escrowTerms, isClosed, requireOpen, walletsOf } from './rows.ts';
import { type EscrowView, escrowRow, getView, isSender } from './views.ts';

const REFUND_GAS = 400_000n;

type Patience = { waitMs?: number };

/**
 * After the deadline anyone may request it, and a worker sends it. The money goes to the sender.
 * @throws AppError `refund_before_deadline`, `state_conflict` for an escrow that is not open, `resource_missing`, `provider_unavailable`
 */
export async function askRefund(
  ctx: Ctx,
  handle: SessionHandle,
  id: string,
  { waitMs = ANSWER_WITHIN_MS }: Patience = {},
): Promise<EscrowView> {
  const row = await escrowRow(ctx, id);
  requireOpen(row);
  const refusal = await refundRefusal(chainOf(ctx, row.chain), escrowTerms(row));
  if (refusal) throw refused(row, refusal);
  // A request retries at once what was tried and failed a while ago.
  await ctx.db.$transaction(async (tx) => {
    await tx.escrow.updateMany({
      where: { id, status: 'open', refundAskedAt: null },
      data: { refundAskedAt: new Date(ctx.clock.now()), refundTriedAt: null },
    });
    await wake(tx, 'refunds');
  });
  await pollWithin(ctx, waitMs, async () => {
    const now = await ctx.db.escrow.findUniqueOrThrow({ where: { id } });
    return now.status !== 'open' || (await isSigned(ctx, now.refundTxId)) ? true : null;
  });
  return getView(ctx, handle, id);
}

async function isSigned(ctx: Ctx, outgoingTxId: string | null): Promise<boolean> {
  if (outgoingTxId === null) return false;
  return (await ctx.db.outgoingTx.count({ where: { id: outgoingTxId, executor: { not: null } } })) > 0;
}

function refused(row: Row<'Escrow'>, { name, args, text }: RevertReason): AppError {
  if (name === 'NotRefundable') {
    const words = 'Before the deadline, only the sender can take this tab back.';
    return new AppError('refund_before_deadline', row.revocable ? words : undefined);
  }
  if (name === 'TabNotOpen')
    return new AppError('state_conflict', args?.[1] === 2 ? CLOSED_WORDS.claimed : CLOSED_WORDS.refunded);
  if (name === 'NoTokenAccount') return new AppError('state_conflict', text);
  return new AppError('state_conflict', `The network rejected this (${text ?? name}).`);
}

/**
 * The caller has sent the refund: the chain says whether that is so. The escrow is refunded once the transaction is final.
 * @throws AppError `tx_not_found`, `tx_mismatch`, `state_conflict` when it was claimed, `resource_missing`, `provider_unavailable`
 */
export async function confirmEscrowRefund(
  ctx: Ctx,
  handle: SessionHandle,
  id: string,
  txHash: string,
  { waitMs = ANSWER_WITHIN_MS, onClosed }: Patience & { onClosed: OnClosed },
): Promise<EscrowView> {
  const row = await escrowRow(ctx, id);
  if (row.status === 'refunded' && row.closeTxHash === txHash) return getView(ctx, handle, id);
  if (isClosed(row) || row.status === 'pending_create') requireOpen(row);
  const chain = chainOf(ctx, row.chain);
  const { succeeded, change } = await readTx(chain, txHash, row.tabId);
  if (change?.event.name === 'claimed') throw new AppError('state_conflict', CLOSED_WORDS.claimed);
  if (!succeeded || change?.event.name !== 'refunded') {
    const words = succeeded
      ? 'This transaction didn’t return this tab.'
      : 'This transaction failed, so the tab wasn’t returned.';
    throw new AppError('tx_mismatch', words, { param: 'txHash' });
  }
  const closing = await pollWithin(ctx, waitMs, () => change.final());
  if (closing?.name === 'refunded') await ctx.db.$transaction((tx) => applyClosing(ctx, tx, chain, closing, onClosed));
  await ctx.queues.flush(ctx.db);
  return getView(ctx, handle, id);
}

/**
 * What the sender signs to take an escrow back before its deadline, and, where the wallet can send that itself, the call. Changes nothing.
 * @throws as {@link refundSigned}
 */
export async function refundData(ctx: Ctx, handle: SessionHandle, id: string): Promise<EarlyRefund> {
  const row = await revocableRow(ctx, handle, id);
  const chain = chainOf(ctx, row.chain);
  const deadline = Math.floor((ctx.clock.now() + CALL_SIGNATURE_MS) / 1_000);
  const payer = await choosePayer(ctx, chain, 0);
  const prepared = await prepareEarlyRefund(chain, escrowTerms(row), { deadline, payer });
  if (!prepared) throw new AppError('state_conflict', 'This tab is no longer open.');
  return prepared;
}

async function revocableRow(ctx: Ctx, handle: SessionHandle, id: string): Promise<Row<'Escrow'>> {
  const row = await escrowRow(ctx, id);
  requireOpen(row);
  if (!isSender(handle, await walletsOf(ctx.db, handle.id), row))
    throw new AppError('signature_invalid', 'Only the wallet that opened this tab can take it back early.');
  if (refundable(row, ctx.clock.now()) === 'after_deadline') throw new AppError('refund_before_deadline');
  return row;
}

/**
 * Sends the sender's signed refund at our cost: from ten minutes after the opening on, three times a day. The same signature twice is one call.
 * @throws AppError `signature_invalid`, `parameter_invalid` for a signature that ran out, `refund_before_deadline` for an escrow that cannot be
 * refunded early, `state_conflict` when it is not open, `rate_limited`, `resource_missing`, `provider_unavailable`
 */
export async function refundSigned(
  ctx: Ctx,
  handle: SessionHandle,
  id: string,
  { deadline, signature: given }: { deadline: number; signature: Hex },
): Promise<EscrowView> {
  const row = await revocableRow(ctx, handle, id);
  const chain = evmChainOf(ctx, row.chain);
  const signature = normalSignature(given);
  checkDeadline(ctx, deadline, CALL_SIGNATURE_MS);
  const at = { chainId: chain.facts.chainId, contract: chain.routers.escrow };
  const hash = typedDataHash(escrowRefundData(at, { tabId: row.tabId as Hex, deadline: BigInt(deadline) }));
  if (!(await proveSignature(chain, { address: row.senderAddress as Address, hash, signature })))
    throw new AppError('signature_invalid');
  const data = encodeEscrowRefundBySig(escrowTerms(row) as EscrowTerms, BigInt(deadline), signature);
  const use = refundUse(row);
  if (await underWay(ctx.db, use)) return getView(ctx, handle, id);
  requireAge(
    ctx,
    row,
    'Ampersat can send this for you ten minutes after the tab was opened. Your wallet can send it now.',
  );
  const to = chain.routers.escrow;
  const refusal = await simulateCall(chain, { to, data, gas: REFUND_GAS });
  if (refusal) throw refused(row, refusal);
  await ctx.db.$transaction(async (tx) => {
    await lockSender(tx, handle.id);
    if (await underWay(tx, use)) return;
    await requireRefundRoom(ctx, tx, handle.id);
    await requireRoom(ctx, tx, handle.id, chain, 'tab_refund');
    await storeCall(ctx, tx, {
      handleId: handle.id,
      kind: 'tab_refund',
      chain,
      use,
      to,
      data,
      gas: REFUND_GAS,
      deadline,
    });
  });
  await ctx.queues.flush(ctx.db);
  return getView(ctx, handle, id);
}

/**
 * The same for a transaction that the sender's wallet has signed whole, as {@link refundData} gave it.
 * @param transaction in base64
 */
export async function refundByTransaction(
  ctx: Ctx,
  handle: SessionHandle,
  id: string,
  transaction: string,
): Promise<EscrowView> {
  const row = await revocableRow(ctx, handle, id);
  const chain = chainOf(ctx, row.chain);
  const call = await readEarlyRefund(chain, escrowTerms(row), transaction);
  if (!call) throw new AppError('signature_invalid');
  requireAge(ctx, row, 'Ampersat can send this for you ten minutes after the tab was opened.');
  const refusal = await simulateQueued(chain, call, undefined);
  if (refusal) throw refused(row, refusal);
  await ctx.db.$transaction(async (tx) => {
    await lockSender(tx, handle.id);
    await requireOwnRoom(ctx, tx, row);
    await storeRefund(ctx, tx, row, call);
  });
  return getView(ctx, handle, id);
}

/** Soon after the opening it costs too much to pay for its return. @throws AppError `rate_limited` */
function requireAge(ctx: Ctx, row: Row<'Escrow'>, words: string): void {
  const wait = (row.openedAt ?? row.createdAt).getTime() + SPONSORED_REFUND_AFTER_MS - ctx.clock.now();
  if (wait > 0) throw new AppError('rate_limited', words, { retryAfterMs: wait });
}

/** What we send back early of one sender, and what we pay for on the chain, in 24 hours. @throws AppError `rate_limited` */
async function requireOwnRoom(ctx: Ctx, tx: Tx, { chain, senderAddress }: Row<'Escrow'>): Promise<void> {
  const since = new Date(ctx.clock.now() - SPONSORED_REFUNDS.windowMs);
  const before = await tx.$queryRaw<{ at: Date }[]>`
    select o.created_at as at from outgoing_tx o join escrow e on e.id = o.subject_id
    where o.kind = 'escrow_refund' and o.status <> 'cancelled' and o.created_at > ${since}
      and e.chain = ${chain} and e.sender_address = ${senderAddress} and extract(epoch from o.created_at) < e.deadline
    order by o.created_at`;
  const oldest = before.at(-SPONSORED_REFUNDS.points);
  const words = 'Ampersat has sent three of these for you today. Try again tomorrow.';
  if (oldest) throw new AppError('rate_limited', words, { retryAfterMs: oldest.at.getTime() - since.getTime() });
  if (!(await chainHasRoom(ctx, tx, chain)))
    throw new AppError('rate_limited', 'Today’s limit of sponsored transactions is reached. Try again tomorrow.', {
      retryAfterMs: 3_600_000,
    });
}

async function underWay(tx: Tx, use: string): Promise<boolean> {
  const calls = await tx.sponsoredCall.findMany({
    where: { use },
    include: WITH_TX,
  });
  return calls.some((call) => progress(call) !== 'failed');
}

async function requireRefundRoom(ctx: Ctx, tx: Tx, handleId: string): Promise<void> {
  const { points, windowMs } = SPONSORED_REFUNDS;
  const createdAt = { gt: new Date(ctx.clock.now() - windowMs) };
  const before = await tx.sponsoredCall.findMany({
    where: { handleId, kind: 'tab_refund', createdAt },
    orderBy: { createdAt: 'asc' },
    select: { createdAt: true },
  });
  const oldest = before.at(-points);
  if (!oldest) return;
  const words = 'Ampersat has sent three of these for you today. Send it from your wallet, or try again tomorrow.';
  throw new AppError('rate_limited', words, { retryAfterMs: oldest.createdAt.getTime() + windowMs - ctx.clock.now() });
}
