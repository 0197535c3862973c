// What the pages know of the deployment.
import type { ChainName } from '../../domain/chains.ts';

export type ConfigView = {
  object: 'config';
  walletconnect_project_id: string | null;
  /** The contracts of each served EVM chain. */
  chains: ContractsView[];
};

export type ContractsView = {
  name: ChainName;
  chain_id: number;
  usdc: string;
  wrapped_native: string;
  routers: Record<'bot' | 'escrow' | 'payment' | 'business' | 'subscription', string>;
};
