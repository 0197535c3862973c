// What the workers do for orders: send what was signed, end what was sent, and watch the addresses that were handed out.
import type { Ctx } from '../src/context.ts';
import { every } from '../src/loop.ts';
import { concludeSubmissions, sendSubmission } from '../src/services/orders/payments/sending.ts';
import { type DepositRounds, watchDeposits } from '../src/services/orders/payments/sweeps.ts';

/** Payments end in final blocks only, so nobody waits for a look that is a second later. */
const CONCLUDE_EVERY_MS = 1_000;
const DEPOSITS_EVERY_MS = 2_000;

/** @param watchAll looks at once at what the chains did with what was sent */
export function runPayments(ctx: Ctx, watchAll: () => void): void {
  ctx.queues.consume('payments', ({ submissionId }) => sendSubmission(ctx, submissionId).finally(watchAll), 4);
  const rounds: DepositRounds = new Map();
  for (const chain of Object.values(ctx.chains)) {
    const { name, pollMs } = chain;
    every(ctx, `payments ${name}`, Math.max(pollMs, CONCLUDE_EVERY_MS), () => concludeSubmissions(ctx, chain));
    every(ctx, `deposits ${name}`, Math.max(pollMs, DEPOSITS_EVERY_MS), () => watchDeposits(ctx, chain, rounds));
  }
}
