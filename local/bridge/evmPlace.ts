// An EVM chain of the local Relay: its solver takes deposits that carry a request's id, and pays from its own account.
import {
  type Address,
  concatHex,
  encodeFunctionData,
  erc20Abi,
  getAbiItem,
  type Hex,
  isAddress,
  isAddressEqual,
  size,
  slice,
  zeroAddress,
} from 'viem';
import { CHAINS } from '../../src/domain/chains.ts';
import { sendAll } from '../chains/deploy/send.ts';
import { localKey } from '../stack/people.ts';
import { type BridgeChain, type Ledger, openLedger } from './ledger.ts';
import type { RelayPlace, Waiting } from './place.ts';

type Place = { ledger: Ledger; next: bigint };

/** The account that takes deposits and fills. */
export function solverAddress(): Address {
  return localKey('relay solver').address;
}

export async function openEvmPlace(chain: BridgeChain): Promise<RelayPlace> {
  const ledger = await openLedger(chain, 'relay solver');
  const place: Place = { ledger, next: await ledger.local.client.getBlockNumber({ cacheTime: 0 }) };
  return {
    chainId: chain.chainId,
    isAddress: (text) => isAddress(text, { strict: false }),
    assetOf: (token) => (isAddress(token, { strict: false }) ? assetOf(chain, token) : null),
    openingUsd: () => 0n,
    depositData: (request, user, input) => depositData(chain, request, user, input),
    readDeposits: (waits) => readDeposits(place, waits),
    pay: (to, token, amount) => pay(ledger, to as Address, token as Address, amount),
  };
}

function assetOf(chain: BridgeChain, token: Address): ReturnType<RelayPlace['assetOf']> {
  const { usdcDecimals, nativeDecimals, native } = CHAINS[chain.name];
  if (isAddressEqual(token, chain.usdc)) return { kind: 'USDC', decimals: usdcDecimals, microUsd: 1_000_000n };
  if (!isAddressEqual(token, zeroAddress)) return null;
  return { kind: native, decimals: nativeDecimals, microUsd: BigInt(Math.round(chain.nativeUsdPrice * 1e6)) };
}

/** A native deposit carries the request's id as its data, a token's transfer behind its arguments. */
function depositData({ chainId }: BridgeChain, request: Waiting, user: string, input: bigint): object {
  const [solver, id, token] = [solverAddress(), request.id as Hex, request.inputToken as Address];
  if (isAddressEqual(token, zeroAddress)) return { from: user, to: solver, data: id, value: String(input), chainId };
  const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [solver, input] });
  return { from: user, to: token, data: concatHex([transfer, id]), value: '0', chainId };
}

/** Looks only at blocks that came while something was waited for. */
async function readDeposits(place: Place, waits: readonly Waiting[]): Promise<{ id: string; hash: string }[]> {
  const { ledger } = place;
  const { client } = ledger.local;
  const head = await client.getBlockNumber({ cacheTime: 0 });
  if (head < place.next) place.next = head;
  // A request of any age may be paid at any time, and its block may be the newest that was seen.
  if (waits.length === 0) {
    place.next = head;
    return [];
  }
  const solver = solverAddress();
  const found: { id: string; hash: string }[] = [];
  for (let number = place.next; number <= head; number += 1n) {
    const { transactions } = await client.getBlock({ blockNumber: number, includeTransactions: true });
    for (const { to, input, hash, value } of transactions) {
      const isNative = to !== null && isAddressEqual(to, solver) && size(input) === 32;
      const isToken = to !== null && isAddressEqual(to, ledger.usdc) && size(input) === 100;
      const id = isNative ? input : isToken ? slice(input, 68) : null;
      const request = waits.find((one) => one.id === id);
      if (!request) continue;
      const paid = isNative ? value : await tokenPaid(place, hash);
      if (paid >= BigInt(request.input)) found.push({ id: request.id, hash });
    }
  }
  place.next = head + 1n;
  return found;
}

async function tokenPaid({ ledger }: Place, hash: Hex): Promise<bigint> {
  const { client } = ledger.local;
  const { blockNumber, status } = await client.getTransactionReceipt({ hash });
  if (status !== 'success') return 0n;
  const logs = await client.getLogs({
    address: ledger.usdc,
    event: getAbiItem({ abi: erc20Abi, name: 'Transfer' }),
    args: { to: solverAddress() },
    fromBlock: blockNumber,
    toBlock: blockNumber,
    strict: true,
  });
  return logs.filter(({ transactionHash }) => transactionHash === hash).reduce((sum, { args }) => sum + args.value, 0n);
}

async function pay({ local }: Ledger, to: Address, token: Address, amount: bigint): Promise<Hex> {
  const isNative = isAddressEqual(token, zeroAddress);
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] });
  const [hash] = await sendAll(local, [isNative ? { to, data: '0x', value: amount } : { to: token, data }]);
  if (!hash) throw new Error('a payment has a transaction');
  return hash;
}
