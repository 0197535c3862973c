// The page of a handle: what a visitor sees and begins there, and what its owner makes of it.
import { z } from 'zod';
import { hideMessage, listMessages } from '../../services/orders/handlePages/messages.ts';
import { getPublicPage, startPageOrder } from '../../services/orders/handlePages/pages.ts';
import { changeOwnPage, readOwnPage } from '../../services/orders/handlePages/settings.ts';
import { countPublicCall, countPublicRead } from '../../services/publicRateLimit.ts';
import { pageOf } from '../list.ts';
import { amountText, countOf } from '../parse.ts';
import { begunOrder, ownHandlePage, ownMessage, ownMessages, publicHandlePage } from './handlePageAnswers.ts';
import { type Route, route, signatures } from './route.ts';

/** Pages at an address of their own call nothing but the checkout, so what visitors need is under it. */
const VISITED = '/api/checkout/handles/{handle_id}';

const view = route({
  method: 'get',
  path: VISITED,
  access: 'visitor',
  limit: (ctx, client) => countPublicRead(ctx, 'checkout', client),
  answer: publicHandlePage,
  status: 200,
  errors: ['resource_missing'],
  run: async (ctx, { id }) => ({ page: await getPublicPage(ctx, id) }),
});

const pay = route({
  method: 'post',
  path: VISITED,
  access: 'visitor',
  limit: (ctx, client) => countPublicCall(ctx, 'order', client),
  body: z.strictObject({
    amount: amountText,
    name: z.string().max(200).optional(),
    note: z.string().max(2_000).optional(),
    may_show: z.boolean().optional(),
  }),
  answer: begunOrder,
  status: 201,
  errors: [
    ...(['resource_missing', 'amount_out_of_range', 'state_conflict', 'unsupported_chain'] as const),
    ...(['unsupported_asset', 'handle_not_found'] as const),
  ],
  run: async (ctx, { id, body, requestId }) => ({ order: { id: await startPageOrder(ctx, id, body, requestId) } }),
});

const own = route({
  method: 'get',
  path: '/api/settings/page',
  access: 'handle',
  answer: ownHandlePage,
  status: 200,
  errors: [],
  run: async (ctx, { caller }) => ({ page: await readOwnPage(ctx, caller.handle.id) }),
});

const change = route({
  method: 'patch',
  path: '/api/settings/page',
  access: 'handle',
  limit: signatures,
  body: z
    .strictObject({
      enabled: z.boolean(),
      line: z.string().max(2_000).nullable(),
      suggested_amounts: z.array(amountText).max(20),
      chain: z.string().max(40),
      currency: z.string().max(20),
      show_messages: z.boolean(),
      show_amounts: z.boolean(),
    })
    .partial()
    .refine((body) => Object.keys(body).length > 0, 'Send what changes'),
  answer: ownHandlePage,
  status: 200,
  errors: ['amount_out_of_range', 'unsupported_chain', 'unsupported_asset', 'handle_not_found', 'state_conflict'],
  run: async (ctx, { caller, body }) => ({ page: await changeOwnPage(ctx, caller.handle.id, body) }),
});

const messages = route({
  method: 'get',
  path: '/api/settings/page/messages',
  access: 'handle',
  query: z.strictObject({ limit: countOf(1, 100).default(20), cursor: z.string().max(200).optional() }),
  answer: ownMessages,
  status: 200,
  errors: [],
  async run(ctx, { caller, query }) {
    const { data, nextCursor } = await listMessages(ctx, caller.handle.id, query);
    return pageOf(data, nextCursor);
  },
});

const hide = route({
  method: 'patch',
  path: '/api/settings/page/messages/{message_id}',
  access: 'handle',
  body: z.strictObject({ hidden: z.boolean() }),
  answer: ownMessage,
  status: 200,
  errors: ['resource_missing'],
  run: async (ctx, { caller, id, body }) => ({
    message: await hideMessage(ctx, caller.handle.id, id, body.hidden),
  }),
});

export const HANDLE_PAGE_ROUTES: readonly Route[] = [view, pay, own, change, messages, hide];
