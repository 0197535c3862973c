// `local.json`: what the local stack tells the people and programs that use it.
import { chmodSync, renameSync, writeFileSync } from 'node:fs';
import type { ChainName } from '../../src/domain/chains.ts';

export type LocalAccount = {
  handle: string | null;
  /** Orders of a business go through the business router. */
  kind: 'personal' | 'business';
  evm_address: string;
  evm_private_key: string;
  solana_address: string;
  /** Base58 of 64 bytes, as wallets import it. */
  solana_private_key: string;
  connected: boolean;
  /** A value for the cookie `service-session`: a browser that is signed in as this person. */
  session: string | null;
  /** A test key of the API with every scope; it stays the same until `--fresh`. */
  api_key: string | null;
  telegram: { id: number; username: string };
  discord: { id: string; username: string };
  x: { id: string; username: string };
};

export type LocalChain = {
  chain_id: number;
  rpc_url: string;
  usdc: string;
  permit2: string;
  wrapped_native: string;
  routers: Record<'payment' | 'business' | 'bot' | 'escrow' | 'subscription', string>;
};

export type EvmName = Exclude<ChainName, 'solana'>;

export type LocalSolanaChain = {
  /** 0, as for all chains outside EIP-155. */
  chain_id: 0;
  rpc_url: string;
  ws_url: string;
  program: string;
  /** The mint of USDC, here a mint of this chain alone; below that of wrapped SOL. */
  usdc: string;
  wrapped_native: string;
  genesis_hash: string;
};

export type LocalFile = {
  base_url: string;
  /** Where people pay in a browser. */
  checkout_base: string;
  /** Opens the operations page. */
  admin_secret: string;
  database_url: string;
  accounts: Record<string, LocalAccount>;
  chains: Partial<Record<EvmName, LocalChain>> & { solana?: LocalSolanaChain };
  platforms: {
    telegram: { url: string; bot_token: string; bot: { id: number; username: string }; group_chat_id: number };
    x: { url: string; bot: { id: string; username: string } };
    discord: {
      url: string;
      gateway_url: string;
      token: string;
      application_id: string;
      guild_id: string;
      channel_id: string;
      bot: { id: string; username: string };
    };
  };
  /** The bridges between the local chains, null for one chain alone: `<url>/_user/faults` makes them fail. */
  bridges_url: string | null;
  /** The logins at Discord, X and Telegram: `<url>/_user/faults` makes their steps fail. */
  oauth_url: string;
  executors: string[];
  /** The handle authority: it attests who a tab is for. */
  authority: string;
  guardian: string;
  treasury: string;
  /** The same roles on the Solana chain; null without one. */
  solana: { executors: string[]; authority: string; guardian: string; treasury: string; owner: string } | null;
  /** Processes by name; the CLI and the tests use them, people need not. */
  processes: Record<string, number>;
};

/** Those of the EVM, which have a chain id and routers. */
export function evmChainsIn({ chains }: Pick<LocalFile, 'chains'>): [name: EvmName, chain: LocalChain][] {
  const { solana: _, ...evm } = chains;
  return Object.entries(evm) as [EvmName, LocalChain][];
}

/** Writes the file for its owner alone, whole or not at all. */
export function writeLocalFile(path: string, content: LocalFile): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, path);
}
