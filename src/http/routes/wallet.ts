// The payout wallet.
import type { Express } from 'express';
import type { Ctx } from '../../context.ts';
import { walletView } from '../../services/wallets.ts';
import { requireHandle } from '../session.ts';

export function mountWallet(app: Express, ctx: Ctx): void {
  app.get('/api/wallet', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    response.json(await walletView(ctx, handle.id));
  });
}
