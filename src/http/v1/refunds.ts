// Refunds under /v1: the call that the merchant's wallet sends, and its confirmation.
import { z } from 'zod';
import { AppError } from '../../domain/errors.ts';
import { confirmOrderRefund, refundArgs, submitRefund } from '../../services/orders/refunds.ts';
import { endpoint } from './endpoint.ts';
import { readerOf } from './orders.ts';
import { ask, order, refund, solanaRefund } from './schemas.ts';

type Asked = {
  action?: 'confirm' | undefined;
  tx_hash?: string | undefined;
  txHash?: string | undefined;
  amount?: string | undefined;
  to?: string | undefined;
  solana_transaction?: string | undefined;
};

/** Each of the two steps takes what it needs and nothing else. */
function refuseMixed({ action, tx_hash, txHash, amount, to, solana_transaction }: Asked): void {
  const extra = action === undefined ? { tx_hash, txHash } : { amount, to, solana_transaction };
  for (const [param, value] of Object.entries(extra)) {
    const words =
      action === undefined ? `${param} requires action=confirm.` : `${param} can’t be combined with action=confirm.`;
    if (value !== undefined) throw new AppError('parameter_invalid', words, { param });
  }
  for (const [param, value] of Object.entries({ amount, to }))
    if (solana_transaction !== undefined && value === undefined)
      throw new AppError('parameter_missing', `Missing required parameter: ${param}.`, { param });
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
sending it, call again with \`action=confirm\` and its \`tx_hash\`. On Solana the wallet signs only: call again with \`solana_transaction\`, \`amount\` and \`to\`, and it is
sent at our cost. The order stays completed; \`amount_refunded\` increases when the transaction is final.`,
  scopes: ['orders'],
  body: z.strictObject({
    action: ask.confirm,
    tx_hash: ask.txHash,
    txHash: ask.txHash.meta({ description: 'Same as `tx_hash`.' }),
    amount: ask.refundAmount,
    to: ask.refundTo,
    solana_transaction: ask.signedRefund,
  }),
  answer: z.union([refund, solanaRefund, order]),
  status: 200,
  errors: [
    'resource_missing',
    'order_not_refundable',
    'tx_not_found',
    'tx_mismatch',
    'signature_invalid',
    'call_refused',
  ],
  run(ctx, { caller, id, body, repeatable }) {
    refuseMixed(body);
    const reader = readerOf(caller);
    const { tx_hash, txHash = tx_hash, amount, to, solana_transaction } = body;
    const answer = async () => {
      if (txHash) return confirmOrderRefund(ctx, reader, id, { txHash, param: tx_hash ? 'tx_hash' : 'txHash' });
      if (solana_transaction === undefined) return refundArgs(ctx, reader, id, { amount, to });
      const signed = { to: to ?? '', amount: amount ?? '', solana_transaction };
      return (await submitRefund(ctx, reader, id, signed)).order;
    };
    return repeatable(async () => ({ status: 200, body: await answer() }));
  },
});
