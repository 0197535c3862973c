// A leg that needs no bridge: the payer's transfer on the due chain, by its wallet or by its signature (EIP-3009).
import { encodeEventTopics, encodeFunctionData, erc20Abi, isAddressEqual, type Log, parseAbi } from 'viem';
import { ownEvents } from '../logs/routerEvents.ts';
import type { Address, EvmChain, Hash, Hex } from '../rpc/client.ts';
import { logsOf } from '../rpc/logs.ts';

const abi = parseAbi([
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
]);

type Transfer = { from: Address; to: Address; token: Address | null; amount: string; nonce: Hex };

export function encodeTransfer({ to, token, amount }: Transfer): { to: Address; data: Hex; value: bigint } {
  if (token === null) return { to, data: '0x', value: BigInt(amount) };
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, BigInt(amount)] });
  return { to: token, data, value: 0n };
}

/** Anyone may send it; the signature may be a contract wallet's. `validBefore` in Unix seconds. */
export function encodeTransferBySignature(
  chain: EvmChain,
  { from, to, amount, nonce }: Transfer,
  { validBefore, signature }: { validBefore: bigint; signature: Hex },
): { to: Address; data: Hex } {
  const args = [from, to, BigInt(amount), 0n, validBefore, nonce, signature] as const;
  return { to: chain.usdc, data: encodeFunctionData({ abi, functionName: 'transferWithAuthorization', args }) };
}

/** Whether a transaction moved exactly that from the payer. Of the native asset only its call tells. */
export function hasTransfer({ from, to, token, amount }: Transfer, logs: readonly Log[]): boolean {
  if (token === null) return false;
  return ownEvents(erc20Abi, token, logs).some(
    ({ eventName, args }) =>
      eventName === 'Transfer' &&
      isAddressEqual(args.from, from) &&
      isAddressEqual(args.to, to) &&
      args.value === BigInt(amount),
  );
}

/** The transactions that moved exactly that from the payer. None of the native asset, which leaves no log. Blocks are included. @throws AppError `provider_unavailable` */
export async function findTransfers(
  chain: EvmChain,
  transfer: Transfer,
  fromBlock: bigint,
  toBlock: bigint,
): Promise<Hash[]> {
  const { from, to, token } = transfer;
  if (token === null) return [];
  const topics = encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer', args: { from, to } });
  const logs = await logsOf(chain, token, topics as Hex[], fromBlock, toBlock);
  return logs.filter((log) => hasTransfer(transfer, [log])).map(({ transactionHash }) => transactionHash);
}

/**
 * The transaction that used a payer's authorization (EIP-3009), also one that is not ours: what is signed is seen before it is mined, and anyone may be first.
 * Blocks are included.
 * @throws AppError `provider_unavailable`
 */
export async function findAuthorization(
  chain: EvmChain,
  { authorizer, nonce }: { authorizer: Address; nonce: Hash },
  from: bigint,
  to: bigint,
): Promise<Hash | null> {
  const topics = encodeEventTopics({ abi, eventName: 'AuthorizationUsed', args: { authorizer, nonce } });
  const [log] = await logsOf(chain, chain.usdc, topics as Hex[], from, to);
  return log?.transactionHash ?? null;
}
