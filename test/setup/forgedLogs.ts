// A contract that is not ours and emits whatever log it is sent: the lie that a transaction hash can tell.
import { type Address, concat, type Hex, type Log, pad, toHex } from 'viem';
import type { World } from './world.ts';

const FORGER: Address = '0x00000000000000000000000000000000f0f0f0f0';
const byte = (value: number) => toHex(value, { size: 1 });

/** Calldata: the topics, then the data of the log. */
function codeFor(topics: number): Hex {
  const from = byte(topics * 32);
  const size: Hex[] = ['0x60', from, '0x3603'];
  const loads = Array.from({ length: topics }, (_, index): Hex[] => ['0x60', byte((topics - 1 - index) * 32), '0x35']);
  return concat([...size, '0x60', from, '0x600037', ...loads.flat(), ...size, '0x6000', byte(0xa0 + topics), '0x00']);
}

/** Places it for logs with as many topics. @returns the call that emits the log with another first indexed argument */
export async function forge(
  world: World,
  log: Pick<Log, 'topics' | 'data'>,
  first: Hex,
): Promise<{ to: Address; data: Hex }> {
  await world.admin().setCode({ address: FORGER, bytecode: codeFor(log.topics.length) });
  const [event = '0x', , ...others] = log.topics;
  return { to: FORGER, data: concat([pad(event), pad(first), ...others, log.data]) };
}
