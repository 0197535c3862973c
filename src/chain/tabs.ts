// Tabs on a chain of any family.
import type { Hex } from 'viem';
import type { Chain } from './chain.ts';
import { escrowOnChainId } from './routers/escrow.ts';
import type { Address } from './rpc/client.ts';
import { tabIdOf } from './solana/addresses.ts';

/** The id of a tab: of its sender and the sender's number for it, which is the message key where a tip opened it. */
export function tabOnChainId(chain: Chain, sender: string, senderNonce: bigint): Hex {
  return chain.family === 'solana'
    ? tabIdOf(chain.program.id, sender, senderNonce)
    : escrowOnChainId(chain, sender as Address, senderNonce);
}
