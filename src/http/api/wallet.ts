// The payout wallet and its change.
import type { Express } from 'express';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { CHAIN_NAMES } from '../../domain/chains.ts';
import {
  prepareWalletChange,
  requestWalletChange,
  stopWalletChange,
  walletView,
} from '../../services/accounts/wallets.ts';
import { countSignature } from '../../services/publicRateLimit.ts';
import { hexBytes, parseBody } from '../parse.ts';
import { requireHandle } from '../session.ts';

const wanted = z.strictObject({ new_address: z.string().max(100), chain: z.enum(CHAIN_NAMES).optional() });
const signed = wanted.extend({
  nonce: z.number().int().min(0).max(1_000_000),
  deadline: z.number().int().min(0).max(100_000_000_000),
  new_signature: hexBytes,
  old_signature: hexBytes.optional(),
});

export function mountWallet(app: Express, ctx: Ctx): void {
  app.get('/api/wallet', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    response.json(await walletView(ctx, handle.id));
  });

  app.post('/api/wallet/change/prepare', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const { new_address: newAddress, chain } = parseBody(request, wanted);
    await countSignature(ctx, handle.id);
    response.json(await prepareWalletChange(ctx, handle, { newAddress, chain }));
  });

  app.post('/api/wallet/change', async (request, response) => {
    const session = await requireHandle(ctx, request, response);
    const { new_address: newAddress, new_signature, old_signature, ...rest } = parseBody(request, signed);
    await countSignature(ctx, session.handle.id);
    const change = { ...rest, newAddress, newSignature: new_signature, oldSignature: old_signature };
    response.json({ wallet: await requestWalletChange(ctx, session, change) });
  });

  app.delete('/api/wallet/change', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    response.json({ wallet: await stopWalletChange(ctx, handle.id) });
  });
}
