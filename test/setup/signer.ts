// A wallet in a test: signs what the API prepared, exactly as `eth_signTypedData_v4` would.
import type { PrivateKeyAccount } from 'viem/accounts';
import { privateKeyToAccount } from 'viem/accounts';
import { localPerson } from './world.ts';

export type Prepared = {
  typed_data: {
    domain: object;
    types: Record<string, { name: string; type: string }[]>;
    primaryType: string;
    message: object;
  };
  submit: Record<string, unknown>;
};

export function walletOfPerson(name: string): PrivateKeyAccount {
  return privateKeyToAccount(localPerson(name).key);
}

export function signPrepared({ typed_data }: Prepared, account: PrivateKeyAccount): Promise<`0x${string}`> {
  const { EIP712Domain, ...types } = typed_data.types;
  return account.signTypedData({ ...typed_data, types } as never);
}
