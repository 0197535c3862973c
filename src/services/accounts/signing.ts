// What a handle's wallet signs: with which address, on which chain, and until when.
import type { Address } from '../../chain/rpc/client.ts';
import { type Ctx, evmChains } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { FAMILY_LABELS, type WalletFamily } from '../../domain/walletFamily.ts';
import type { SessionHandle } from './sessions.ts';

/** The address that spends on EVM chains and whose signature counts there. @throws AppError `state_conflict` */
export function walletOf(handle: Pick<SessionHandle, 'wallet'>): Address {
  if (!handle.wallet) throw noWallet('evm');
  return handle.wallet.address as Address;
}

/** The handle's wallet of a family. @throws AppError `state_conflict` */
export async function walletOnFamily(tx: Tx, handleId: string, family: WalletFamily): Promise<Row<'Wallet'>> {
  const wallet = await tx.wallet.findUnique({ where: { handleId_family: { handleId, family } } });
  if (!wallet) throw noWallet(family);
  return wallet;
}

function noWallet(family: WalletFamily): AppError {
  const words = `This handle has no ${FAMILY_LABELS[family]} wallet yet. Add one in the settings.`;
  return new AppError('state_conflict', words);
}

/** A contract wallet signs on a chain where it has proven itself; a key is the same on every chain, so it signs on the preferred one. */
export function signingChain(ctx: Ctx, { wallet, preferredChain }: SessionHandle): string {
  const wanted = wallet?.kind === 'contract' ? wallet.provenChains : [preferredChain];
  const served = Object.keys(evmChains(ctx));
  return wanted.find((name) => served.includes(name)) ?? served[0] ?? preferredChain;
}

/** Closer to its deadline a signature is not used: its call would fail on-chain. */
export const LEAST_TIME_LEFT_MS = 15_000;

/**
 * @param deadline of a signature, in Unix seconds
 * @param ttlMs how long such a signature is valid
 * @throws AppError `parameter_invalid` for one that is too late, or too far in the future
 */
export function checkDeadline(ctx: Ctx, deadline: number, ttlMs: number): void {
  const left = deadline * 1_000 - ctx.clock.now();
  const words = 'This request is out of date. Please start again.';
  if (left < LEAST_TIME_LEFT_MS || left > ttlMs) throw new AppError('parameter_invalid', words, { param: 'deadline' });
}
