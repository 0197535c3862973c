// The local bridges over the chains of a test.
import type { BridgeChain } from '../../local/bridge/ledger.ts';
import type { Address, EvmChain } from '../../src/chain/rpc/client.ts';

/** A chain as the bridges use it: past any proxy. */
export function bridgeChain(chain: EvmChain, rpcUrl: string, nativeUsdPrice = 3_000): BridgeChain {
  const { name, usdc, across, facts } = chain;
  if (!across) throw new Error(`${name} has no Across`);
  return { name, chainId: facts.chainId, rpcUrl, usdc: usdc as Address, across, nativeUsdPrice };
}
