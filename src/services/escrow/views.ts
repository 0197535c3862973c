// An escrow as people see it: on a page, anyone with its id; in a chat, those who are notified.

import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import { CHAINS, type ChainName, chainLabel } from '../../domain/chains.ts';
import { AppError } from '../../domain/errors.ts';
import { type EscrowOrigin, type EscrowStatus, type Refundable, refundable, refundUse } from '../../domain/escrow.ts';
import { isId } from '../../domain/ids.ts';
import { formatUnits } from '../../domain/money.ts';
import type { OutgoingTxStatus } from '../../domain/outgoing.ts';
import { type CallProgress, progressOf } from '../../domain/sponsoredCall.ts';
import { isSameAddress } from '../../domain/walletFamily.ts';
import { reaches } from '../../domain/walletReach.ts';
import type { SessionHandle } from '../accounts/sessions.ts';
import { transactionUrl } from '../chains.ts';
import { CLAIM_TX, viewClaim } from './claims.ts';
import { slugsOf, walletsOf } from './rows.ts';

export type EscrowRole = 'sender' | 'recipient' | 'other';
export type EscrowView = {
  object: 'escrow';
  id: string;
  status: Exclude<EscrowStatus, 'dropped'>;
  handleSlug: string | null;
  recipient_label: string;
  sender_label: string;
  role: EscrowRole;
  origin: EscrowOrigin;
  amount: string;
  currency: string;
  chain: string;
  chain_label: string;
  note: string | null;
  /** Unix seconds. */
  deadline: number;
  revocable: boolean;
  refundable: Refundable;
  onChainId: string;
  tx_hash: string | null;
  txHash: string | null;
  close_tx_hash: string | null;
  explorer_url: string | null;
  paid_to: string | null;
  pays_to: string | null;
  claim: {
    id: string;
    status: CallProgress;
    tx_hash: string | null;
    failure: string | null;
    held_until: string | null;
  } | null;
  refund: { status: CallProgress; tx_hash: string | null; failure: string | null } | null;
  created_at: string;
  opened_at: string | null;
  closed_at: string | null;
};

/** @throws AppError `resource_missing` for none, and for one that was staged and never opened */
export async function escrowRow(ctx: Ctx, id: string): Promise<Row<'Escrow'>> {
  const row = isId('esc', id) ? await ctx.db.escrow.findUnique({ where: { id } }) : null;
  if (!row || row.status === 'dropped') throw new AppError('resource_missing', 'No such tab. Check the ID.');
  return row;
}

/** One escrow, for any signed-in handle that has its id. @throws AppError `resource_missing` */
export async function getEscrow(ctx: Ctx, handle: SessionHandle, id: string): Promise<EscrowView> {
  return viewEscrow(ctx, handle, await escrowRow(ctx, id));
}

export async function viewEscrow(ctx: Ctx, handle: SessionHandle, row: Row<'Escrow'>): Promise<EscrowView> {
  const [view] = await viewEscrows(ctx, handle, [row]);
  if (!view) throw new Error('every row has its view');
  return view;
}

/** Many at once, in their order. */
export async function viewEscrows(ctx: Ctx, handle: SessionHandle, rows: Row<'Escrow'>[]): Promise<EscrowView[]> {
  const [own, wallets, senders, claims, refunds] = await Promise.all([
    slugsOf(ctx.db, handle.id),
    walletsOf(ctx.db, handle.id),
    sendersOf(ctx, rows),
    claimsOf(ctx, rows),
    refundsOf(ctx, rows),
  ]);
  return rows.map((row) => {
    const role = roleOf(handle, own, wallets, row);
    const { family } = CHAINS[row.chain as ChainName];
    const wallet = wallets.find((one) => one.family === family && reaches(one, row.chain));
    return {
      ...plainView(ctx, row),
      handleSlug: row.handleSlug,
      sender_label: senders.get(row.senderHandleId ?? '') ?? short(row.senderAddress),
      role,
      note: role === 'other' ? null : row.note,
      pays_to: role === 'recipient' && row.status === 'open' ? (wallet?.address ?? null) : null,
      claim: role === 'other' ? null : (claims.get(`${row.chain} ${row.tabId}`) ?? null),
      refund: refunds.get(row.id) ?? null,
    };
  });
}

function plainView(ctx: Ctx, row: Row<'Escrow'>) {
  return {
    object: 'escrow' as const,
    id: row.id,
    status: row.status as EscrowView['status'],
    recipient_label: row.recipientLabel,
    origin: row.origin as EscrowOrigin,
    amount: formatUnits(BigInt(row.units.toFixed(0)), row.decimals),
    currency: row.asset,
    chain: row.chain,
    chain_label: chainLabel(row.chain),
    deadline: Number(row.deadline),
    revocable: row.revocable,
    refundable: refundable(row, ctx.clock.now()),
    onChainId: row.tabId,
    tx_hash: row.openTxHash,
    txHash: row.openTxHash,
    close_tx_hash: row.closeTxHash,
    explorer_url: transactionUrl(ctx, row.chain, row.closeTxHash ?? row.openTxHash),
    paid_to: row.paidTo,
    created_at: row.createdAt.toISOString(),
    opened_at: row.openedAt?.toISOString() ?? null,
    closed_at: row.closedAt?.toISOString() ?? null,
  };
}

function roleOf(
  handle: SessionHandle,
  own: ReadonlyMap<string, unknown>,
  wallets: Row<'Wallet'>[],
  row: Row<'Escrow'>,
): EscrowRole {
  if (isSender(handle, wallets, row)) return 'sender';
  return own.has(row.handleKey) ? 'recipient' : 'other';
}

