// What a handle typed in a chat before it was connected: shown with all that it would do, and sent by one confirmation.
import type { Express } from 'express';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { confirmPending, declinePending, type PendingTip, pendingTips } from '../../services/tips/pendingTips.ts';
import { parseBody } from '../parse.ts';
import { requireHandle } from '../session.ts';

const answer = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('confirm'), fingerprint: z.string().min(1).max(10_000) }),
  z.strictObject({ action: z.literal('decline') }),
]);

export function mountWaiting(app: Express, ctx: Ctx): void {
  app.get('/api/waiting', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    response.json({ tips: (await pendingTips(ctx, handle.id)).map(shape) });
  });

  app.post('/api/waiting/:id', async (request, response) => {
    const { handle } = await requireHandle(ctx, request, response);
    const body = parseBody(request, answer);
    if (body.action === 'confirm') await confirmPending(ctx, handle.id, request.params.id, body.fingerprint);
    else await declinePending(ctx, handle.id, request.params.id);
    response.json({ tips: (await pendingTips(ctx, handle.id)).map(shape) });
  });
}

function shape({ expiresAt, refused, refusal, legs, ...tip }: PendingTip) {
  return {
    ...tip,
    expires_at: expiresAt.toISOString(),
    legs: legs.map(({ tabDays, ...leg }) => ({ ...leg, tab_days: tabDays })),
    refused: refused.map(({ label, refusal: why }) => ({ label, code: why.code })),
    refusal: refusal?.code ?? null,
  };
}
