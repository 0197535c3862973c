// Across's own compiled SpokePool behind its proxy, and its SpokePoolPeriphery, on local chains: the same addresses on each.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Abi, type Address, encodeDeployData, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { localKey } from '../../stack/people.ts';
import { hasCode, type LocalCall, type LocalChain, planDeployment, sendAll } from './send.ts';

/** Seconds: how old the time of a deposit's quote may be, and how far ahead its deadline, as on real networks. */
const QUOTE_BUFFER_S = 3_600;
const FILL_BUFFER_S = 21_600;

export type AcrossContracts = { pool: Address; periphery: Address };

const ownerAbi = parseAbi(['function owner() view returns (address)']);

/** Owns every local pool, and so may publish refunds. */
export const ACROSS_ROLE = localKey('across');

/** A second call finds all of it. The wallet must be ACROSS_ROLE's. */
export async function deployAcross(
  local: LocalChain,
  { wrappedNative, permit2 }: { wrappedNative: Address; permit2: Address },
): Promise<AcrossContracts> {
  const owner = local.wallet.account.address;
  const implementation = planDeployment(
    initCode('Ethereum_SpokePool', [wrappedNative, QUOTE_BUFFER_S, FILL_BUFFER_S, owner]),
    'across-pool',
  );
  const proxy = planDeployment(initCode('ERC1967Proxy', [implementation.address, '0x']), 'across-pool-proxy');
  const multicall = planDeployment(initCode('Multicall3', []), 'multicall3');
  const periphery = planDeployment(initCode('SpokePoolPeriphery', [permit2, multicall.address]), 'across-periphery');
  const calls: LocalCall[] = [];
  for (const { address, call } of [implementation, proxy, multicall, periphery]) {
    if (!(await hasCode(local.client, address))) calls.push(call);
  }
  await sendAll(local, calls);
  if (!(await isOwned(local, proxy.address))) {
    const { abi } = artifactOf('Ethereum_SpokePool');
    const data = encodeFunctionData({ abi, functionName: 'initialize', args: [0, owner] });
    await sendAll(local, [{ to: proxy.address, data }]);
  }
  return { pool: proxy.address, periphery: periphery.address };
}

/** A proxy has an owner once it is initialised. */
async function isOwned({ client, wallet }: LocalChain, pool: Address): Promise<boolean> {
  const owner = await client.readContract({ address: pool, abi: ownerAbi, functionName: 'owner' });
  return owner === wallet.account.address;
}

function initCode(contract: string, args: readonly unknown[]): Hex {
  const { abi, bytecode } = artifactOf(contract);
  return encodeDeployData({ abi, bytecode, args });
}

/** Read at run time: the artifacts are large and only local chains need them. */
function artifactOf(contract: string): { abi: Abi; bytecode: Hex } {
  const file = createRequire(import.meta.url).resolve(
    `@across-protocol/contracts/dist/evm/artifacts/${contract}.sol/${contract}.json`,
  );
  return JSON.parse(readFileSync(file, 'utf8')) as { abi: Abi; bytecode: Hex };
}
