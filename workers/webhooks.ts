// What the workers do for webhooks: one dispatcher that sends what is due. The queue only wakes it.
import type { Ctx } from '../src/context.ts';
import { every } from '../src/loop.ts';
import { createDeliverer, type Deliverer } from '../src/services/webhooks/dispatcher.ts';

/** After a failure of the database. */
const AGAIN_AFTER_MS = 250;

/** @returns what sends: the schedulers make it look as well */
export function runWebhooks(ctx: Ctx): Deliverer {
  const deliverer = createDeliverer(ctx);
  ctx.queues.consume('webhooks', async () => deliverer.wake(), 4);
  if (!ctx.env.WEBHOOK_KEY) return deliverer;
  every(ctx, 'webhooks', AGAIN_AFTER_MS, () => deliverer.run());
  // Before the loop is waited for: it runs until the dispatcher closes.
  ctx.shutdown.onClose('dispatcher', () => deliverer.close());
  return deliverer;
}
