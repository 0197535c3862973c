// The only writer of a status: looks the move up in the lifecycle's table, compares and sets, and notes the transition beside it.
import type { Ctx } from '../context.ts';
import type { Json, Row, Tx } from '../db.ts';
import { nextStatus } from '../domain/lifecycle.ts';
import { LINK, type LinkAction, type LinkStatus } from '../domain/link.ts';
import {
  INTENT,
  type IntentAction,
  type IntentStatus,
  OUTGOING_TX,
  type OutgoingTxAction,
  type OutgoingTxStatus,
  TIP,
  type TipAction,
  type TipStatus,
} from '../domain/tip.ts';

type Patch<Model extends 'Intent' | 'Tip' | 'OutgoingTx' | 'Link'> = Partial<
  Omit<Row<Model>, 'id' | 'status' | JsonField>
> & {
  [Field in JsonField]?: Json;
};
type JsonField = 'detail' | 'failure' | 'command';

/** Moves an intent. @returns false when it is no longer in a status that allows the action: somebody else was first */
export async function advanceIntent(ctx: Ctx, tx: Tx, id: string, action: IntentAction, patch: Patch<'Intent'> = {}) {
  const row = await tx.intent.findUnique({ where: { id }, select: { status: true } });
  const from = row?.status as IntentStatus | undefined;
  const to = from && nextStatus(INTENT, from, action);
  if (!to) return false;
  const { count } = await tx.intent.updateMany({ where: { id, status: from }, data: { ...patch, status: to } });
  return count === 1 && note(ctx, tx, 'intent', id, action, from, to, patch.detail);
}

/** Moves one leg. Same answer as {@link advanceIntent}. */
export async function advanceTip(ctx: Ctx, tx: Tx, id: string, action: TipAction, patch: Patch<'Tip'> = {}) {
  const row = await tx.tip.findUnique({ where: { id }, select: { status: true } });
  const from = row?.status as TipStatus | undefined;
  const to = from && nextStatus(TIP, from, action);
  if (!to) return false;
  const { count } = await tx.tip.updateMany({ where: { id, status: from }, data: { ...patch, status: to } });
  return count === 1 && note(ctx, tx, 'tip', id, action, from, to, patch.failure);
}

/** Moves an outgoing transaction. Same answer as {@link advanceIntent}. */
export async function advanceTx(
  ctx: Ctx,
  tx: Tx,
  id: string,
  action: OutgoingTxAction,
  patch: Patch<'OutgoingTx'> = {},
) {
  const row = await tx.outgoingTx.findUnique({ where: { id }, select: { status: true } });
  const from = row?.status as OutgoingTxStatus | undefined;
  const to = from && nextStatus(OUTGOING_TX, from, action);
  if (!to) return false;
  const { count } = await tx.outgoingTx.updateMany({ where: { id, status: from }, data: { ...patch, status: to } });
  return count === 1 && note(ctx, tx, 'outgoing_tx', id, action, from, to);
}

/** Moves a one-time link. Same answer as {@link advanceIntent}. */
export async function advanceLink(ctx: Ctx, tx: Tx, id: string, action: LinkAction, patch: Patch<'Link'> = {}) {
  const row = await tx.link.findUnique({ where: { id }, select: { status: true } });
  const from = row?.status as LinkStatus | undefined;
  const to = from && nextStatus(LINK, from, action);
  if (!to) return false;
  const { count } = await tx.link.updateMany({ where: { id, status: from }, data: { ...patch, status: to } });
  return count === 1 && note(ctx, tx, 'link', id, action, from, to);
}

async function note(
  ctx: Ctx,
  tx: Tx,
  resource: string,
  resourceId: string,
  action: string,
  fromStatus: string,
  toStatus: string,
  detail?: Json,
): Promise<true> {
  const at = new Date(ctx.clock.now());
  await tx.transition.create({
    data: { resource, resourceId, action, fromStatus, toStatus, at, ...(detail === undefined ? {} : { detail }) },
  });
  ctx.log.info({ [resource]: resourceId, from: fromStatus, to: toStatus }, action);
  return true;
}
