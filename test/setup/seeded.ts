// What a world begins with: contracts on its chains, and people with money. Made once for a whole run where a world wants nothing of its own, then copied.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { startAnvil } from '../../local/chains/anvil.ts';
import { deployLocalChain } from '../../local/chains/deploy/chain.ts';
import type { EmbeddedChain } from '../../local/chains/embeddedChains.ts';
import { createDatabase } from '../../local/postgres/postgres.ts';
import { localKey } from '../../local/stack/people.ts';
import { ROLES } from '../../local/stack/roles.ts';
import { seed } from '../../local/stack/seed.ts';
import { CHAINS, type ChainName } from '../../src/domain/chains.ts';

const NATIVE_USD = 3_000;

/** The template: a seeded database on the run's server, and the chain that belongs to it. */
export type SeededWorld = { database: string; chain: EmbeddedChain; stateFile: string };

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
    priceFeeds: [...deployed.priceFeeds.native],
    confirmations: 3,
    pollMs: 50,
    local: true,
  };
  return { name, config, permit2: deployed.permit2, nativeUsdPrice: NATIVE_USD };
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
    LOG_LEVEL: process.env['TEST_LOG'] ?? 'silent',
  };
}

/** @param postgresUrl of the migrated template, to which nobody is connected; @param folder takes the chain's state */
export async function makeSeededWorld(postgresUrl: string, folder: string): Promise<SeededWorld> {
  const name: ChainName = 'base';
  const database = 'template_world';
  mkdirSync(folder, { recursive: true });
  const databaseUrl = await createDatabase(
    postgresUrl.replace('/template_ampersat', '/postgres'),
    database,
    'template_ampersat',
  );
  const anvil = await startAnvil({ chainId: CHAINS[name].chainId, blockTimeSeconds: 0, mixedMining: true });
  try {
    const chain = await setUpChain(name, anvil.rpcUrl);
    const chainsFile = join(folder, 'chains.json');
    writeFileSync(chainsFile, JSON.stringify({ [name]: chain.config }));
    await seed(baseEnv(databaseUrl, chainsFile), [chain]);
    const stateFile = join(folder, 'base.json');
    writeFileSync(stateFile, await stateOf(anvil.rpcUrl));
    return { database, chain, stateFile };
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
