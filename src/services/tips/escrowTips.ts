// Tips to people without an account: the leg opens an escrow in the very transaction that takes the money, and the escrow's row follows the leg.

import { handleKey } from '../../chain/routers/escrow.ts';
import { type EscrowTip, escrowOfTip } from '../../chain/routers/openEscrows.ts';
import type { Address, Hex } from '../../chain/rpc/client.ts';
import { tabOnChainId } from '../../chain/tabs.ts';
import { type Ctx, chainOf, newId } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import { readEscrowSlug, slugLabel } from '../../domain/escrowSlug.ts';
import { reaches } from '../../domain/walletReach.ts';
import { moveEscrows } from '../escrow/transitions.ts';
import { bumpIntentReplies } from './intentReplies.ts';
import { refreshReceived } from './receivedNotices.ts';
import { bumpThreads } from './threads.ts';

/** A frozen leg that opens an escrow, as the router takes it. */
export function escrowTipOf(leg: Row<'Tip'>): EscrowTip {
  if (leg.tabSlug === null || leg.tabDeadline === null) throw new Error(`leg ${leg.id} opens no tab`);
  return {
    messageKey: leg.messageKey as Hex,
    sender: leg.senderAddress as Address,
    token: leg.token as Address,
    handleKey: handleKey(leg.tabSlug),
    amount: BigInt(leg.units.toFixed(0)),
    deadline: leg.tabDeadline,
    validUntil: BigInt(Math.floor(leg.validUntil.getTime() / 1000)),
  };
}

/** Writes the rows of the escrows that these frozen legs will open, in the transaction that freezes them. */
export async function stageTipEscrows(ctx: Ctx, tx: Tx, legIds: string[]): Promise<void> {
  const legs = await tx.tip.findMany({ where: { id: { in: legIds }, tabSlug: { not: null } } });
  if (legs.length === 0) return;
  await tx.escrow.createMany({
    data: legs.map((leg) => {
      const escrow = escrowOfTip(escrowTipOf(leg));
      return {
        id: newId(ctx, 'esc'),
        chain: leg.chain,
        tabId: tabOnChainId(chainOf(ctx, leg.chain), escrow.sender, escrow.senderNonce),
        origin: 'tip',
        senderHandleId: leg.senderHandleId,
        senderAddress: leg.senderAddress,
        handleSlug: leg.tabSlug,
        handleKey: escrow.handleKey,
        // On a page it stands beside escrows of other platforms.
        recipientLabel: pageLabel(leg),
        asset: leg.asset,
        token: leg.token,
        decimals: leg.decimals,
        units: leg.units,
        deadline: escrow.deadline,
        senderNonce: String(escrow.senderNonce),
        revocable: escrow.revocable,
        status: 'pending_create',
        tipId: leg.id,
        createdAt: leg.createdAt,
      };
    }),
  });
}

/** `@carol on Telegram`: an account that is named by its id is called as the chat called it. */
function pageLabel({ tabSlug, recipientLabel }: Row<'Tip'>): string {
  const slug = readEscrowSlug(tabSlug ?? '');
  return slug ? slugLabel(slug, recipientLabel) : recipientLabel;
}

/** The escrows of legs that came to their end: open where the leg was paid, dropped where it was not. */
export async function followLegs(
  ctx: Ctx,
  tx: Tx,
  ended: { id: string; paid: boolean; txHash: string | null }[],
): Promise<void> {
  if (ended.length === 0) return;
  const escrows = await tx.escrow.findMany({
    where: { tipId: { in: ended.map((leg) => leg.id) } },
    select: { id: true, tipId: true },
  });
  const legOf = new Map(ended.map((leg) => [leg.id, leg]));
  const openedAt = new Date(ctx.clock.now());
  await moveEscrows(
    ctx,
    tx,
    escrows.map(({ id, tipId }) => {
      const leg = legOf.get(tipId ?? '');
      return leg?.paid
        ? { id, action: 'confirm', patch: { openTxHash: leg.txHash, openedAt } }
        : { id, action: 'drop', patch: {} };
    }),
  );
}

/** An escrow was paid out: the receipt of its tip says so, and a tip that was claimed is in its recipient's history from now on. */
export async function escrowClosed(
  ctx: Ctx,
  tx: Tx,
  { chain, tipId }: Pick<Row<'Escrow'>, 'chain' | 'tipId'>,
  claimedBy: string | null,
): Promise<void> {
  if (tipId === null) return;
  const wallet =
    claimedBy === null
      ? null
      : await tx.wallet.findUnique({ where: { family_address: { family: 'evm', address: claimedBy } } });
  const recipientHandleId = wallet && reaches(wallet, chain) ? wallet.handleId : null;
  const { intentId } = await tx.tip.update({
    where: { id: tipId },
    data: { recipientHandleId },
    select: { intentId: true },
  });
  await bumpIntentReplies(ctx, tx, [intentId]);
  await bumpThreads(ctx, tx, [intentId]);
  await refreshReceived(ctx, tx, [tipId]);
}
