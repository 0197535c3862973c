// A session through WalletConnect's relay as the pages see it: a wallet on one network, which ends with the session.
import { expect, it } from 'vitest';
import { type SessionClient, sessionProvider } from './sessionProvider.ts';

const ACCOUNT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

function session() {
  const asked: unknown[] = [];
  let end: (args: { topic: string }) => void = () => {};
  const client: SessionClient = {
    request: async (args) => {
      asked.push(args);
      return '0xsigned';
    },
    on: (_event, listener) => {
      end = listener;
    },
  };
  const provider = sessionProvider(client, 'topic', 8453, ACCOUNT);
  return { asked, provider, end: (topic: string) => end({ topic }) };
}

it('says who and where without asking the wallet, and hands signatures on with their network', async () => {
  const { asked, provider } = session();
  expect(await provider.request({ method: 'eth_requestAccounts' })).toEqual([ACCOUNT]);
  expect(await provider.request({ method: 'eth_chainId' })).toBe('0x2105');
  expect(await provider.request({ method: 'eth_getTransactionReceipt', params: ['0x1'] })).toBeNull();
  expect(asked).toEqual([]);
  expect(await provider.request({ method: 'eth_signTypedData_v4', params: [ACCOUNT, '{}'] })).toBe('0xsigned');
  const request = { method: 'eth_signTypedData_v4', params: [ACCOUNT, '{}'] };
  expect(asked).toEqual([{ topic: 'topic', chainId: 'eip155:8453', request }]);
});

it('refuses what the session is not for, another network above all', async () => {
  const { asked, provider } = session();
  for (const method of ['wallet_switchEthereumChain', 'wallet_addEthereumChain', 'eth_sign', 'eth_getBalance'])
    await expect(provider.request({ method, params: [] })).rejects.toMatchObject({ code: 4200 });
  expect(asked).toEqual([]);
});

it('shows no account once the wallet ended the session, and asks it for nothing', async () => {
  const { asked, provider, end } = session();
  const told: unknown[] = [];
  provider.on?.('accountsChanged', (accounts) => told.push(accounts));
  end('another');
  expect(await provider.request({ method: 'eth_accounts' })).toEqual([ACCOUNT]);
  end('topic');
  expect(told).toEqual([[]]);
  expect(await provider.request({ method: 'eth_accounts' })).toEqual([]);
  await expect(provider.request({ method: 'eth_sendTransaction', params: [{}] })).rejects.toMatchObject({ code: 4100 });
  expect(asked).toEqual([]);
});
