// Reading payments from blocks: what is asked for, what is left out, and where a block range ends.
import {
  type EncodeEventTopicsParameters,
  encodeAbiParameters,
  encodeEventTopics,
  erc20Abi,
  getAddress,
  keccak256,
  parseAbiParameters,
  toHex,
  zeroAddress,
} from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LocalChainWorld, startLocalChain } from '../../../test/setup/localChain.ts';
import { paymentRouterAbi } from '../routers/abis/PaymentRouter.ts';
import {
  type BlockLog,
  type BlockRange,
  type LogFilter,
  type RangeRequest,
  readBlockRange,
} from '../rpc/blockRanges.ts';
import type { Address, EvmChain, Hex } from '../rpc/client.ts';
import { feedFilter } from './filter.ts';
import { readSettlements } from './settlements.ts';

let local: LocalChainWorld;
beforeAll(async () => {
  local = await startLocalChain('base');
});
afterAll(() => local.stop());

const hash = (text: string) => keccak256(toHex(text));
const [KEY, ORDER, BLOCK, TX] = ['key', 'order', 'block', 'tx'].map(hash) as [Hex, Hex, Hex, Hex];
const [PAYER, PAYEE, DEPOSIT] = ['payer', 'payee', 'deposit'].map((name) =>
  getAddress(`0x${hash(name).slice(26)}`),
) as [Address, Address, Address];
const TIME = new Date('2026-11-22T10:00:00Z');

function log(address: Address, topics: readonly (Hex | Hex[] | null)[], data: Hex, logIndex = 0): BlockLog {
  const place = {
    blockNumber: 7n,
    blockHash: BLOCK,
    transactionHash: TX,
    transactionIndex: 0,
    logIndex,
    removed: false,
  };
  return { address, topics, data, ...place } as unknown as BlockLog;
}
const rangeOf = (...logs: BlockLog[]): BlockRange => ({
  from: 7n,
  to: 7n,
  logs,
  blocks: new Map([[7n, { number: 7n, hash: BLOCK, parentHash: hash('before'), time: TIME }]]),
});
type Event = EncodeEventTopicsParameters<
  typeof paymentRouterAbi,
  'PaymentSettled' | 'PaymentRefunded' | 'DepositMoved'
>;
const topicsOf = (eventName: string, args: object) =>
  encodeEventTopics({ abi: paymentRouterAbi, eventName, args } as unknown as Event) as Hex[];
const settled = (at: Address, logIndex = 0) =>
  log(
    at,
    topicsOf('PaymentSettled', { key: KEY, orderId: ORDER, payer: PAYER }),
    encodeAbiParameters(parseAbiParameters('address, address, uint256, uint256'), [PAYEE, zeroAddress, 5n, 1n]),
    logIndex,
  );
const transfer = (token: Address, to: Address, value: bigint, logIndex = 0) =>
  log(
    token,
    encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer', args: { from: PAYER, to } }) as Hex[],
    encodeAbiParameters([{ type: 'uint256' }], [value]),
    logIndex,
  );
const chain = (): EvmChain => local.chain;

