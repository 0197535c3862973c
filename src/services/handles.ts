// Handles and the platform accounts behind them: created here, never freed, reissued or moved.
import { type Ctx, newId } from '../context.ts';
import { AppError } from '../domain/errors.ts';
import { handleProblem, handleSkeleton } from '../domain/handles.ts';
import { DEFAULT_COMMAND_CAP, DEFAULT_DAY_CAP } from '../domain/limits.ts';
import { noteSeen } from './connections.ts';

export type NewHandle = { slug: string; kind: 'personal' | 'business'; evmAddress: string };

/**
 * Creates a handle with its EVM wallet.
 * @throws AppError `parameter_invalid` for a malformed or reserved name, `state_conflict` when it or a look-alike is taken
 */
export async function createHandle(ctx: Ctx, { slug, kind, evmAddress }: NewHandle): Promise<string> {
  const problem = handleProblem(slug);
  if (problem === 'format')
    throw new AppError('parameter_invalid', 'A handle has 3 to 30 lower-case letters, digits and underscores.');
  if (problem === 'reserved') throw new AppError('parameter_invalid', `@${slug} is reserved. Choose another handle.`);
  const skeleton = handleSkeleton(slug);
  const createdAt = new Date(ctx.clock.now());
  const id = newId(ctx, 'hdl');
  return ctx.db.$transaction(async (tx) => {
    const { count } = await tx.handle.createMany({
      data: [
        { id, slug, skeleton, kind, createdAt, commandCapMicros: DEFAULT_COMMAND_CAP, dayCapMicros: DEFAULT_DAY_CAP },
      ],
      skipDuplicates: true,
    });
    if (count === 0) throw new AppError('state_conflict', `@${slug}, or a handle that looks like it, is taken.`);
    await tx.wallet.create({ data: { handleId: id, family: 'evm', address: evmAddress, createdAt } });
    return id;
  });
}

export type NewConnection = {
  platform: string;
  platformUserId: string;
  username: string | null;
  handleId: string;
  canSpend: boolean;
};

/** Links a platform account to a handle; whoever links was seen with that username. @throws AppError `state_conflict` when that account is linked already */
export async function createConnection(ctx: Ctx, connection: NewConnection): Promise<void> {
  const { platform, platformUserId, username } = connection;
  const data = { id: newId(ctx, 'con'), ...connection, createdAt: new Date(ctx.clock.now()) };
  await ctx.db.$transaction(async (tx) => {
    const { count } = await tx.connection.createMany({ data: [data], skipDuplicates: true });
    if (count === 0)
      throw new AppError('state_conflict', 'This platform account is linked already. Disconnect it first.');
    await noteSeen(tx, platform, [{ id: platformUserId, username, isBot: false }], ctx.clock.now());
  });
}
