// The passkey among the wallets of this browser: it speaks as they do (EIP-1193), so that whatever needs a signature need not know it. What signs, or asks the
// wallet's window to, is in a chunk of its own, loaded at the first signature.
import type { TypedData } from '../../../../src/domain/typedData.ts';
import { WalletError, type WalletProvider } from '../requests.ts';
import { WALLET_ORIGIN } from './places.ts';
import { onPasskeyChange, rememberedPasskey } from './remembered.ts';

export const PASSKEY_ID = 'passkey';
export const PASSKEY_NAME = 'Passkey';

/** The wallet's window has the same face where it signs. */
type Signer = Pick<typeof import('./signer.ts'), 'openPasskey' | 'signSignIn' | 'signAllTypedData'>;

export const loadSigner = (): Promise<Signer> =>
  WALLET_ORIGIN === null ? import('./signer.ts') : import('./window/asking.ts');

/** It has no gas, and the pages have no way to a chain: what Ampersat sends for a signature is all that it does. */
const SENDS_NOTHING =
  'A passkey signs, and Ampersat sends: it can’t send this transaction, which would pay the network’s fee itself. Choose a way or a network without a network fee, or use a wallet app with your exported key.';

let chainId: number | null = null;
const listeners = new Set<(value: unknown) => void>();
onPasskeyChange(() => {
  for (const listener of listeners) listener(accounts());
});

function accounts(): string[] {
  const address = rememberedPasskey()?.address;
  return address ? [address] : [];
}

async function request({ method, params = [] }: { method: string; params?: unknown[] }): Promise<unknown> {
  switch (method) {
    case 'eth_requestAccounts':
    case 'eth_accounts':
      return accounts();
    case 'eth_chainId':
      return `0x${(chainId ?? 1).toString(16)}`;
    case 'wallet_switchEthereumChain':
      // A signature names its own chain, and is explained with it.
      chainId = Number((params[0] as { chainId: string }).chainId);
      return null;
    case 'personal_sign': {
      const [text, address] = params as [string, string];
      const words = new TextDecoder().decode(
        Uint8Array.from(text.slice(2).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)),
      );
      return (await loadSigner()).signSignIn(address, words);
    }
    case 'eth_signTypedData_v4': {
      const [address, text] = params as [string, string];
      return (await signAll(address, [JSON.parse(text) as TypedData]))[0];
    }
    case 'eth_getTransactionReceipt':
      return null;
    case 'eth_sendTransaction':
      throw new WalletError('failed', SENDS_NOTHING, { reason: SENDS_NOTHING });
    default:
      throw Object.assign(new Error(`No ${method} here.`), { code: 4200 });
  }
}

async function signAll(address: string, all: readonly TypedData[]): Promise<string[]> {
  return (await loadSigner()).signAllTypedData(address, all);
}

export const PASSKEY_PROVIDER: WalletProvider = {
  request,
  signAll: (address, all) => signAll(address, all as unknown as TypedData[]),
  on(event, listener) {
    if (event === 'accountsChanged') listeners.add(listener);
  },
  removeListener(_event, listener) {
    listeners.delete(listener);
  },
};
