// A workspace's orders, for its signed-in owner: search, read with their timeline, create, cancel, refund; and their totals.
import type { Express, Response } from 'express';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { CHAIN_NAMES } from '../../domain/chains.ts';
import { isTimeZone } from '../../domain/days.ts';
import { usualMode } from '../../services/chains.ts';
import { countOrders } from '../../services/orders/counts.ts';
import { orderCsv } from '../../services/orders/csv.ts';
import { cancelOrder, createOrder } from '../../services/orders/orders.ts';
import { depositArgs, submitDeposit } from '../../services/orders/payments/strayDeposits.ts';
import { confirmOrderRefund, refundArgs, submitRefund } from '../../services/orders/refunds.ts';
import { filtersOf, searchOrders } from '../../services/orders/search.ts';
import { merchantOrders, readOrderPage } from '../../services/orders/timeline.ts';
import { sumVolume } from '../../services/orders/volume.ts';
import { countSignature } from '../../services/publicRateLimit.ts';
import { fileName, sendCsv } from '../csv.ts';
import { pageOf } from '../list.ts';
import {
  amountText,
  countOf,
  isoDay,
  modes,
  optional,
  parseBody,
  parseQuery,
  searchText,
  solanaTransaction,
  transactionName,
  walletAddress,
} from '../parse.ts';
import { requireHandle } from '../session.ts';
import { shopFields } from './shopFields.ts';

const zone = z.string().refine(isTimeZone, 'must be a time zone like Europe/Berlin');
const filters = {
  q: optional(searchText),
  status: optional(z.enum(['awaiting_payment', 'processing', 'completed', 'expired', 'cancelled', 'attention'])),
  chain: optional(z.enum(CHAIN_NAMES)),
  currency: optional(z.string().regex(/^\w{1,12}$/, 'must be a symbol like USDC')),
  mode: optional(modes),
  link: optional(z.string().max(40)),
  from: optional(isoDay),
  to: optional(isoDay),
  tz: optional(zone),
};
const filtered = z.strictObject(filters);
const paged = z.strictObject({
  ...filters,
  limit: countOf(1, 100).default(20),
  cursor: z.string().max(200).optional(),
});
const counted = z.strictObject({ mode: optional(modes) });
const summed = z.strictObject({ days: countOf(1, 366).default(30), tz: optional(zone), mode: optional(modes) });
/** What is allowed in each is the service's to say: it says it to the API in the same words. */
const wish = z.strictObject({
  amount: amountText,
  currency: z.string().max(20).optional(),
  chain: z.string().max(40),
  recipient: z.string().max(60).optional(),
  expires_in: z.number().optional(),
  description: z.string().max(2_000).nullish(),
  metadata: z.unknown().optional(),
  ...shopFields,
});
const nothing = z.strictObject({});
const amount = amountText;
/** Asked for without an action; done by the wallet; then confirmed with one. */
const refundWish = z.strictObject({ amount: amount.optional(), to: walletAddress.optional() });
const refundSigned = z.strictObject({ amount, to: walletAddress, solana_transaction: solanaTransaction });
const refundDone = z.strictObject({ action: z.literal('confirm'), txHash: transactionName });
const deposit = z.strictObject({
  action: z.enum(['accept', 'send_back']),
  currency: z.string().max(20).optional(),
  amount: amount.optional(),
  to: walletAddress.optional(),
});
const depositSigned = deposit.extend({ solana_transaction: solanaTransaction });

/** The request ID in the events that a request causes. */
export function requestCause(response: Response): { requestId: string } {
  return { requestId: String(response.getHeader('Request-Id')) };
}

export function mountOrders(app: Express, ctx: Ctx): void {
  app.get('/api/orders', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const { limit, cursor, ...given } = parseQuery(request, paged);
    const { orders, nextCursor } = await searchOrders(ctx, handle.id, filtersOf(ctx, given), { limit, cursor });
    response.json(pageOf(await merchantOrders(ctx, orders), nextCursor));
  });

  app.get('/api/orders.csv', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const given = parseQuery(request, filtered);
    await sendCsv(
      ctx,
      response,
      fileName('orders', handle.slug, given.mode ?? usualMode(ctx)),
      orderCsv(ctx, handle.id, filtersOf(ctx, given)),
    );
  });

  app.get('/api/volume', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const { days, tz = 'UTC', mode } = parseQuery(request, summed);
    response.json(await sumVolume(ctx, handle.id, { days, tz, mode }));
  });

  app.get('/api/orders/counts', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    response.json(await countOrders(ctx, handle.id, parseQuery(request, counted).mode));
  });

  app.post('/api/orders', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const given = parseBody(request, wish);
    await countSignature(ctx, handle.id);
    const { order } = await createOrder(ctx, { id: handle.id }, given, {
      origin: 'dashboard',
      ...requestCause(response),
    });
    response.status(201).json({ order });
  });

  app.get('/api/orders/:id', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    response.json(await readOrderPage(ctx, handle.id, request.params.id));
  });

  app.post('/api/orders/:id/cancel', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    parseBody(request, nothing);
    const reader = { workspaceId: handle.id };
    response.json({ order: await cancelOrder(ctx, reader, request.params.id, requestCause(response)) });
  });

  app.post('/api/orders/:id/refund', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const [reader, { id }] = [{ workspaceId: handle.id }, request.params];
    await countSignature(ctx, handle.id);
    if (has(request.body, 'solana_transaction'))
      return void response.json(await submitRefund(ctx, reader, id, parseBody(request, refundSigned)));
    if (has(request.body, 'action')) {
      const { txHash } = parseBody(request, refundDone);
      return void response.json({ order: await confirmOrderRefund(ctx, reader, id, { txHash }) });
    }
    response.json({ refund: await refundArgs(ctx, reader, id, parseBody(request, refundWish)) });
  });

  app.post('/api/orders/:id/deposit', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const [reader, { id }] = [{ workspaceId: handle.id }, request.params];
    await countSignature(ctx, handle.id);
    if (has(request.body, 'solana_transaction'))
      return void response.json({ request: await submitDeposit(ctx, reader, id, parseBody(request, depositSigned)) });
    response.json({ deposit: await depositArgs(ctx, reader, id, parseBody(request, deposit)) });
  });
}

function has(body: unknown, name: string): boolean {
  return typeof body === 'object' && body !== null && name in body;
}
