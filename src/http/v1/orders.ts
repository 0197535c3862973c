// Orders under /v1: made, read, listed, cancelled.
import { z } from 'zod';
import type { ApiCaller } from '../../services/apiKeys.ts';
import { keepAnswer } from '../../services/idempotency.ts';
import { cancelIn, createOrder, getOrder, listOrders } from '../../services/orders.ts';
import { pageOf } from '../list.ts';
import { type Call, type Endpoint, endpoint } from './endpoint.ts';
import { ask, EMPTY, order, orderList } from './schemas.ts';

/** A key reads what its workspace has in the key's own mode. */
export function readerOf({ workspace, livemode }: ApiCaller) {
  return { workspaceId: workspace.id, livemode };
}

export function causeOf({ requestId, slot }: Pick<Call<unknown, unknown>, 'requestId' | 'slot'>) {
  return { requestId, ...(slot ? { idempotencyKey: slot.key } : {}) };
}

const create = endpoint({
  method: 'post',
  path: '/v1/orders',
  operationId: 'createOrder',
  tag: 'Orders',
  summary: 'Create an order',
  description: 'Asks for one payment. Amount, currency, chain and address are frozen; send the buyer to checkout_url.',
  scopes: ['orders'],
  body: z.strictObject({
    amount: ask.amount,
    currency: ask.currency,
    chain: ask.chain,
    recipient: ask.recipient,
    expires_in: ask.expiresIn,
    description: ask.description,
    metadata: ask.metadata,
  }),
  answer: order,
  status: 201,
  errors: [
    'amount_out_of_range',
    'unsupported_chain',
    'unsupported_asset',
    'mode_mismatch',
    'handle_not_found',
    'recipient_not_allowed',
    'state_conflict',
  ],
  async run(ctx, { caller, body, requestId, slot, explain }) {
    const how = { origin: 'api' as const, livemode: caller.livemode, requestId, idempotency: slot };
    try {
      return await createOrder(ctx, caller.workspace, body, how);
    } catch (error) {
      // Nothing was written, so the answer is kept by itself, unless the key has one of before.
      const answer = slot && explain(error);
      if (!answer) throw error;
      return keepAnswer(ctx, slot, answer);
    }
  },
});

const list = endpoint({
  method: 'get',
  path: '/v1/orders',
  operationId: 'listOrders',
  tag: 'Orders',
  summary: 'List orders',
  description: 'The orders of the workspace in the mode of the key, newest first.',
  scopes: ['orders', 'read'],
  query: z.strictObject({ status: ask.status, limit: ask.limit, cursor: ask.cursor }),
  answer: orderList,
  status: 200,
  errors: [],
  async run(ctx, { caller, query }) {
    const page = await listOrders(ctx, caller.workspace.id, { ...query, livemode: caller.livemode });
    return { answer: pageOf(page.data, page.nextCursor) };
  },
});

const get = endpoint({
  method: 'get',
  path: '/v1/orders/{order_id}',
  operationId: 'getOrder',
  tag: 'Orders',
  summary: 'Retrieve an order',
  description: 'One order as it is now.',
  scopes: ['orders', 'read'],
  answer: order,
  status: 200,
  errors: ['resource_missing'],
  run: async (ctx, { caller, id }) => ({ answer: await getOrder(ctx, readerOf(caller), id) }),
});

const cancel = endpoint({
  method: 'post',
  path: '/v1/orders/{order_id}/cancel',
  operationId: 'cancelOrder',
  tag: 'Orders',
  summary: 'Cancel an order',
  description: 'Ends an order that nobody has begun to pay: only while it is awaiting_payment.',
  scopes: ['orders'],
  body: EMPTY,
  answer: order,
  status: 200,
  errors: ['resource_missing', 'order_not_cancellable'],
  run: (ctx, call) =>
    call.once(async (tx) => ({
      status: 200,
      body: await cancelIn(ctx, tx, readerOf(call.caller), call.id, causeOf(call)),
    })),
});

export const ORDER_ENDPOINTS: Endpoint[] = [create, list, get, cancel];
