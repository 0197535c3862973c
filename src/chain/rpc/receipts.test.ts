// Waiting for one transaction on a chain that mines on demand only: its block may be there before anybody looks, and no other follows.
import { createPublicClient, custom, type Hash, http } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningAnvil, startAnvil } from '../../../local/chains/anvil.ts';
import { localKey } from '../../../local/stack/people.ts';
import { waitForReceipt } from './receipts.ts';

let anvil: RunningAnvil;
beforeAll(async () => {
  anvil = await startAnvil({ chainId: 31_337, blockTimeSeconds: 0, mixedMining: false });
});
afterAll(() => anvil.stop());

/** A client whose chain hides receipts for its first answers, as one does that is still writing them down. */
function clientThatHides(answers: number) {
  const real = createPublicClient({ transport: http(anvil.rpcUrl) });
  let left = answers;
  const transport = custom({
    request: async ({ method, params }) =>
      method === 'eth_getTransactionReceipt' && left-- > 0 ? null : real.request({ method, params } as never),
  });
  return createPublicClient({ transport, pollingInterval: 10, cacheTime: 0 });
}

async function rpc(method: string, ...params: unknown[]): Promise<unknown> {
  return createPublicClient({ transport: http(anvil.rpcUrl) }).request({ method, params } as never);
}

async function sent(): Promise<Hash> {
  const from = localKey('alice').address;
  await rpc('anvil_setBalance', from, '0xde0b6b3a7640000');
  await rpc('anvil_impersonateAccount', from);
  return (await rpc('eth_sendTransaction', { from, to: from, gas: '0x5208' })) as Hash;
}

test('a receipt that shows after its block is found without another block', async () => {
  const hash = await sent();
  await rpc('evm_mine');
  const height = await rpc('eth_blockNumber');
  expect((await waitForReceipt(clientThatHides(5), hash, { withinMs: 5_000 })).status).toBe('success');
  expect(await rpc('eth_blockNumber')).toBe(height);
});

test('a transaction that gets into no block is named, with what to do', async () => {
  const hash = await sent();
  await expect(waitForReceipt(clientThatHides(0), hash, { withinMs: 50 })).rejects.toThrow(
    `The transaction ${hash} is in no block after 0.05 s. It may still come`,
  );
});

test('an endpoint that fails is not waited for', async () => {
  const client = createPublicClient({ transport: http('http://127.0.0.1:1', { retryCount: 0 }), pollingInterval: 10 });
  await expect(waitForReceipt(client, `0x${'ab'.repeat(32)}`)).rejects.toThrow('HTTP request failed');
});
