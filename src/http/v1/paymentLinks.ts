// Payment links under /v1, and the orders started from them.
import { z } from 'zod';
import {
  deactivateLink,
  getLink,
  listLinkOrders,
  listLinks,
  readyPaymentLink,
} from '../../services/orders/links/links.ts';
import { pageOf } from '../list.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { readerOf } from './orders.ts';
import { created, metadataFilter } from './query.ts';
import { ask, EMPTY, listOf, orderList, paymentLink } from './schemas.ts';

const create = endpoint({
  method: 'post',
  path: '/v1/payment_links',
  operationId: 'createPaymentLink',
  tag: 'Payment links',
  summary: 'Create a payment link',
  description:
    'A page that accepts any number of payments, or up to `max_uses`, each as its own order. With `open_amount` the buyer enters the amount, between `min_amount` and `max_amount`.',
  scopes: ['payment_links'],
  body: z.strictObject({
    label: ask.label,
    amount: ask.linkAmount,
    currency: ask.currency,
    chain: ask.chain,
    recipient: ask.recipient,
    open_amount: ask.openAmount,
    min_amount: ask.minAmount,
    max_amount: ask.maxAmount,
    metadata: ask.metadata,
    success_url: ask.successUrl,
    cancel_url: ask.cancelUrl,
    client_reference_id: ask.clientReferenceId,
    line_items: ask.lineItems,
    embed_origins: ask.embedOrigins,
    after_completion: ask.afterCompletion,
    max_uses: ask.maxUses,
    expires_at: ask.expiresAt,
  }),
  answer: paymentLink,
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
  run: (ctx, { caller: { workspace, livemode }, body, onceReady }) =>
    onceReady(
      () => readyPaymentLink(ctx, workspace, body, { livemode }),
      async (tx, write) => ({ status: 201, body: await write(tx) }),
    ),
});

const list = endpoint({
  method: 'get',
  path: '/v1/payment_links',
  operationId: 'listPaymentLinks',
  tag: 'Payment links',
  summary: 'List payment links',
  description: 'Returns the workspace’s payment links in the key’s mode, newest first.',
  scopes: ['payment_links', 'read'],
  query: z.strictObject({
    active: ask.active,
    chain: ask.onChain,
    created,
    metadata: metadataFilter,
    limit: ask.limit,
    cursor: ask.cursor,
  }),
  answer: listOf(paymentLink, 'PaymentLinkList'),
  status: 200,
  errors: [],
  async run(ctx, { caller, query }) {
    const page = await listLinks(ctx, readerOf(caller), query);
    return { answer: pageOf(page.data, page.nextCursor) };
  },
});

const get = endpoint({
  method: 'get',
  path: '/v1/payment_links/{link_id}',
  operationId: 'getPaymentLink',
  tag: 'Payment links',
  summary: 'Retrieve a payment link',
  description: 'Returns a payment link.',
  scopes: ['payment_links', 'read'],
  answer: paymentLink,
  status: 200,
  errors: ['resource_missing'],
  run: async (ctx, { caller, id }) => ({ answer: await getLink(ctx, readerOf(caller), id) }),
});

const deactivate = endpoint({
  method: 'post',
  path: '/v1/payment_links/{link_id}/deactivate',
  operationId: 'deactivatePaymentLink',
  tag: 'Payment links',
  summary: 'Deactivate a payment link',
  description: 'Stops new payments. Orders already started can still be paid. Calling it again has no effect.',
  scopes: ['payment_links'],
  body: EMPTY,
  answer: paymentLink,
  status: 200,
  errors: ['resource_missing'],
  run: (ctx, { caller, id, once }) =>
    once(async (tx) => ({ status: 200, body: await deactivateLink(ctx, readerOf(caller), id, tx) })),
});

const orders = endpoint({
  method: 'get',
  path: '/v1/payment_links/{link_id}/orders',
  operationId: 'listPaymentLinkOrders',
  tag: 'Payment links',
  summary: 'List the orders of a payment link',
  description: 'Returns the orders started from a payment link, newest first.',
  scopes: ['payment_links', 'orders', 'read'],
  query: z.strictObject({
    status: ask.status,
    created,
    metadata: metadataFilter,
    limit: ask.limit,
    cursor: ask.cursor,
  }),
  answer: orderList,
  status: 200,
  errors: ['resource_missing'],
  async run(ctx, { caller, id, query }) {
    const page = await listLinkOrders(ctx, readerOf(caller), id, { ...query, livemode: caller.livemode });
    return { answer: pageOf(page.data, page.nextCursor) };
  },
});

export const LINK_ENDPOINTS: Endpoint[] = [create, list, get, deactivate, orders];
