// The Solana chain of the local stack, in the stack's own process, with everything deployed on it.
import { join } from 'node:path';
import { SolanaDeployError } from '../../src/chain/solana/deployPlan.ts';
import { StartError } from '../../src/domain/errors.ts';
import type { SolanaConfig } from '../../src/env.ts';
import { ROOT } from '../../src/root.ts';
import { depositoryAddress } from '../bridge/solanaPlace.ts';
import { readBuild } from '../program/record.ts';
import { deployLocalSolana, type LocalSolana, type SolanaRoles } from '../solana/deployLocal.ts';
import { hashOf, type Ledger, openBlockOf } from '../solana/ledger.ts';
import { type RunningSolana, type SolanaOptions, startSolana } from '../solana/server.ts';
import { SOLANA_ROLES } from '../stack/roles.ts';
import type { EmbeddedChain } from './embeddedChains.ts';

/** What the Solana chain of a stack is: beside {@link EmbeddedChain}, which is of the EVM. */
export type EmbeddedSolana = LocalSolana & {
  rpcUrl: string;
  wsUrl: string;
  genesisHash: string;
  roles: SolanaRoles;
  /** The seed and the local clock write to it directly. */
  ledger: Ledger;
};

export type SolanaStartOptions = {
  dataDir: string;
  /** 0 for any free one. */
  port?: number;
  /** The program; the committed one when it is left out. */
  image?: Uint8Array;
  /** Pages that may call the node. */
  origins: string[];
  clock: () => number;
  closers: (() => Promise<unknown> | unknown)[];
  log: (line: string) => void;
};

/** @throws StartError when the data directory has another program than the checkout, or a state that cannot be read */
export async function startEmbeddedSolana(options: SolanaStartOptions): Promise<EmbeddedSolana> {
  const { dataDir, port = 0, origins, clock, closers, log } = options;
  const stateFile = join(dataDir, 'chains', 'solana.state');
  const node = await started({ stateFile, port, origins, clock, log });
  closers.push(() => node.close());
  const { ledger } = node;
  if (!node.created) goOnFrom(ledger, clock);
  const image = options.image ?? readBuild(join(ROOT, 'contracts/solana')).image;
  const local = await deployLocalSolana(ledger, { image, roles: SOLANA_ROLES }).catch((cause: unknown) => {
    if (!(cause instanceof SolanaDeployError)) throw cause;
    throw new StartError(
      'The chain solana in the data directory has another program than this checkout. Start over: npm start -- --fresh',
      { cause },
    );
  });
  return {
    ...local,
    rpcUrl: node.url,
    wsUrl: node.wsUrl,
    genesisHash: hashOf(ledger, 'genesis'),
    roles: SOLANA_ROLES,
    ledger,
  };
}

/** What it says is for the person who starts the stack. */
async function started(options: SolanaOptions): Promise<RunningSolana> {
  try {
    return await startSolana(options);
  } catch (cause) {
    throw new StartError((cause as Error).message, { cause });
  }
}

/** A chain that was moved just before a kill is ahead of the clock, which was not yet: its slots pass from its own time on. */
function goOnFrom(ledger: Ledger, clock: () => number): void {
  const { timeMs } = openBlockOf(ledger);
  const from = Date.now();
  ledger.clock = () => Math.max(clock(), timeMs + Date.now() - from);
}

/** How often processes poll while something is open. */
const POLL_MS = 200;

/** Its entry in CHAINS_FILE. @param pricedOn the chain that has feeds of the price of SOL */
export function solanaChainConfig({ rpcUrl, program, usdc }: EmbeddedSolana, pricedOn?: EmbeddedChain): SolanaConfig {
  const priceFeeds = pricedOn && { priceFeeds: { chain: pricedOn.name, feeds: pricedOn.solFeeds } };
  const relay = [depositoryAddress()];
  return { rpcUrls: [rpcUrl], program, usdc, pollMs: POLL_MS, ...priceFeeds, relay, local: true };
}

/** The keys that processes get. Empty is what they do not get from the shell either: another chain, or the key that is the signer's alone. */
export function solanaEnvironment(solana: EmbeddedSolana | null): Record<string, string> {
  return {
    SOLANA_EXECUTOR_KEYS: (solana?.roles.executors ?? []).map(({ secret }) => secret).join(','),
    SOLANA_AUTHORITY_KEY: '',
  };
}

/** The signer's key is its own, and it has no other. */
export function solanaSignerEnvironment({ roles }: EmbeddedSolana): Record<string, string> {
  return { SOLANA_AUTHORITY_KEY: roles.authority.secret, SOLANA_EXECUTOR_KEYS: '' };
}

/** The guardian's alone, for the watchdog. */
export function solanaGuardianEnvironment({ roles }: EmbeddedSolana): Record<string, string> {
  return { SOLANA_GUARDIAN_KEY: roles.guardian.secret };
}
