// What the escrow router said becomes our rows: tabs that were opened, claimed or refunded, by whomever. Every event may be given any number of times.
import type { escrowEvents } from '../../chain/routers/escrow.ts';
import type { EvmChain } from '../../chain/rpc/client.ts';
import { type Ctx, newId } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import { readEscrowSlug } from '../../domain/escrowSlug.ts';
import type { EscrowTerms } from '../../domain/typedData/escrow.ts';
import { reaches } from '../../domain/walletReach.ts';
import { escrowClosed } from '../tips/escrowTips.ts';
import { tellSender } from './notices.ts';
import { assetOf, escrowTerms, labelOf } from './rows.ts';
import { moveEscrow } from './transitions.ts';

export type RouterEvent = ReturnType<typeof escrowEvents>[number];
export type EscrowRouterEvent = Extract<RouterEvent, { eventName: 'TabOpened' | 'TabClaimed' | 'TabRefunded' }>;
type Opened = Extract<EscrowRouterEvent, { eventName: 'TabOpened' }>;
type Closed = Extract<EscrowRouterEvent, { eventName: 'TabClaimed' | 'TabRefunded' }>;

export function isEscrowEvent(event: RouterEvent): event is EscrowRouterEvent {
  return ['TabOpened', 'TabClaimed', 'TabRefunded'].includes(event.eventName);
}

/** The terms that an event shows. */
export function termsOfEvent({ args }: Opened): EscrowTerms {
  const { sender, token, handleKey, amount, deadline, senderNonce, revocable } = args;
  return { sender, token, handleKey, amount, deadline, senderNonce, revocable };
}

export function sameTerms(a: EscrowTerms, b: EscrowTerms): boolean {
  const text = (tab: EscrowTerms) =>
    [tab.sender, tab.token, tab.handleKey, tab.amount, tab.deadline, tab.senderNonce, tab.revocable]
      .join(' ')
      .toLowerCase();
  return text(a) === text(b);
}

/** Takes in one event of a final block. @param at when that block was made */
export async function applyEscrowEvent(
  ctx: Ctx,
  tx: Tx,
  chain: EvmChain,
  event: EscrowRouterEvent,
  at: Date,
): Promise<void> {
  if (event.eventName === 'TabOpened') await applyOpened(ctx, tx, chain, event, at);
  else await applyClosed(ctx, tx, chain, event, at);
}

async function applyOpened(ctx: Ctx, tx: Tx, chain: EvmChain, event: Opened, at: Date): Promise<void> {
  const tab = termsOfEvent(event);
  const { tabId } = event.args;
  const place = { chain_tabId: { chain: chain.name, tabId } };
  const terms = { ...columnsOf(chain, tab), origin: 'chain' };
  const before = await tx.escrow.findUnique({ where: place });
  if (!before)
    await tx.escrow.createMany({
      data: [
        {
          id: newId(ctx, 'esc'),
          chain: chain.name,
          tabId,
          ...terms,
          ...(await whose(tx, chain, tab)),
          status: 'pending_create',
          createdAt: at,
        },
      ],
      skipDuplicates: true,
    });
  // The sender opened another tab under the number that was staged: what the chain has is what there is.
  else if (!sameTerms(escrowTerms(before), tab))
    await tx.escrow.update({
      where: place,
      data: { ...terms, ...(await whose(tx, chain, tab)), tipId: null, note: null },
    });
  const { id } = await tx.escrow.findUniqueOrThrow({ where: place, select: { id: true } });
  const opening = { openTxHash: event.transactionHash, openedAt: at, openBlock: event.blockNumber };
  if (!(await moveEscrow(ctx, tx, { id, action: 'confirm', patch: opening })))
    await tx.escrow.update({
      where: { id },
      data: { openTxHash: event.transactionHash, openBlock: event.blockNumber },
    });
}

function columnsOf(chain: EvmChain, tab: EscrowTerms) {
  return {
    senderAddress: tab.sender,
    handleKey: tab.handleKey,
    ...assetOf(chain, tab.token),
    token: tab.token,
    units: String(tab.amount),
    deadline: tab.deadline,
    senderNonce: String(tab.senderNonce),
    revocable: tab.revocable,
  };
}

/** Whom the chain's own names belong to, as far as we know them. */
async function whose(tx: Tx, chain: EvmChain, { sender, handleKey }: EscrowTerms) {
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

async function applyClosed(ctx: Ctx, tx: Tx, chain: EvmChain, event: Closed, at: Date): Promise<void> {
  const { tabId } = event.args;
  const row = await tx.escrow.findUnique({ where: { chain_tabId: { chain: chain.name, tabId } } });
  // A tab that was opened before we looked at this chain, and that nobody of ours has anything to do with.
  if (!row) return void ctx.log.info({ chain: chain.name, tab: tabId }, 'a tab that we do not know was closed');
  const claimed = event.eventName === 'TabClaimed';
  // What was closed was open: its opening may lie before our first look.
  if (row.status === 'pending_create' || row.status === 'dropped')
    await moveEscrow(ctx, tx, { id: row.id, action: 'confirm', patch: { openedAt: row.createdAt } });
  const closing = {
    closeTxHash: event.transactionHash,
    paidTo: claimed ? event.args.recipient : event.args.sender,
    closedAt: at,
    closeBlock: event.blockNumber,
  };
  const moved = await moveEscrow(ctx, tx, { id: row.id, action: claimed ? 'claim' : 'refund', patch: closing });
  if (moved) {
    await escrowClosed(ctx, tx, row, claimed ? event.args.recipient : null);
    return tellSender(ctx, tx, row, claimed ? 'tab_claimed' : 'tab_refunded');
  }
  const now: Row<'Escrow'> = await tx.escrow.findUniqueOrThrow({ where: { id: row.id } });
  if (now.status === (claimed ? 'claimed' : 'refunded'))
    await tx.escrow.update({ where: { id: row.id }, data: closing });
  else
    ctx.log.error({ escrow: row.id, status: now.status, event: event.eventName }, 'a tab and the chain do not agree');
}
