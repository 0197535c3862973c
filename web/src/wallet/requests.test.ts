// How long a page waits for a wallet: a transaction is waited for as long as its owner takes, everything else for five minutes.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { sendTransaction, signText, type WalletProvider } from './requests.ts';

const ACCOUNT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const HASH = `0x${'ab'.repeat(32)}`;
const CALL = { to: ACCOUNT, data: '0x', value: '0x1', chainId: 8453 };
const LONG_MS = 20 * 60_000;

/** Its owner answers what is to be signed or sent late. */
const late: WalletProvider = {
  request({ method }) {
    if (method === 'eth_requestAccounts') return Promise.resolve([ACCOUNT]);
    if (method === 'eth_chainId') return Promise.resolve('0x2105');
    return new Promise((resolve) => setTimeout(() => resolve(HASH), LONG_MS));
  },
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('has the hash of a transaction that its owner confirms after twenty minutes', async () => {
  const sent = sendTransaction(late, ACCOUNT, CALL, 'Base');
  await vi.advanceTimersByTimeAsync(LONG_MS);
  expect(await sent).toBe(HASH);
});

it('gives a signature up after five minutes, which moves nothing', async () => {
  const signed = signText(late, ACCOUNT, 'Sign in');
  const refused = expect(signed).rejects.toMatchObject({ problem: 'silent' });
  await vi.advanceTimersByTimeAsync(LONG_MS);
  await refused;
});
