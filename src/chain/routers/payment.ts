// The payment router and the business router in TypeScript (IPaymentRouter): an order's ids, the calls that pay and refund it, and its
// outcome. Both have the same functions; the business router prescribes the fee.
import {
  type Address,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  keccak256,
  type Log,
  type PublicClient,
  toHex,
  zeroAddress,
} from 'viem';
import { type OrderRouter, orderStruct, type RouterOrderTerms } from '../../domain/typedData/orders.ts';
import { ownEvents } from '../logs/routerEvents.ts';
import { agreed, anySays } from '../rpc/agreement.ts';
import { type EvmChain, reading } from '../rpc/client.ts';
import { commonFinalBlock } from '../rpc/finality.ts';
import type { Authorization, Permit, Permit2 } from '../signing/authorizations.ts';
import { structHash } from '../signing/signatures.ts';
import { depositBytecode } from './abis/Deposit.bytecode.ts';
import { paymentRouterAbi as abi } from './abis/PaymentRouter.ts';

/** What stands for the native asset where a token is named. */
export const NATIVE_TOKEN: Address = zeroAddress;

/** How the payer pays, with what it signed. `direct` is a call of the payer itself, from its allowance or with the native asset. */
export type OrderMeans =
  | { way: 'direct' }
  | { way: 'allowance'; orderSignature: Hex }
  | { way: 'eip2612'; permit: Permit; orderSignature: Hex }
  | { way: 'eip3009'; authorization: Authorization }
  | { way: 'permit2'; permit: Permit2 };

/** The on-chain `orderId` of an order's identifier. */
export function orderIdHash(id: string): Hex {
  return keccak256(toHex(id));
}

/** The once-only key of these terms at a router: what `PaymentSettled` names. */
export function orderKey(chain: EvmChain, router: OrderRouter, terms: RouterOrderTerms): Hex {
  const { orderId, payee, token, amount, fee, deadline } = terms;
  // Parameters of one word each, which abi.encode lays side by side: the indexer hashes thousands of keys a second.
  const words = [BigInt(chain.facts.chainId), chain.routers[router], orderId, payee, token, amount, fee, deadline];
  return keccak256(Buffer.from(words.map(wordOf).join(''), 'hex'));
}

function wordOf(value: bigint | Hex): string {
  return (typeof value === 'bigint' ? value.toString(16) : value.slice(2)).padStart(64, '0');
}

/** The nonce of an EIP-3009 authorization, and the Permit2 witness, with which `payer` pays these terms. */
export function orderHash(terms: RouterOrderTerms, payer: Address): Hex {
  return structHash(orderStruct(terms, payer));
}

const DEPOSIT_CODE_HASH = keccak256(depositBytecode);

/** The address that belongs to these terms: whatever arrives there can only settle them, or go where the payee says. */
export function depositAddress(chain: EvmChain, router: OrderRouter, terms: RouterOrderTerms): Address {
  return getContractAddress({
    opcode: 'CREATE2',
    from: chain.routers[router],
    salt: orderKey(chain, router, terms),
    bytecodeHash: DEPOSIT_CODE_HASH,
  });
}

/** Pays an order. Native: only `direct`, with `terms.amount` as the transaction's value. */
export function encodePayment(terms: RouterOrderTerms, payer: Address, means: OrderMeans): Hex {
  switch (means.way) {
    case 'direct':
      return encodeFunctionData({
        abi,
        functionName: terms.token === zeroAddress ? 'payNative' : 'pay',
        args: [terms],
      });
    case 'allowance':
      return encodeFunctionData({ abi, functionName: 'payWithAllowance', args: [terms, payer, means.orderSignature] });
    case 'eip2612': {
      const args = [terms, payer, means.permit, means.orderSignature] as const;
      return encodeFunctionData({ abi, functionName: 'payWithPermit', args });
    }
    case 'eip3009':
      return encodeFunctionData({
        abi,
        functionName: 'payWithAuthorization',
        args: [terms, payer, means.authorization],
      });
    case 'permit2':
      return encodeFunctionData({ abi, functionName: 'payWithPermit2', args: [terms, payer, means.permit] });
  }
}

/** Settles an order from its deposit address. Anyone. */
export function encodeSweep(terms: RouterOrderTerms): Hex {
  return encodeFunctionData({ abi, functionName: 'sweep', args: [terms] });
}