/** The handle that staged it, or the wallet that opened it. A contract's address counts where it has proven itself. */
export function isSender({ id }: SessionHandle, wallets: Row<'Wallet'>[], row: Row<'Escrow'>): boolean {
  if (row.senderHandleId !== null) return row.senderHandleId === id;
  return wallets.some((wallet) => isSameAddress(wallet.address, row.senderAddress) && reaches(wallet, row.chain));
}

async function sendersOf(ctx: Ctx, rows: Row<'Escrow'>[]): Promise<Map<string, string>> {
  const ids = [...new Set(rows.flatMap((row) => row.senderHandleId ?? []))];
  const handles = await ctx.db.handle.findMany({ where: { id: { in: ids } }, select: { id: true, slug: true } });
  return new Map(handles.map(({ id, slug }) => [id, `${slug}@ampersat`]));
}

/** The newest claim of each. */
async function claimsOf(ctx: Ctx, rows: Row<'Escrow'>[]) {
  const claims = await ctx.db.claim.findMany({
    where: { tabId: { in: rows.map((row) => row.tabId) } },
    orderBy: { createdAt: 'desc' },
    distinct: ['chain', 'tabId'],
    include: CLAIM_TX,
  });
  return new Map(
    claims.map((claim) => {
      const { id, status, tx_hash, failure, held_until } = viewClaim(claim);
      return [`${claim.chain} ${claim.tabId}`, { id, status, tx_hash, failure, held_until }] as const;
    }),
  );
}

/** What we ourselves send back, on a signature or after the deadline: how far that is. */
async function refundsOf(ctx: Ctx, rows: Row<'Escrow'>[]) {
  const uses = rows.map((row) => refundUse(row));
  const [calls, txs] = await Promise.all([
    ctx.db.sponsoredCall.findMany({
      where: { kind: 'tab_refund', use: { in: uses } },
      orderBy: { createdAt: 'asc' },
      include: CLAIM_TX,
    }),
    ctx.db.outgoingTx.findMany({
      where: { id: { in: rows.flatMap((row) => row.refundTxId ?? []) } },
      include: CLAIM_TX.outgoingTx.include,
    }),
  ]);
  type Tx = (typeof txs)[number] | null;
  const viewOf = (queued: 'queued' | 'submitted' | 'failed', tx: Tx, failure: string | null) => ({
    status: progressOf(queued, tx && { status: tx.status as OutgoingTxStatus, succeeded: tx.succeeded }),
    tx_hash: tx && (tx.minedHash ?? tx.attempts[0]?.hash ?? null),
    failure,
  });
  const views = new Map<string, NonNullable<EscrowView['refund']>>();
  for (const [index, row] of rows.entries()) {
    const call = calls.findLast((one) => one.use === uses[index]);
    const tx = txs.find((one) => one.id === row.refundTxId) ?? null;
    if (tx) views.set(row.id, viewOf('submitted', tx, null));
    else if (row.refundAskedAt !== null && row.status === 'open') views.set(row.id, viewOf('queued', null, null));
    else if (call)
      views.set(row.id, viewOf(call.status as 'queued' | 'submitted' | 'failed', call.outgoingTx, call.failure));
  }
  return views;
}

function short(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}

/** An escrow as chats tell of it. Amounts as decimal strings, times in Unix milliseconds. */
export type ChatEscrow = {
  id: string;
  status: EscrowStatus;
  amount: string;
  currency: string;
  chain: string;
  chainLabel: string;
  recipientLabel: string;
  senderLabel: string;
  senderHandleId: string | null;
  handleSlug: string | null;
  revocable: boolean;
  deadline: number;
  /** Until when a claim by username is held back; null where none is. */
  heldUntil: number | null;
  paidTo: string | null;
  closeTxHash: string | null;
  explorerUrl: string | null;
  origin: string;
  tipId: string | null;
};

/** @throws AppError `resource_missing` */
export async function chatEscrow(ctx: Ctx, escrowId: string): Promise<ChatEscrow> {
  const row = await ctx.db.escrow.findUnique({ where: { id: escrowId } });
  if (!row) throw new AppError('resource_missing');
  const [senders, held] = await Promise.all([
    sendersOf(ctx, [row]),
    ctx.db.claim.findFirst({
      where: { chain: row.chain, tabId: row.tabId, status: 'asked', heldUntil: { not: null } },
      select: { heldUntil: true },
    }),
  ]);
  const { amount, currency, chain_label, explorer_url } = plainView(ctx, row);
  const { id, chain, recipientLabel, senderHandleId, handleSlug, revocable, paidTo, closeTxHash, origin, tipId } = row;
  return {
    id,
    status: row.status as EscrowStatus,
    amount,
    currency,
    chain,
    chainLabel: chain_label,
    recipientLabel,
    senderLabel: senders.get(senderHandleId ?? '') ?? short(row.senderAddress),
    senderHandleId,
    handleSlug,
    revocable,
    deadline: Number(row.deadline) * 1_000,
    heldUntil: held?.heldUntil?.getTime() ?? null,
    paidTo,
    closeTxHash,
    explorerUrl: explorer_url,
    origin,
    tipId,
  };
}

export async function getView(ctx: Ctx, handle: SessionHandle, id: string): Promise<EscrowView> {
  return viewEscrow(ctx, handle, await escrowRow(ctx, id));
}
