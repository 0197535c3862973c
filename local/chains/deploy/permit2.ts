// Permit2 on a local chain, at the address that it has everywhere. Its licence stands beside the fixture.
import type { Address, Hex } from 'viem';
import permit2 from './fixtures/permit2.json' with { type: 'json' };
import { hasCode, type LocalClient } from './send.ts';

export async function etchPermit2(client: LocalClient): Promise<Address> {
  const address = permit2.address as Address;
  if (!(await hasCode(client, address))) await client.setCode({ address, bytecode: permit2.runtimeBytecode as Hex });
  return address;
}
