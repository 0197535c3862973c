// A Solana chain in a world: its services see it beside the others, and its steps are made by hand.
import { depositoryAddress } from '../../local/bridge/solanaPlace.ts';
import type { SolanaOptions } from '../../local/solana/server.ts';
import { createSolanaChain, type SolanaChain, solanaKeyOf } from '../../src/chain/solana/client.ts';
import type { Ctx } from '../../src/context.ts';
import type { SolanaConfig } from '../../src/env.ts';
import { followOutgoing } from '../../src/services/outgoing/follow.ts';
import { reconcileChain } from '../../src/services/outgoing/reconcile.ts';
import { sendQueued } from '../../src/services/outgoing/send.ts';
import { queuePauses } from '../../src/services/spending/pauses.ts';
import { KINDS } from '../../workers/kinds.ts';
import { startSolanaWorld } from './solanaWorld.ts';
import type { World } from './world.ts';

/** A transaction is confirmed after three slots, and final after these. */
export const FINALIZED_AFTER = 6;

export type SolanaInWorld = Awaited<ReturnType<typeof joinSolana>>;
export type JoinOptions = SolanaOptions & {
  /** Puts something between us and the node: `direct` is its address. */
  through?: (direct: string) => Promise<string>;
  /** Further endpoints, such as one that lags. */
  more?: string[];
  /** Where the price of SOL is read, as CHAINS_FILE has it. */
  priceFeeds?: SolanaConfig['priceFeeds'];
};

/** A cluster of its own beside the chains of a context, with the executors' keys. */
export async function joinSolana(ctx: Ctx, { through, more = [], priceFeeds, ...options }: JoinOptions = {}) {
  const finalizedAfter = options.finalizedAfter ?? FINALIZED_AFTER;
  const solana = await startSolanaWorld({ slotMs: 0, ...options, finalizedAfter });
  const direct = solana.node.url;
  /** As CHAINS_FILE has it. */
  const config = {
    rpcUrls: [through ? await through(direct) : direct, ...more],
    program: solana.program,
    usdc: solana.usdc,
    pollMs: 50,
    ...(priceFeeds && { priceFeeds }),
    relay: [depositoryAddress()],
    local: true,
  };
  const chain: SolanaChain = createSolanaChain('solana', config);
  ctx.chains.solana = chain;
  ctx.env.solana = config;
  ctx.solanaExecutors = solana.roles.executors.map(({ secretBytes }) => solanaKeyOf(secretBytes));
  const follow = () => followOutgoing(ctx, chain, KINDS);
  /** Sends what is queued. */
  const sendNow = async () => {
    await queuePauses(ctx);
    await ctx.db.outgoingTx.updateMany({ where: { status: 'queued' }, data: { retryAt: null } });
    await sendQueued(ctx, chain, KINDS);
  };
  /** Slots enough for what landed to be confirmed. */
  const confirm = async () => {
    solana.step(3);
    await follow();
  };
  /** What landed is final. */
  const settle = async () => {
    await confirm();
    solana.step(finalizedAfter + 2);
    await follow();
  };
  return {
    ...solana,
    chain,
    config,
    follow,
    sendNow,
    confirmSent: confirm,
    settleSent: settle,
    /** Sends what is queued, and follows it to its final slot. */
    async run() {
      // What is fresh is confirmed before anyone reads it.
      solana.step(3);
      await sendNow();
      await settle();
    },
  };
}

/** The same in a world whose workers do not run: the keys are known to our rows. */
export async function addSolana({ ctx }: World): Promise<SolanaInWorld> {
  const joined = await joinSolana(ctx);
  await reconcileChain(ctx, joined.chain);
  return joined;
}
