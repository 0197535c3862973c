// A Solana chain in a world: its services see it beside the others, and its steps are made by hand.
import { createSolanaChain, type SolanaChain, solanaKeyOf } from '../../src/chain/solana/client.ts';
import { followOutgoing } from '../../src/services/outgoing/follow.ts';
import { reconcileChain } from '../../src/services/outgoing/reconcile.ts';
import { sendQueued } from '../../src/services/outgoing/send.ts';
import { queuePauses } from '../../src/services/spending/pauses.ts';
import { KINDS } from '../../workers/kinds.ts';
import { type SolanaWorld, startSolanaWorld } from './solanaWorld.ts';
import type { World } from './world.ts';

/** A transaction is confirmed after three slots, and final after these. */
export const FINALIZED_AFTER = 6;

export type SolanaInWorld = SolanaWorld & {
  chain: SolanaChain;
  /** Sends what is queued. */
  sendNow(): Promise<void>;
  follow(): Promise<number>;
  /** Sends what is queued, and follows it to its final slot. */
  run(): Promise<void>;
};

export async function addSolana({ ctx }: World): Promise<SolanaInWorld> {
  const solana = await startSolanaWorld({ slotMs: 0, finalizedAfter: FINALIZED_AFTER });
  const config = { rpcUrls: [solana.node.url], program: solana.program, usdc: solana.usdc, local: true };
  const chain = createSolanaChain('solana', config);
  ctx.chains.solana = chain;
  ctx.env.solana = config;
  ctx.solanaExecutors = solana.roles.executors.map(({ secretBytes }) => solanaKeyOf(secretBytes));
  await reconcileChain(ctx, chain);
  const self = {
    ...solana,
    chain,
    async sendNow() {
      await queuePauses(ctx);
      await ctx.db.outgoingTx.updateMany({ where: { status: 'queued' }, data: { retryAt: null } });
      await sendQueued(ctx, chain, KINDS);
    },
    follow: () => followOutgoing(ctx, chain, KINDS),
    async run() {
      // What is fresh is confirmed before anyone reads it.
      solana.step(3);
      await self.sendNow();
      solana.step(3);
      await self.follow();
      solana.step(FINALIZED_AFTER + 2);
      await self.follow();
    },
  };
  return self;
}
