// A transaction that a payer names as its payment of an order: whether it is one, by the router's own event or, before it is in a block, by its call.
import {
  type Address,
  formatTransaction,
  type Hash,
  type Hex,
  isAddressEqual,
  type PublicClient,
  type RpcTransaction,
  type Transaction,
  type TransactionReceipt,
  zeroAddress,
} from 'viem';
import type { OrderRouter, RouterOrderTerms } from '../../domain/typedData/orders.ts';
import { encodePayment, orderKey, paymentEvents } from '../routers/payment.ts';
import { agreed, anyShows } from '../rpc/agreement.ts';
import { type EvmChain, reading, receiptOf } from '../rpc/client.ts';
import { anyReceipt } from '../rpc/outcomes.ts';
import { signedBy } from '../watch/evidence.ts';

/** "failed": it wanted to pay this order, and the chain refused it. "other": it does something else. */
export type OwnPayment =
  | { state: 'pending' | 'failed' | 'other' }
  | { state: 'mined'; block: bigint; blockHash: string };

/**
 * What a transaction does for an order, or null while the chain does not show it.
 * @throws AppError `provider_unavailable`
 */
export async function readOwnPayment(
  chain: EvmChain,
  router: OrderRouter,
  terms: RouterOrderTerms,
  hash: Hash,
): Promise<OwnPayment | null> {
  const receipt = await receiptOf(chain, hash);
  if (receipt?.status === 'success') {
    const key = orderKey(chain, router, terms);
    const settles = paymentEvents(chain, router, receipt.logs).some(
      (event) => event.eventName === 'PaymentSettled' && event.args.key === key,
    );
    if (!settles) return { state: 'other' };
    return { state: 'mined', block: receipt.blockNumber, blockHash: receipt.blockHash };
  }
  const transaction = await reading(chain, () => transactionBy(chain.client, hash));
  if (!transaction) return null;
  const pays = isPayment(chain, router, terms, transaction);
  if (receipt) return { state: pays ? 'failed' : 'other' };
  // What calls another contract may pay through that one: its event will tell.
  return pays ? { state: 'pending' } : null;
}

function isPayment(
  chain: EvmChain,
  router: OrderRouter,
  terms: RouterOrderTerms,
  { to, input, value }: Transaction,
): boolean {
  const native = terms.token === zeroAddress;
  const data: Hex = encodePayment(terms, zeroAddress, { way: 'direct' });
  return (
    to !== null &&
    isAddressEqual(to, chain.routers[router]) &&
    input.toLowerCase() === data.toLowerCase() &&
    value === (native ? terms.amount : 0n)
  );
}

/**
 * How far a call is that a wallet sent by itself. "failed": the chain refused it; "other": it does something else. `nonce` is null where the transaction's
 * signature does not prove it: by a lower one than the wallet used, a transaction that waits would count as replaced.
 */
export type OwnCall =
  | { state: 'other' }
  | { state: 'pending'; nonce: number | null }
  | { state: 'mined' | 'failed'; block: bigint; nonce: number | null };

/**
 * Whether a transaction is exactly this call, or, from a contract wallet, has the call's effect in its logs.
 * @param didIt whether a successful receipt shows the effect; null where only the call itself tells
 * @returns null while the chain does not show it
 * @throws AppError `provider_unavailable`
 */
export function readOwnCall(chain: EvmChain, ...question: CallQuestion): Promise<OwnCall | null> {
  return anyShows(chain, (client) => ownCallBy(chain, client, ...question));
}

/** The same as two endpoints show it: before anything ends by it. @throws AppError `provider_unavailable` */
export function agreedOwnCall(chain: EvmChain, ...question: CallQuestion): Promise<OwnCall | null> {
  const sameness = (call: OwnCall | null) =>
    call && 'block' in call ? `${call.state} ${call.block}` : `${call?.state}`;
  return agreed(chain, (client) => ownCallBy(chain, client, ...question), sameness);
}

type CallQuestion = [
  hash: Hash,
  call: { from: Address; to: Address; data: Hex; value: bigint },
  didIt: ((receipt: TransactionReceipt) => boolean) | null,
];

async function ownCallBy(
  chain: EvmChain,
  client: PublicClient,
  ...[hash, call, didIt]: CallQuestion
): Promise<OwnCall | null> {
  const [receipt, shown] = await Promise.all([anyReceipt(client, [hash]), shownBy(client, hash)]);
  if (!shown) return null;
  const transaction = formatTransaction(shown);
  const isCall =
    transaction.to !== null &&
    isAddressEqual(transaction.to, call.to) &&
    isAddressEqual(transaction.from, call.from) &&
    transaction.input.toLowerCase() === call.data.toLowerCase() &&
    transaction.value === call.value;
  const signed = await signedBy(shown, chain.facts.chainId);
  const nonce = signed?.hash === hash.toLowerCase() ? (signed.nonces[0] ?? null) : null;
  if (!receipt) return isCall ? { state: 'pending', nonce } : null;
  const { status, blockNumber: block } = receipt;
  if (status !== 'success') return isCall ? { state: 'failed', block, nonce } : { state: 'other' };
  return (didIt ? didIt(receipt) : isCall) ? { state: 'mined', block, nonce } : { state: 'other' };
}

function shownBy(client: PublicClient, hash: Hash): Promise<RpcTransaction | null> {
  return client.request({ method: 'eth_getTransactionByHash', params: [hash] });
}

async function transactionBy(client: PublicClient, hash: Hash): Promise<Transaction | null> {
  const shown = await shownBy(client, hash);
  return shown && formatTransaction(shown);
}
