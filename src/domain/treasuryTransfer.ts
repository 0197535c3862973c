// Transfers of USDC to the treasury that are no fee: for an order that they name, or for none. Each leaves the treasury at most once.
import type { Lifecycle } from './lifecycle.ts';

export type TransferStatus = 'matched' | 'unmatched' | 'forwarding' | 'forwarded' | 'returning' | 'returned';
export type TransferAction = 'forward' | 'return' | 'settle' | 'release' | 'give_back';

/** `forward` goes to the order's own address, `return` to the sender. `release` and `give_back` are for a transaction that did not land. */
export const TREASURY_TRANSFER: Lifecycle<TransferStatus, TransferAction> = {
  matched: { forward: 'forwarding' },
  forwarding: { settle: 'forwarded', release: 'matched' },
  forwarded: {},
  unmatched: { return: 'returning' },
  returning: { settle: 'returned', give_back: 'unmatched' },
  returned: {},
};

/** What a transfer says about the order that it is for: addresses that it names, and the texts of its memos. */
export type Named = { accounts: readonly string[]; memos: readonly string[] };
/** An order whose address or ID was shown to a payer. */
export type ShownOrder = { id: string; reference: string };

/**
 * The order that a transfer names by its reference or, as its whole memo, by its ID; null for none, and where it names several. The amount, the
 * time and the sender never tell.
 */
export function orderNamed(
  { accounts, memos }: Named,
  orders: readonly ShownOrder[],
): { id: string; by: 'reference' | 'memo' } | null {
  const texts = new Set(memos.map((memo) => memo.trim()));
  const found = orders.flatMap(({ id, reference }): { id: string; by: 'reference' | 'memo' }[] => {
    if (accounts.includes(reference)) return [{ id, by: 'reference' }];
    return texts.has(id) ? [{ id, by: 'memo' }] : [];
  });
  return found.length === 1 ? (found[0] ?? null) : null;
}
