// Orders under /v1.
import { z } from 'zod';
import { keepAnswer } from '../../services/idempotency.ts';
import { listLinkOrders } from '../../services/orders/links/links.ts';
import { cancelIn, createOrder, getOrder, listOrders } from '../../services/orders/orders.ts';
import type { ApiCaller } from '../../services/workspaces/apiKeys.ts';
import { pageOf } from '../list.ts';
import { type Endpoint, type EndpointCall, endpoint } from './endpoint.ts';
import { created, metadataFilter } from './query.ts';
import { ask, EMPTY, order, orderList } from './schemas.ts';

/** A key reads what its workspace has in the key's own mode. */
export function readerOf({ workspace, livemode }: ApiCaller) {
  return { workspaceId: workspace.id, livemode };
}

export function causeOf({ requestId, slot }: Pick<EndpointCall<unknown, unknown>, 'requestId' | 'slot'>) {
  return { requestId, ...(slot ? { idempotencyKey: slot.key } : {}) };
}

const create = endpoint({
  method: 'post',
  path: '/v1/orders',
  operationId: 'createOrder',
  tag: 'Orders',
  summary: 'Create an order',
  description:
    'Requests one payment. Amount, currency, chain and address can’t be changed later. Send the buyer to `checkout_url`.',
  scopes: ['orders'],
  body: z.strictObject({
    amount: ask.amount,
    currency: ask.currency,
    chain: ask.chain,
    recipient: ask.recipient,
    expires_in: ask.expiresIn,
    description: ask.description,
    metadata: ask.metadata,
    success_url: ask.successUrl,
    cancel_url: ask.cancelUrl,
    client_reference_id: ask.clientReferenceId,
    line_items: ask.lineItems,
    embed_origins: ask.embedOrigins,
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
  description: 'Returns the workspace’s orders in the key’s mode, newest first.',
  scopes: ['orders', 'read'],
  query: z.strictObject({
    status: ask.status,
    payment_link: ask.paymentLink,
    chain: ask.onChain,
    created,
    metadata: metadataFilter,
    limit: ask.limit,
    cursor: ask.cursor,
  }),
  answer: orderList,
  status: 200,
  errors: ['resource_missing'],
  async run(ctx, { caller, query }) {
    const { payment_link: link, ...filters } = query;
    const page =
      link !== undefined
        ? await listLinkOrders(ctx, readerOf(caller), link, { ...filters, livemode: caller.livemode }, 'payment_link')
        : await listOrders(ctx, caller.workspace.id, { ...filters, livemode: caller.livemode });
    return { answer: pageOf(page.data, page.nextCursor) };
  },
});

const get = endpoint({
  method: 'get',
  path: '/v1/orders/{order_id}',
  operationId: 'getOrder',
  tag: 'Orders',
  summary: 'Retrieve an order',
  description: 'Returns an order.',
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
  description: 'Cancels an order with status `awaiting_payment` whose payment has not started.',
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
