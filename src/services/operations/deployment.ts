// Deploys the routers to a network for an operator: a plan with its costs first, then one contract after the other, each written down as soon as it stands.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crossableFrom, usdcRoutes } from '../../chain/routers/adapter.ts';
import { ROUTER_NAMES, type RouterName, type RouterRoles } from '../../chain/routers/code.ts';
import {
  DeployError,
  type Deployed,
  type DeployStep,
  deployRouters,
  openDeployment,
  planDeployment,
  predictAdapter,
  predictFactory,
  priceGas,
  requireDependencies,
} from '../../chain/routers/deploy.ts';
import { type Address, accountsOf, type Hash, type Hex } from '../../chain/rpc/client.ts';
import { usdcProblem } from '../../chain/rpc/usdc.ts';
import { checkedAddress } from '../../chain/signing/signatures.ts';
import { CHAINS, type ChainName, PERMIT2 } from '../../domain/chains.ts';
import { StartError } from '../../domain/errors.ts';
import { formatUnits } from '../../domain/money.ts';

export { crossableFrom };

export type DeploymentOrder = {
  chain: ChainName;
  rpcUrl: string;
  /** The deployer: its key to deploy, its address to plan only. */
  deployer: { key: Hex } | { address: Address };
  roles: RouterRoles;
  /** Other tokens than the registry's, on local chains. */
  tokens?: { usdc?: Address | undefined; wrappedNative?: Address | undefined };
  /** Across's SpokePool, by which tips leave this network, and the networks to which they may go: all of the registry without it. */
  across?: { pool: Address; to?: readonly ChainName[] | undefined } | undefined;
  /** The folder of the files, one a network. */
  out: string;
};

/** `<out>/<chain>.json`. `routers` is what the chain's entry in CHAINS_FILE wants. */
export type DeploymentFile = {
  chain: ChainName;
  chain_id: number;
  deployer: Address;
  factory: Address;
  usdc: Address;
  wrapped_native: Address;
  permit2: Address;
  roles: RouterRoles;
  routers: Record<RouterName, Address>;
  /** The `pool` and `adapter` of the entry’s `across`, and to where tips may go. */
  across?: { pool: Address; adapter: Address; to: ChainName[] };
  /** Of those that were deployed by a run that wrote this file. */
  transactions: Partial<Record<DeployStep['name'], { hash: Hash; block: number }>>;
};

type Write = (line: string) => void;

/** What was typed as an address. @param what names the option @throws StartError */
export function addressNamed(what: string, text: string): Address {
  const address = checkedAddress(text);
  if (address) return address;
  throw new StartError(`${what} has ${text || 'nothing'}, which is no address (or its checksum is wrong).`);
}

/** Says what would be deployed and what that costs; sends nothing. @throws StartError */
export async function planRouters(order: DeploymentOrder, write: Write): Promise<void> {
  await inWords(async () => {
    const { publicClient } = await openDeployment(order.chain, order.rpcUrl);
    const { steps } = await describePlan(order, publicClient, write);
    if (steps.some(({ gas }) => gas !== null)) write('Nothing was sent. Add --send to deploy.');
  });
}

/**
 * Deploys what is missing, compares the code and the wiring of everything with this version, and writes the network's file.
 * A run that was interrupted goes on where it stopped.
 * @throws StartError
 */
export async function sendRouters(order: DeploymentOrder & { deployer: { key: Hex } }, write: Write): Promise<void> {
  await inWords(async () => {
    const { publicClient, walletClient } = await openDeployment(order.chain, order.rpcUrl, order.deployer.key);
    if (!walletClient) throw new DeployError('there is no key to deploy with');
    const { steps, cost, balance, file } = await describePlan(order, publicClient, write);
    if (steps.some(({ gas }) => gas !== null) && balance < cost)
      throw new DeployError(`the deployer ${file.deployer} has too little: fund it, then run this again`);
    const path = join(order.out, `${order.chain}.json`);
    mkdirSync(order.out, { recursive: true });
    file.transactions = transactionsOf(path, file);
    save(path, file);
    const target = { publicClient, walletClient, roles: order.roles, ...wiringOf(file) };
    await deployRouters(target, ({ name, address, hash, block, gasUsed }: Deployed) => {
      file.transactions[name] = { hash, block: Number(block) };
      save(path, file);
      write(`  ${name.padEnd(13)} ${address}  deployed in ${hash}, ${gasUsed.toLocaleString('en-US')} gas`);
    });
    write(`Code and wiring of all routers on ${order.chain} are this version’s. Written to ${path}.`);
  });
}

