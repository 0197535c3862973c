// The wallets of Solana in this browser (Wallet Standard): those that can sign a text for an account.
import { getWallets } from '@wallet-standard/app';
import { useSyncExternalStore } from 'react';

type Registered = ReturnType<ReturnType<typeof getWallets>['get']>[number];
export type SolanaAccount = Registered['accounts'][number];

/** `icon` is an image inside of the page (a data: address) or null: nothing is fetched for it. */
export type SolanaWallet = { id: string; name: string; icon: string | null; standard: Registered };

const CHOICE_KEY = 'solana-wallet';
const CONNECT = 'standard:connect';
const SIGNS = ['solana:signMessage', 'solana:signIn'];

const registry = getWallets();
let shown: SolanaWallet[] = [];
/** The registry's list is another array after each registration, and the same one in between. */
let shownOf: readonly Registered[] | undefined;

function readWallets(): SolanaWallet[] {
  const all = registry.get();
  if (all !== shownOf) {
    shownOf = all;
    shown = all.filter(isUsable).map((standard) => ({
      id: standard.name,
      name: labelOf(standard.name.slice(0, 40)),
      icon: standard.icon.startsWith('data:image/') ? standard.icon : null,
      standard,
    }));
  }
  return shown;
}

function isUsable({ chains, features }: Registered): boolean {
  return isOfSolana(chains) && CONNECT in features && SIGNS.some((name) => name in features);
}

/** A wallet of both families shows two buttons, so each says what it is of. */
function labelOf(name: string): string {
  return /solana/i.test(name) ? name : `${name} (Solana)`;
}

export function isOfSolana(chains: readonly string[]): boolean {
  return chains.some((chain) => chain.startsWith('solana:'));
}

function subscribe(onChange: () => void): () => void {
  const ends = [registry.on('register', onChange), registry.on('unregister', onChange)];
  return () => {
    for (const end of ends) end();
  };
}

/** They register as soon as the page is ready, so none is waited for. */
export function useSolanaWallets(): SolanaWallet[] {
  return useSyncExternalStore(subscribe, readWallets);
}

export function rememberSolanaWallet({ id }: SolanaWallet): void {
  localStorage.setItem(CHOICE_KEY, id);
}

/** The wallet that was used last, or the only one there is. */
export function usualSolanaWallet(wallets: SolanaWallet[]): SolanaWallet | null {
  const remembered = localStorage.getItem(CHOICE_KEY);
  return wallets.find(({ id }) => id === remembered) ?? (wallets.length === 1 ? (wallets[0] ?? null) : null);
}
