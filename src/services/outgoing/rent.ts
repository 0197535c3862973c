// Rent that comes back: accounts which are no longer needed are closed by transactions of ours.
import { simulateQueued } from '../../chain/calls.ts';
import type { Chain } from '../../chain/chain.ts';
import type { RentReturn } from '../../chain/rent.ts';
import type { Ctx } from '../../context.ts';
import { executorsOf } from './keys.ts';
import { NOTHING, type OutgoingKind } from './kinds.ts';
import { queueCall } from './queue.ts';

/** Transactions of one look: a longer list is done by the next ones. */
const AT_ONCE = 100;

/** Queues the closing of what is there, each account once at a time. @returns how many are queued now */
export async function queueRentReturns(ctx: Ctx, chain: Chain, returnable: readonly RentReturn[]): Promise<number> {
  const found = returnable.slice(0, AT_ONCE);
  const open = await ctx.db.outgoingTx.findMany({
    where: {
      kind: 'rent',
      chain: chain.name,
      subjectId: { in: found.map(({ address }) => address) },
      status: { in: ['queued', 'signed', 'sent', 'mined'] },
    },
    select: { subjectId: true },
  });
  const busy = new Set(open.map(({ subjectId }) => subjectId));
  const due = found.filter(({ address }) => !busy.has(address));
  for (const { address, call } of due)
    await ctx.db.$transaction((tx) => queueCall(ctx, tx, chain.name, { kind: 'rent', subjectId: address, ...call }));
  return due.length;
}

/** What did not close its account is queued again by the next look. */
export const rentKind: OutgoingKind = {
  async check(ctx, chain, { toAddress, data, gas }) {
    const [executor] = executorsOf(ctx, chain);
    const refusal = await simulateQueued(chain, { to: toAddress, data, gas }, executor);
    return refusal ? NOTHING : null;
  },
  onFinal: async () => NOTHING,
  onLost: async () => NOTHING,
};
