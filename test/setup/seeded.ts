// What a world begins with: contracts on its chains, and people with money. It is made once, then copied.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { inject } from 'vitest';
import { solverAddress } from '../../local/bridge/evmPlace.ts';
import { startAnvil } from '../../local/chains/anvil.ts';
import { deployLocalChain } from '../../local/chains/deploy/chain.ts';
import type { EmbeddedChain } from '../../local/chains/embeddedChains.ts';
import { createDatabase } from '../../local/postgres/postgres.ts';
import { localKey } from '../../local/stack/people.ts';
import { ROLES } from '../../local/stack/roles.ts';
import { seed, seedChain } from '../../local/stack/seed.ts';
import { CHAINS, type ChainName } from '../../src/domain/chains.ts';
import type { HostedAnvil } from './host.ts';
import { type HostedChain, hostedAnvil } from './hosted.ts';

const NATIVE_USD = 3_000;

/** A chain with the contracts and what the seed does there, and the file that has its state. */
export type SeededChain = { chain: EmbeddedChain; stateFile: string };
/** The template: a database with the seeded people, and the chain that most worlds have. */
export type SeededWorld = { database: string; base: SeededChain };

/** Deploys what a chain of a test needs. A chain that has it already is read only. */
export async function setUpChain(name: ChainName, rpcUrl: string): Promise<EmbeddedChain> {
  const facts = CHAINS[name];
  const deployed = await deployLocalChain({
    rpcUrl,
    chainId: facts.chainId,
    usdc: { name: facts.usdcDomain?.name ?? 'USD Coin', version: '2', decimals: facts.usdcDecimals },
    roles: ROLES,
    nativeUsdPrice: NATIVE_USD,
  });
  const config = {
    rpcUrls: [rpcUrl],
    usdc: deployed.usdc,
    wrappedNative: deployed.wrappedNative,
    routers: deployed.routers,
    across: deployed.across,
    relay: [solverAddress()],
    priceFeeds: [...deployed.priceFeeds.native],
    confirmations: 3,
    pollMs: 50,
    local: true,
  };
  const solFeeds = [...deployed.priceFeeds.sol];
  return { name, config, permit2: deployed.permit2, nativeUsdPrice: NATIVE_USD, solFeeds };
}

/** What every process of a world is given; the file names the chains. */
export function baseEnv(databaseUrl: string, chainsFile: string): Record<string, string> {
  return {
    AMPERSAT_MODE: 'development',
    DATABASE_URL: databaseUrl,
    CHAINS_FILE: chainsFile,
    EXECUTOR_KEYS: ROLES.executors.map((role) => role.key).join(','),
    LINK_KEY: localKey('link key').key.slice(2),
    WEBHOOK_KEY: localKey('webhook key').key.slice(2),
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    // Nothing listens there: a test that wants bridges starts its own.
    ACROSS_API_ROOT: 'http://127.0.0.1:9/across',
    RELAY_API_ROOT: 'http://127.0.0.1:9/relay',
    LOG_LEVEL: process.env['TEST_LOG'] ?? 'silent',
  };
}

/** @param postgresUrl of the migrated template, which has no connections; @param folder takes the chain's state */
export async function makeSeededWorld(postgresUrl: string, folder: string): Promise<SeededWorld> {
  const database = 'template_world';
  mkdirSync(folder, { recursive: true });
  const databaseUrl = await createDatabase(
    postgresUrl.replace('/template_ampersat', '/postgres'),
    database,
    'template_ampersat',
  );
  const base = await makeSeededChain('base', folder, startAnvil);
  const chainsFile = join(folder, 'chains.json');
  writeFileSync(chainsFile, JSON.stringify({ base: base.chain.config }));
  // The people's rows are the same whatever chains there are.
  await seed(baseEnv(databaseUrl, chainsFile), []);
  return { database, base };
}

const made = new Map<ChainName, Promise<SeededChain>>();

/** The template of a chain: the run's own for Base; each other is made by the first world of this worker that has it. */
export function seededChain(name: ChainName): Promise<SeededChain> {
  if (name === 'base') return Promise.resolve(inject('seededWorld').base);
  const known = made.get(name) ?? makeSeededChain(name, mkdtempSync(join(tmpdir(), 'ampersat-chain-')), hostedAnvil);
  made.set(name, known);
  known.catch(() => made.delete(name));
  return known;
}

async function makeSeededChain(
  name: ChainName,
  folder: string,
  start: (options: HostedAnvil) => Promise<HostedChain>,
): Promise<SeededChain> {
  const anvil = await start({ chainId: CHAINS[name].chainId, blockTimeSeconds: 0, mixedMining: true });
  try {
    const chain = await setUpChain(name, anvil.rpcUrl);
    await seedChain(chain);
    const stateFile = join(folder, `${name}.json`);
    writeFileSync(stateFile, await stateOf(anvil.rpcUrl));
    return { chain, stateFile };
  } finally {
    await anvil.stop();
  }
}

/** Nothing mines meanwhile, so the dump is whole. */
async function stateOf(rpcUrl: string): Promise<Buffer> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_dumpState', params: [] }),
  });
  const { result } = (await response.json()) as { result: string };
  return gunzipSync(Buffer.from(result.slice(2), 'hex'));
}
