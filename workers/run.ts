// What the workers process does: one short consumer a queue, one watcher a chain, one sweeper.

import type { Ctx } from '../src/context.ts';
import type { ChainName } from '../src/domain/chains.ts';
import { every, type Loop } from '../src/loop.ts';
import { dropStaged, refundOverdueTabs, remindOfTabs } from '../src/services/escrow/deadlines.ts';
import { indexTabs } from '../src/services/escrow/feed.ts';
import { matchTabs } from '../src/services/escrow/matching.ts';
import { holdNames } from '../src/services/escrow/usernameHolds.ts';
import { evaluateAlerts } from '../src/services/operations/alertChecks.ts';
import { tellAlerts } from '../src/services/operations/alertNotices.ts';
import { dropOldRows } from '../src/services/operations/housekeeping.ts';
import { lookAtChains } from '../src/services/operations/probes.ts';
import { sweep } from '../src/services/operations/sweep.ts';
import { recordSamples, SAMPLE_EVERY_MS } from '../src/services/operations/timeSeries.ts';
import { indexOrders, isAwaitingPayment } from '../src/services/orders/indexing/feed.ts';
import { followOutgoing } from '../src/services/outgoing/follow.ts';
import { reconcileChain } from '../src/services/outgoing/reconcile.ts';
import { sendQueued } from '../src/services/outgoing/send.ts';
import { queuePauses } from '../src/services/spending/pauses.ts';
import { prepareIntents } from '../src/services/tips/preparation.ts';
import { postDailyReceived, postReceived } from '../src/services/tips/receivedNotices.ts';
import { settleChain } from '../src/services/tips/settle.ts';
import { runCron } from './cron.ts';
import { KINDS } from './kinds.ts';
import { runPayments } from './payments.ts';
import { runWebhooks } from './webhooks.ts';

const SWEEP_EVERY_MS = 1_000;
const RECONCILE_EVERY_MS = 15_000;
const LOOK_EVERY_MS = 5_000;
const TELL_EVERY_MS = 2_000;
const SEND_EVERY_MS = 500;
const PAUSES_EVERY_MS = 500;
/** Tabs are told of in confirmed blocks only, so nobody waits for a look that is a second later. */
const INDEX_EVERY_MS = 1_000;
const NAMES_EVERY_MS = 1_000;
const TABS_EVERY_MS = 2_000;
/** Behind the receipts, which go first. */
const RECEIVED_EVERY_MS = 500;
const DAILY_EVERY_MS = 10_000;
/** A chain on which nobody waits for a payment. */
const ORDERS_IDLE_MS = 5_000;
/** Whose tabs of others are, as handles and accounts come. */
const MATCH_EVERY_MS = 15_000;
const CLEAN_EVERY_MS = 600_000;
/** How often a chain is looked at on which nothing of ours is under way: whoever sends something there wakes the look. */
const WATCH_IDLE_MS = 500;

export function runWorkers(ctx: Ctx): void {
  const watches = new Map<ChainName, Loop>();
  for (const chain of Object.values(ctx.chains)) {
    every(ctx, `reconcile ${chain.name}`, RECONCILE_EVERY_MS, () => reconcileChain(ctx, chain));
    const options = { idleMs: Math.max(chain.pollMs, WATCH_IDLE_MS) };
    watches.set(
      chain.name,
      every(ctx, `watch ${chain.name}`, chain.pollMs, () => followOutgoing(ctx, chain, KINDS), options),
    );
    every(ctx, `tabs ${chain.name}`, Math.max(chain.pollMs, INDEX_EVERY_MS), () => indexTabs(ctx, chain));
    const payments = async () => {
      await indexOrders(ctx, chain);
      return Number(await isAwaitingPayment(ctx, chain));
    };
    every(ctx, `orders ${chain.name}`, Math.max(chain.pollMs, INDEX_EVERY_MS), payments, { idleMs: ORDERS_IDLE_MS });
  }
  ctx.queues.consume('intents', ({ intentIds }) => prepareIntents(ctx, intentIds), 4);
  const settle = async (chain: ChainName) => {
    await settleChain(ctx, chain);
    watches.get(chain)?.wake();
  };
  ctx.queues.consume('settle', ({ chain }) => settle(chain), 4);
  for (const chain of Object.values(ctx.chains)) {
    const send = async () => {
      const found = await sendQueued(ctx, chain, KINDS);
      if (found > 0) watches.get(chain.name)?.wake();
      return found;
    };
    every(ctx, `send ${chain.name}`, SEND_EVERY_MS, send);
  }
  every(ctx, 'pauses', PAUSES_EVERY_MS, () => queuePauses(ctx));
  runPayments(ctx);
  runCron(ctx, runWebhooks(ctx));
  every(ctx, 'names', NAMES_EVERY_MS, () => holdNames(ctx));
  every(ctx, 'whose tabs', MATCH_EVERY_MS, () => matchTabs(ctx));
  every(ctx, 'overdue tabs', TABS_EVERY_MS, () => refundOverdueTabs(ctx));
  every(ctx, 'staged tabs and reminders', TABS_EVERY_MS, async () => {
    await dropStaged(ctx);
    await remindOfTabs(ctx);
  });
  every(ctx, 'received', RECEIVED_EVERY_MS, () => postReceived(ctx));
  every(ctx, 'received daily', DAILY_EVERY_MS, () => postDailyReceived(ctx));
  every(ctx, 'sweep', SWEEP_EVERY_MS, () => sweep(ctx));
  every(
    ctx,
    'look',
    LOOK_EVERY_MS,
    async () => {
      await lookAtChains(ctx);
      await evaluateAlerts(ctx);
    },
    { firstAfterMs: 1_000 },
  );
  every(ctx, 'samples', SAMPLE_EVERY_MS, () => recordSamples(ctx), { firstAfterMs: LOOK_EVERY_MS });
  every(ctx, 'tell alerts', TELL_EVERY_MS, () => tellAlerts(ctx));
  every(ctx, 'housekeeping', CLEAN_EVERY_MS, () => dropOldRows(ctx));
}
