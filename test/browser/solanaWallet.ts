// A wallet of Solana in the browser, as an extension would be one: it registers itself before the page runs (Wallet Standard), and its requests are
// signed here with real keys. It can switch to another account.
import type { BrowserContext } from 'playwright-core';
import { answerOrError, type WalletRequest, WalletRpcError } from '../../local/chains/walletRpc.ts';
import type { Keypair } from '../../local/solana/keys.ts';
import { answerAsSolanaWallet } from '../../local/solana/playWallet.ts';
import { solanaAddressBytes } from '../../src/domain/solanaAddress.ts';

export type SolanaTestWallet = {
  /** The account that it shows from now on, and signs with. */
  select(key: Keypair): void;
  /** Its owner says no to the next request of this method. */
  refuseNext(method: string): void;
  /** Runs before it answers a request of this method. */
  before(method: string, act: () => unknown): void;
  attach(context: BrowserContext): Promise<void>;
};

/** Its name is `Test Solana Wallet`. */
export function solanaTestWallet(first: Keypair): SolanaTestWallet {
  let key = first;
  let refused: string | null = null;
  const acts = new Map<string, () => unknown>();
  const answer = async (request: WalletRequest) => {
    await acts.get(request.method)?.();
    if (request.method === refused) {
      refused = null;
      throw new WalletRpcError(4001, 'User rejected the request.');
    }
    if (request.method === 'solana_accounts')
      return { address: key.address, publicKey: [...solanaAddressBytes(key.address)] };
    return answerAsSolanaWallet({ key, rpcUrl: null }, request);
  };
  return {
    select(next) {
      key = next;
    },
    refuseNext(method) {
      refused = method;
    },
    before: (method, act) => void acts.set(method, act),
    async attach(context) {
      await context.exposeFunction('askSolanaTestWallet', (request: WalletRequest) =>
        answerOrError(() => answer(request)),
      );
      await context.addInitScript({ content: WALLET });
    },
  };
}

/** Runs in every page before its own scripts. It signs texts and transactions, and writes no sign-in text, as some wallets do. */
const WALLET = `(() => {
  const ask = async (method, ...params) => {
    const { result, error } = await window.askSolanaTestWallet({ method, params });
    if (error) throw Object.assign(new Error(error.message), { code: error.code });
    return result;
  };
  const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
  const signatureBytes = (text) => {
    let value = [...text].reduce((sum, digit) => sum * 58n + BigInt(DIGITS.indexOf(digit)), 0n);
    const bytes = new Uint8Array(64);
    for (let at = 63; at >= 0; at--, value >>= 8n) bytes[at] = Number(value & 255n);
    return bytes;
  };
  let accounts = [];
  const chains = ['solana:mainnet', 'solana:localnet'];
  const wallet = {
    version: '1.0.0',
    name: 'Test Solana Wallet',
    icon: 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"%3E%3Crect width="8" height="8" fill="%2314f195"/%3E%3C/svg%3E',
    chains,
    get accounts() { return accounts; },
    features: {
      'standard:connect': { version: '1.0.0', async connect() {
        const { address, publicKey } = await ask('solana_accounts');
        accounts = [{ address, publicKey: new Uint8Array(publicKey), chains, features: ['solana:signMessage', 'solana:signTransaction'] }];
        return { accounts };
      } },
      'standard:events': { version: '1.0.0', on: () => () => {} },
      'solana:signMessage': { version: '1.1.0', async signMessage({ account, message }) {
        const signature = await ask('solana_signMessage', account.address, new TextDecoder().decode(message));
        return [{ signedMessage: message, signature: signatureBytes(signature) }];
      } },
      'solana:signTransaction': { version: '1.0.0', supportedTransactionVersions: ['legacy', 0], async signTransaction({ account, transaction }) {
        const base64 = await ask('solana_signTransaction', account.address, btoa(String.fromCharCode(...transaction)));
        return [{ signedTransaction: Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)) }];
      } },
    },
  };
  const register = (api) => api.register(wallet);
  dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }));
  addEventListener('wallet-standard:app-ready', ({ detail }) => register(detail));
})();`;
