// The payout wallet of a handle: which one it is, and how it is changed.
import type { Ctx } from '../context.ts';
import type { WalletKind } from './sessions.ts';

export type WalletView = {
  address: string;
  kind: WalletKind;
  /** For a contract wallet: the only chains on which it is paid. */
  proven_chains: string[];
  change: { id: string; new_address: string; requested_at: string; effective_at: string } | null;
};

export async function walletView(ctx: Ctx, handleId: string): Promise<WalletView> {
  const [wallet, change] = await Promise.all([
    ctx.db.wallet.findUniqueOrThrow({ where: { handleId_family: { handleId, family: 'evm' } } }),
    ctx.db.walletChange.findFirst({ where: { handleId, status: 'pending' } }),
  ]);
  return {
    address: wallet.address,
    kind: wallet.kind as WalletKind,
    proven_chains: wallet.provenChains,
    change: change && {
      id: change.id,
      new_address: change.newAddress,
      requested_at: change.requestedAt.toISOString(),
      effective_at: change.effectiveAt.toISOString(),
    },
  };
}
