// Refunds of overdue escrows, which we send: anyone may, and the money goes to the sender. One that the sender signs is a sponsored call (escrow/refunds).
import { type ChainCall, isCallOver, simulateQueued } from '../../chain/calls.ts';
import type { Chain } from '../../chain/chain.ts';
import { refundCall } from '../../chain/tabs.ts';
import type { Ctx } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import { executorsOf } from '../outgoing/keys.ts';
import { NOTHING, type OutgoingKind } from '../outgoing/kinds.ts';
import { queueCall } from '../outgoing/queue.ts';
import { escrowTerms } from './rows.ts';

/** Queues the refund that anyone may send, which the escrow then names. @returns false when one is on its way, or there is nothing to refund */
export async function queueRefund(ctx: Ctx, chain: Chain, row: Row<'Escrow'>): Promise<boolean> {
  const call = await refundCall(chain, escrowTerms(row));
  return ctx.db.$transaction(async (tx) => {
    if (call) return storeRefund(ctx, tx, row, call);
    await tx.escrow.update({ where: { id: row.id }, data: { refundTriedAt: new Date(ctx.clock.now()) } });
    return false;
  });
}

/** The same for a call that is built: the sender's own. */
export async function storeRefund(ctx: Ctx, tx: Tx, row: Row<'Escrow'>, call: ChainCall): Promise<boolean> {
  await tx.$queryRaw`select 1 from escrow where id = ${row.id} for update`;
  const open = { kind: 'escrow_refund', subjectId: row.id, status: { in: ['queued', 'signed', 'sent', 'mined'] } };
  const refundTriedAt = new Date(ctx.clock.now());
  if ((await tx.outgoingTx.count({ where: open })) > 0) {
    await tx.escrow.update({ where: { id: row.id }, data: { refundTriedAt } });
    return false;
  }
  const refundTxId = await queueCall(ctx, tx, row.chain, { kind: 'escrow_refund', subjectId: row.id, ...call });
  await tx.escrow.update({ where: { id: row.id }, data: { refundTxId, refundTriedAt } });
  return true;
}

export const refundKind: OutgoingKind = {
  async check(ctx, chain, { id: refundTxId, subjectId: id, toAddress, data, gas }) {
    const [executor] = executorsOf(ctx, chain);
    if (executor === undefined) return 'wait';
    const refusal = await simulateQueued(chain, { to: toAddress, data, gas }, executor);
    if (!refusal) return null;
    // The chain's clock is behind ours, or a node behind the others.
    if (TEMPORARY.has(refusal.name) && !(await isCallOver(chain, data))) return 'wait';
    ctx.log.info({ escrow: id, chain: chain.name, reason: refusal.name }, 'an overdue escrow was not refunded');
    // It was claimed or refunded meanwhile, or the token refuses: its event, or the next try, says so.
    return async (tx) => void (await tx.escrow.updateMany({ where: { id, refundTxId }, data: { refundTxId: null } }));
  },
  // The event of the router closes the escrow; what failed is tried again by its deadline.
  onFinal: async () => NOTHING,
  onLost: async () => NOTHING,
};

const TEMPORARY = new Set(['NotRefundable', 'BlockhashNotFound']);
