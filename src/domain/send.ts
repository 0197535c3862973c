// The lifecycle of a send: money that a person gives from their own wallet, through the payment router, to a handle or an address. Its terms are frozen in
// its row, and their key at the router settles once, ever.
import type { Lifecycle } from './lifecycle.ts';
import { type MicroUsd, scaleUnits } from './money.ts';

export type SendStatus = 'draft' | 'processing' | 'completed' | 'failed' | 'cancelled';
export type SendAction = 'begin' | 'settle' | 'lapse' | 'cancel';

/** From `begin` on the chain alone ends it: `lapse` is for a deadline that final blocks have passed without a payment. */
export const SEND: Lifecycle<SendStatus, SendAction> = {
  draft: { begin: 'processing', cancel: 'cancelled' },
  processing: { settle: 'completed', lapse: 'failed' },
  completed: {},
  failed: {},
  cancelled: {},
};

/** How a send is paid. The first three are signed, and we pay the network fee; the wallet sends `direct` by itself. */
export const SEND_WAYS = ['eip3009', 'permit2', 'allowance', 'direct'] as const;
export type SendWay = (typeof SEND_WAYS)[number];

/** What we take for paying the network fee. */
export const SEND_FEE: MicroUsd = 50_000n;
/** How long the router accepts a send. */
export const SEND_MS = 10 * 60_000;
/** So long after its deadline a send whose end is still unknown keeps no other waiting: no block of then takes it. */
export const SEND_LATE_MS = 3_600_000;
/** A draft that is closer to its deadline is replaced. */
export const FRESH_SEND_MS = 3 * 60_000;

/** The fee in units of a USDC with so many decimals. Nothing where the wallet pays the network fee. */
export function sendFeeUnits(way: SendWay, decimals: number): bigint {
  return way === 'direct' ? 0n : scaleUnits(SEND_FEE, 6, decimals);
}
