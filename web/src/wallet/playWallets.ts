// The wallets of the local stack's people, of EVM and of Solana: announced like those of extensions, answered by the local stack. Only where there is one, and
// only once a user turned them on.
import { callApi } from '../app/api.ts';
import { LOCAL_STACK } from '../app/localStack.ts';
import type { WalletProvider } from './requests.ts';

const CHOICE_KEY = 'play-wallets';
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E%3Ccircle cx='4' cy='4' r='4' fill='%230f5c3f'/%3E%3C/svg%3E";

/** From now on, in this browser. @throws ApiError when the stack does not answer */
export async function usePlayWalletsHere(): Promise<void> {
  await announce();
  localStorage.setItem(CHOICE_KEY, 'yes');
}

/** Announces them again after a reload. */
export function announcePlayWallets(): void {
  if (LOCAL_STACK && localStorage.getItem(CHOICE_KEY)) announce().catch(() => localStorage.removeItem(CHOICE_KEY));
}

async function announce(): Promise<void> {
  const { names } = await callApi<{ names: string[] }>('GET', '/local/wallets');
  for (const name of names) {
    const info = {
      uuid: crypto.randomUUID(),
      name: `${name}’s play wallet`,
      icon: ICON,
      rdns: `local.ampersat.${name}`,
    };
    const detail = Object.freeze({ info, provider: providerOf(name) });
    const tell = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
    addEventListener('eip6963:requestProvider', tell);
    tell();
  }
  // In a chunk of its own, which no deployment loads.
  const { registerPlayWallet } = await import('./solana/playWallets.ts');
  for (const name of names) registerPlayWallet(name, ICON, (method, params) => askPlayWallet(name, method, params));
}

function providerOf(name: string): WalletProvider {
  return { request: ({ method, params = [] }) => askPlayWallet(name, method, params) };
}

async function askPlayWallet(name: string, method: string, params: unknown[]): Promise<unknown> {
  type Answer = { result?: unknown; error?: { code: number; message: string } };
  const { result, error } = await callApi<Answer>('POST', '/local/wallets', { name, method, params });
  if (error) throw Object.assign(new Error(error.message), { code: error.code });
  return result;
}
