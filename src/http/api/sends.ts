// Money that a person sends from their own wallet.
import { z } from 'zod';
import { beginDirect, cancelSend, offerOf, ownSend, submitSend } from '../../services/sends/pay.ts';
import { prepareSend } from '../../services/sends/prepare.ts';
import { listSends, viewSend } from '../../services/sends/views.ts';
import { amountText, hexBytes } from '../parse.ts';
import { type Route, route, signatures } from './route.ts';
import { oneSend, preparedSend, sendList, sendOffer } from './sendAnswers.ts';

const list = route({
  method: 'get',
  path: '/api/sends',
  access: 'handle',
  answer: sendList,
  status: 200,
  errors: [],
  run: async (ctx, { caller: { handle } }) => ({ object: 'list' as const, data: await listSends(ctx, handle.id) }),
});

const create = route({
  method: 'post',
  path: '/api/sends',
  access: 'handle',
  limit: signatures,
  body: z.strictObject({ to: z.string().min(1).max(100), amount: amountText, chain: z.string().max(40) }),
  answer: preparedSend,
  status: 201,
  errors: [
    'unsupported_chain',
    'amount_out_of_range',
    'handle_not_found',
    'state_conflict',
    'payment_in_flight',
    'call_refused',
  ],
  async run(ctx, { caller: { handle }, body }) {
    const { row, warning } = await prepareSend(ctx, handle, body);
    return { send: await viewSend(ctx, row), warning };
  },
});

const get = route({
  method: 'get',
  path: '/api/sends/{send_id}',
  access: 'handle',
  answer: oneSend,
  status: 200,
  errors: ['resource_missing'],
  run: async (ctx, { caller: { handle }, id }) => ({ send: await viewSend(ctx, await ownSend(ctx.db, handle.id, id)) }),
});

const offer = route({
  method: 'get',
  path: '/api/sends/{send_id}/payment',
  access: 'handle',
  limit: signatures,
  answer: sendOffer,
  status: 200,
  errors: ['resource_missing', 'call_refused'],
  async run(ctx, { caller: { handle }, id }) {
    const row = await ownSend(ctx.db, handle.id, id);
    return { send: await viewSend(ctx, row), ...(await offerOf(ctx, row)) };
  },
});

const submit = z.strictObject({ action: z.literal('submit'), signature: hexBytes });
const begin = z.strictObject({ action: z.literal('begin') });
const cancel = z.strictObject({ action: z.literal('cancel') });

const act = route({
  method: 'post',
  path: '/api/sends/{send_id}',
  access: 'handle',
  limit: signatures,
  body: z.discriminatedUnion('action', [submit, begin, cancel]),
  answer: oneSend,
  status: 200,
  errors: [
    'resource_missing',
    'state_conflict',
    'signature_invalid',
    'amount_out_of_range',
    'call_refused',
    'rate_limited',
  ],
  async run(ctx, { caller: { handle }, id, body }) {
    const run = {
      submit: () => submitSend(ctx, handle.id, id, body.action === 'submit' ? body.signature : '0x'),
      begin: () => beginDirect(ctx, handle.id, id),
      cancel: () => cancelSend(ctx, handle.id, id),
    }[body.action];
    return { send: await viewSend(ctx, await run()) };
  },
});

export const SEND_ROUTES: readonly Route[] = [list, create, get, offer, act];