async function describePlan(
  order: DeploymentOrder,
  publicClient: Awaited<ReturnType<typeof openDeployment>>['publicClient'],
  write: Write,
) {
  const facts = CHAINS[order.chain];
  const [account] = 'key' in order.deployer ? accountsOf([order.deployer.key]) : [];
  const deployer = 'address' in order.deployer ? order.deployer.address : (account?.address as Address);
  const empty = Object.fromEntries(ROUTER_NAMES.map((name) => [name, deployer])) as DeploymentFile['routers'];
  const { pool, to = crossableFrom(order.chain) } = order.across ?? {};
  const file: DeploymentFile = {
    chain: order.chain,
    chain_id: facts.chainId,
    deployer,
    factory: predictFactory(deployer),
    usdc: order.tokens?.usdc ?? (facts.usdc as Address),
    wrapped_native: order.tokens?.wrappedNative ?? (facts.wrappedNative as Address),
    permit2: PERMIT2,
    roles: order.roles,
    routers: empty,
    ...(pool ? { across: { pool, adapter: predictAdapter(deployer), to: [...to] } } : {}),
    transactions: {},
  };
  await requireDependencies({ publicClient, ...wiringOf(file) });
  const problem = await usdcProblem(facts, file.usdc, publicClient);
  if (problem) throw new DeployError(problem);
  const steps = await planDeployment({ publicClient, deployer, roles: order.roles, ...wiringOf(file) });
  const { gasPrice, balance } = await priceGas(publicClient, deployer);
  write(`${facts.label} (chain ${facts.chainId}), deployer ${deployer}`);
  for (const { name, address, gas } of steps) {
    if (name !== 'factory' && name !== 'adapter') file.routers[name] = address;
    const state = gas === null ? 'stands already' : `about ${gas.toLocaleString('en-US')} gas`;
    write(`  ${name.padEnd(13)} ${address}  ${state}`);
  }
  write(
    file.across
      ? `  tips may leave it by Across for ${file.across.to.join(', ')}`
      : '  tips cannot leave it for other networks, which is final: --across-pool lets them',
  );
  const gas = steps.reduce((sum, step) => sum + (step.gas ?? 0n), 0n);
  const cost = gas * gasPrice;
  const native = (units: bigint) => `${formatUnits(units, facts.nativeDecimals)} ${facts.native}`;
  if (gas > 0n) {
    write(`  together about ${gas.toLocaleString('en-US')} gas: ${native(cost)} at the current price`);
    write(`  the deployer has ${native(balance)}; the data fee of a rollup comes on top`);
  }
  return { steps, cost, balance, file };
}

function wiringOf({ usdc, wrapped_native, permit2, across }: DeploymentFile) {
  const others = (across?.to ?? []).map((name) => ({
    chainId: CHAINS[name].chainId,
    usdc: CHAINS[name].usdc as Address,
  }));
  return {
    tokens: { usdc, wrappedNative: wrapped_native, permit2 },
    across: across ? { pool: across.pool, routes: usdcRoutes(usdc, others) } : null,
  };
}

/** What an earlier run wrote down about the same deployment. @throws DeployError when the file is about another one */
function transactionsOf(path: string, file: DeploymentFile): DeploymentFile['transactions'] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return {};
  }
  const before = JSON.parse(text) as DeploymentFile;
  if (before.chain_id !== file.chain_id || before.deployer !== file.deployer) {
    throw new DeployError(`${path} is about another deployment (deployer ${before.deployer}); choose another --out`);
  }
  return before.transactions;
}

/** Whole or not at all. */
function save(path: string, file: DeploymentFile): void {
  writeFileSync(`${path}.new`, `${JSON.stringify(file, null, 2)}\n`);
  renameSync(`${path}.new`, path);
}

async function inWords(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof DeployError)) throw error;
    throw new StartError(`Not deployed: ${error.message}.`, { cause: error });
  }
}
