// What two endpoints have to say alike, and how long the second is waited for.
import { pad } from 'viem';
import { afterEach, expect, test, vi } from 'vitest';
import { agreed, anyShows } from './agreement.ts';
import type { EvmChain, Hash, PublicClient } from './client.ts';
import { finalReceipt } from './outcomes.ts';

afterEach(() => {
  vi.useRealTimers();
});

const chainOf = (...endpoints: PublicClient[]) =>
  ({
    endpoints,
    client: endpoints[0],
    local: false,
    confirmations: 3,
    facts: { label: 'Base' },
  }) as unknown as EvmChain;
const away = { code: 'provider_unavailable' };

/** An endpoint that answers a question with this. */
const says = (answer: unknown) => ({ answer }) as unknown as PublicClient;
const ask = async (client: PublicClient) => (client as unknown as { answer: string | null }).answer;
const silent = says(new Promise(() => {}));
const dead = () => says(Promise.reject(new Error('away')));

test('two that differ, and one alone, agree on nothing', async () => {
  await expect(agreed(chainOf(says('a'), says('b')), ask, String)).rejects.toMatchObject(away);
  await expect(agreed(chainOf(says('a'), dead()), ask, String)).rejects.toMatchObject(away);
  expect(await agreed(chainOf(says('a'), says('a')), ask, String)).toBe('a');
  expect(await agreed(chainOf(silent, says('a'), says('a')), ask, String)).toBe('a');
});

test('what any shows is taken at once, also beside one that hangs', async () => {
  expect(await anyShows(chainOf(silent, says('a')), ask)).toBe('a');
  expect(await anyShows(chainOf(says(null), says('a')), ask)).toBe('a');
  expect(await anyShows(chainOf(dead(), says(null)), ask)).toBeNull();
  await expect(anyShows(chainOf(dead(), dead()), ask)).rejects.toMatchObject(away);
});

test('one that hangs is waited for half a second where another one shows nothing', async () => {
  vi.useFakeTimers();
  let shown: unknown = 'still waiting';
  void anyShows(chainOf(silent, says(null)), ask).then((answer) => {
    shown = answer;
  });
  await vi.advanceTimersByTimeAsync(499);
  expect(shown).toBe('still waiting');
  await vi.advanceTimersByTimeAsync(1);
  expect(shown).toBeNull();
});

const [TRANSACTION, BLOCK, OTHER_BLOCK] = (['0xa', '0xb', '0xc'] as const).map((hash) => pad(hash, { size: 32 })) as [
  Hash,
  Hash,
  Hash,
];

/** An endpoint with one transaction in block 8. */
function node({ head = 10n, time = 5n, here = BLOCK, ...receipt }: Record<string, unknown> = {}): PublicClient {
  const place = { transactionHash: TRANSACTION, blockHash: BLOCK, blockNumber: 8n };
  const found = { ...place, status: 'success', logs: [], ...receipt };
  return {
    getTransactionReceipt: async () => found,
    getBlockNumber: async () => head,
    getBlock: async () => ({ hash: here, timestamp: time }),
  } as unknown as PublicClient;
}
const final = (...nodes: PublicClient[]) => finalReceipt(chainOf(...nodes), TRANSACTION);

test('a receipt is final once both have it so deep, in a block that is there', async () => {
  expect(await final(node(), node())).toMatchObject({ receipt: { blockNumber: 8n }, time: 5 });
  for (const nodes of [
    [node({ head: 9n }), node({ head: 99n })],
    [node({ head: 99n }), node({ head: 9n })],
    [node({ here: OTHER_BLOCK }), node()],
    [node(), node({ here: OTHER_BLOCK })],
  ])
    expect(await final(...nodes)).toBeNull();
});

test.each([
  ['end', { status: 'reverted' }],
  ['block', { blockHash: OTHER_BLOCK, here: OTHER_BLOCK }],
  ['block number', { blockNumber: 7n }],
  ['time', { time: 6n }],
  ['logs', { logs: [{ address: '0x1', logIndex: 0, topics: [], data: '0x' }] }],
])('a receipt of which they show another %s is not believed', async (_what, other) => {
  await expect(final(node(), node(other))).rejects.toMatchObject(away);
});
