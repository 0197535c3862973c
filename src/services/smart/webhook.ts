// Relay's webhooks: each has its leg looked at now instead of in a while.
import { readRelayWebhook } from '../../chain/bridge/relay.ts';
import type { Ctx } from '../../context.ts';
import { wake } from '../wake.ts';

/** @returns whether Relay signed it */
export async function takeRelayWebhook(
  ctx: Ctx,
  signed: { timestamp: string; signature: string },
  body: string,
): Promise<boolean> {
  const key = ctx.env.RELAY_API_KEY;
  const requestId = key === undefined ? null : readRelayWebhook(key, signed, body, ctx.clock.now());
  if (requestId === null) return false;
  await ctx.db.$transaction(async (tx) => {
    const now = new Date(ctx.clock.now());
    const { count } = await tx.smartLeg.updateMany({ where: { requestId, endedAt: null }, data: { nextLookAt: now } });
    if (count > 0) await wake(tx, 'legs');
  });
  return true;
}
