// The local bridges over the chains of a test.
import type { BridgeChain } from '../../local/bridge/ledger.ts';
import type { SolanaBridgeChain } from '../../local/bridge/solanaPlace.ts';
import { SOL_USD } from '../../local/chains/deploy/priceFeed.ts';
import type { Address, EvmChain } from '../../src/chain/rpc/client.ts';
import type { SolanaWorld } from './solanaWorld.ts';

/** A chain as the bridges use it: past any proxy. */
export function bridgeChain(chain: EvmChain, rpcUrl: string, nativeUsdPrice = 3_000): BridgeChain {
  const { name, usdc, across, facts } = chain;
  if (!across) throw new Error(`${name} has no Across`);
  return { name, chainId: facts.chainId, rpcUrl, usdc: usdc as Address, across, nativeUsdPrice };
}

/** The same of Solana, whose price is that of its feeds. */
export function solanaBridgeChain({ ledger, usdc, issuer }: SolanaWorld): SolanaBridgeChain {
  return { ledger, usdc, issuer, solUsdPrice: SOL_USD };
}
