// What a person of the local stack does with a wallet, as a page has it do: sign, send, and wait for the block. Their play wallet holds the keys.
import { StartError } from '../domain/errors.ts';
import type { LocalPerson } from './localPeople.ts';
import { type TriggerContext, waitFor } from './scene.ts';

export type LocalWalletCall = { to: string; data: string; value: string; chainId: number };
export type WalletTypedData = { domain: { chainId?: number | string } };

export async function signAs(person: LocalPerson, chainId: number, data: unknown): Promise<string> {
  await setTo(person, chainId);
  return person.wallet<string>('eth_signTypedData_v4', [person.address, JSON.stringify(data)]);
}

/** Signs a transaction of Solana whole, as another key pays for it and sends it. @param base64 without signatures @returns it in base64 */
export function signWholeAs(person: LocalPerson, signedBy: string, base64: string): Promise<string> {
  return person.wallet<string>('solana_signTransaction', [signedBy, base64]);
}

/** @returns the hash of a transaction that succeeded in a block. @throws StartError when it failed */
export async function sendAs(
  scene: Pick<TriggerContext, 'signal'>,
  person: LocalPerson,
  call: LocalWalletCall,
): Promise<string> {
  await setTo(person, call.chainId);
  const { to, data } = call;
  // Wallets take a value in hexadecimal; an API writes it in digits.
  const value = `0x${BigInt(call.value).toString(16)}`;
  const hash = await person.wallet<string>('eth_sendTransaction', [{ from: person.address, to, data, value }]);
  const receipt = await waitFor(scene, `The block of ${hash}`, () =>
    person.wallet<{ status?: string } | null>('eth_getTransactionReceipt', [hash]),
  );
  if (receipt.status === '0x0') throw new StartError(`${person.name}’s transaction ${hash} failed on-chain.`);
  return hash;
}

async function setTo(person: LocalPerson, chainId: number): Promise<void> {
  await person.wallet('wallet_switchEthereumChain', [{ chainId: `0x${chainId.toString(16)}` }]);
}
