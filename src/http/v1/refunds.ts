// Refunds under /v1: the call that the merchant's wallet sends, and its confirmation.
import { z } from 'zod';
import { AppError } from '../../domain/errors.ts';
import { confirmOrderRefund, refundArgs } from '../../services/orders/refunds.ts';
import { endpoint } from './endpoint.ts';
import { readerOf } from './orders.ts';
import { ask, order, refund } from './schemas.ts';

type Asked = {
  action?: 'confirm' | undefined;
  tx_hash?: string | undefined;
  txHash?: string | undefined;
  amount?: string | undefined;
  to?: string | undefined;
};

/** Each of the two steps takes what it needs and nothing else. */
function refuseMixed({ action, tx_hash, txHash, amount, to }: Asked): void {
  const extra = action === undefined ? { tx_hash, txHash } : { amount, to };
  for (const [param, value] of Object.entries(extra)) {
    const words =
      action === undefined ? `${param} requires action=confirm.` : `${param} can’t be combined with action=confirm.`;
    if (value !== undefined) throw new AppError('parameter_invalid', words, { param });
  }
  if (tx_hash !== undefined && txHash !== undefined)
    throw new AppError('parameter_invalid', 'Send tx_hash or txHash, not both.', { param: 'txHash' });
  if (action !== undefined && tx_hash === undefined && txHash === undefined)
    throw new AppError('parameter_missing', 'Missing required parameter: tx_hash.', { param: 'tx_hash' });
}

export const refundOrder = endpoint({
  method: 'post',
  path: '/v1/orders/{order_id}/refund',
  operationId: 'refundOrder',
  tag: 'Orders',
  summary: 'Refund an order',
  description: `Two steps. Without \`action\`, returns the transaction that the wallet that was paid signs and sends: a full or partial refund to the payer. After
sending it, call again with \`action=confirm\` and its \`tx_hash\`. The order stays completed; \`amount_refunded\` increases when the transaction is final.`,
  scopes: ['orders'],
  body: z.strictObject({
    action: ask.confirm,
    tx_hash: ask.txHash,
    txHash: ask.txHash.meta({ description: 'Same as `tx_hash`.' }),
    amount: ask.refundAmount,
    to: ask.refundTo,
  }),
  answer: z.union([refund, order]),
  status: 200,
  errors: ['resource_missing', 'order_not_refundable', 'tx_not_found', 'tx_mismatch'],
  run(ctx, { caller, id, body, repeatable }) {
    refuseMixed(body);
    const { tx_hash, txHash = tx_hash, amount, to } = body;
    return repeatable(async () => ({
      status: 200,
      body: txHash
        ? await confirmOrderRefund(ctx, readerOf(caller), id, { txHash, param: tx_hash ? 'tx_hash' : 'txHash' })
        : await refundArgs(ctx, readerOf(caller), id, { amount, to }),
    }));
  },
});
