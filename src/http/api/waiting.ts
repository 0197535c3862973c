// What a handle typed in a chat before it was connected: shown with all that it would do, and sent by one confirmation.
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { confirmPending, declinePending, type PendingTip, pendingTips } from '../../services/tips/pendingTips.ts';
import { type Route, route } from './route.ts';
import { type PendingTipList, type PendingTipView, pendingTipList } from './waitingAnswers.ts';

const list = route({
  method: 'get',
  path: '/api/waiting',
  access: 'handle',
  answer: pendingTipList,
  status: 200,
  errors: [],
  run: (ctx, { caller }) => tipsOf(ctx, caller.handle.id),
});

const answer = route({
  method: 'post',
  path: '/api/waiting/{intent_id}',
  access: 'handle',
  body: z.discriminatedUnion('action', [
    z.strictObject({ action: z.literal('confirm'), fingerprint: z.string().min(1).max(10_000) }),
    z.strictObject({ action: z.literal('decline') }),
  ]),
  answer: pendingTipList,
  status: 200,
  errors: ['resource_missing', 'state_conflict'],
  async run(ctx, { caller: { handle }, id, body }) {
    if (body.action === 'confirm') await confirmPending(ctx, handle.id, id, body.fingerprint);
    else await declinePending(ctx, handle.id, id);
    return tipsOf(ctx, handle.id);
  },
});

async function tipsOf(ctx: Ctx, handleId: string): Promise<PendingTipList> {
  return { tips: (await pendingTips(ctx, handleId)).map(shape) };
}

function shape({ expiresAt, refused, refusal, legs, ...tip }: PendingTip): PendingTipView {
  return {
    ...tip,
    expires_at: expiresAt.toISOString(),
    legs: legs.map(({ tabDays, to, ...leg }) => ({
      ...leg,
      tab_days: tabDays,
      to_chain: to?.chain ?? null,
      bridge_fee: to?.bridgeFee ?? null,
    })),
    refused: refused.map(({ label, refusal: why }) => ({ label, code: why.code })),
    refusal: refusal?.code ?? null,
  };
}

export const WAITING_ROUTES: readonly Route[] = [list, answer];