describe('a log', () => {
  test('of each kind is read whole, in the chain’s order', () => {
    const { payment, business } = chain().routers;
    const money = encodeAbiParameters(parseAbiParameters('address, uint256, uint256'), [chain().usdc, 4n, 4n]);
    const moved = encodeAbiParameters(parseAbiParameters('address, uint256, uint256, bool'), [
      chain().usdc,
      9n,
      1n,
      true,
    ]);
    const args = { key: KEY, orderId: ORDER, to: PAYEE };
    const range = rangeOf(
      transfer(chain().usdc, DEPOSIT, 3n, 9),
      log(business, topicsOf('DepositMoved', args), moved, 4),
      log(payment, topicsOf('PaymentRefunded', args), money, 3),
      settled(business, 2),
      settled(payment, 1),
    );
    const place = { txHash: TX, block: 7n, blockHash: BLOCK, blockTime: TIME };
    const of = (router: 'payment' | 'business') => ({
      ...place,
      router,
      routerAddress: chain().routers[router],
      key: KEY,
      onChainId: ORDER,
    });
    const pay = { kind: 'settled', payer: PAYER, payee: PAYEE, token: zeroAddress, units: 5n, feeUnits: 1n };
    expect(readSettlements(chain(), range, [DEPOSIT])).toEqual([
      { ...of('payment'), ...pay, logIndex: 1 },
      { ...of('business'), ...pay, logIndex: 2 },
      { ...of('payment'), kind: 'refunded', to: PAYEE, token: chain().usdc, units: 4n, logIndex: 3 },
      {
        ...of('business'),
        ...{
          kind: 'deposit_moved',
          to: PAYEE,
          token: chain().usdc,
          units: 9n,
          feeUnits: 1n,
          accepted: true,
          logIndex: 4,
        },
      },
      { ...place, kind: 'deposit', from: PAYER, to: DEPOSIT, token: chain().usdc, units: 3n, logIndex: 9 },
    ]);
  });

  test('of another contract, of an address that nobody was given, or cut short, is none', () => {
    const { payment, escrow } = chain().routers;
    const range = rangeOf(
      settled(escrow, 1),
      settled(PAYER, 2),
      { ...settled(payment, 3), data: '0x00' },
      { ...settled(payment, 4), topics: settled(payment).topics.slice(0, 3) as never },
      transfer(PAYEE, DEPOSIT, 3n, 5),
      transfer(chain().usdc, PAYEE, 3n, 6),
      { ...settled(payment, 7), blockNumber: 8n },
    );
    expect(readSettlements(chain(), range, [DEPOSIT])).toEqual([]);
  });
});

describe('a block range', () => {
  const ask = (logs: LogFilter['logs'], more: Partial<RangeRequest> = {}) =>
    readBlockRange(chain(), { from: 1n, to: 6n, hashesFrom: 6n, most: 3, agreed: false, logs, ...more });
  const logsAt = async (...numbers: number[]): Promise<BlockLog[]> => {
    const blocks = await Promise.all(numbers.map((number) => chain().client.getBlock({ blockNumber: BigInt(number) })));
    // As nodes write it.
    const router = chain().routers.payment.toLowerCase() as Address;
    return blocks.map(({ number, hash: blockHash }, logIndex) => ({
      ...settled(router, logIndex),
      blockNumber: number,
      blockHash,
    }));
  };

  test('asks for the routers’ events and the transfers to each address, few addresses at once', async () => {
    await local.mint(5n, DEPOSIT);
    const head = await chain().client.getBlockNumber();
    const others = Array.from({ length: 1_200 }, (_, index) => getAddress(`0x${hash(`other ${index}`).slice(26)}`));
    const watched = [...others, DEPOSIT];
    const filter = { ...feedFilter(chain(), watched), most: 500 };
    const read = await readBlockRange(chain(), { from: head - 3n, to: head, hashesFrom: head, ...filter });
    if (read === 'narrower') throw new Error('the local chain takes every question');
    expect(readSettlements(chain(), read, watched)).toMatchObject([{ kind: 'deposit', to: DEPOSIT, units: 5n }]);
    expect(read.blocks.get(head)?.hash).toBe((await chain().client.getBlock()).hash);
  });

  test('ends before the block with which there would be too many logs, and never tears one apart', async () => {
    const many = await logsAt(2, 2, 4, 4, 5);
    expect(await ask(async () => [...many])).toMatchObject({ to: 3n, logs: many.slice(0, 2) });
    const one = await logsAt(2, 2, 2, 2, 2);
    expect(await ask(async () => [...one])).toMatchObject({ to: 2n, logs: one });
    const few = await logsAt(2, 4, 5);
    expect(await ask(async () => [...few])).toMatchObject({ to: 6n, logs: few });
  });

  test('whose logs lie in blocks that are not there is not believed', async () => {
    const [log2] = await logsAt(2);
    await expect(ask(async () => [{ ...log2, blockHash: BLOCK } as BlockLog])).rejects.toMatchObject({
      code: 'provider_unavailable',
    });
    await expect(ask(async () => [], { to: 9_999n })).rejects.toMatchObject({ code: 'provider_unavailable' });
  });

  test('of a node that is away is no refusal of its width', async () => {
    const away = async () => {
      throw new TypeError('fetch failed');
    };
    await expect(ask(away)).rejects.toMatchObject({ code: 'provider_unavailable' });
  });
});
