// A workspace as its dashboard shows it: what kind it is, where its payments go, which chains there are, whom else it may pay by API.
import { type Ctx, evmChains } from '../../context.ts';
import { isLive } from '../chains.ts';
import { type PayoutView, workspaceView } from './payoutWallets.ts';
import { listRecipients, type RecipientView } from './recipientAllowances.ts';

/** Whose objects are read: an API key reads those of its mode, the dashboard those of both. */
export type WorkspaceReader = { workspaceId: string; livemode?: boolean | undefined };

export type WorkspacePage = PayoutView & {
  /** The wallet that signs for it. */
  wallet: string | null;
  modes: ('test' | 'live')[];
  chains: { chain: string; label: string; livemode: boolean; currencies: string[] }[];
  /** Handles beside its own that its keys may name as recipients. */
  recipients: RecipientView[];
};

/** @throws AppError `handle_not_found` */
export async function readWorkspace(ctx: Ctx, handleId: string): Promise<WorkspacePage> {
  const [view, recipients, wallet] = await Promise.all([
    workspaceView(ctx, handleId),
    listRecipients(ctx, handleId),
    ctx.db.wallet.findUnique({ where: { handleId_family: { handleId, family: 'evm' } } }),
  ]);
  const chains = Object.values(evmChains(ctx))
    .filter(({ facts }) => facts.family === 'evm')
    .map((chain) => ({
      chain: chain.name,
      label: chain.facts.label,
      livemode: isLive(chain),
      currencies: ['USDC', chain.facts.native],
    }));
  return {
    ...view,
    wallet: wallet?.address ?? null,
    modes: (['test', 'live'] as const).filter((mode) => chains.some(({ livemode }) => livemode === (mode === 'live'))),
    chains,
    recipients,
  };
}
