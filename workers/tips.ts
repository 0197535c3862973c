// What the workers do for tips: plan what was typed, settle what was planned, and say what was received.
import type { Ctx } from '../src/context.ts';
import { BUSY_MS, every, UNTIL_WOKEN_MS } from '../src/loop.ts';
import { queuePauses } from '../src/services/spending/pauses.ts';
import { prepareIntents } from '../src/services/tips/preparation.ts';
import { postDailyReceived, postReceived } from '../src/services/tips/receivedNotices.ts';
import { settleChain } from '../src/services/tips/settle.ts';

const DAILY_EVERY_MS = 60_000;

export function runTips(ctx: Ctx): void {
  ctx.queues.consume('intents', ({ intentIds }) => prepareIntents(ctx, intentIds), 4);
  ctx.queues.consume('settle', async ({ chain }) => void (await settleChain(ctx, chain)), 4);
  every(ctx, 'pauses', BUSY_MS, () => queuePauses(ctx), { idleMs: UNTIL_WOKEN_MS, topics: ['pauses'] });
  // Behind the receipts, which go first.
  every(ctx, 'received', BUSY_MS, () => postReceived(ctx), { idleMs: UNTIL_WOKEN_MS, topics: ['received'] });
  every(ctx, 'received daily', DAILY_EVERY_MS, () => postDailyReceived(ctx));
}
