// A wallet in the browser, as an extension would be one: it announces itself (EIP-6963), and what it is asked is signed here with
// real keys or sent to a real chain. It can be told to refuse, and set to another account.
import type { BrowserContext, Page } from 'playwright-core';
import { createWalletClient, type Hex, hexToString, http } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';

type Request = { method: string; params: unknown[] };
type Chain = { chainId: number; rpcUrl: string };

export type TestWallet = {
  /** What was asked for, oldest first. */
  asked: string[];
  /** The texts that were signed. */
  texts: string[];
  /** The next question of this kind gets a no. */
  refuseNext(method: 'eth_requestAccounts' | 'personal_sign' | 'eth_signTypedData_v4'): void;
  /** Sets the wallet to one account, the only one it shows from now on. */
  select(page: Page, account: PrivateKeyAccount): Promise<void>;
  attach(context: BrowserContext): Promise<void>;
};

class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** The wallet starts on a chain that nobody serves, as a newcomer's does. */
export function testWallet({ account, chains }: { account: PrivateKeyAccount; chains: Chain[] }): TestWallet {
  const asked: string[] = [];
  const texts: string[] = [];
  let [current, chainId] = [account, 1];
  let refused: string | null = null;

  async function answer({ method, params }: Request): Promise<unknown> {
    asked.push(method);
    if (method === refused) {
      refused = null;
      throw new RpcError(4001, 'User rejected the request.');
    }
    switch (method) {
      case 'eth_requestAccounts':
      case 'eth_accounts':
        // Many wallets give lower case.
        return [current.address.toLowerCase()];
      case 'eth_chainId':
        return `0x${chainId.toString(16)}`;
      case 'wallet_switchEthereumChain': {
        const wanted = Number((params[0] as { chainId: Hex }).chainId);
        if (!chains.some((chain) => chain.chainId === wanted)) throw new RpcError(4902, 'Unrecognized chain ID.');
        chainId = wanted;
        return null;
      }
      case 'personal_sign': {
        requireCurrent(params[1]);
        const raw = params[0] as Hex;
        texts.push(hexToString(raw));
        return current.signMessage({ message: { raw } });
      }
      case 'eth_signTypedData_v4': {
        requireCurrent(params[0]);
        const data = JSON.parse(params[1] as string);
        if (Number(data.domain.chainId) !== chainId)
          throw new RpcError(-32602, `Provided chainId "${data.domain.chainId}" must match the active chainId`);
        return current.signTypedData(data);
      }
      case 'eth_sendTransaction': {
        const { from, to, data, value } = params[0] as { from: Hex; to: Hex; data: Hex; value: Hex };
        requireCurrent(from);
        const client = createWalletClient({ account: current, transport: http(rpcUrl(), { timeout: 10_000 }) });
        return client.sendTransaction({ to, data, value: BigInt(value), chain: null });
      }
      case 'eth_getTransactionReceipt':
        return callRpc(rpcUrl(), method, params);
      default:
        throw new RpcError(4200, `The wallet does not know ${method}.`);
    }
  }
  function requireCurrent(address: unknown): void {
    if (String(address).toLowerCase() !== current.address.toLowerCase())
      throw new RpcError(4100, 'The account is not this wallet’s.');
  }
  function rpcUrl(): string {
    return chains.find((chain) => chain.chainId === chainId)?.rpcUrl ?? '';
  }

  return {
    asked,
    texts,
    refuseNext(method) {
      refused = method;
    },
    async select(page, next) {
      current = next;
      await page.evaluate(`dispatchEvent(new CustomEvent('test-wallet:accounts', { detail: ['${next.address}'] }))`);
    },
    async attach(context) {
      await context.exposeFunction('askTestWallet', async (request: Request) => {
        try {
          return { result: await answer(request) };
        } catch (error) {
          const { code = -32603, message } = error as { code?: number; message: string };
          return { error: { code, message } };
        }
      });
      await context.addInitScript({ content: PROVIDER });
    },
  };
}

async function callRpc(url: string, method: string, params: unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(10_000),
  });
  return ((await response.json()) as { result: unknown }).result;
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
