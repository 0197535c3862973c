// Decoding of router events: the same as viem's, for every event of the routers that we read.
import {
  type AbiEvent,
  encodeAbiParameters,
  encodeEventTopics,
  getAddress,
  type Hex,
  keccak256,
  type Log,
  parseEventLogs,
  toHex,
} from 'viem';
import { expect, test } from 'vitest';
import { escrowRouterAbi } from '../routers/abis/EscrowRouter.ts';
import { paymentRouterAbi } from '../routers/abis/PaymentRouter.ts';
import { decodeEvents, ownEvents } from './routerEvents.ts';

const ROUTER = getAddress('0x00000000000000000000000000000000000077a1');
const hash = (text: string) => keccak256(toHex(text));
const VALUES: Record<string, (name: string) => unknown> = {
  address: (name) => getAddress(`0x${hash(name).slice(26)}`),
  bytes32: (name) => hash(name),
  bool: () => true,
  uint64: () => 2n ** 64n - 1n,
  uint128: () => 2n ** 127n,
  uint256: () => 2n ** 255n + 7n,
};

function logOf(event: AbiEvent): Log {
  const values = event.inputs.map(({ name = '', type }) => [name, VALUES[type]?.(name)] as const);
  const plain = event.inputs.filter(({ indexed }) => !indexed);
  const args = Object.fromEntries(values);
  const topics = encodeEventTopics({ abi: [event], eventName: event.name, args }) as [Hex, ...Hex[]];
  const data = encodeAbiParameters(
    plain,
    plain.map(({ name = '' }) => args[name]),
  );
  const place = { blockHash: hash('block'), blockNumber: 7n, transactionHash: hash('tx'), transactionIndex: 0 };
  return { address: ROUTER, topics, data, ...place, logIndex: 3, removed: false };
}

test.each([...paymentRouterAbi, ...escrowRouterAbi].filter((item) => item.type === 'event'))('$name', (event) => {
  const log = logOf(event);
  const abi = [event];
  expect(decodeEvents(abi, [log])).toEqual(parseEventLogs({ abi, logs: [log] }));
  expect(decodeEvents(abi, [log])).toHaveLength(1);
  expect(
    decodeEvents(abi, [{ ...log, data: log.data.slice(0, -64) as Hex, topics: log.topics.slice(0, -1) as never }]),
  ).toEqual([]);
  expect(decodeEvents(abi, [{ ...log, topics: [hash('another event')] }])).toEqual([]);
});

test('an event with a parameter of more than one word is left to viem', () => {
  const event = {
    type: 'event',
    name: 'Noted',
    inputs: [
      { name: 'by', type: 'address', indexed: true },
      { name: 'text', type: 'string', indexed: false },
    ],
  } as const;
  VALUES['string'] = (name) => name.repeat(40);
  expect(decodeEvents([event], [logOf(event)])).toMatchObject([
    { eventName: 'Noted', args: { text: 'text'.repeat(40) } },
  ]);
});

test('of another contract: none', () => {
  const [event] = paymentRouterAbi.filter((item) => item.type === 'event');
  if (!event) throw new Error('the payment router has events');
  expect(ownEvents(paymentRouterAbi, ROUTER.toLowerCase() as Hex, [logOf(event)])).toHaveLength(1);
  expect(ownEvents(paymentRouterAbi, VALUES['address']?.('another') as Hex, [logOf(event)])).toEqual([]);
});
