// A session of WalletConnect as the pages see it: a wallet that is always on the session's network, and ends with it.
import type { WalletProvider } from './requests.ts';

export const SESSION_METHODS = ['eth_sendTransaction', 'eth_signTypedData_v4', 'personal_sign'];

/** What of the library is used here, once a session stands. */
export type SessionClient = {
  request(args: { topic: string; chainId: string; request: { method: string; params: unknown } }): Promise<unknown>;
  on(event: 'session_delete', listener: (args: { topic: string }) => void): unknown;
};

/** A session as a provider (EIP-1193) that is always on the session's network. */
export function sessionProvider(
  client: SessionClient,
  topic: string,
  chainId: number,
  account: string,
): WalletProvider {
  let isOver = false;
  const listeners = new Set<(value: unknown) => void>();
  client.on('session_delete', (args) => {
    if (args.topic !== topic) return;
    isOver = true;
    for (const listener of listeners) listener([]);
  });
  return {
    async request({ method, params = [] }) {
      switch (method) {
        case 'eth_requestAccounts':
        case 'eth_accounts':
          return isOver ? [] : [account];
        case 'eth_chainId':
          return `0x${chainId.toString(16)}`;
        case 'eth_getTransactionReceipt':
          // Only the service knows, and it says so by itself.
          return null;
        default:
          if (!SESSION_METHODS.includes(method)) throw Object.assign(new Error(`No ${method} here.`), { code: 4200 });
          if (isOver) throw Object.assign(new Error('Your wallet disconnected.'), { code: 4100 });
          return client.request({ topic, chainId: `eip155:${chainId}`, request: { method, params } });
      }
    },
    on(event, listener) {
      if (event === 'accountsChanged') listeners.add(listener);
    },
    removeListener(_event, listener) {
      listeners.delete(listener);
    },
  };
}
