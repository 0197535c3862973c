// What the workers do for orders: watch the addresses that were handed out.
import type { Ctx } from '../src/context.ts';
import { every } from '../src/loop.ts';
import { type DepositRounds, watchDeposits } from '../src/services/orders/payments/sweeps.ts';

const DEPOSITS_EVERY_MS = 2_000;

export function runPayments(ctx: Ctx): void {
  const rounds: DepositRounds = new Map();
  for (const chain of Object.values(ctx.chains)) {
    const { name, pollMs } = chain;
    every(ctx, `deposits ${name}`, Math.max(pollMs, DEPOSITS_EVERY_MS), () => watchDeposits(ctx, chain, rounds));
  }
}
