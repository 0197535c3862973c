// Money that a person sends from their own wallet.
import { z } from 'zod';
import { isWhole } from '../../domain/send.ts';
import { beginDirect, cancelSend, offerOf, ownSend, submitSend } from '../../services/sends/pay.ts';
import { prepareSend } from '../../services/sends/prepare.ts';
import { listSends, viewSend } from '../../services/sends/views.ts';
import { offerWhole, submitWhole } from '../../services/sends/whole.ts';
import { amountText, hexBytes, parseObject, solanaTransaction } from '../parse.ts';
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
  errors: ['amount_out_of_range', 'handle_not_found', 'state_conflict', 'payment_in_flight', 'call_refused'],
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
  errors: ['resource_missing', 'state_conflict', 'call_refused'],
  async run(ctx, { caller: { handle }, id }) {
    const row = await ownSend(ctx.db, handle.id, id);
    const offered = isWhole(row.way) ? offerWhole(ctx, row) : offerOf(ctx, row);
    const [send, offer] = await Promise.all([viewSend(ctx, row), offered]);
    return { send, ...offer };
  },
});

/** In one of two forms: with a signature of the text, or with the signed transaction. */
const submit = z.literal('submit');
const submitForm = z.strictObject({
  action: submit,
  signature: hexBytes.optional(),
  solana_transaction: solanaTransaction.optional(),
});
const signedText = z.strictObject({ action: submit, signature: hexBytes });
const signedWhole = z.strictObject({ action: submit, solana_transaction: solanaTransaction });
const begin = z.strictObject({ action: z.literal('begin') });
const cancel = z.strictObject({ action: z.literal('cancel') });

const act = route({
  method: 'post',
  path: '/api/sends/{send_id}',
  access: 'handle',
  limit: signatures,
  body: z.discriminatedUnion('action', [submitForm, begin, cancel]),
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
    const run = async () => {
      if (body.action === 'begin') return beginDirect(ctx, handle.id, id);
      if (body.action === 'cancel') return cancelSend(ctx, handle.id, id);
      if (body.solana_transaction !== undefined)
        return submitWhole(ctx, handle.id, id, parseObject(body, signedWhole).solana_transaction);
      return submitSend(ctx, handle.id, id, parseObject(body, signedText).signature);
    };
    return { send: await viewSend(ctx, await run()) };
  },
});

export const SEND_ROUTES: readonly Route[] = [list, create, get, offer, act];
