// Deploys the routers at the same addresses on every chain, and says what those addresses are. It reads and writes a chain only;
// a run that was interrupted goes on where it stopped.
import {
  type Account,
  type Address,
  type Chain,
  concatHex,
  encodeAbiParameters,
  encodeDeployData,
  getContractAddress,
  type Hex,
  isAddressEqual,
  keccak256,
  type PublicClient,
  pad,
  size,
  slice,
  type Transport,
  type WalletClient,
} from 'viem';
import { botRouterBytecode, botRouterImmutables, botRouterRuntime } from './abis/BotRouter.bytecode.ts';
import { botRouterAbi } from './abis/BotRouter.ts';
import { create3FactoryBytecode } from './abis/Create3Factory.bytecode.ts';
import { create3FactoryAbi } from './abis/Create3Factory.ts';

/** The deterministic deployment proxy, at this address on every chain. */
export const DETERMINISTIC_DEPLOYER = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
const NO_ADDRESS = '0x0000000000000000000000000000000000000000';
const ZERO_SALT = pad('0x', { size: 32 });
/** Creation code of the proxy through which CREATE3 creates (solady's CREATE3). */
const CREATE3_PROXY_HASH = keccak256('0x67363d3d37363d34f03d5260086018f3');

/** A deployment that cannot go on, with what to do about it. */
export class DeployError extends Error {
  override name = 'DeployError';
}

export type Routers = { bot: Address; escrow: Address; payment: Address; business: Address; subscription: Address };

export type RouterRoles = { owner: Address; guardian: Address; treasury: Address; executors: readonly Address[] };

export type DeployParams = RouterRoles & {
  publicClient: PublicClient;
  /** Its account is the deployer: all addresses depend on it, and no one else can occupy them. */
  walletClient: WalletClient<Transport, Chain | undefined, Account>;
  usdc: Address;
  wrappedNative: Address;
  /** The only way to other chains; none when left out. */
  bridgeAdapter?: Address;
};

/** The router addresses that belong to a deployer, on every chain. */
export function predictRouters(deployer: Address): Routers {
  const factory = predictFactory(deployer);
  const at = (name: keyof Routers): Address => create3Address(factory, routerSalt(name));
  return {
    bot: at('bot'),
    escrow: at('escrow'),
    payment: at('payment'),
    business: at('business'),
    subscription: at('subscription'),
  };
}

/**
 * Deploys the factory and the bot router where they are missing, then checks code and wiring of what is there.
 * `escrow` is the address where the escrow router will stand; the bot router knows it already.
 * Throws DeployError: a dependency without code, a router with other code, another owner or other immutables.
 */
export async function deployRouters(params: DeployParams): Promise<{ bot: Address; escrow: Address }> {
  const { publicClient, walletClient, usdc, wrappedNative } = params;
  const deployer = walletClient.account.address;
  const { bot, escrow } = predictRouters(deployer);
  const factory = predictFactory(deployer);
  await Promise.all([
    requireCode(publicClient, DETERMINISTIC_DEPLOYER, 'the deterministic deployment proxy; deploy it first'),
    requireCode(publicClient, usdc, 'USDC; check the address in the chain registry'),
    requireCode(publicClient, wrappedNative, 'the wrapped native asset; check the address in the chain registry'),
  ]);
  if (!(await hasCode(publicClient, factory))) {
    const hash = await walletClient.sendTransaction({
      account: walletClient.account,
      chain: walletClient.chain ?? null,
      to: DETERMINISTIC_DEPLOYER,
      data: concatHex([ZERO_SALT, factoryInitCode(deployer)]),
    });
    await requireSuccess(publicClient, hash, 'the CREATE3 factory');
  }
  if (!(await hasCode(publicClient, bot))) {
    const hash = await walletClient.writeContract({
      account: walletClient.account,
      chain: walletClient.chain ?? null,
      address: factory,
      abi: create3FactoryAbi,
      functionName: 'deploy',
      args: [routerSalt('bot'), botInitCode(params, escrow)],
    });
    await requireSuccess(publicClient, hash, 'the bot router');
  }
  await verifyBotRouter(params, bot, escrow);
  return { bot, escrow };
}

