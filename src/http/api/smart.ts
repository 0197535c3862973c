// Smart payments: public, because an order's id, or a payment's, is the permission; rate-limited by network address.
import express, { type Express } from 'express';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { canonicalChain } from '../../domain/chains.ts';
import { ASSETS } from '../../domain/checkout.ts';
import { AppError } from '../../domain/errors.ts';
import { CANDIDATES, MOST_PAYERS, SLIPPAGE_BPS } from '../../domain/smartLeg.ts';
import { countPublicCall, countPublicRead, countSmartPayment } from '../../services/publicRateLimit.ts';
import { listCandidates } from '../../services/smart/candidates.ts';
import { createPayment } from '../../services/smart/payments.ts';
import { createSmartStreams } from '../../services/smart/stream.ts';
import { submitLeg } from '../../services/smart/submitting.ts';
import { topUp } from '../../services/smart/topUps.ts';
import { findPayment, viewPayment } from '../../services/smart/views.ts';
import { takeRelayWebhook } from '../../services/smart/webhook.ts';
import { callerOf } from '../caller.ts';
import { openEventStream } from '../eventStream.ts';
import { amountText, bytes32, hexBytes, solanaTransaction } from '../parse.ts';
import { type Route, route } from './route.ts';
import { candidateList, preparedPayment, smartPayment } from './smartAnswers.ts';

const upper = (text: unknown) => (typeof text === 'string' ? text.toUpperCase() : text);
const asset = z.preprocess(upper, z.enum(ASSETS));
const chain = z.string().max(40).transform(canonicalChain);
const id = z.string().max(60);
const address = z.string().max(60);

const candidates = route({
  method: 'post',
  path: '/api/pay/smart/candidates',
  access: 'visitor',
  limit: (ctx, from) => countPublicCall(ctx, 'candidates', from),
  body: z.strictObject({
    orderId: id.optional(),
    recipient: z.string().max(60).optional(),
    amount: amountText.optional(),
    currency: asset.optional(),
    chain: chain.optional(),
    payer: z.array(address).min(1).max(MOST_PAYERS),
    limit: z.number().int().min(1).max(CANDIDATES.most).optional(),
    slippageBps: z.number().int().min(0).max(SLIPPAGE_BPS.most).optional(),
    sources: z.array(z.strictObject({ chain, asset })).min(1).max(32).optional(),
  }),
  answer: candidateList,
  status: 200,
  errors: ['resource_missing', 'handle_not_found', 'state_conflict', 'unsupported_chain', 'unsupported_asset'],
  run: (ctx, { body, caller: client }) => listCandidates(ctx, { ...body, client }),
});

const pay = route({
  method: 'post',
  path: '/api/pay/smart',
  access: 'visitor',
  limit: (ctx, from) => countSmartPayment(ctx, from),
  body: z.strictObject({
    candidateId: id,
    orderId: id.optional(),
    payer: address,
    idempotencyKey: z.string().min(1).max(255).optional(),
  }),
  answer: preparedPayment,
  status: 201,
  errors: [
    'resource_missing',
    'handle_not_found',
    'quote_expired',
    'idempotency_key_reused',
    'state_conflict',
    'unsupported_chain',
    'unsupported_asset',
  ],
  run: (ctx, { body, caller: client }) => createPayment(ctx, { ...body, client }),
});

const submit = route({
  method: 'post',
  path: '/api/pay/smart/{payment_id}/legs/{leg_id}',
  access: 'visitor',
  limit: (ctx, from) => countPublicCall(ctx, 'leg', from),
  body: z.union(
    [
      z.strictObject({ signature: hexBytes }),
      z.strictObject({ txHash: bytes32 }),
      z.strictObject({ solana_transaction: solanaTransaction }),
    ],
    { error: 'must have a signature, a txHash or a solana_transaction' },
  ),
  answer: smartPayment,
  status: 200,
  errors: [
    'resource_missing',
    'signature_invalid',
    'delegation_legacy',
    'call_refused',
    'tx_not_found',
    'tx_mismatch',
    'state_conflict',
    'quote_expired',
    'rate_limited',
  ],
  run: async (ctx, { id: paymentId, part, body }) =>
    viewPayment(ctx, await submitLeg(ctx, paymentId, Number(part), body)),
});

const status = route({
  method: 'get',
  path: '/api/pay/smart/status',
  access: 'visitor',
  limit: (ctx, from) => countPublicRead(ctx, 'smart', from),
  query: z.strictObject({ id: id.optional(), requestId: z.string().max(80).optional() }),
  answer: smartPayment,
  status: 200,
  errors: ['resource_missing'],
  async run(ctx, { query: { id: payment, requestId } }) {
    if (payment !== undefined) return viewPayment(ctx, await findPayment(ctx, { id: payment }));
    if (requestId === undefined) throw new AppError('parameter_missing', undefined, { param: 'id' });
    return viewPayment(ctx, await findPayment(ctx, { requestId }));
  },
});

const topUpSolana = route({
  method: 'post',
  path: '/api/solana/top-up',
  access: 'handle',
  limit: (ctx, { handle }) => countSmartPayment(ctx, handle.id),
  /** SOL that is to arrive. */
  body: z.strictObject({ amount: amountText }),
  answer: preparedPayment,
  status: 201,
  errors: ['amount_out_of_range', 'state_conflict', 'call_refused', 'quote_expired'],
  run: (ctx, { body: { amount }, caller: { handle } }) => topUp(ctx, handle, { amount, client: handle.id }),
});

export const SMART_ROUTES: readonly Route[] = [candidates, status, submit, pay, topUpSolana];

/** A payment as it is, then with each change, until it ends. */
export function mountSmartEvents(app: Express, ctx: Ctx): void {
  const streams = createSmartStreams(ctx);
  app.get('/api/pay/smart/:id/events', async (request, response) => {
    const who = callerOf(request);
    if (request.method === 'HEAD') return void response.end();
    await countPublicRead(ctx, 'smart', who);
    const payment = await findPayment(ctx, { id: request.params.id });
    const stream = openEventStream(response);
    let sent = 0;
    const stop = await streams.watch(payment, who, {
      notify(view) {
        sent += 1;
        stream.send({ id: sent, event: 'payment', data: view });
      },
      end: stream.end,
    });
    response.on('close', stop);
    // A client may disconnect while the first state is read.
    if (response.destroyed) stop();
  });
}

/** Far more than one says. */
const WEBHOOK_LIMIT = '64kb';

/** What Relay reports is a reason to look, and nothing else: its bytes are signed, so they are read before they are parsed. */
export function mountRelayWebhook(app: Express, ctx: Ctx): void {
  app.post(
    '/api/pay/smart/relay',
    express.text({ type: () => true, limit: WEBHOOK_LIMIT }),
    async (request, response) => {
      const header = (name: string) => String(request.headers[name] ?? '');
      const signed = { timestamp: header('x-signature-timestamp'), signature: header('x-signature-sha256') };
      const isTaken = await takeRelayWebhook(ctx, signed, String(request.body));
      response.status(isTaken ? 204 : 401).end();
    },
  );
}
