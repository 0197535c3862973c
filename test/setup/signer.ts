// A wallet in a test: signs what the API prepared, as `eth_signTypedData_v4` and `signTransaction` do.
import { type MessageV0, VersionedTransaction } from '@solana/web3.js';
import type { PrivateKeyAccount } from 'viem/accounts';
import { privateKeyToAccount } from 'viem/accounts';
import { type Keypair, signBytes } from '../../local/solana/keys.ts';
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

/**
 * As a wallet of Solana signs what an executor pays for: its signature is the second.
 * @param change what is made of the message before, in tests of what is refused
 * @returns the whole transaction, in base64
 */
export function signTransaction(
  key: Keypair,
  base64: string,
  change: (message: MessageV0) => void = () => undefined,
): string {
  const transaction = VersionedTransaction.deserialize(Buffer.from(base64, 'base64'));
  change(transaction.message as MessageV0);
  transaction.signatures[1] = signBytes(key, transaction.message.serialize());
  return Buffer.from(transaction.serialize()).toString('base64');
}
