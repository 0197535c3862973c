// A workspace as its dashboard shows it: what kind it is, where its payments go, which chains there are, whom else it may pay by API.
import { hasPlaces, PLACES } from '../../chain/campaigns.ts';
import type { Chain } from '../../chain/chain.ts';
import type { Ctx } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import type { WalletFamily } from '../../domain/walletFamily.ts';
import { isLive } from '../chains.ts';
import { findPayout, type Payout, payeeOn } from './payouts.ts';
import { type PayoutView, workspaceView } from './payoutWallets.ts';
import { listRecipients, type RecipientView } from './recipientAllowances.ts';

/** Whose objects are read: an API key reads those of its mode, the dashboard those of both. */
export type WorkspaceReader = { workspaceId: string; livemode?: boolean | undefined };

export type WorkspacePage = PayoutView & {
  /** The wallet that signs for it. */
  wallet: string | null;
  modes: ('test' | 'live')[];
  chains: WorkspaceChain[];
  /** Handles beside its own that its keys may name as recipients. */
  recipients: RecipientView[];
};

/** `payout` is the address that is paid there; null with the `problem` why nothing can be, in a sentence. */
export type WorkspaceChain = {
  chain: string;
  family: WalletFamily;
  label: string;
  livemode: boolean;
  currencies: string[];
  payout: string | null;
  problem: string | null;
  /** How many grants a campaign has there unless it says otherwise; null where there is no end. */
  grant_places: number | null;
};

/** @throws AppError `handle_not_found` */
export async function readWorkspace(ctx: Ctx, handleId: string): Promise<WorkspacePage> {
  const [view, payout, recipients, wallet] = await Promise.all([
    workspaceView(ctx, handleId),
    findPayout(ctx.db, { id: handleId }),
    listRecipients(ctx, handleId),
    ctx.db.wallet.findUnique({ where: { handleId_family: { handleId, family: 'evm' } } }),
  ]);
  const chains = Object.values(ctx.chains).map((chain) => ({
    chain: chain.name,
    family: chain.facts.family,
    label: chain.facts.label,
    livemode: isLive(chain),
    currencies: ['USDC', chain.facts.native],
    ...payoutOn(payout, chain),
    grant_places: hasPlaces(chain) ? PLACES.usual : null,
  }));
  return {
    ...view,
    wallet: wallet?.address ?? null,
    modes: (['test', 'live'] as const).filter((mode) => chains.some(({ livemode }) => livemode === (mode === 'live'))),
    chains,
    recipients,
  };
}

function payoutOn(payout: Payout, chain: Chain): Pick<WorkspaceChain, 'payout' | 'problem'> {
  try {
    return { payout: payeeOn(payout, chain).payee, problem: null };
  } catch (error) {
    if (error instanceof AppError && error.code === 'state_conflict') return { payout: null, problem: error.message };
    throw error;
  }
}
