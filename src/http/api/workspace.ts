// The workspace that is signed in: what kind it is, where its payments go, whom it may pay by API; what changes that is signed by its wallet.
import type { Express } from 'express';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { countSignature } from '../../services/publicRateLimit.ts';
import { prepareBusiness, submitBusiness } from '../../services/workspaces/payoutWallets.ts';
import { prepareRecipient, submitRecipient } from '../../services/workspaces/recipientAllowances.ts';
import { readWorkspace } from '../../services/workspaces/workspaces.ts';
import { hexBytes, parseBody } from '../parse.ts';
import { requireHandle } from '../session.ts';

const chain = z.string().max(40);
const use = { nonce: z.number().int().min(0).max(2_147_483_647), deadline: z.number().int().min(0).max(4_294_967_295) };
const business = z.strictObject({ payout_address: z.string().max(100), chain: chain.optional() });
const signedBusiness = z.strictObject({
  payout_address: z.string().max(100),
  chain,
  ...use,
  signature: hexBytes,
  payout_signature: hexBytes.optional(),
});
const recipient = z.strictObject({ recipient: z.string().max(60), allowed: z.boolean(), chain: chain.optional() });
const signedRecipient = recipient.extend({ chain, ...use, signature: hexBytes });

export function mountWorkspace(app: Express, ctx: Ctx): void {
  app.get('/api/workspace', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    response.json({ workspace: await readWorkspace(ctx, handle.id) });
  });

  app.post('/api/workspace/business/prepare', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const given = parseBody(request, business);
    await countSignature(ctx, handle.id);
    response.json(await prepareBusiness(ctx, handle, given));
  });

  app.post('/api/workspace/business', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const { signature, payout_signature: payoutSignature, ...submit } = parseBody(request, signedBusiness);
    await countSignature(ctx, handle.id);
    await submitBusiness(ctx, handle, submit, { signature, payoutSignature });
    response.json({ workspace: await readWorkspace(ctx, handle.id) });
  });

  app.post('/api/workspace/recipients/prepare', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const given = parseBody(request, recipient);
    await countSignature(ctx, handle.id);
    response.json(await prepareRecipient(ctx, handle, given));
  });

  app.post('/api/workspace/recipients', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const { signature, ...submit } = parseBody(request, signedRecipient);
    await countSignature(ctx, handle.id);
    await submitRecipient(ctx, handle, submit, signature);
    response.json({ workspace: await readWorkspace(ctx, handle.id) });
  });
}
