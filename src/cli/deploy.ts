// `ampersat deploy`: the routers on a network, planned first and sent only with --send.
import { CHAIN_NAMES, CHAINS, type ChainName } from '../domain/chains.ts';
import { StartError } from '../domain/errors.ts';
import { readDeployEnv, rpcVariable } from '../env.ts';
import {
  addressNamed,
  crossableFrom,
  type DeploymentOrder,
  planRouters,
  sendRouters,
} from '../services/operations/deployment.ts';

type Write = (line: string) => void;

export type DeployOptions = {
  chain: string;
  owner: string;
  guardian: string;
  treasury: string;
  authority: string;
  executors: string;
  deployer?: string;
  rpcUrl?: string;
  usdc?: string;
  wrappedNative?: string;
  acrossPool?: string;
  acrossTo?: string;
  out: string;
  send?: boolean;
};

/** The environment of a test, or this process's own. */
type Source = Parameters<typeof readDeployEnv>[0];

/** @returns the exit code; a failure is one line that says what to do */
export async function runDeploy(write: Write, options: DeployOptions, env?: Source): Promise<number> {
  try {
    for (const order of ordersOf(options, env)) {
      if (!options.send) await planRouters(order, write);
      else if ('key' in order.deployer) await sendRouters({ ...order, deployer: order.deployer }, write);
      else throw new StartError('--send needs the key of the deployer in DEPLOYER_KEY.');
    }
    return 0;
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    write(error.message);
    return 1;
  }
}

function ordersOf(options: DeployOptions, env: Source): DeploymentOrder[] {
  const { deployerKey, rpcUrlOf } = readDeployEnv(env);
  const chains = options.chain.split(',').map((name) => chainNamed(name.trim()));
  if (chains.length > 1 && options.rpcUrl !== undefined)
    throw new StartError(`--rpc-url works with one network. Set ${chains.map(rpcVariable).join(', ')} instead.`);
  if (!deployerKey && !options.deployer)
    throw new StartError('No deployer. Set DEPLOYER_KEY, or pass its address with --deployer for a plan.');
  const roles = {
    owner: addressNamed('--owner', options.owner),
    guardian: addressNamed('--guardian', options.guardian),
    treasury: addressNamed('--treasury', options.treasury),
    authority: addressNamed('--authority', options.authority),
    executors: options.executors.split(',').map((one) => addressNamed('--executors', one.trim())),
  };
  return chains.map((chain) => {
    const rpcUrl = options.rpcUrl ?? rpcUrlOf(chain);
    if (!rpcUrl) throw new StartError(`No RPC endpoint for ${chain}. Set ${rpcVariable(chain)}, or pass --rpc-url.`);
    return {
      chain,
      rpcUrl,
      deployer: deployerKey
        ? { key: deployerKey as `0x${string}` }
        : { address: addressNamed('--deployer', options.deployer ?? '') },
      roles,
      tokens: {
        usdc: options.usdc === undefined ? undefined : addressNamed('--usdc', options.usdc),
        wrappedNative:
          options.wrappedNative === undefined ? undefined : addressNamed('--wrapped-native', options.wrappedNative),
      },
      across:
        options.acrossPool === undefined
          ? undefined
          : { pool: addressNamed('--across-pool', options.acrossPool), to: crossesTo(chain, options.acrossTo) },
      out: options.out,
    };
  });
}

/** Undefined for all. */
function crossesTo(from: ChainName, names: string | undefined): ChainName[] | undefined {
  const chains = names?.split(',').map((name) => chainNamed(name.trim()));
  const wrong = chains?.find((name) => !crossableFrom(from).includes(name));
  if (wrong) throw new StartError(`Tips cannot go from ${from} to ${wrong}. Leave it out of --across-to.`);
  return chains;
}

function chainNamed(name: string): ChainName {
  const found = CHAIN_NAMES.find((one) => one === name && CHAINS[one].family === 'evm');
  if (found) return found;
  const known = CHAIN_NAMES.filter((one) => CHAINS[one].family === 'evm').join(', ');
  throw new StartError(`Unknown network ${name || '(empty)'}. Networks: ${known}.`);
}
