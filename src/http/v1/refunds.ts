// Refunds under /v1: the call that the merchant's wallet sends, and its confirmation.
import { z } from 'zod';
import { AppError } from '../../domain/errors.ts';
import { confirmRefund, refundArgs } from '../../services/orderRefunds.ts';
import { endpoint } from './endpoint.ts';
import { readerOf } from './orders.ts';
import { ask, order, refund } from './schemas.ts';

type Asked = {
  action?: 'confirm' | undefined;
  txHash?: string | undefined;
  amount?: string | undefined;
  to?: string | undefined;
};

/** Each of the two steps takes what it needs and nothing else. */
function refuseMixed({ action, txHash, amount, to }: Asked): void {
  const extra = action === undefined ? { txHash } : { amount, to };
  for (const [param, value] of Object.entries(extra)) {
    const words =
      action === undefined ? `“${param}” goes with action=confirm.` : `“${param}” does not go with action=confirm.`;
    if (value !== undefined) throw new AppError('parameter_invalid', words, { param });
  }
  if (action !== undefined && txHash === undefined)
    throw new AppError('parameter_missing', '“txHash” is missing.', { param: 'txHash' });
}

export const refundOrder = endpoint({
  method: 'post',
  path: '/v1/orders/{order_id}/refund',
  operationId: 'refundOrder',
  tag: 'Orders',
  summary: 'Refund an order',
  description: `In two steps. Without an action it answers with the call that the wallet of the workspace sends to the router: wholly or in part, to whoever
paid. Once it is sent, \`action=confirm\` with its \`txHash\` shows us; the order stays completed, and amount_refunded grows when the transaction is final.`,
  scopes: ['orders'],
  body: z.strictObject({ action: ask.confirm, txHash: ask.txHash, amount: ask.refundAmount, to: ask.refundTo }),
  answer: z.union([refund, order]),
  status: 200,
  errors: ['resource_missing', 'order_not_refundable', 'tx_not_found', 'tx_mismatch'],
  run(ctx, { caller, id, body, repeatable }) {
    refuseMixed(body);
    const { txHash, amount, to } = body;
    return repeatable(async () => ({
      status: 200,
      body: txHash
        ? await confirmRefund(ctx, readerOf(caller), id, { txHash })
        : await refundArgs(ctx, readerOf(caller), id, { amount, to }),
    }));
  },
});