/**
 * Checks that the bot router at `bot` is this source's and wired as told. The roles are checked where they cannot have changed
 * since: an owner, guardian or treasury that was changed properly is no error.
 */
async function verifyBotRouter(params: DeployParams, bot: Address, escrow: Address): Promise<void> {
  const { publicClient, usdc, wrappedNative, bridgeAdapter = NO_ADDRESS } = params;
  const code = await publicClient.getCode({ address: bot });
  if (!isBotRouterCode(code ?? '0x')) {
    throw new DeployError(`the code at ${bot} is not this version's bot router; deploy with another deployer key`);
  }
  const read = (functionName: 'usdc' | 'wrappedNative' | 'escrowRouter' | 'bridgeAdapter'): Promise<Address> =>
    publicClient.readContract({ address: bot, abi: botRouterAbi, functionName });
  const expected = { usdc, wrappedNative, escrowRouter: escrow, bridgeAdapter } as const;
  for (const name of ['usdc', 'wrappedNative', 'escrowRouter', 'bridgeAdapter'] as const) {
    const actual = await read(name);
    if (isAddressEqual(actual, expected[name])) continue;
    throw new DeployError(
      `the bot router at ${bot} has ${name} ${actual}, expected ${expected[name]}; its wiring is final`,
    );
  }
}

function predictFactory(deployer: Address): Address {
  return getContractAddress({
    opcode: 'CREATE2',
    from: DETERMINISTIC_DEPLOYER,
    salt: ZERO_SALT,
    bytecode: factoryInitCode(deployer),
  });
}

function factoryInitCode(owner: Address): Hex {
  return encodeDeployData({ abi: create3FactoryAbi, bytecode: create3FactoryBytecode, args: [owner] });
}

function botInitCode(params: DeployParams, escrow: Address): Hex {
  const { owner, guardian, treasury, executors, usdc, wrappedNative, bridgeAdapter = NO_ADDRESS } = params;
  return encodeDeployData({
    abi: botRouterAbi,
    bytecode: botRouterBytecode,
    args: [owner, guardian, treasury, executors, usdc, wrappedNative, escrow, bridgeAdapter],
  });
}

function routerSalt(name: keyof Routers): Hex {
  return keccak256(encodeAbiParameters([{ type: 'string' }, { type: 'uint256' }], [`ampersat.${name}`, 1n]));
}

/** CREATE3: a proxy at a CREATE2 address creates the contract with its first nonce. */
function create3Address(factory: Address, salt: Hex): Address {
  const proxy = getContractAddress({ opcode: 'CREATE2', from: factory, salt, bytecodeHash: CREATE3_PROXY_HASH });
  return getContractAddress({ opcode: 'CREATE', from: proxy, nonce: 1n });
}

/** Whether deployed code is this source's bot router, whatever it was wired to. */
export function isBotRouterCode(code: Hex): boolean {
  return maskImmutables(code) === expectedCode();
}

let maskedRuntime: Hex | undefined;
/** Masking costs some milliseconds and the source does not change while we run. */
function expectedCode(): Hex {
  maskedRuntime ??= maskImmutables(botRouterRuntime);
  return maskedRuntime;
}

/** The code with zeros in place of every immutable. */
function maskImmutables(code: Hex): Hex {
  let masked = code;
  for (const { start, length } of botRouterImmutables) {
    if (size(masked) < start + length) return masked;
    const rest = size(masked) > start + length ? slice(masked, start + length) : '0x';
    masked = concatHex([slice(masked, 0, start), pad('0x', { size: length }), rest]);
  }
  return masked;
}

async function hasCode(publicClient: PublicClient, address: Address): Promise<boolean> {
  const code = await publicClient.getCode({ address });
  return code !== undefined && code !== '0x';
}

async function requireCode(publicClient: PublicClient, address: Address, what: string): Promise<void> {
  if (!(await hasCode(publicClient, address))) throw new DeployError(`no code at ${address}: ${what}`);
}

async function requireSuccess(publicClient: PublicClient, hash: Hex, what: string): Promise<void> {
  const receipt = await publicClient.waitForTransactionReceipt({ hash });
  if (receipt.status !== 'success') throw new DeployError(`deploying ${what} reverted in ${hash}`);
}
