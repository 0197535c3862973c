// Refunds of overdue escrows, which we send: anyone may, and the money goes to the sender. One that the sender signs is a sponsored call (escrow/refunds).
import { encodeEscrowRefund } from '../../chain/routers/escrow.ts';
import { simulateCall } from '../../chain/routers/reverts.ts';
import type { Address, EvmChain, Hex } from '../../chain/rpc/client.ts';
import type { Ctx } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import { NOTHING, type OutgoingKind, ofEvm } from '../outgoing/kinds.ts';
import { queueCall } from '../outgoing/queue.ts';
import { escrowTerms } from './rows.ts';

/** Measured at 45,000, more for tokens and wallets that cost more; what is not used is not paid. */
const REFUND_GAS = 300_000n;

/** Queues the refund, which the escrow then names. @returns false when one is on its way */
export async function queueRefund(ctx: Ctx, tx: Tx, chain: EvmChain, row: Row<'Escrow'>): Promise<boolean> {
  await tx.$queryRaw`select 1 from escrow where id = ${row.id} for update`;
  const open = { kind: 'escrow_refund', subjectId: row.id, status: { in: ['queued', 'signed', 'sent', 'mined'] } };
  const refundTriedAt = new Date(ctx.clock.now());
  if ((await tx.outgoingTx.count({ where: open })) > 0) {
    await tx.escrow.update({ where: { id: row.id }, data: { refundTriedAt } });
    return false;
  }
  const call = { to: chain.routers.escrow, data: encodeEscrowRefund(escrowTerms(row)), gas: REFUND_GAS };
  const refundTxId = await queueCall(ctx, tx, chain.name, { kind: 'escrow_refund', subjectId: row.id, ...call });
  await tx.escrow.update({ where: { id: row.id }, data: { refundTxId, refundTriedAt } });
  return true;
}

export const refundKind: OutgoingKind = ofEvm({
  async check(ctx, chain, { id: refundTxId, subjectId: id, toAddress, data }) {
    const [executor] = ctx.executors;
    const account = executor ? { account: executor.address } : {};
    const refusal = await simulateCall(chain, { to: toAddress as Address, data: data as Hex, ...account });
    if (!refusal) return null;
    // The chain's clock is behind ours.
    if (refusal.name === 'NotRefundable') return 'wait';
    ctx.log.info({ escrow: id, chain: chain.name, reason: refusal.name }, 'an overdue escrow was not refunded');
    // It was claimed or refunded meanwhile, or the token refuses: its event, or the next try, says so.
    return async (tx) => void (await tx.escrow.updateMany({ where: { id, refundTxId }, data: { refundTxId: null } }));
  },
  // The event of the router closes the escrow; what failed is tried again by its deadline.
  onFinal: async () => NOTHING,
  onLost: async () => NOTHING,
});
