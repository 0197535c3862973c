// What two endpoints say alike is read alike, whichever of them answers first: one that lies has no say by how it spells, or by what it says beside it.
import { pad, toHex } from 'viem';
import { describe, expect, test } from 'vitest';
import { type BlockLog, readBlockRange } from './blockRanges.ts';
import type { EvmChain, Hex } from './client.ts';
import { logsOf } from './logs.ts';

const hashOf = (number: bigint | number) => pad(toHex(Number(number) + 0xabc00), { size: 32 });
const capitals = (text: string) => `0x${text.slice(2).toUpperCase()}` as Hex;
const TOPIC = pad('0xab', { size: 32 });
const LOG = {
  ...{ address: pad('0xcd', { size: 20 }), topics: [TOPIC], data: '0xef', blockHash: hashOf(7) },
  ...{ blockNumber: 7n, transactionHash: hashOf(70), logIndex: 0, transactionIndex: 0, removed: false },
} as unknown as BlockLog;
type Block = { number: Hex; hash: Hex; parentHash: Hex; timestamp: Hex };
type Lies = { block?: (block: Block) => object; log?: (log: BlockLog) => object; afterMs?: number };

function endpoint({ block = () => ({}), log = () => ({}), afterMs = 0 }: Lies) {
  const shown = { ...LOG, ...log(LOG) };
  return {
    logs: [shown],
    async request({ method, params }: { method: string; params: [Hex] }) {
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      if (method === 'eth_getLogs') return [{ ...shown, blockNumber: toHex(shown.blockNumber), logIndex: '0x0' }];
      const number = BigInt(params[0]);
      const facts = {
        number: toHex(number),
        hash: hashOf(number),
        parentHash: hashOf(number - 1n),
        timestamp: toHex(1_000n + number),
      };
      return { ...facts, ...block(facts) };
    },
  };
}

const chainOf = (liar: Lies) => {
  const endpoints = [endpoint(liar), endpoint({ afterMs: 50 })];
  return { endpoints, client: endpoints[0], local: false, facts: { label: 'Base' } } as unknown as EvmChain;
};
const readRange = (liar: Lies) =>
  readBlockRange(chainOf(liar), {
    ...{ agreed: true, from: 5n, to: 9n, hashesFrom: 9n, most: 100 },
    logs: async (client) => (client as unknown as { logs: BlockLog[] }).logs.map((log) => ({ ...log })),
  });
const readLogs = (liar: Lies) => logsOf(chainOf(liar), LOG.address, [TOPIC], 5n, 9n);

describe('a log', () => {
  const spelled = ({ topics, data, address, transactionHash, blockHash }: BlockLog) => ({
    ...{ topics: topics.map(capitals), data: capitals(data), address: capitals(address) },
    ...{ transactionHash: capitals(transactionHash), blockHash: capitals(blockHash) },
  });

  test('in capitals is the same one', async () => {
    expect(await readLogs({ log: spelled })).toEqual(await readLogs({}));
    const words = (log: BlockLog) => ({ topics: spelled(log).topics, data: spelled(log).data });
    expect(await readRange({ log: words })).toEqual(await readRange({}));
    const block = ({ hash, parentHash }: Block) => ({ hash: capitals(hash), parentHash: capitals(parentHash) });
    expect(await readRange({ log: spelled, block })).toEqual(await readRange({}));
  });

  test('at another height is another one', async () => {
    const log = () => ({ blockNumber: 6n });
    await expect(readLogs({ log })).rejects.toThrow('no two endpoints');
    const block = ({ number }: Block) => (BigInt(number) === 6n ? { hash: hashOf(7) } : {});
    await expect(readRange({ log, block })).rejects.toThrow('do not show the same');
  });
});

test('a block with a log has the time that both say', async () => {
  const block = ({ number }: Block) => (BigInt(number) === 7n ? { timestamp: '0x1' } : {});
  await expect(readRange({ block })).rejects.toThrow('do not show the same');
});

test('a hash that is none is no block', async () => {
  const block = ({ number }: Block) => (BigInt(number) === 9n ? { hash: '\u0000' } : {});
  await expect(readRange({ block })).rejects.toThrow('changed while it was read');
});
