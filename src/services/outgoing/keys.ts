// What an operator does with an executor key that is out of use: looks at why, and puts it back.
import { strangerTo } from '../../chain/routers/bot.ts';
import { type Address, type EvmChain, minedNonce } from '../../chain/rpc/client.ts';
import { type Ctx, chainOf } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';

/** A key that may send on this chain: proofs are made in its name. @throws AppError `provider_unavailable` */
export async function workingExecutor(ctx: Ctx, chain: EvmChain): Promise<Address> {
  const ours = ctx.executors.map((account) => account.address);
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
 * Lets a key sign again. It is refused while the chain still says why it must not: the router does not know the key, or somebody else sent
 * transactions with it. The latter can be forced, once that somebody is known and stopped.
 * @throws AppError `resource_missing`, `state_conflict` with what stands against it, `provider_unavailable`
 */
export async function putBackKey(ctx: Ctx, { chain: name, address, force, by }: PutBack): Promise<void> {
  const key = await ctx.db.executorKey.findFirst({
    where: { chain: name, address: { equals: address, mode: 'insensitive' } },
  });
  if (!key) throw new AppError('resource_missing', 'No such key on this network.');
  if (key.pausedReason === null) throw new AppError('state_conflict', 'This key is already in use.');
  const chain = chainOf(ctx, name);
  const { mined, problem } = await askChain(chain, key.address as Address);
  if (problem) throw new AppError('state_conflict', problem);
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

async function askChain(chain: EvmChain, address: Address): Promise<{ mined: number; problem: string | null }> {
  const [stranger, mined] = await Promise.all([strangerTo(chain, address), minedNonce(chain, address)]);
  return {
    mined,
    problem: stranger && `The ${stranger} router does not know this key as an executor. Let its owner add it first.`,
  };
}
