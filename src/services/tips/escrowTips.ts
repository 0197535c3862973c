// Tips to people without an account: the leg opens an escrow in the very transaction that takes the money, and the escrow's row follows the leg.

import { tabOnChainId } from '../../chain/tabs.ts';
import { type Ctx, chainOf, newId } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import { handleKeyOf } from '../../domain/escrowCalls.ts';
import { readEscrowSlug, slugLabel } from '../../domain/escrowSlug.ts';
import { familyOf } from '../../domain/walletFamily.ts';
import { reaches } from '../../domain/walletReach.ts';
import { moveEscrows } from '../escrow/transitions.ts';
import { bumpIntentReplies } from './intentReplies.ts';
import { refreshReceived } from './receivedNotices.ts';
import { bumpThreads } from './threads.ts';

/** Writes the rows of the escrows that these frozen legs will open, in the transaction that freezes them. */
export async function stageTipEscrows(ctx: Ctx, tx: Tx, legIds: string[]): Promise<void> {
  const legs = await tx.tip.findMany({ where: { id: { in: legIds }, tabSlug: { not: null } } });
  if (legs.length === 0) return;
  await tx.escrow.createMany({
    data: legs.map((leg) => {
      // The message key is the sender's number of the tab.
      const senderNonce = BigInt(leg.messageKey);
      return {
        id: newId(ctx, 'esc'),
        chain: leg.chain,
        tabId: tabOnChainId(chainOf(ctx, leg.chain), leg.senderAddress, senderNonce),
        origin: 'tip',
        senderHandleId: leg.senderHandleId,
        senderAddress: leg.senderAddress,
        handleSlug: leg.tabSlug,
        handleKey: handleKeyOf(leg.tabSlug ?? ''),
        // On a page it stands beside escrows of other platforms.
        recipientLabel: pageLabel(leg),
        asset: leg.asset,
        token: leg.token,
        decimals: leg.decimals,
        units: leg.units,
        deadline: leg.tabDeadline ?? 0n,
        senderNonce: String(senderNonce),
        // Its sender may take it back while it is unclaimed.
        revocable: true,
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
      : await tx.wallet.findUnique({
          where: { family_address: { family: familyOf(claimedBy), address: claimedBy } },
        });
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
