// The executors' keys on each chain: which may sign, which are out of use and why, and how an operator puts one back.

import type { Chain } from '../../chain/chain.ts';
import { executorState } from '../../chain/executors.ts';
import type { Address, EvmChain } from '../../chain/rpc/client.ts';
import { agreedNonce } from '../../chain/rpc/outcomes.ts';
import { type Ctx, chainOf } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { familyOf } from '../../domain/walletFamily.ts';

export const OUT_OF_GAS = 'insufficient funds for gas';
/** Nonces of one key that may be open at a time: what nodes keep of one account without argument. */
export const OPEN_SLOTS_PER_KEY = 16;

type KeyOf<C extends Chain> = C extends EvmChain ? Address : string;

/** The addresses of our keys on a chain. */
export function executorsOf<C extends Chain>(ctx: Pick<Ctx, 'executors' | 'solanaExecutors'>, chain: C): KeyOf<C>[] {
  const keys = chain.family === 'evm' ? ctx.executors : ctx.solanaExecutors;
  return keys.map(({ address }) => address as KeyOf<C>);
}

/** A key that may send on this chain: proofs are made in its name. @throws AppError `provider_unavailable` */
export async function workingExecutor<C extends Chain>(ctx: Ctx, chain: C): Promise<KeyOf<C>> {
  const ours = executorsOf(ctx, chain);
  const paused = await ctx.db.executorKey.findMany({
    where: { chain: chain.name, address: { in: ours }, pausedReason: { not: null } },
  });
  const working = ours.find((address) => !paused.some((key) => key.address === address));
  if (!working) throw new AppError('provider_unavailable', `no executor key works on ${chain.facts.label}`);
  return working;
}

export type PutBack = {
  chain: string;
  address: string;
  /** Puts it back although the chain counts more transactions than we know: the ledger follows the chain. */
  force: boolean;
  /** Who asked, for the record. */
  by: string;
};

/**
 * Lets a key sign again. It is refused while the chain still has a reason against it: its contracts do not know the key, or another program sent
 * transactions with it. The latter can be forced, once that program is known and stopped.
 * @throws AppError `resource_missing`, `state_conflict` with what stands against it, `provider_unavailable`
 */
export async function putBackKey(ctx: Ctx, { chain: name, address, force, by }: PutBack): Promise<void> {
  const key = await ctx.db.executorKey.findFirst({
    where: { chain: name, address: familyOf(address) === 'evm' ? { equals: address, mode: 'insensitive' } : address },
  });
  if (!key) throw new AppError('resource_missing', 'No such key on this network.');
  if (key.pausedReason === null) throw new AppError('state_conflict', 'This key is already in use.');
  const { mined: counted, problem } = await executorState(chainOf(ctx, name), key.address, ctx.clock.now());
  if (problem) throw new AppError('state_conflict', problem);
  // Where keys have no nonces, nothing can be ahead.
  const mined = counted ?? key.nextNonce;
  const ahead = mined > key.nextNonce;
  if (ahead && !force) {
    throw new AppError(
      'state_conflict',
      `The chain counts ${mined} transactions of this key, the ledger ${key.nextNonce}: another process uses it. Stop that process first, then use --force.`,
    );
  }
  await ctx.db.$transaction(async (tx) => {
    await tx.$queryRaw`select 1 from executor_key where chain = ${name} and address = ${key.address} for update`;
    const { count } = await tx.executorKey.updateMany({
      where: { chain: name, address: key.address, pausedReason: key.pausedReason, nextNonce: key.nextNonce },
      data: { pausedReason: null, nextNonce: Math.max(mined, key.nextNonce) },
    });
    if (count === 0) throw new AppError('state_conflict', 'This key has changed. Refresh and try again.');
    const detail = { reason: key.pausedReason, force, by, ledger: key.nextNonce, chain: mined };
    const at = new Date(ctx.clock.now());
    const what = { resource: 'executor_key', resourceId: `${name}:${key.address}`, action: 'put_back' };
    await tx.transition.create({ data: { ...what, fromStatus: 'paused', toStatus: 'in_use', at, detail } });
  });
  ctx.log.warn({ chain: name, executor: key.address, force, by }, 'an operator put an executor key back into use');
}

/** Opens the ledger of every key on a chain that it has not used yet, from the chain's own count. */
export async function openKeys(ctx: Ctx, chain: EvmChain): Promise<void> {
  const ours = ctx.executors.map((account) => account.address);
  const rows = await ctx.db.executorKey.findMany({
    where: { chain: chain.name, address: { in: ours } },
    select: { address: true },
  });
  const known = new Set(rows.map((row) => row.address));
  for (const address of ours) {
    if (known.has(address)) continue;
    const nextNonce = await agreedNonce(chain, address);
    await ctx.db.executorKey.createMany({ data: [{ chain: chain.name, address, nextNonce }], skipDuplicates: true });
  }
}

/** Whether a key of ours is in use on a chain, by the rows. */
export async function isKeyInUse(ctx: Ctx, chain: Chain, address: string): Promise<boolean> {
  return (await ctx.db.executorKey.count({ where: { chain: chain.name, address, pausedReason: null } })) > 0;
}

/** Whether any key could send on this chain now, by the rows; before the first one was opened this is unknown. */
export async function hasFreeKey(ctx: Ctx, chain: Chain): Promise<boolean> {
  const keys = await ctx.db.$queryRaw<{ free: boolean }[]>`
    select k.paused_reason is null and (
      select count(*) from outgoing_tx o where o.chain = k.chain and o.executor = k.address and o.status in ('signed', 'sent')
    ) < ${OPEN_SLOTS_PER_KEY} as free
    from executor_key k where k.chain = ${chain.name}`;
  return keys.length === 0 || keys.some((key) => key.free);
}

/**
 * Takes a key out of use until it works again: its slot is kept, because later nonces would leave a gap. The first reason stands, so that a
 * key that another program used does not come back with its gas or its role; only a lack of gas gives way to a graver reason.
 */
export async function pauseKey(ctx: Ctx, chain: Chain, address: string, reason: string): Promise<void> {
  const replaceable =
    reason === OUT_OF_GAS ? [{ pausedReason: null }] : [{ pausedReason: null }, { pausedReason: OUT_OF_GAS }];
  const { count } = await ctx.db.executorKey.updateMany({
    where: { chain: chain.name, address, OR: replaceable },
    data: { pausedReason: reason },
  });
  if (count === 0) return;
  ctx.log.error(
    { chain: chain.name, executor: address, reason },
    'an executor key is out of use; its open transactions are kept and retried',
  );
}

/** A key that only lacked gas works again as soon as one of its transactions is mined. */
export async function resumeKey(ctx: Ctx, chain: Chain, address: string): Promise<void> {
  await ctx.db.executorKey.updateMany({
    where: { chain: chain.name, address, pausedReason: OUT_OF_GAS },
    data: { pausedReason: null },
  });
}
