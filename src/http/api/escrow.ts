// Tabs (OpenTab): staging one, saying that it was opened, claiming it, taking it back.
import type { Express } from 'express';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { type EscrowPage, listReceived, listSent } from '../../services/escrow/lists.ts';
import { claimAll, claimEscrow, confirmCreate } from '../../services/escrow/opening.ts';
import { askRefund, confirmRefund, refundData, refundSigned } from '../../services/escrow/refunds.ts';
import { stageEscrow } from '../../services/escrow/staging.ts';
import { getEscrow } from '../../services/escrow/views.ts';
import { countSigned } from '../../services/publicRateLimit.ts';
import { amountText, countOf, hexBytes, parseBody, parseQuery } from '../parse.ts';
import { requireHandle } from '../session.ts';

const hash = z.string().regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hex digits');
const wish = z.strictObject({
  handleSlug: z.string().min(1).max(80),
  amount: amountText,
  chain: z.string().max(40),
  dueInHours: z.number().optional(),
  note: z.string().max(2_000).nullish(),
});
const action = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('confirm_create'), txHash: hash, onChainId: hash }),
  z.strictObject({ action: z.literal('claim') }),
  z.strictObject({
    action: z.literal('refund'),
    txHash: hash.optional(),
    deadline: z.number().int().min(0).max(4_294_967_295).optional(),
    signature: hexBytes.optional(),
  }),
]);
const paged = z.strictObject({
  role: z.enum(['sender', 'recipient']).default('sender'),
  limit: countOf(1, 100).default(20),
  cursor: z.string().max(200).optional(),
});
const nothing = z.strictObject({});
/** A refund is asked for in one of three ways, each with exactly what it needs. */
const ownTx = z.strictObject({ action: z.literal('refund'), txHash: hash });
const signed = z.strictObject({
  action: z.literal('refund'),
  deadline: z.number().int().min(0).max(4_294_967_295),
  signature: hexBytes,
});

export function mountEscrow(app: Express, ctx: Ctx): void {
  app.get('/api/escrow', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const { role, ...paging } = parseQuery(request, paged);
    response.json(shape(await (role === 'sender' ? listSent : listReceived)(ctx, handle, paging)));
  });

  app.post('/api/escrow', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const given = parseBody(request, wish);
    await countSigned(ctx, handle.id);
    response.status(201).json(await stageEscrow(ctx, handle, given));
  });

  app.post('/api/escrow/claim_all', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    parseBody(request, nothing);
    await countSigned(ctx, handle.id);
    response.json(await claimAll(ctx, handle));
  });

  app.get('/api/escrow/:id', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    response.json({ escrow: await getEscrow(ctx, handle, request.params.id) });
  });

  app.get('/api/escrow/:id/refund_data', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    response.json(await refundData(ctx, handle, request.params.id));
  });

  app.post('/api/escrow/:id', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const { id } = request.params;
    const given = parseBody(request, action);
    await countSigned(ctx, handle.id);
    if (given.action === 'confirm_create')
      return void response.json({ escrow: await confirmCreate(ctx, handle, id, given) });
    if (given.action === 'claim') return void response.json(await claimEscrow(ctx, handle, id));
    if (given.txHash !== undefined)
      return void response.json({ escrow: await confirmRefund(ctx, handle, id, parseBody(request, ownTx).txHash) });
    if (given.deadline !== undefined || given.signature !== undefined)
      return void response.json({ escrow: await refundSigned(ctx, handle, id, parseBody(request, signed)) });
    response.json({ escrow: await askRefund(ctx, handle, id) });
  });
}

function shape({ escrows, nextCursor }: EscrowPage) {
  return { object: 'list', escrows, has_more: nextCursor !== null, next_cursor: nextCursor };
}
