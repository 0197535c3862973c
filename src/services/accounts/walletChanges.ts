// What follows when a change or an addition of a payout wallet takes effect or is stopped, and the notices about it.

import type { Ctx } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import type { ChatAddress } from '../../domain/chat.ts';
import type { WalletChangeStatus } from '../../domain/walletChange.ts';
import type { WalletFamily } from '../../domain/walletFamily.ts';
import { record } from '../audit.ts';
import { lockSender } from '../locks.ts';
import { chatsToWarn } from '../outbox/directMessages.ts';
import { wantReply } from '../outbox/replies.ts';
import { transitionOne } from '../transitions.ts';
import { findConnection, makeReceiveOnly } from './connections.ts';
import { pauseHandle } from './handles.ts';

type Change = Row<'WalletChange'>;

/**
 * The new wallet is paid from now on; legs that are frozen keep their address. Where it takes the place of another, no chat may spend until the new
 * wallet says so, and who is signed in has to come with the new wallet. Run it under {@link lockSender}.
 * @param keptSession the browser in which a wallet of the handle agreed
 */
export async function applyChange(ctx: Ctx, tx: Tx, change: Change, keptSession: string | null): Promise<boolean> {
  const { handleId, family, oldAddress, newAddress: address, newKind: kind, newChain: chain } = change;
  const now = new Date(ctx.clock.now());
  if (!(await transitionOne(ctx, tx, 'wallet_change', change.id, 'apply', { endedAt: now }))) return false;
  const provenChains = chain === null ? [] : [chain];
  await tx.wallet.upsert({
    where: { handleId_family: { handleId, family } },
    create: { handleId, family, address, kind, provenChains, createdAt: now },
    update: { address, kind, provenChains },
  });
  const handle = await tx.handle.update({
    where: { id: handleId },
    // A contract wallet is paid only where it has proven itself.
    data: chain === null ? {} : { preferredChain: chain },
  });
  await record(ctx, tx, {
    ...{ workspaceId: handleId, action: 'payout.changed', object: { kind: 'payout', id: handleId } },
    ...(keptSession !== null && { by: { kind: 'member', id: handleId, name: `@${handle.slug}` } }),
    about: { family },
    before: { wallet: oldAddress },
    after: { wallet: address },
  });
  // A handle that paused stays paused: each router gets the pause for the new wallet too.
  if (handle.pausedAt !== null) await pauseHandle(ctx, tx, handleId);
  if (oldAddress !== null) {
    await makeReceiveOnly(tx, handleId);
    await endFormerSessions(tx, { ...change, oldAddress }, keptSession, now);
  }
  await tellChats(ctx, tx, change, 'ended');
  return true;
}

/** The kept one is of the new wallet where it was of the old one; it may be of a wallet of another family. */
async function endFormerSessions(
  tx: Tx,
  { handleId, oldAddress, newAddress: address, newKind: kind, newChain: chain }: Change & { oldAddress: string },
  keptSession: string | null,
  now: Date,
): Promise<void> {
  if (keptSession !== null) {
    const where = { id: keptSession, address: oldAddress };
    await tx.session.updateMany({ where, data: { address, kind, chain } });
  }
  await tx.session.updateMany({
    where: { handleId, revokedAt: null, ...(keptSession === null ? {} : { id: { not: keptSession } }) },
    data: { revokedAt: now },
  });
}

/** @returns false when it took effect, or was stopped, before */
export async function cancelChange(ctx: Ctx, tx: Tx, change: Change): Promise<boolean> {
  const endedAt = new Date(ctx.clock.now());
  if (!(await transitionOne(ctx, tx, 'wallet_change', change.id, 'cancel', { endedAt }))) return false;
  await tellChats(ctx, tx, change, 'ended');
  return true;
}

/** A handle has at most one of each family. */
export function pendingChange(tx: Tx, handleId: string, family: WalletFamily): Promise<Change | null> {
  return tx.walletChange.findFirst({ where: { handleId, family, status: 'pending' } });
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
  for (const { id: changeId } of await tx.walletChange.findMany({
    where: { handleId: link.handleId, status: 'pending' },
    orderBy: { requestedAt: 'asc' },
  })) {
    const key = `wallet:${changeId}:${link.id}`;
    await wantReply(ctx, tx, { key, to: link, replyTo: null, kind: 'notice', data: { changeId } });
  }
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
  family: WalletFamily;
  /** The handle has, or had, no wallet of the family. */
  isAddition: boolean;
  newAddress: string;
  status: WalletChangeStatus;
  /** Unix milliseconds. */
  effectiveAt: number;
  /** Whether the notified chat belongs to the handle now: it may have been disconnected. */
  connected: boolean;
};

/** @param to the notified direct chat */
export async function walletChangeNotice(ctx: Ctx, id: string, to: ChatAddress): Promise<WalletChangeNotice> {
  const { handleId, handle, family, oldAddress, newAddress, status, effectiveAt } =
    await ctx.db.walletChange.findUniqueOrThrow({
      where: { id },
      include: { handle: true },
    });
  const connection = await findConnection(ctx, to.platform, to.chatId);
  return {
    slug: handle.slug,
    family: family as WalletFamily,
    isAddition: oldAddress === null,
    newAddress,
    status: status as WalletChangeStatus,
    effectiveAt: effectiveAt.getTime(),
    connected: connection?.handleId === handleId,
  };
}
