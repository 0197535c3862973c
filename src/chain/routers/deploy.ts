// Deploys the routers at the same addresses on every chain, and says what those addresses are. It reads and writes a chain only;
// a run that was interrupted goes on where it stopped.
import {
  type Account,
  type Address,
  type Chain,
  concatHex,
  createPublicClient,
  createWalletClient,
  defineChain,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hash,
  type Hex,
  isAddressEqual,
  keccak256,
  type PublicClient,
  pad,
  type Transport,
  type WalletClient,
  zeroAddress,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { CHAINS, type ChainName } from '../../domain/chains.ts';
import { waitForReceipt } from '../rpc/receipts.ts';
import { rpcTransport } from '../rpc/transport.ts';
import { create3FactoryBytecode } from './abis/Create3Factory.bytecode.ts';
import { create3FactoryAbi } from './abis/Create3Factory.ts';
import { type AdapterWiring, adapterInitCode, adapterProblem } from './adapter.ts';
import {
  isRouterCode,
  ROUTER_NAMES,
  type RouterName,
  type RouterRoles,
  type Routers,
  routerAbi,
  routerInitCode,
  routerWiring,
  type Wiring,
} from './code.ts';

/** The deterministic deployment proxy, at this address on every chain. */
export const DETERMINISTIC_DEPLOYER = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
const ZERO_SALT = pad('0x', { size: 32 });
/** Creation code of the proxy through which CREATE3 creates (solady's CREATE3). */
const CREATE3_PROXY_HASH = keccak256('0x67363d3d37363d34f03d5260086018f3');
/** What CREATE3 costs above a plain creation: the proxy, the factory's event and calldata that is passed on twice. Measured, rounded up. */
const CREATE3_GAS = 90_000n;
/** The same for the deterministic deployment proxy. */
const PROXY_GAS = 5_000n;

/** A deployment that cannot go on, with what to do about it. */
export class DeployError extends Error {
  override name = 'DeployError';
}

export type DeployTarget = {
  publicClient: PublicClient;
  /** All addresses depend on it, and no one else can occupy them. */
  deployer: Address;
  roles: RouterRoles;
  tokens: Omit<Wiring, 'bridgeAdapter'>;
  /** The bot router's way to other chains; null for none, which is as final. */
  across: AdapterWiring | null;
};

/** `adapter` is the bot router's way to other chains. */
export type DeployStepName = 'factory' | RouterName | 'adapter';
/** One contract of a deployment. `gas` is an estimate, and null for what stands already. */
export type DeployStep = { name: DeployStepName; address: Address; gas: bigint | null };
export type Deployed = { name: DeployStepName; address: Address; hash: Hash; block: bigint; gasUsed: bigint };

/** What a deployment speaks to: one endpoint of one chain, and the deployer's key where there is one. @throws DeployError */
export async function openDeployment(name: ChainName, rpcUrl: string, key?: Hex) {
  const { chainId, label, native } = CHAINS[name];
  const chain = defineChain({
    id: chainId,
    name: label,
    nativeCurrency: { name: native, symbol: native, decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
  const transport = rpcTransport(rpcUrl, { timeout: 15_000, retryCount: 2 });
  const publicClient = createPublicClient({ chain, transport, cacheTime: 0 });
  const found = await publicClient.getChainId().catch((cause: unknown) => {
    throw new DeployError(`the RPC endpoint of ${name} does not answer`, { cause });
  });
  if (found !== chainId) throw new DeployError(`the RPC endpoint of ${name} is chain ${found}, not ${chainId}`);
  const account = key ? privateKeyToAccount(key) : null;
  return {
    publicClient: publicClient as PublicClient,
    walletClient: account ? createWalletClient({ account, chain, transport }) : null,
  };
}

/** What gas costs now and what an account has, in the native asset's smallest units. */
export async function priceGas(client: PublicClient, account: Address): Promise<{ gasPrice: bigint; balance: bigint }> {
  const [gasPrice, balance] = await Promise.all([client.getGasPrice(), client.getBalance({ address: account })]);
  return { gasPrice, balance };
}

/** The router addresses that belong to a deployer, on every chain. */
export function predictRouters(deployer: Address): Routers {
  const factory = predictFactory(deployer);
  return Object.fromEntries(ROUTER_NAMES.map((name) => [name, create3Address(factory, saltOf(name))])) as Routers;
}

/** The bridge adapter that belongs to a deployer. */
export function predictAdapter(deployer: Address): Address {
  return create3Address(predictFactory(deployer), saltOf('adapter'));
}

function wiringOf({ tokens, across, deployer }: Pick<DeployTarget, 'tokens' | 'across' | 'deployer'>): Wiring {
  return { ...tokens, bridgeAdapter: across ? predictAdapter(deployer) : zeroAddress };
}

/** The factory that belongs to a deployer. */
export function predictFactory(deployer: Address): Address {
  return getContractAddress({
    opcode: 'CREATE2',
    from: DETERMINISTIC_DEPLOYER,
    salt: ZERO_SALT,
    bytecode: factoryInitCode(deployer),
  });
}

/**
 * What a deployment would do, without doing it: every contract with its address, and the gas of those that are missing.
 * @throws DeployError when a dependency has no code or what stands at an address is another contract
 */
export async function planDeployment(target: DeployTarget): Promise<DeployStep[]> {
  await requireDependencies(target);
  const { publicClient, deployer, roles, across } = target;
  const wiring = wiringOf(target);
  const routers = predictRouters(deployer);
  const factory = predictFactory(deployer);
  const creation = async (data: Hex, more: bigint) => {
    try {
      return (await publicClient.estimateGas({ account: deployer, data })) + more;
    } catch (cause) {
      throw new DeployError('a router would refuse these roles or tokens: are all roles different addresses?', {
        cause,
      });
    }
  };
  const steps: DeployStep[] = [
    {
      name: 'factory',
      address: factory,
      gas: (await hasCode(publicClient, factory)) ? null : await creation(factoryInitCode(deployer), PROXY_GAS),
    },
  ];
  for (const name of ROUTER_NAMES) {
    const there = await hasCode(publicClient, routers[name]);
    if (there) await requireOurs(publicClient, name, routers[name], roles);
    const gas = there ? null : await creation(routerInitCode(name, roles, wiring, routers), CREATE3_GAS);
    steps.push({ name, address: routers[name], gas });
  }
  if (across) {
    const address = wiring.bridgeAdapter;
    const there = await hasCode(publicClient, address);
    if (there) await requireAdapter(publicClient, address, across, routers.bot);
    const gas = there ? null : await creation(adapterInitCode(across, routers.bot), CREATE3_GAS);
    steps.push({ name: 'adapter', address, gas });
  }
  return steps;
}

/**
 * Deploys the factory and the routers where they are missing, then checks code and wiring of all of them.
 * @param onDeployed receives each contract as soon as its transaction is mined, so that nothing has to be looked for after an interruption
 * @throws DeployError: a dependency without code, a router with other code or other wiring, a transaction that reverted
 */
export async function deployRouters(
  target: Omit<DeployTarget, 'deployer'> & { walletClient: WalletClient<Transport, Chain | undefined, Account> },
  onDeployed: (step: Deployed) => Promise<void> | void = () => {},
): Promise<Routers> {
  const { publicClient, walletClient, roles, across } = target;
  const deployer = walletClient.account.address;
  const wiring = wiringOf({ ...target, deployer });
  await requireDependencies(target);
  const routers = predictRouters(deployer);
  const factory = predictFactory(deployer);
  const create = async (name: DeployStepName, address: Address, to: Address, data: Hex) => {
    if (await hasCode(publicClient, address)) return;
    const chain = walletClient.chain ?? null;
    const hash = await walletClient.sendTransaction({ account: walletClient.account, chain, to, data });
    const receipt = await waitForReceipt(publicClient, hash);
    if (receipt.status !== 'success') throw new DeployError(`deploying ${labelOf(name)} reverted in ${hash}`);
    await onDeployed({ name, address, hash, block: receipt.blockNumber, gasUsed: receipt.gasUsed });
  };
  await create('factory', factory, DETERMINISTIC_DEPLOYER, concatHex([ZERO_SALT, factoryInitCode(deployer)]));
  const createAt = (name: RouterName | 'adapter', address: Address, code: Hex) =>
    create(
      name,
      address,
      factory,
      encodeFunctionData({ abi: create3FactoryAbi, functionName: 'deploy', args: [saltOf(name), code] }),
    );
  for (const name of ROUTER_NAMES) await createAt(name, routers[name], routerInitCode(name, roles, wiring, routers));
  if (across) await createAt('adapter', wiring.bridgeAdapter, adapterInitCode(across, routers.bot));
  for (const name of ROUTER_NAMES) {
    await requireOurs(publicClient, name, routers[name], roles);
    const wrong = await wiringProblem(publicClient, name, wiring, routers);
    if (wrong) throw new DeployError(`${wrong}; its wiring is final, so deploy with another deployer key`);
  }
  if (across) await requireAdapter(publicClient, wiring.bridgeAdapter, across, routers.bot);
  return routers;
}

/**
 * Whether a router is wired as told. Roles are not looked at: they may have been changed properly since. See {@link roleDifference}.
 * @returns a sentence without a full stop that names what was found and what was expected, or null
 */
export async function wiringProblem(
  client: PublicClient,
  name: RouterName,
  wiring: Wiring,
  routers: Routers,
): Promise<string | null> {
  const views = Object.entries(routerWiring(name, wiring, routers));
  const answers = await Promise.all(
    views.map(([functionName]) => client.readContract({ address: routers[name], abi: routerAbi(name), functionName })),
  );
  for (const [index, [view, expected]] of views.entries()) {
    const found = answers[index] as Address | bigint;
    const same =
      typeof expected === 'bigint' ? found === expected : isAddressEqual(found as Address, expected as Address);
    if (!same) return `the ${name} router at ${routers[name]} has ${view} ${found}, expected ${expected}`;
  }
  return null;
}

/** @throws DeployError that names the first one without code */
export async function requireDependencies({
  publicClient,
  tokens,
  across,
}: Pick<DeployTarget, 'publicClient' | 'tokens' | 'across'>): Promise<void> {
  const needed: [Address, string][] = [
    [DETERMINISTIC_DEPLOYER, 'the deterministic deployment proxy; deploy it first'],
    [tokens.usdc, 'USDC; check the address in the chain registry'],
    [tokens.wrappedNative, 'the wrapped native asset; check the address'],
    [tokens.permit2, 'Permit2; check the address'],
    ...(across ? [[across.pool, 'Across’s SpokePool; check the address'] as [Address, string]] : []),
  ];
  for (const [address, what] of needed) {
    if (!(await hasCode(publicClient, address))) throw new DeployError(`no code at ${address}: ${what}`);
  }
}

/** What stands already was perhaps deployed by an earlier run, with another idea of who holds which role. */
async function requireOurs(
  client: PublicClient,
  name: RouterName,
  address: Address,
  roles: RouterRoles,
): Promise<void> {
  if (!isRouterCode(name, await client.getCode({ address }))) {
    throw new DeployError(
      `the code at ${address} is not this version's ${name} router; deploy with another deployer key`,
    );
  }
  const difference = await roleDifference(client, name, address, roles);
  if (difference)
    throw new DeployError(
      `${difference}. If that was changed on purpose since, name the roles as they are now; if not, deploy with another deployer key`,
    );
}

/** @throws DeployError */
async function requireAdapter(
  client: PublicClient,
  address: Address,
  across: AdapterWiring,
  botRouter: Address,
): Promise<void> {
  const problem = await adapterProblem(client, address, across, botRouter);
  if (problem) throw new DeployError(`${problem}; its wiring is final, so deploy with another deployer key`);
}

const HELD = ['owner', 'guardian', 'treasury', 'authority'] as const;

/**
 * Compares who holds the roles of a router with who should.
 * @returns a sentence without a full stop that names the first difference, or null
 */
export async function roleDifference(
  client: PublicClient,
  name: RouterName,
  address: Address,
  roles: RouterRoles,
): Promise<string | null> {
  const abi = routerAbi(name);
  const knows = (view: string) => abi.some((item) => item.type === 'function' && item.name === view);
  const what = `the ${name} router at ${address}`;
  for (const role of HELD.filter(knows)) {
    const holder = (await client.readContract({ address, abi, functionName: role })) as Address;
    if (!isAddressEqual(holder, roles[role])) return `${what} has the ${role} ${holder}, not ${roles[role]}`;
  }
  for (const executor of knows('isExecutor') ? roles.executors : []) {
    const isOne = await client.readContract({ address, abi, functionName: 'isExecutor', args: [executor] });
    if (!isOne) return `${what} does not know ${executor} as an executor`;
  }
  return null;
}

function labelOf(name: DeployStepName): string {
  if (name === 'factory') return 'the CREATE3 factory';
  return name === 'adapter' ? 'the bridge adapter' : `the ${name} router`;
}

function factoryInitCode(owner: Address): Hex {
  return encodeDeployData({ abi: create3FactoryAbi, bytecode: create3FactoryBytecode, args: [owner] });
}

function saltOf(name: RouterName | 'adapter'): Hex {
  return keccak256(encodeAbiParameters([{ type: 'string' }, { type: 'uint256' }], [`ampersat.${name}`, 1n]));
}

/** CREATE3: a proxy at a CREATE2 address creates the contract with its first nonce. */
function create3Address(factory: Address, salt: Hex): Address {
  const proxy = getContractAddress({ opcode: 'CREATE2', from: factory, salt, bytecodeHash: CREATE3_PROXY_HASH });
  return getContractAddress({ opcode: 'CREATE', from: proxy, nonce: 1n });
}

async function hasCode(publicClient: PublicClient, address: Address): Promise<boolean> {
  const code = await publicClient.getCode({ address });
  return code !== undefined && code !== '0x';
}
