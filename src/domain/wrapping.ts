// Wrapping of a chain's native asset: SOL as a token, and back.
export const WRAPPINGS = ['wrap', 'unwrap'] as const;
export type Wrapping = (typeof WRAPPINGS)[number];

/** Transactions that one handle gets built a day, by the server's clock in UTC. */
export const WRAPPINGS_A_DAY = 20;
const DAY_MS = 86_400_000;

/** When the day of a moment began, in Unix milliseconds. */
export function dayOf(now: number): number {
  return now - (now % DAY_MS);
}

/** How long until the next day. */
export function leftOfDay(now: number): number {
  return dayOf(now) + DAY_MS - now;
}

/** In smallest units. @param walletRent what a wallet keeps unless it is emptied */
export type WrappingMoney = {
  sol: bigint;
  wrapped: bigint | null;
  accountRent: bigint;
  walletRent: bigint;
};
/** What stands in the way: what is needed, and what is there. */
export type WrappingRefusal =
  | { code: 'nothing_wrapped' }
  | { code: 'too_little_wrapped'; has: bigint }
  | { code: 'too_little_sol'; needs: bigint; has: bigint }
  | { code: 'leaves_too_little'; keeps: bigint }
  | { code: 'needs_rent_meanwhile'; needs: bigint; has: bigint };

/** @param units null is everything, which closes the account */
export function wrappingRefusal(kind: Wrapping, units: bigint | null, money: WrappingMoney): WrappingRefusal | null {
  const { sol, wrapped, accountRent, walletRent } = money;
  if (kind === 'wrap') {
    const needs = (units ?? 0n) + (wrapped === null ? accountRent : 0n);
    if (needs > sol) return { code: 'too_little_sol', needs, has: sol };
    const left = sol - needs;
    return left > 0n && left < walletRent ? { code: 'leaves_too_little', keeps: walletRent } : null;
  }
  if (wrapped === null) return { code: 'nothing_wrapped' };
  if (units === null) return null;
  if (units > wrapped) return { code: 'too_little_wrapped', has: wrapped };
  return accountRent > sol ? { code: 'needs_rent_meanwhile', needs: accountRent, has: sol } : null;
}
