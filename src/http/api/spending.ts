// What a handle may spend, and the signatures that change it.
import type { Express } from 'express';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { listConnections } from '../../services/accounts/connectionViews.ts';
import { countSigned } from '../../services/publicRateLimit.ts';
import { walletOf } from '../../services/spending/callTerms.ts';
import { spendingOf } from '../../services/spending/limits.ts';
import { pauseNow } from '../../services/spending/pauses.ts';
import { prepareRight, submitRight } from '../../services/spending/rights.ts';
import { callOf, prepareApprove, prepareCall, submitSigned } from '../../services/spending/sponsoredCalls.ts';
import { amountText, hexBytes, parseBody } from '../parse.ts';
import { requireHandle } from '../session.ts';

const name = z.string().max(40);
const amount = amountText;
const permit = z.strictObject({ kind: z.literal('permit'), chain: name, amount });
const limits = z.strictObject({ kind: z.literal('limits'), chain: name, per_tip: amount, per_day: amount });
const resume = z.strictObject({ kind: z.literal('resume'), chain: name });
const right = z.strictObject({
  kind: z.literal('right'),
  connection_id: z.string().max(60),
  command_cap: amount,
  day_cap: amount,
  chain: name,
});
const choice = z.discriminatedUnion('kind', [permit, limits, resume, right.partial({ chain: true })]);

const signed = {
  nonce: z.string().regex(/^\d{1,78}$/, 'must be a whole number, as it was given'),
  deadline: z.number().int().min(0).max(4_294_967_295),
  signature: hexBytes,
};
const submission = z.discriminatedUnion('kind', [
  permit.extend(signed),
  limits.extend(signed),
  resume.extend(signed),
  right.extend({ ...signed, nonce: z.string().regex(/^\d{1,9}$/, 'must be a whole number, as it was given') }),
]);
const approval = z.strictObject({ chain: name, amount });
const nothing = z.strictObject({});

export function mountSpending(app: Express, ctx: Ctx): void {
  app.get('/api/spending', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const [spending, connections] = await Promise.all([
      spendingOf(ctx, handle.id, walletOf(handle)),
      listConnections(ctx, handle.id),
    ]);
    response.json({ handle: handle.slug, ...spending, connections });
  });

  app.post('/api/spending/prepare', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const given = parseBody(request, choice);
    await countSigned(ctx, handle.id);
    response.json(
      given.kind === 'right' ? await prepareRight(ctx, handle, given) : await prepareCall(ctx, handle, given),
    );
  });

  app.post('/api/spending/submit', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const { signature, ...terms } = parseBody(request, submission);
    await countSigned(ctx, handle.id);
    if (terms.kind === 'right') response.json(await submitRight(ctx, handle, terms, signature));
    else response.json({ request: await submitSigned(ctx, handle, terms, signature) });
  });

  app.get('/api/spending/requests/:id', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    response.json({ request: await callOf(ctx, handle.id, request.params.id) });
  });

  app.post('/api/spending/approve/prepare', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    response.json({ transaction: prepareApprove(ctx, handle, parseBody(request, approval)) });
  });

  app.post('/api/spending/pause', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    parseBody(request, nothing);
    response.json({ paused_at: (await pauseNow(ctx, handle.id)).toISOString() });
  });
}
