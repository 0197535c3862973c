// The plain token with 18 decimals and without permits that stands for USDC on a local BSC.
import type { Address } from 'viem';
import { fixtureInitCode, hasCode, type LocalChain, planDeployment, sendAll } from './send.ts';
import { USDC_ROLE } from './usdc.ts';

export async function deployToken18(local: LocalChain): Promise<Address> {
  const { address, call } = planDeployment(fixtureInitCode('Token18', [USDC_ROLE.address]), 'token18');
  if (!(await hasCode(local.client, address))) await sendAll(local, [call]);
  return address;
}
