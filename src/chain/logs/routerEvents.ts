// The events of one router: what another contract emits under the same name counts for nothing.
import {
  type Abi,
  type AbiEvent,
  type Address,
  getAddress,
  type Log,
  type ParseEventLogsReturnType,
  parseEventLogs,
  toEventSelector,
} from 'viem';
import type { Hex } from '../rpc/client.ts';

/** The events among logs that exactly this contract emitted, in their order, each with its block, transaction and arguments. */
export function ownEvents<const TAbi extends Abi>(
  abi: TAbi,
  contract: Address,
  logs: readonly Log[],
): ParseEventLogsReturnType<TAbi, undefined, true> {
  const address = contract.toLowerCase();
  return decodeEvents(
    abi,
    logs.filter((log) => log.address.toLowerCase() === address),
  );
}

/** The events of an ABI among logs. A log whose topics or data do not fit its event is left out. */
export function decodeEvents<const TAbi extends Abi>(
  abi: TAbi,
  logs: readonly Log[],
): ParseEventLogsReturnType<TAbi, undefined, true> {
  const decoders = decodersOf(abi);
  const events = logs.flatMap((log) => {
    const decode = decoders.get(log.topics[0] ?? '0x');
    return decode ? decode(log) : [];
  });
  return events as unknown as ParseEventLogsReturnType<TAbi, undefined, true>;
}

type Decoder = (log: Log) => object[];
const known = new WeakMap<Abi, ReadonlyMap<Hex, Decoder>>();

/** By selector. viem hashes the signatures of an ABI again for every log, which costs more than everything else that is done with it. */
function decodersOf(abi: Abi): ReadonlyMap<Hex, Decoder> {
  const before = known.get(abi);
  if (before) return before;
  const events = abi.filter((item): item is AbiEvent => item.type === 'event');
  const decoders = new Map(events.map((event) => [toEventSelector(event), decoderOf(abi, event)]));
  known.set(abi, decoders);
  return decoders;
}

const WORD = 64;
type Read = (word: string) => unknown;
const READS: Readonly<Record<string, Read>> = {
  address: (word) => getAddress(`0x${word.slice(24)}`),
  bytes32: (word) => `0x${word}`,
  bool: (word) => BigInt(`0x${word}`) === 1n,
  uint64: (word) => BigInt(`0x${word}`),
  uint128: (word) => BigInt(`0x${word}`),
  uint256: (word) => BigInt(`0x${word}`),
};

/** Parameters of one word each are sliced out of the log; an event with any other is left to viem. */
function decoderOf(abi: Abi, event: AbiEvent): Decoder {
  const { name: eventName, inputs } = event;
  const reads = inputs.map(({ name, type, indexed }) => ({ name, indexed, read: READS[type] }));
  if (reads.some(({ name, read }) => !name || !read)) return (log) => parseEventLogs({ abi, logs: [log] });
  const topicCount = 1 + reads.filter(({ indexed }) => indexed).length;
  const dataLength = 2 + WORD * (reads.length + 1 - topicCount);
  return (log) => {
    const { topics, data } = log;
    if (topics.length !== topicCount || data.length !== dataLength) return [];
    const args: Record<string, unknown> = {};
    let topic = 1;
    let at = 2;
    for (const { name = '', indexed, read } of reads) {
      const word = indexed ? (topics[topic++] ?? '').slice(2) : data.slice(at, at + WORD);
      if (!indexed) at += WORD;
      args[name] = read?.(word);
    }
    return [{ ...log, eventName, args }];
  };
}
