// The wallets of this browser (EIP-6963, and its passkey), and which of them the reader uses here.
import { createStore } from 'mipd';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { PASSKEY_ID, PASSKEY_NAME, PASSKEY_PROVIDER } from './passkey/passkeyWallet.ts';
import { onPasskeyChange, type Remembered, rememberedPasskey } from './passkey/remembered.ts';
import { readAccounts, readChainId, type WalletProvider } from './requests.ts';

/** `icon` is an image inside of the page (a data: address) or null: nothing is fetched for it. */
export type Wallet = { id: string; name: string; icon: string | null; provider: WalletProvider };

const CHOICE_KEY = 'wallet';
/** Wallets announce themselves within moments; only then is it said that there is none. */
const ANNOUNCE_MS = 400;

/** Set once a page has waited: those that come later need not. */
let hasWaited = false;

const store = createStore();
const readAnnounced = () => store.getProviders();

/** One that has signed in here is a wallet of this browser. */
export const PASSKEY_WALLET: Wallet = {
  id: PASSKEY_ID,
  name: PASSKEY_NAME,
  icon: null,
  provider: PASSKEY_PROVIDER,
};

export function usePasskey(): Remembered | null {
  return useSyncExternalStore(onPasskeyChange, rememberedPasskey);
}

/** @returns null while wallets may still announce themselves */
export function useWallets(): Wallet[] | null {
  const [passkey, announced] = [usePasskey(), useAnnounced()];
  return announced && passkey ? [PASSKEY_WALLET, ...announced] : announced;
}

function useAnnounced(): Wallet[] | null {
  const announced = useSyncExternalStore((onChange) => store.subscribe(onChange), readAnnounced);
  const [waited, setWaited] = useState(hasWaited);
  useEffect(() => {
    const timer = setTimeout(() => {
      hasWaited = true;
      setWaited(true);
    }, ANNOUNCE_MS);
    return () => clearTimeout(timer);
  }, []);
  if (announced.length === 0) return waited ? legacyWallet() : null;
  return announced.map(({ info, provider }) => ({
    id: info.rdns,
    name: info.name.slice(0, 40),
    icon: info.icon.startsWith('data:image/') ? info.icon : null,
    provider: provider as unknown as WalletProvider,
  }));
}

/** The browsers inside of some wallet apps put one provider into the page and announce nothing. */
function legacyWallet(): Wallet[] {
  const { ethereum } = window as { ethereum?: WalletProvider };
  return ethereum ? [{ id: 'injected', name: 'this browser’s wallet', icon: null, provider: ethereum }] : [];
}

export function rememberWallet(wallet: Wallet): void {
  localStorage.setItem(CHOICE_KEY, wallet.id);
}

/** The wallet that was used last, or the only one there is. */
export function usualWallet(wallets: Wallet[]): Wallet | null {
  const remembered = localStorage.getItem(CHOICE_KEY);
  return wallets.find(({ id }) => id === remembered) ?? (wallets.length === 1 ? (wallets[0] ?? null) : null);
}

/** The account that a wallet is set to, or null when it shows none to this page. Follows the wallet. */
export function useWalletAccount(wallet: Wallet | null): string | null {
  const [account, setAccount] = useState<string | null>(null);
  const provider = wallet?.provider;
  useEffect(() => {
    if (!provider) return;
    let isCurrent = true;
    const take = (accounts: unknown) => {
      if (isCurrent) setAccount((Array.isArray(accounts) && (accounts[0] as string)) || null);
    };
    readAccounts(provider).then(take, () => take([]));
    provider.on?.('accountsChanged', take);
    return () => {
      isCurrent = false;
      provider.removeListener?.('accountsChanged', take);
    };
  }, [provider]);
  return account;
}

/**
 * The network that a wallet is set to (EIP-155 id), or null while it has not said so. Follows the wallet.
 * @param isAsked whether a wallet request is pending: the wallet may switch networks without an event
 */
export function useWalletChain(wallet: Wallet | null, isAsked: boolean): number | null {
  const [chainId, setChainId] = useState<number | null>(null);
  const provider = wallet?.provider;
  useEffect(() => {
    if (!provider || isAsked) return;
    let isCurrent = true;
    const take = (value: unknown) => {
      if (isCurrent) setChainId(value === null ? null : Number(value));
    };
    readChainId(provider).then(take, () => take(null));
    provider.on?.('chainChanged', take);
    return () => {
      isCurrent = false;
      provider.removeListener?.('chainChanged', take);
    };
  }, [provider, isAsked]);
  return chainId;
}
