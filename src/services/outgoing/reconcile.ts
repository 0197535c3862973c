// Brings the ledger of nonces and the chain together: what the chain lost goes out again, and a key that something else uses stops.
import type { Chain } from '../../chain/chain.ts';
import { strangerTo } from '../../chain/routers/bot.ts';
import type { Address, EvmChain } from '../../chain/rpc/client.ts';
import { agreedNonce } from '../../chain/rpc/outcomes.ts';
import { nativeBalance } from '../../chain/senders.ts';
import { isSolanaExecutor } from '../../chain/solana/verify.ts';
import type { Ctx } from '../../context.ts';
import { transitionOne } from '../transitions.ts';
import { NOT_MINED } from './follow.ts';
import { executorsOf, OUT_OF_GAS, openKeys, pauseKey, resumeKey } from './keys.ts';
import { laneOf } from './lanes.ts';

/**
 * Brings ledger and chain together at start. A chain whose count is below the ledger lost blocks (or never got our bytes): what is stored
 * goes out again, even what was final. A count above it means that another program uses the key: that key stops.
 */
export async function reconcileChain(ctx: Ctx, chain: Chain): Promise<void> {
  if (chain.family === 'evm') return reconcileNonces(ctx, chain);
  const now = BigInt(Math.floor(ctx.clock.now() / 1_000));
  for (const address of executorsOf(ctx, chain)) {
    const key = await ctx.db.executorKey.upsert({
      where: { chain_address: { chain: chain.name, address } },
      create: { chain: chain.name, address, nextNonce: 0 },
      update: {},
    });
    await noteRole(ctx, chain, address, key.pausedReason, await isSolanaExecutor(chain, address, now));
    // One that cannot pay sends what no block ever has: nothing says so but its balance.
    if ((await nativeBalance(chain, address)) < LEAST_LAMPORTS) await pauseKey(ctx, chain, address, OUT_OF_GAS);
    else await resumeKey(ctx, chain, address);
  }
}

/** Enough for a batch with the most new token accounts, and its fee. */
const LEAST_LAMPORTS = 20_000_000n;

async function reconcileNonces(ctx: Ctx, chain: EvmChain): Promise<void> {
  await openKeys(ctx, chain);
  for (const { address } of ctx.executors) {
    const key = await ctx.db.executorKey.findUniqueOrThrow({
      where: { chain_address: { chain: chain.name, address } },
    });
    await followRole(ctx, chain, address, key.pausedReason);
    const mined = await agreedNonce(chain, address);
    if (mined > key.nextNonce) {
      const reason = `the chain counts ${mined} transactions, the ledger ${key.nextNonce}: the key is used elsewhere`;
      // What was signed since the ledger was read counts: it may be in a block by now.
      const behind = { chain: chain.name, address, nextNonce: { lt: mined } };
      await ctx.db.executorKey.updateMany({ where: behind, data: { pausedReason: reason } });
    }
    // No row has the nonce that the ledger gives out next.
    if (mined >= key.nextNonce) continue;
    const lost = await ctx.db.outgoingTx.findMany({
      where: { chain: chain.name, executor: address, nonce: { gte: mined }, status: 'final' },
      orderBy: { nonce: 'asc' },
    });
    for (const row of lost) {
      ctx.log.warn(
        { chain: chain.name, tx: row.id, nonce: row.nonce },
        'the chain lost a final transaction; the same bytes go out again',
      );
      await ctx.db.$transaction((tx) => transitionOne(ctx, tx, 'outgoing_tx', row.id, 'reopen', NOT_MINED));
      await laneOf(chain).broadcastOpen(ctx, chain, row.id);
    }
  }
}

const NO_ROLE = 'the router does not know it as an executor';

/** A key without the executor's role sends nothing; it may when it has the role. */
async function followRole(ctx: Ctx, chain: EvmChain, address: Address, pausedReason: string | null): Promise<void> {
  await noteRole(ctx, chain, address, pausedReason, (await strangerTo(chain, address)) === null);
}

async function noteRole(
  ctx: Ctx,
  chain: Chain,
  address: string,
  pausedReason: string | null,
  hasRole: boolean,
): Promise<void> {
  if (!hasRole) return pauseKey(ctx, chain, address, NO_ROLE);
  if (pausedReason !== NO_ROLE) return;
  await ctx.db.executorKey.updateMany({
    where: { chain: chain.name, address, pausedReason: NO_ROLE },
    data: { pausedReason: null },
  });
}
