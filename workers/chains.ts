// What the workers do on each chain: send what is queued, follow what was sent, and read what the routers and deposit addresses did.
import type { Ctx } from '../src/context.ts';
import { BUSY_MS, every, FALLBACK_MS } from '../src/loop.ts';
import { indexEscrows } from '../src/services/escrow/feed.ts';
import { indexOrders, isAwaitingPayment } from '../src/services/orders/indexing/feed.ts';
import { type DepositRounds, hasDepositAddresses, watchDeposits } from '../src/services/orders/payments/sweeps.ts';
import { followOutgoing } from '../src/services/outgoing/follow.ts';
import { reconcileChain } from '../src/services/outgoing/reconcile.ts';
import { sendQueued } from '../src/services/outgoing/send.ts';
import { KINDS } from './kinds.ts';

const RECONCILE_EVERY_MS = 15_000;
/** Events of routers count in final blocks only. */
const INDEX_EVERY_MS = 1_000;
const DEPOSITS_EVERY_MS = 2_000;

export function runChains(ctx: Ctx): void {
  const rounds: DepositRounds = new Map();
  for (const chain of Object.values(ctx.chains)) {
    const { name, pollMs } = chain;
    every(ctx, `reconcile ${name}`, RECONCILE_EVERY_MS, () => reconcileChain(ctx, chain));
    every(ctx, `send ${name}`, BUSY_MS, () => sendQueued(ctx, chain, KINDS), {
      idleMs: FALLBACK_MS,
      topics: ['outgoing'],
    });
    every(ctx, `follow ${name}`, pollMs, () => followOutgoing(ctx, chain, KINDS), {
      idleMs: FALLBACK_MS,
      topics: ['sent'],
    });
    runFeeds(ctx, chain);
    const deposits = async () =>
      (await watchDeposits(ctx, chain, rounds)) + Number(await hasDepositAddresses(ctx, chain));
    every(ctx, `deposits ${name}`, Math.max(pollMs, DEPOSITS_EVERY_MS), deposits, {
      idleMs: FALLBACK_MS,
      topics: ['deposits'],
    });
  }
}

type Chain = NonNullable<Ctx['chains']['base']>;

function runFeeds(ctx: Ctx, chain: Chain): void {
  const everyMs = Math.max(chain.pollMs, INDEX_EVERY_MS);
  const options = { idleMs: FALLBACK_MS, topics: ['final' as const, 'deposits' as const] };
  const escrows = async () => Number(await indexEscrows(ctx, chain));
  every(ctx, `escrows ${chain.name}`, everyMs, escrows, options);
  const orders = async () => {
    await indexOrders(ctx, chain);
    return Number(await isAwaitingPayment(ctx, chain));
  };
  every(ctx, `orders ${chain.name}`, everyMs, orders, options);
}
