// The plain token with 18 decimals and without permits that stands for USDC on a local BSC.
import type { Address } from 'viem';
import { fixtureInitCode, hasCode, type LocalChain, planDeployment, sendAll } from './send.ts';
import { USDC_ROLE } from './usdc.ts';

/** Where it stands. */
export function token18Address(): Address {
  return planToken18().address;
}

function planToken18() {
  return planDeployment(fixtureInitCode('Token18', [USDC_ROLE.address]), 'token18');
}

export async function deployToken18(local: LocalChain): Promise<Address> {
  const { address, call } = planToken18();
  if (!(await hasCode(local.client, address))) await sendAll(local, [call]);
  return address;
}
