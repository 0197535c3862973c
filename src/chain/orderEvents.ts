// What happened to the money of orders, in one shape for chains of all families.
import type { Hex } from 'viem';
import type { OrderRouter } from '../domain/typedData/orders.ts';
import type { Chain } from './chain.ts';
import type { SolanaReceipt } from './receipt.ts';
import { orderOf, tokenAccount } from './solana/addresses.ts';
import type { SolanaChain } from './solana/client.ts';
import { agreedReceipt, finalHead, wholeHistory } from './solana/history.ts';
import { SOL } from './solana/orders.ts';
import type { TokenChange } from './solana/tokens.ts';

/** Where a log stands: the number of its block, or its slot on Solana; `txHash` is a signature there. */
export type Place = { txHash: string; logIndex: number; block: bigint; blockHash: string; blockTime: Date };
/** `router` is null where the key alone says what kind of order it is. */
type OfOrder = { router: OrderRouter | null; routerAddress: string; key: Hex; onChainId: Hex };
type Money = { token: string; units: bigint };

/** Amounts in smallest units. */
export type OrderEntry = Place &
  Money &
  (
    | ({ kind: 'settled'; payer: string; payee: string; feeUnits: bigint } & OfOrder)
    | ({ kind: 'refunded'; to: string } & OfOrder)
    /** `accepted`: to the payee, less the fee; else back to the named address. */
    | ({ kind: 'deposit_moved'; to: string; feeUnits: bigint; accepted: boolean } & OfOrder)
    /** `from` is null where several accounts gave it. */
    | { kind: 'deposit'; from: string | null; to: string }
  );

/** Transfers have numbers of their own behind those of the events: a transaction has fewer of these. */
const FIRST_TRANSFER = 1_000;

/**
 * What a transaction of Solana says about orders, in its own order.
 * @param at when its slot was
 * @param watched addresses of orders: what their token accounts received is a deposit
 */
export function orderEntriesOfSolana(
  chain: SolanaChain,
  receipt: SolanaReceipt,
  at: Date,
  watched: ReadonlySet<string>,
): OrderEntry[] {
  const { hash: txHash, block, blockHash } = receipt;
  const place = (logIndex: number) => ({ txHash, logIndex, block, blockHash, blockTime: at });
  const tokenOf = (asset: number) => (asset === 0 ? chain.usdc : SOL);
  const settled = receipt.events.flatMap((event, index): OrderEntry[] => {
    if (event.name !== 'paymentSettled' && event.name !== 'paymentRefunded' && event.name !== 'depositMoved') return [];
    const { orderKey: key, orderId: onChainId, asset, amount: units } = event;
    const of = { router: null, routerAddress: chain.program.id, key, onChainId, token: tokenOf(asset), units };
    const entry = { ...place(index), ...of };
    if (event.name === 'paymentRefunded') return [{ ...entry, kind: 'refunded', to: event.to }];
    const { fee: feeUnits } = event;
    if (event.name === 'paymentSettled') {
      const { payer, payee } = event;
      return [{ ...entry, kind: 'settled', payer, payee, feeUnits }];
    }
    return [{ ...entry, kind: 'deposit_moved', to: event.to, feeUnits, accepted: event.accepted }];
  });
  // In one transaction money may come and be moved on: what came is what the account has more, and what left it again.
  const deposits = receipt.changes.flatMap((change, index): OrderEntry[] => {
    const { account, owner, mint } = change;
    // No other account of the address can be swept.
    if (!watched.has(owner) || mint !== chain.usdc || account !== tokenAccount(owner, mint).address) return [];
    const units = change.after - change.before + movedOn(chain, receipt, owner);
    if (units <= 0n) return [];
    const from = senderOf(receipt, change);
    return [{ ...place(FIRST_TRANSFER + index), kind: 'deposit', from, to: owner, token: mint, units }];
  });
  return [...deposits, ...settled];
}

/** Whether transfers to orders' addresses are read address by address, because the feed of the chain does not have them. */
export function readsDeposits({ family }: Chain): boolean {
  return family === 'solana';
}

/**
 * What was sent to an order's address, from final transactions that two endpoints show alike, the oldest first.
 * @param known names of transactions that are stored already
 * @param now Unix milliseconds, for a transaction whose time no endpoint knows
 * @throws AppError `provider_unavailable`
 */
export async function readDeposits(
  chain: Chain,
  owner: string,
  known: ReadonlySet<string>,
  now: number,
): Promise<OrderEntry[]> {
  if (chain.family !== 'solana') return [];
  const { slot: upTo } = await finalHead(chain);
  const { address } = tokenAccount(owner, chain.usdc);
  const entries: OrderEntry[] = [];
  for (const { signature, time } of await wholeHistory(chain, { address, upTo })) {
    if (known.has(signature)) continue;
    const receipt = await agreedReceipt(chain, signature);
    const found = orderEntriesOfSolana(chain, receipt, time ?? new Date(now), new Set([owner]));
    entries.push(...found.filter(({ kind }) => kind === 'deposit'));
  }
  return entries;
}

/** What left the deposit of an order's address again in the same transaction. */
function movedOn(chain: SolanaChain, { events }: SolanaReceipt, address: string): bigint {
  return events.reduce((sum, event) => {
    if (event.name === 'paymentSettled') return event.payer === address ? sum + event.amount : sum;
    if (event.name !== 'depositMoved') return sum;
    return orderOf(chain.program.id, event.orderKey).address === address ? sum + event.amount : sum;
  }, 0n);
}

/** The wallet whose account has less of a token by now; null where they are several. */
export function senderOf({ changes }: SolanaReceipt, { mint, account }: TokenChange): string | null {
  const givers = changes.filter((one) => one.mint === mint && one.account !== account && one.after < one.before);
  const owners = new Set(givers.map(({ owner }) => owner));
  return owners.size === 1 ? ([...owners][0] ?? null) : null;
}
