// The hosted checkout's calls: public, because an order's id is the permission to pay it; rate-limited by network address.
import type { Express, Response } from 'express';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { canonicalChain } from '../../domain/chains.ts';
import { ASSETS, SIGNED_WAYS } from '../../domain/checkout.ts';
import { getPublicLink, startOrder } from '../../services/orders/links/links.ts';
import { type PreparedPayment, prepareCheckout } from '../../services/orders/payments/checkout.ts';
import { rememberPayment } from '../../services/orders/payments/pending.ts';
import { readState } from '../../services/orders/payments/progress.ts';
import { payLabel, payTransaction } from '../../services/orders/payments/solanaPay.ts';
import { submitPayment, viewSubmission } from '../../services/orders/payments/submissions.ts';
import { createOrderStreams, type Watcher } from '../../services/orders/stream.ts';
import { orderRow, publicOrder } from '../../services/orders/views.ts';
import { countPublicCall, countPublicRead } from '../../services/publicRateLimit.ts';
import { listCandidates } from '../../services/smart/candidates.ts';
import { callerOf } from '../caller.ts';
import { openEventStream } from '../eventStream.ts';
import { amountText, hexBytes, parseBody, solanaTransaction, transactionName } from '../parse.ts';

const wish = z.strictObject({
  order_id: z.string().max(60),
  payer: z.string().max(60).optional(),
  asset: z.preprocess((text) => (typeof text === 'string' ? text.toUpperCase() : text), z.enum(ASSETS).optional()),
  chain: z.string().max(40).transform(canonicalChain).optional(),
  way: z.enum(['auto', 'direct', 'deposit', ...SIGNED_WAYS]).optional(),
});
const own = z.strictObject({ tx_hash: transactionName });
const whole = z.strictObject({
  payer: z.string().max(60),
  way: z.literal('transaction'),
  solana_transaction: solanaTransaction,
});
const signed = z.strictObject({
  payer: z.string().max(60),
  way: z.enum(SIGNED_WAYS),
  valid_until: z.number().int().min(0).max(4_294_967_295),
  nonce: z
    .string()
    .regex(/^\d{1,75}$/, 'must be a whole number')
    .optional(),
  signatures: z.array(hexBytes).min(1).max(2),
});
const started = z.strictObject({ amount: amountText.optional() });
/** Wallets add fields of their own. */
const scanned = z.looseObject({ account: z.string().max(60) });
const anything = z.looseObject({});

export function mountCheckout(app: Express, ctx: Ctx): void {
  const streams = createOrderStreams(ctx);
  /** After a change: the row as it is now. */
  /** With another chain or asset than the order's own: what it costs from there, once the payer is known. */
  const candidatesFrom = async ({ order, payer, source }: PreparedPayment, client: string) =>
    source && payer ? listCandidates(ctx, { orderId: order.id, payer: [payer], sources: [source], client }) : null;
  const stateOf = async (id: string) => readState(ctx, await orderRow(ctx, id));

  app.post('/api/checkout', async (request, response) => {
    const given = parseBody(request, wish);
    const client = callerOf(request);
    await countPublicCall(ctx, 'checkout', client);
    const prepared = await prepareCheckout(ctx, given);
    response.json({ ...prepared, candidates: await candidatesFrom(prepared, client) });
  });

  app.get('/api/checkout/links/:link', async (request, response) => {
    await countPublicRead(ctx, 'checkout', callerOf(request));
    response.json({ link: await getPublicLink(ctx, request.params.link) });
  });

  app.post('/api/checkout/links/:link', async (request, response) => {
    const given = parseBody(request, started);
    await countPublicCall(ctx, 'order', callerOf(request));
    const requestId = String(response.getHeader('Request-Id'));
    const { order } = await startOrder(ctx, request.params.link, { ...given, requestId });
    response.status(201).json({ order: await publicOrder(ctx, await orderRow(ctx, order.id)) });
  });

  app.get('/api/checkout/:order', async (request, response) => {
    await countPublicRead(ctx, 'checkout', callerOf(request));
    response.json(await stateOf(request.params.order));
  });

  app.post('/api/checkout/:order/submit', async (request, response) => {
    const { order: id } = request.params;
    const isOwn = Object.hasOwn(parseBody(request, anything), 'tx_hash');
    const isWhole = Object.hasOwn(parseBody(request, anything), 'solana_transaction');
    const given = isOwn ? null : isWhole ? parseBody(request, whole) : parseBody(request, signed);
    const named = isOwn ? parseBody(request, own) : null;
    if (named) {
      // Asked again until the chain shows it.
      await countPublicRead(ctx, 'checkout', callerOf(request));
      await rememberPayment(ctx, await orderRow(ctx, id), named.tx_hash);
    } else await countPublicCall(ctx, 'payment', callerOf(request));
    const submission = given && (await submitPayment(ctx, id, given));
    const state = await stateOf(id);
    response.json({ ...state, submission: submission && viewSubmission(submission, state.progress.tx_hash) });
  });

  // Wallets in a browser of their own ask from another origin.
  app.use('/api/checkout/:order/solana_pay', (_request, response, next) => {
    response.setHeader('Access-Control-Allow-Origin', '*');
    next();
  });
  app.get('/api/checkout/:order/solana_pay', async (request, response) => {
    await countPublicRead(ctx, 'checkout', callerOf(request));
    response.json(await payLabel(ctx, request.params.order));
  });
  app.post('/api/checkout/:order/solana_pay', async (request, response) => {
    await countPublicCall(ctx, 'payment', callerOf(request));
    response.json(await payTransaction(ctx, request.params.order, parseBody(request, scanned).account));
  });

  app.get('/api/checkout/:order/events', async (request, response) => {
    const who = callerOf(request);
    if (request.method === 'HEAD') return void response.end();
    await countPublicRead(ctx, 'checkout', who);
    const order = await orderRow(ctx, request.params.order);
    const stream = openStream(response);
    const stop = await streams.watch(order, who, stream);
    response.on('close', stop);
    // A client may disconnect while the first state is read.
    if (response.destroyed) stop();
  });
}

/** Nothing is written before the first state: until then an error is still an answer. */
function openStream(response: Response): Watcher {
  const stream = openEventStream(response);
  let sent = 0;
  return {
    tell(state) {
      sent += 1;
      stream.send({ id: sent, event: 'order', data: state });
    },
    end: stream.end,
  };
}
