// A wallet in the browser, as an extension would be one: it announces itself (EIP-6963), and its requests are signed here with
// real keys or sent to a real chain. It can refuse, and switch to another account.
import type { BrowserContext, Page } from 'playwright-core';
import { type Hex, hexToString } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import {
  answerAsWallet,
  answerOrError,
  type WalletRequest,
  WalletRpcError,
  type WalletState,
} from '../../local/chains/walletRpc.ts';

export type TestWallet = {
  /** The requests, oldest first. */
  asked: string[];
  /** The texts that were signed. */
  texts: string[];
  /** The networks that were added, as the page described them. */
  added: { chainId: Hex; rpcUrls: string[] }[];
  /** The next question of this kind gets a no. */
  refuseNext(
    method:
      | 'eth_requestAccounts'
      | 'personal_sign'
      | 'eth_signTypedData_v4'
      | 'eth_sendTransaction'
      | 'wallet_switchEthereumChain',
  ): void;
  /** Its owner takes their time with the next transaction: until the answer of this is called. */
  holdNext(): () => void;
  /** Sets the wallet to one account, the only one it shows from now on. */
  select(page: Page, account: PrivateKeyAccount): Promise<void>;
  attach(context: BrowserContext): Promise<void>;
};

/**
 * The wallet starts on a chain that is not served, as a newcomer's does.
 * @param chains those that it knows; another is added when a page describes it
 */
export function testWallet({
  account,
  chains,
}: {
  account: PrivateKeyAccount;
  chains: WalletState['chains'];
}): TestWallet {
  const asked: string[] = [];
  const texts: string[] = [];
  const added: TestWallet['added'] = [];
  const state: WalletState = { account, chainId: 1, chains: [...chains] };
  let refused: string | null = null;
  let held: Promise<void> | null = null;

  async function answer(request: WalletRequest): Promise<unknown> {
    const { method, params } = request;
    asked.push(method);
    if (method === refused) {
      refused = null;
      throw new WalletRpcError(4001, 'User rejected the request.');
    }
    if (method === 'eth_sendTransaction' && held) {
      const released = held;
      held = null;
      await released;
    }
    if (method === 'wallet_addEthereumChain') return add(params[0] as TestWallet['added'][number]);
    if (method === 'personal_sign') texts.push(hexToString(params[0] as Hex));
    return answerAsWallet(state, request);
  }

  /** As most wallets do, it goes there at once. */
  function add(network: TestWallet['added'][number]): null {
    added.push(network);
    state.chainId = Number(network.chainId);
    state.chains.push({ chainId: state.chainId, rpcUrl: network.rpcUrls[0] ?? '' });
    return null;
  }

  return {
    asked,
    texts,
    added,
    refuseNext(method) {
      refused = method;
    },
    holdNext() {
      let release = () => {};
      held = new Promise((resolve) => {
        release = resolve;
      });
      return () => release();
    },
    async select(page, next) {
      state.account = next;
      await page.evaluate(`dispatchEvent(new CustomEvent('test-wallet:accounts', { detail: ['${next.address}'] }))`);
    },
    async attach(context) {
      await context.exposeFunction('askTestWallet', (request: WalletRequest) => answerOrError(() => answer(request)));
      await context.addInitScript({ content: PROVIDER });
    },
  };
}

/** Runs in every page before its own scripts. */
const PROVIDER = `(() => {
  const listeners = new Set();
  const provider = {
    async request({ method, params = [] }) {
      const { result, error } = await window.askTestWallet({ method, params });
      if (error) throw Object.assign(new Error(error.message), { code: error.code });
      return result;
    },
    on(event, listener) { if (event === 'accountsChanged') listeners.add(listener); },
    removeListener(event, listener) { listeners.delete(listener); },
  };
  addEventListener('test-wallet:accounts', ({ detail }) => { for (const listener of listeners) listener(detail); });
  const icon = 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"%3E%3Ccircle cx="4" cy="4" r="4" fill="%237a5af8"/%3E%3C/svg%3E';
  const info = { uuid: '350670db-19fa-4704-a166-e52e178b59d2', name: 'Test Wallet', icon, rdns: 'org.example.wallet' };
  const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }));
  addEventListener('eip6963:requestProvider', announce);
  announce();
})();`;