/** Takes a late, partial or excess deposit of `token`. The payee's wallet. */
export function encodeAcceptDeposit(terms: RouterOrderTerms, token: Address): Hex {
  return encodeFunctionData({ abi, functionName: 'acceptDeposit', args: [terms, token] });
}

/** Sends `amount` of a deposit to `to`. The payee's wallet. */
export function encodeRefundDeposit(terms: RouterOrderTerms, token: Address, to: Address, amount: bigint): Hex {
  return encodeFunctionData({ abi, functionName: 'refundDeposit', args: [terms, token, to, amount] });
}

/** Refunds from the payee's own money. The payee's wallet; native: with `amount` as the transaction's value. */
export function encodeRefund(terms: RouterOrderTerms, to: Address, amount: bigint): Hex {
  return encodeFunctionData({ abi, functionName: 'refund', args: [terms, to, amount] });
}

/** The same on the payee's signature `RefundTo`, from its allowance. Anyone; USDC only. */
export function encodeRefundBySig(
  terms: RouterOrderTerms,
  { to, amount, nonce, deadline }: { to: Address; amount: bigint; nonce: bigint; deadline: bigint },
  signature: Hex,
): Hex {
  return encodeFunctionData({
    abi,
    functionName: 'refundBySig',
    args: [terms, to, amount, nonce, deadline, signature],
  });
}

/** Whether an order's key is settled, and the sum of its recorded refunds. @throws AppError `provider_unavailable` */
export async function readPayment(
  chain: EvmChain,
  router: OrderRouter,
  key: Hex,
): Promise<{ settled: boolean; refunded: bigint }> {
  const at = { address: chain.routers[router], abi, args: [key] } as const;
  const [settled, refunded] = await reading(chain, () =>
    Promise.all([
      chain.client.readContract({ ...at, functionName: 'settled' }),
      chain.client.readContract({ ...at, functionName: 'refunded' }),
    ]),
  );
  return { settled, refunded };
}

/** Whether an order's key is settled in the newest block. @throws AppError `provider_unavailable` */
export function isSettled(chain: EvmChain, router: OrderRouter, key: Hex): Promise<boolean> {
  const at = { address: chain.routers[router], abi, args: [key] } as const;
  return anySays(chain, (client) => client.readContract({ ...at, functionName: 'settled' }));
}

/**
 * Whether an order's key is settled in blocks that are final for us, and the Unix second of the newest of those.
 * @throws AppError `provider_unavailable`
 */
export async function finalPayment(
  chain: EvmChain,
  router: OrderRouter,
  key: Hex,
): Promise<{ settled: boolean; time: number }> {
  const { number: blockNumber } = await commonFinalBlock(chain);
  const at = { address: chain.routers[router], abi, args: [key], blockNumber } as const;
  const ask = async (client: PublicClient) => {
    const [settled, block] = await Promise.all([
      client.readContract({ ...at, functionName: 'settled' }),
      client.getBlock({ blockNumber }),
    ]);
    return { settled, time: Number(block.timestamp), hash: block.hash };
  };
  const { settled, time } = await agreed(chain, ask, (answer) => `${answer.hash} ${answer.settled}`);
  return { settled, time };
}

/** The transaction that settled a key within a range of blocks, or null where none is found. @throws AppError `provider_unavailable` */
export async function settledBy(
  chain: EvmChain,
  router: OrderRouter,
  key: Hex,
  range: { fromBlock: bigint; toBlock: bigint },
): Promise<Hex | null> {
  const at = { address: chain.routers[router], abi, eventName: 'PaymentSettled', args: { key }, ...range } as const;
  const logs = await reading(chain, () => chain.client.getContractEvents(at));
  return logs.at(-1)?.transactionHash ?? null;
}

/** The number that the payee's next `RefundTo` must carry. @throws AppError `provider_unavailable` */
export async function refundNonce(chain: EvmChain, router: OrderRouter, payee: Address): Promise<bigint> {
  return reading(chain, () =>
    chain.client.readContract({ address: chain.routers[router], abi, functionName: 'nonces', args: [payee] }),
  );
}

/** The router's own events among logs: `PaymentSettled`, `DepositMoved`, `PaymentRefunded` and those of its roles. */
export function paymentEvents(chain: EvmChain, router: OrderRouter, logs: readonly Log[]) {
  return ownEvents(abi, chain.routers[router], logs);
}
