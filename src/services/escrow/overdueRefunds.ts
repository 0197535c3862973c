// Gives back what nobody claimed, with the executor's keys.
import { encodeTabRefund, tabIdOf } from '../../chain/routers/escrow.ts';
import { simulateCall } from '../../chain/routers/reverts.ts';
import type { Address, EvmChain } from '../../chain/rpc/client.ts';
import type { Ctx } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import type { Tab } from '../../domain/typedData/tabs.ts';
import { type OutgoingCall, submitCall } from '../outgoing/submit.ts';

/** Measured at 45,000, more for tokens and wallets that cost more; what is not used is not paid. */
const REFUND_GAS = 300_000n;

/**
 * Gives an overdue tab back to its sender; anyone may, so we do.
 * @returns the id of the outgoing transaction
 * @throws AppError `refund_before_deadline`, `state_conflict` when it is not open any more, `provider_unavailable`
 */
export async function refundOverdue(ctx: Ctx, chain: EvmChain, tab: Tab): Promise<string> {
  const data = encodeTabRefund(tab);
  const refusal = await simulateCall(chain, { to: chain.routers.escrow, data, ...anybody(ctx) });
  if (refusal?.name === 'NotRefundable') throw new AppError('refund_before_deadline');
  if (refusal) throw new AppError('state_conflict', `This tab can’t be refunded: ${refusal.text ?? refusal.name}.`);
  const tabId = tabIdOf(chain, tab.sender, tab.senderNonce);
  const businessKey = `tab_refund:${chain.name}:${tabId}`;
  return submitOnce(ctx, chain, { kind: 'tab_refund', businessKey, to: chain.routers.escrow, data, gas: REFUND_GAS });
}

/**
 * Sends a call unless one under the same key is on its way. One that failed for good may be sent anew, under the next number: whether it makes
 * sense was asked of the chain before.
 * @returns the id of the outgoing transaction
 */
async function submitOnce(ctx: Ctx, chain: EvmChain, call: OutgoingCall): Promise<string> {
  const sent = await ctx.db.outgoingTx.findMany({
    where: { businessKey: { startsWith: `${call.businessKey}:` } },
    orderBy: { createdAt: 'desc' },
  });
  const [last] = sent;
  const failed = last?.status === 'lost' || (last?.status === 'final' && !last.succeeded);
  if (last && !failed) return last.id;
  const numbered = { ...call, businessKey: `${call.businessKey}:${sent.length}` };
  return submitCall(ctx, chain, numbered).catch(async (error: unknown) => {
    // Somebody else stored the same a moment ago.
    const rival = await ctx.db.outgoingTx.findUnique({ where: { businessKey: numbered.businessKey } });
    if (!rival) throw error;
    return rival.id;
  });
}

function anybody(ctx: Ctx): { account?: Address } {
  const [executor] = ctx.executors;
  return executor ? { account: executor.address } : {};
}
