// The events of one router: what another contract calls by the same name counts for nothing.
import { type Abi, type Address, isAddressEqual, type Log, type ParseEventLogsReturnType, parseEventLogs } from 'viem';

/** The events among logs that exactly this contract wrote, in their order, each with its block, transaction and arguments. */
export function ownEvents<const TAbi extends Abi>(
  abi: TAbi,
  contract: Address,
  logs: readonly Log[],
): ParseEventLogsReturnType<TAbi, undefined, true> {
  return parseEventLogs({ abi, logs: logs.filter((log) => isAddressEqual(log.address, contract)) });
}
