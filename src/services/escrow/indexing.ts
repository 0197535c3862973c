// The escrow router's events become rows: escrows that any wallet opened, claimed or refunded. An event may be ingested any number of times.
import type { EscrowLog } from '../../chain/logs/escrow.ts';
import type { EvmChain } from '../../chain/rpc/client.ts';
import { type Ctx, newId } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import { CLOSED, type EscrowStatus, OPENED } from '../../domain/escrow.ts';
import { readEscrowSlug } from '../../domain/escrowSlug.ts';
import type { EscrowTerms } from '../../domain/typedData/escrow.ts';
import { reaches } from '../../domain/walletReach.ts';
import { tellSender } from './notices.ts';
import { assetOf, escrowTerms, labelOf } from './rows.ts';
import { moveEscrow } from './transitions.ts';

export type OpenedLog = Extract<EscrowLog, { eventName: 'TabOpened' }>;
export type Closing = Extract<EscrowLog, { eventName: 'TabClaimed' | 'TabRefunded' }>;
/** What another room does when an escrow is paid out: tips/escrowTips brings the receipt of the tip up to date. `claimedBy` is the wallet that claimed it, null for a refund. */
export type OnClosed = (ctx: Ctx, tx: Tx, escrow: Row<'Escrow'>, claimedBy: string | null) => Promise<void>;

/** The terms that an event shows. */
export function termsOfEvent({ args }: OpenedLog): EscrowTerms {
  const { sender, token, handleKey, amount, deadline, senderNonce, revocable } = args;
  return { sender, token, handleKey, amount, deadline, senderNonce, revocable };
}

export function sameTerms(a: EscrowTerms, b: EscrowTerms): boolean {
  const text = (terms: EscrowTerms) =>
    [terms.sender, terms.token, terms.handleKey, terms.amount, terms.deadline, terms.senderNonce, terms.revocable]
      .join(' ')
      .toLowerCase();
  return text(a) === text(b);
}

/** @param at when the event's block was made */
export async function applyOpening(ctx: Ctx, tx: Tx, chain: EvmChain, event: OpenedLog, at: Date): Promise<void> {
  const terms = termsOfEvent(event);
  const { tabId } = event.args;
  const place = { chain_tabId: { chain: chain.name, tabId } };
  const columns = { ...columnsOf(chain, terms), origin: 'chain' };
  const before = await tx.escrow.findUnique({ where: place });
  if (!before)
    await tx.escrow.createMany({
      data: [
        {
          id: newId(ctx, 'esc'),
          chain: chain.name,
          tabId,
          ...columns,
          ...(await peopleOf(tx, chain, terms)),
          status: 'pending_create',
          createdAt: at,
        },
      ],
      skipDuplicates: true,
    });
  // The sender opened another escrow under the staged number: the chain's terms replace the staged ones.
  else if (!sameTerms(escrowTerms(before), terms))
    await tx.escrow.update({
      where: place,
      data: { ...columns, ...(await peopleOf(tx, chain, terms)), tipId: null, note: null },
    });
  const { id, status } = await tx.escrow.findUniqueOrThrow({ where: place, select: { id: true, status: true } });
  const opening = { openTxHash: event.transactionHash, openBlock: event.blockNumber };
  const action = OPENED[status as EscrowStatus];
  const patch = { ...opening, openedAt: at };
  if (action === null || !(await moveEscrow(ctx, tx, { id, action, patch })))
    await tx.escrow.update({ where: { id }, data: opening });
}

function columnsOf(chain: EvmChain, terms: EscrowTerms) {
  return {
    senderAddress: terms.sender,
    handleKey: terms.handleKey,
    ...assetOf(chain, terms.token),
    token: terms.token,
    units: String(terms.amount),
    deadline: terms.deadline,
    senderNonce: String(terms.senderNonce),
    revocable: terms.revocable,
  };
}

/** The handles behind the chain's own names, as far as they are known. */
async function peopleOf(tx: Tx, chain: EvmChain, { sender, handleKey }: EscrowTerms) {
  const [wallet, known] = await Promise.all([
    tx.wallet.findUnique({ where: { family_address: { family: 'evm', address: sender } } }),
    tx.slugKey.findUnique({ where: { handleKey } }),
  ]);
  const slug = known && readEscrowSlug(known.slug);
  return {
    senderHandleId: wallet && reaches(wallet, chain.name) ? wallet.handleId : null,
    handleSlug: slug?.slug ?? null,
    recipientLabel: slug ? await labelOf(tx, slug) : SOMEBODY,
  };
}

export const SOMEBODY = 'somebody';

/** @param at when the event's block was made */
export async function applyClosing(
  ctx: Ctx,
  tx: Tx,
  chain: EvmChain,
  event: Closing,
  at: Date,
  onClosed: OnClosed,
): Promise<void> {
  const { tabId } = event.args;
  const row = await tx.escrow.findUnique({ where: { chain_tabId: { chain: chain.name, tabId } } });
  // Opened before the first block that was read on this chain, by a wallet that is not ours.
  if (!row) return void ctx.log.info({ chain: chain.name, tab: tabId }, 'a tab that we do not know was closed');
  const claimedBy = event.eventName === 'TabClaimed' ? event.args.recipient : null;
  const paidTo = event.eventName === 'TabClaimed' ? event.args.recipient : event.args.sender;
  const closing = { closeTxHash: event.transactionHash, paidTo, closedAt: at, closeBlock: event.blockNumber };
  const closed = claimedBy === null ? 'refunded' : 'claimed';
  let moved = false;
  for (const action of CLOSED[closed][row.status as EscrowStatus] ?? []) {
    const patch = action === 'confirm' ? { openedAt: row.createdAt } : closing;
    moved = (await moveEscrow(ctx, tx, { id: row.id, action, patch })) && action !== 'confirm';
  }
  if (moved) {
    await onClosed(ctx, tx, row, claimedBy);
    return tellSender(ctx, tx, row, claimedBy === null ? 'tab_refunded' : 'tab_claimed');
  }
  const { status } = await tx.escrow.findUniqueOrThrow({ where: { id: row.id } });
  if (status === closed) await tx.escrow.update({ where: { id: row.id }, data: closing });
  else ctx.log.error({ escrow: row.id, status, event: event.eventName }, 'a tab and the chain do not agree');
}
