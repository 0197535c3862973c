// Signatures of a wallet about its workspace are good once: each carries the workspace's next number, and is checked here.

import type { Hex } from '../../chain/rpc/client.ts';
import { typedDataHash } from '../../chain/signing/signatures.ts';
import type { Ctx } from '../../context.ts';
import type { Tx } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { RIGHT_SIGNATURE_MS } from '../../domain/limits.ts';
import type { TypedData } from '../../domain/typedData.ts';
import type { SessionHandle } from '../accounts/sessions.ts';
import { checkDeadline, walletOf } from '../accounts/signing.ts';
import { walletAgrees } from '../accounts/wallets.ts';
import { lockSender } from '../locks.ts';

/** What a signature uses up: the number, and the Unix second until which it is good. */
export type Use = { nonce: number; deadline: number };

export async function nextUse(ctx: Ctx, handleId: string): Promise<Use> {
  const { workspaceNonce } = await ctx.db.handle.findUniqueOrThrow({ where: { id: handleId } });
  return { nonce: workspaceNonce, deadline: Math.floor((ctx.clock.now() + RIGHT_SIGNATURE_MS) / 1_000) };
}

/** Whether the handle's wallet said this. @throws AppError `signature_invalid`, `parameter_invalid` when it is too late, `state_conflict` */
export async function requireSigned(
  ctx: Ctx,
  handle: SessionHandle,
  typedData: TypedData,
  { deadline }: Use,
  signature: Hex,
): Promise<void> {
  walletOf(handle);
  checkDeadline(ctx, deadline, RIGHT_SIGNATURE_MS);
  const { wallet } = handle;
  if (!wallet || !(await walletAgrees(ctx, wallet, typedDataHash(typedData), signature)))
    throw new AppError('signature_invalid');
}

/** Uses the number up, if the wallet is still the one that signed. What follows in the transaction is what was signed. @throws AppError `state_conflict` */
export async function useUp(ctx: Ctx, tx: Tx, handle: SessionHandle, { nonce }: Use): Promise<void> {
  await lockSender(tx, handle.id);
  const address = walletOf(handle);
  const stillTheirs = await tx.wallet.count({ where: { handleId: handle.id, family: 'evm', address } });
  const { count } = await tx.handle.updateMany({
    where: { id: handle.id, workspaceNonce: nonce },
    data: { workspaceNonce: { increment: 1 } },
  });
  if (count === 1 && stillTheirs === 1) {
    ctx.log.info({ handle: handle.id, nonce }, 'a wallet signed for its workspace');
    return;
  }
  const words = 'This signature was already used, or the settings have changed. Please start again.';
  throw new AppError('state_conflict', words);
}
