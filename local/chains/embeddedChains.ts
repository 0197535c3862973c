// The EVM chains of the local stack: an anvil each (or the RPC that the environment names), with everything deployed on it.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DeployError } from '../../src/chain/routers/deploy.ts';
import { CHAINS, type ChainName } from '../../src/domain/chains.ts';
import { StartError } from '../../src/domain/errors.ts';
import type { ChainConfig } from '../../src/env.ts';
import { solverAddress } from '../bridge/evmPlace.ts';
import type { EvmName } from '../stack/localFile.ts';
import { recordProcess } from '../stack/processes.ts';
import { ROLES } from '../stack/roles.ts';
import { startAnvil } from './anvil.ts';
import { deployLocalChain, refreshFeeds } from './deploy/chain.ts';

export type EmbeddedChain = {
  name: ChainName;
  config: ChainConfig;
  permit2: string;
  nativeUsdPrice: number;
  /** Feeds of the price of SOL. */
  solFeeds: string[];
};

/** Play prices of the native assets, in whole US dollars. */
const PRICES: Record<string, number> = { ETH: 3_000, BNB: 600, CELO: 0.5 };
const REFRESH_PRICES_EVERY_MS = 10 * 60_000;
const CONFIRMATIONS = 3;
const POLL_MS = 100;

export type ChainsOptions = {
  dataDir: string;
  names: EvmName[];
  env: Record<string, string | undefined>;
  closers: (() => Promise<unknown> | unknown)[];
  log: (line: string) => void;
};

export const isEvm = (name: ChainName): name is EvmName => CHAINS[name].family === 'evm';

/** The EVM chains of those that were named: one at least. @throws StartError */
export function evmChainsOf(names: ChainName[]): EvmName[] {
  const found = names.filter(isEvm);
  if (found.length === 0)
    throw new StartError('The local stack needs an EVM chain. Add one to --chains, such as base.');
  return found;
}

export async function startChains({ dataDir, names, env, closers, log }: ChainsOptions): Promise<EmbeddedChain[]> {
  mkdirSync(join(dataDir, 'chains'), { recursive: true });
  return Promise.all(
    names.map(async (name) => {
      const facts = CHAINS[name];
      const nativeUsdPrice = PRICES[facts.native] ?? 1;
      const given = env[`RPC_URL_${name.toUpperCase().replaceAll('-', '_')}`]?.split(',')[0];
      const rpcUrl = given ?? (await embeddedAnvil(dataDir, name, closers, log));
      if (given && !/^https?:\/\/(127\.0\.0\.1|localhost|\[::1\])(:|\/|$)/.test(given)) {
        throw new StartError(
          `The RPC of ${name} is not on this machine: the local stack deploys and seeds local chains only.`,
        );
      }
      const deployed = await deployLocalChain({
        rpcUrl,
        chainId: facts.chainId,
        usdc: {
          name: facts.usdcDomain?.name ?? 'USD Coin',
          version: facts.usdcDomain?.version ?? '2',
          decimals: facts.usdcDecimals,
        },
        roles: ROLES,
        nativeUsdPrice: nativeUsdPrice,
      }).catch((cause: unknown) => {
        if (!(cause instanceof DeployError)) throw cause;
        throw new StartError(
          `The chain ${name} in the data directory has other contracts than this checkout. Start over: npm start -- --fresh`,
          { cause },
        );
      });
      const refresh = () => refreshFeeds({ rpcUrl, ...deployed.priceFeeds, nativeUsdPrice, owner: ROLES.deployer.key });
      await refresh();
      const timer = setInterval(
        () => void refresh().catch(() => log(`the price feed of ${name} could not be refreshed`)),
        REFRESH_PRICES_EVERY_MS,
      );
      closers.push(() => clearInterval(timer));
      const config: ChainConfig = {
        rpcUrls: [rpcUrl],
        usdc: deployed.usdc,
        wrappedNative: deployed.wrappedNative,
        permit2: deployed.permit2,
        routers: deployed.routers,
        across: deployed.across,
        relay: [solverAddress()],
        priceFeeds: [...deployed.priceFeeds.native],
        confirmations: CONFIRMATIONS,
        pollMs: POLL_MS,
        local: true,
      };
      const solFeeds = [...deployed.priceFeeds.sol];
      return { name, config, permit2: deployed.permit2, nativeUsdPrice, solFeeds };
    }),
  );
}

async function embeddedAnvil(
  dataDir: string,
  name: EvmName,
  closers: ChainsOptions['closers'],
  log: (line: string) => void,
): Promise<string> {
  const chain = await startAnvil({
    chainId: CHAINS[name].chainId,
    stateFile: join(dataDir, 'chains', `${name}.json`),
    onSpawn: (pid) => recordProcess(dataDir, { name: `chain ${name}`, pid }),
    log,
  });
  closers.push(() => chain.stop());
  return chain.rpcUrl;
}
