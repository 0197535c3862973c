// The wrapped native asset of a local chain.
import { type Address, parseAbi } from 'viem';
import { fixtureInitCode, hasCode, type LocalChain, planDeployment, sendAll } from './send.ts';

export const wrappedNativeAbi = parseAbi([
  'function deposit() payable',
  'function withdraw(uint256 wad)',
  'function balanceOf(address account) view returns (uint256)',
  'function approve(address spender, uint256 wad) returns (bool)',
  'function transfer(address to, uint256 wad) returns (bool)',
]);

export async function deployWrappedNative(local: LocalChain): Promise<Address> {
  const { address, call } = planDeployment(fixtureInitCode('WrappedNative', []), 'wrapped-native');
  if (!(await hasCode(local.client, address))) await sendAll(local, [call]);
  return address;
}
