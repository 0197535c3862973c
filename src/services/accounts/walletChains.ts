// A chain in the form in which a wallet adds it (EIP-3085). Endpoints of ours may carry keys of ours, so a wallet gets the public one.
import type { Chain } from '../../chain/chain.ts';
import type { Ctx } from '../../context.ts';

export type WalletChain = {
  name: string;
  label: string;
  chain_id: number;
  explorer_url: string;
  /** For `wallet_addEthereumChain`; null where wallets know the chain. */
  add: null | {
    chainId: string;
    chainName: string;
    nativeCurrency: { name: string; symbol: string; decimals: number };
    rpcUrls: string[];
    blockExplorerUrls: string[];
  };
};

export function walletChain(ctx: Ctx, chain: Chain): WalletChain {
  const { chainId, label, native, nativeDecimals, publicRpcUrl } = chain.facts;
  const own = chain.local ? (ctx.env.chains[chain.name]?.rpcUrls ?? []) : [];
  const rpcUrls = chain.local ? own : publicRpcUrl === null ? [] : [publicRpcUrl];
  return {
    name: chain.name,
    label,
    chain_id: chainId,
    explorer_url: chain.explorerUrl,
    add:
      chainId > 0
        ? {
            chainId: `0x${chainId.toString(16)}`,
            chainName: chain.local ? `${label} (local)` : label,
            nativeCurrency: { name: native, symbol: native, decimals: nativeDecimals },
            rpcUrls,
            blockExplorerUrls: [chain.explorerUrl],
          }
        : null,
  };
}
