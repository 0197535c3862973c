// What the chain shows of tabs becomes rows: escrows that any wallet opened, claimed or refunded. An event may be ingested any number of times.
import type { Chain } from '../../chain/chain.ts';
import type { TabClosing, TabEvent, TabOpening } from '../../chain/tabEvents.ts';
import { type Ctx, newId } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import { CLOSED, type EscrowStatus, OPENED } from '../../domain/escrow.ts';
import { readEscrowSlug } from '../../domain/escrowSlug.ts';
import type { TabTerms } from '../../domain/typedData/escrow.ts';
import { familyOf, isSameAddress } from '../../domain/walletFamily.ts';
import { reaches } from '../../domain/walletReach.ts';
import { tellSender } from './notices.ts';
import { assetOf, escrowTerms, labelOf } from './rows.ts';
import { moveEscrow } from './transitions.ts';

/** What another room does when an escrow is paid out: tips/escrowTips brings the receipt of the tip up to date. `claimedBy` is the wallet that claimed it, null for a refund. */
export type OnClosed = (ctx: Ctx, tx: Tx, escrow: Row<'Escrow'>, claimedBy: string | null) => Promise<void>;

export function sameTerms(a: TabTerms, b: TabTerms): boolean {
  const rest = (terms: TabTerms) =>
    [terms.handleKey, terms.amount, terms.deadline, terms.senderNonce, terms.revocable].join(' ').toLowerCase();
  return isSameAddress(a.sender, b.sender) && isSameAddress(a.token, b.token) && rest(a) === rest(b);
}

export async function applyTabEvent(
  ctx: Ctx,
  tx: Tx,
  chain: Chain,
  event: TabEvent,
  onClosed: OnClosed,
): Promise<void> {
  if (event.name === 'opened') await applyOpening(ctx, tx, chain, event);
  else await applyClosing(ctx, tx, chain, event, onClosed);
}

export async function applyOpening(ctx: Ctx, tx: Tx, chain: Chain, event: TabOpening): Promise<void> {
  const { tabId, terms, at } = event;
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
  const opening = { openTxHash: event.txHash, openBlock: event.block };
  const action = OPENED[status as EscrowStatus];
  const patch = { ...opening, openedAt: at };
  if (action === null || !(await moveEscrow(ctx, tx, { id, action, patch })))
    await tx.escrow.update({ where: { id }, data: opening });
}

function columnsOf(chain: Chain, terms: TabTerms) {
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
async function peopleOf(tx: Tx, chain: Chain, { sender, handleKey }: TabTerms) {
  const [wallet, known] = await Promise.all([
    tx.wallet.findUnique({ where: { family_address: { family: familyOf(sender), address: sender } } }),
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

export async function applyClosing(
  ctx: Ctx,
  tx: Tx,
  chain: Chain,
  event: TabClosing,
  onClosed: OnClosed,
): Promise<void> {
  const { tabId } = event;
  const row = await tx.escrow.findUnique({ where: { chain_tabId: { chain: chain.name, tabId } } });
  // Opened before the first block that was read on this chain, by a wallet that is not ours.
  if (!row) return void ctx.log.info({ chain: chain.name, tab: tabId }, 'a tab that we do not know was closed');
  const claimedBy = event.name === 'claimed' ? event.recipient : null;
  const paidTo = event.name === 'claimed' ? event.recipient : event.sender;
  const closing = { closeTxHash: event.txHash, paidTo, closedAt: event.at, closeBlock: event.block };
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
  else ctx.log.error({ escrow: row.id, status, event: event.name }, 'a tab and the chain do not agree');
}
