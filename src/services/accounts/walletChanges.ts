// What follows when a change of the payout wallet takes effect or is stopped, and the notices about it.

import type { Ctx } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import type { ChatAddress } from '../../domain/chat.ts';
import type { WalletChangeStatus } from '../../domain/walletChange.ts';
import { lockSender } from '../locks.ts';
import { chatsToWarn } from '../outbox/directMessages.ts';
import { wantReply } from '../outbox/replies.ts';
import { transitionOne } from '../transitions.ts';
import { findConnection, makeReceiveOnly } from './connections.ts';
import { pauseHandle } from './handles.ts';

type Change = Row<'WalletChange'>;

/**
 * The new wallet is paid from now on; legs that are frozen keep their address. No chat may spend until the new wallet says so, and who is
 * signed in has to come with the new wallet. Run it under {@link lockSender}.
 * @param keptSession the browser in which the old wallet agreed
 */
export async function applyChange(ctx: Ctx, tx: Tx, change: Change, keptSession: string | null): Promise<boolean> {
  const { handleId, newAddress: address, newKind: kind, newChain: chain } = change;
  const now = new Date(ctx.clock.now());
  if (!(await transitionOne(ctx, tx, 'wallet_change', change.id, 'apply', { endedAt: now }))) return false;
  const provenChains = chain === null ? [] : [chain];
  await tx.wallet.update({
    where: { handleId_family: { handleId, family: change.family } },
    data: { address, kind, provenChains },
  });
  const handle = await tx.handle.update({
    where: { id: handleId },
    // A contract wallet is paid only where it has proven itself.
    data: chain === null ? {} : { preferredChain: chain },
  });
  await makeReceiveOnly(tx, handleId);
  // A handle that paused stays paused: each router gets the pause for the new wallet too.
  if (handle.pausedAt !== null) await pauseHandle(ctx, tx, handleId);
  if (keptSession !== null) await tx.session.update({ where: { id: keptSession }, data: { address, kind, chain } });
  await tx.session.updateMany({
    where: { handleId, revokedAt: null, ...(keptSession === null ? {} : { id: { not: keptSession } }) },
    data: { revokedAt: now },
  });
  await tellChats(ctx, tx, change, 'ended');
  return true;
}

/** @returns false when it took effect, or was stopped, before */
export async function cancelChange(ctx: Ctx, tx: Tx, change: Change): Promise<boolean> {
  const endedAt = new Date(ctx.clock.now());
  if (!(await transitionOne(ctx, tx, 'wallet_change', change.id, 'cancel', { endedAt }))) return false;
  await tellChats(ctx, tx, change, 'ended');
  return true;
}

export function pendingChange(tx: Tx, handleId: string): Promise<Change | null> {
  return tx.walletChange.findFirst({ where: { handleId, status: 'pending' } });
}

/** A message of its own for the beginning and for the end, to everybody who is or just was connected, so that each is noticed. */
export async function tellChats(ctx: Ctx, tx: Tx, change: Change, event: 'requested' | 'ended'): Promise<void> {
  for (const to of await chatsToWarn(ctx, tx, change.handleId)) {
    const key = `wallet:${change.id}:${event}:${to.platform}:${to.chatId}`;
    await wantReply(ctx, tx, { key, to, replyTo: null, kind: 'notice', data: { changeId: change.id } });
  }
}

/** Notifies an account that connects while a change waits. Run it under {@link lockSender}, or a change of the same moment is missed. */
export async function tellNewcomer(
  ctx: Ctx,
  tx: Tx,
  link: { id: string; handleId: string } & ChatAddress,
): Promise<void> {
  const change = await pendingChange(tx, link.handleId);
  if (!change) return;
  const key = `wallet:${change.id}:${link.id}`;
  await wantReply(ctx, tx, { key, to: link, replyTo: null, kind: 'notice', data: { changeId: change.id } });
}

/** Applies what has waited long enough: part of the sweep. */
export async function applyWalletChanges(ctx: Ctx): Promise<void> {
  const due = await ctx.db.walletChange.findMany({
    where: { status: 'pending', effectiveAt: { lte: new Date(ctx.clock.now()) } },
    orderBy: { effectiveAt: 'asc' },
    take: 50,
  });
  for (const change of due) {
    try {
      await ctx.db.$transaction((tx) => applyDue(ctx, tx, change));
    } catch (err) {
      ctx.log.error({ err, change: change.id }, 'a change of a payout wallet could not be applied; it is tried again');
    }
  }
  if (due.length > 0) await ctx.queues.flush(ctx.db);
}

async function applyDue(ctx: Ctx, tx: Tx, change: Change): Promise<void> {
  await lockSender(tx, change.handleId);
  const { family, newAddress: address } = change;
  // Another user may have chosen a handle with that wallet while it waited.
  const taken = await tx.wallet.count({ where: { family, address } });
  if (taken > 0) await cancelChange(ctx, tx, change);
  else await applyChange(ctx, tx, change, null);
}

/** A change as a notice in a chat shows it. */
export type WalletChangeNotice = {
  slug: string;
  newAddress: string;
  status: WalletChangeStatus;
  /** Unix milliseconds. */
  effectiveAt: number;
  /** Whether the notified chat belongs to the handle now: it may have been disconnected. */
  connected: boolean;
};

/** @param to the notified direct chat */
export async function walletChangeNotice(ctx: Ctx, id: string, to: ChatAddress): Promise<WalletChangeNotice> {
  const { handleId, handle, newAddress, status, effectiveAt } = await ctx.db.walletChange.findUniqueOrThrow({
    where: { id },
    include: { handle: true },
  });
  const connection = await findConnection(ctx, to.platform, to.chatId);
  return {
    slug: handle.slug,
    newAddress,
    status: status as WalletChangeStatus,
    effectiveAt: effectiveAt.getTime(),
    connected: connection?.handleId === handleId,
  };
}
