// What the workers do on each chain: send what is queued, follow what was sent, and read the events of routers and deposit addresses.
import type { Ctx } from '../src/context.ts';
import { BUSY_MS, every, RARE_FALLBACK_MS, UNTIL_WOKEN_MS } from '../src/loop.ts';
import { indexChain } from '../src/services/operations/feed.ts';
import { type RentRounds, returnRent } from '../src/services/operations/rent.ts';
import { noteDeposits } from '../src/services/orders/indexing/deposits.ts';
import { type DepositRounds, hasDepositAddresses, watchDeposits } from '../src/services/orders/payments/sweeps.ts';
import { forwardTransfers } from '../src/services/orders/treasury/moves.ts';
import { finaliseMined, followSent } from '../src/services/outgoing/follow.ts';
import { reconcileChain } from '../src/services/outgoing/reconcile.ts';
import { expireUnserved, sendQueued } from '../src/services/outgoing/send.ts';
import { settleSends } from '../src/services/sends/settle.ts';
import { KINDS } from './kinds.ts';

const RECONCILE_EVERY_MS = 60_000;
/** Events of routers count in final blocks only. */
const INDEX_EVERY_MS = 1_000;
/** The same once something of ours became final: it is in a block that the next round reads. */
const WOKEN_INDEX_MS = 250;
const DEPOSITS_EVERY_MS = 2_000;
/** While a send is under way. */
const SENDS_EVERY_MS = 1_000;
/** Signatures are good for minutes. */
const EXPIRE_EVERY_MS = 30_000;
/** Of orders that have ended. */
const LATE_DEPOSITS_EVERY_MS = 60_000;
const RENT_EVERY_MS = 3_600_000;
/** What people wait for goes first. */
const RENT_FIRST_MS = 60_000;

export function runChains(ctx: Ctx): void {
  every(ctx, 'expire unserved', EXPIRE_EVERY_MS, () => expireUnserved(ctx, KINDS));
  const rounds: DepositRounds = new Map();
  const rentRounds: RentRounds = new Map();
  for (const chain of Object.values(ctx.chains)) {
    const { name, pollMs } = chain;
    every(ctx, `reconcile ${name}`, RECONCILE_EVERY_MS, () => reconcileChain(ctx, chain));
    every(ctx, `send ${name}`, BUSY_MS, () => sendQueued(ctx, chain, KINDS), {
      idleMs: UNTIL_WOKEN_MS,
      topics: ['outgoing'],
    });
    every(ctx, `follow ${name}`, pollMs, () => followSent(ctx, chain, KINDS), {
      idleMs: UNTIL_WOKEN_MS,
      topics: ['sent'],
    });
    every(ctx, `finalise ${name}`, pollMs, () => finaliseMined(ctx, chain, KINDS), {
      idleMs: UNTIL_WOKEN_MS,
      topics: ['mined'],
    });
    const feed = async () => {
      const { logs, at, target, isExpecting } = await indexChain(ctx, chain);
      return logs + Number(at.block < target) + Number(isExpecting);
    };
    every(ctx, `feed ${name}`, Math.max(pollMs, INDEX_EVERY_MS), feed, {
      idleMs: RARE_FALLBACK_MS,
      wokenMs: Math.max(pollMs, WOKEN_INDEX_MS),
      topics: ['final', 'expected', 'deposits'],
    });
    every(ctx, `sends ${name}`, Math.max(pollMs, SENDS_EVERY_MS), () => settleSends(ctx, chain), {
      idleMs: UNTIL_WOKEN_MS,
      wokenMs: Math.max(pollMs, WOKEN_INDEX_MS),
      topics: ['sends', 'final'],
    });
    every(ctx, `rent ${name}`, RENT_EVERY_MS, () => returnRent(ctx, chain, rentRounds), {
      firstAfterMs: RENT_FIRST_MS,
    });
    const deposits = async () => {
      if (!(await hasDepositAddresses(ctx, chain))) return 0;
      await forwardTransfers(ctx, chain);
      await watchDeposits(ctx, chain, rounds);
      await noteDeposits(ctx, chain, { ended: false });
      return 1;
    };
    every(ctx, `deposits ${name}`, Math.max(pollMs, DEPOSITS_EVERY_MS), deposits, {
      idleMs: UNTIL_WOKEN_MS,
      topics: ['deposits'],
    });
    every(ctx, `late deposits ${name}`, LATE_DEPOSITS_EVERY_MS, () => noteDeposits(ctx, chain, { ended: true }));
  }
}
