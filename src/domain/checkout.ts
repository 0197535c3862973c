// What the hosted checkout decides by itself: the ways to pay, how long what is signed is good, and how far a payment is.
import type { OrderStatus, SubmissionStatus } from './order.ts';

const SECOND = 1_000;

/** Assets that people pay with. Which of them a chain takes is for the registry to say. */
export const ASSETS = ['USDC', 'ETH', 'BNB', 'CELO', 'SOL'] as const;
export type Asset = (typeof ASSETS)[number];

/** A payment that its payer signs and an executor sends. */
export const SIGNED_WAYS = ['eip3009', 'permit2', 'eip2612', 'allowance'] as const;
export type SignedWay = (typeof SIGNED_WAYS)[number];

/** About how long a transaction that names its block hash can land. */
export const WHOLE_SIGNATURE_MS = 60 * SECOND;
/** How long a signature for a payment is good, and how long an executor tries to send it. */
export const PAYMENT_SIGNATURE_MS = 600 * SECOND;
/** A payment this close to its end is not begun and not sent: it would fail on its way. */
export const LAST_PAYMENT_MS = 15 * SECOND;
/** Money sent to a deposit address has to be in a block and swept before the order's end. */
export const LAST_DEPOSIT_MS = 60 * SECOND;
/** After this many failures of one payer with one order, only the payer's own transaction is left. */
export const PAYMENT_FAILURES = 3;
/** The same for all that one payer has failed to pay on a chain in a day. */
export const PAYMENT_FAILURES_A_DAY = 10;
/** Sweeps of one deposit address that may fail before it is left to the merchant. */
export const SWEEP_FAILURES = 5;

export type PaymentStepName = 'preparing' | 'submitted' | 'confirming' | 'settled';
export type PaymentStep = PaymentStepName | 'waiting' | 'ended';

/** The steps of one payment, in the only order in which they follow each other. */
export const PAYMENT_STEPS: readonly PaymentStepName[] = ['preparing', 'submitted', 'confirming', 'settled'];

/** What the rows and the chain say of an order's latest payment. `mined`: a block had it, which a reorg does not undo. */
export type PaymentFacts = {
  status: OrderStatus;
  /** The payment that we send for its payer. */
  sending: { status: SubmissionStatus; mined: boolean } | null;
  /** The payer's own transaction, as the chain shows it. */
  own: { mined: boolean } | null;
};

/** How far the payment is. Within one payment it never goes back: only a failure leads from a step to `waiting`. */
export function paymentStep({ status, sending, own }: PaymentFacts): PaymentStep {
  if (status === 'completed') return 'settled';
  if (status === 'expired' || status === 'cancelled') return 'ended';
  if (own?.mined || (sending?.mined && isUnderWay(status, sending.status))) return 'confirming';
  if (own || status === 'processing' || sending?.status === 'submitted' || sending?.status === 'settled')
    return 'submitted';
  return sending?.status === 'queued' ? 'preparing' : 'waiting';
}

/** A payment that failed while its order is processing waits for the one that paid instead. */
function isUnderWay(order: OrderStatus, sending: SubmissionStatus): boolean {
  return sending !== 'failed' || order === 'processing';
}

/** A request for money (EIP-681): what a wallet opens when it reads the QR code. */
export function paymentUri(ask: { chainId: number; token: string | null; address: string; units: bigint }): string {
  const { chainId, token, address, units } = ask;
  return token === null
    ? `ethereum:${address}@${chainId}?value=${units}`
    : `ethereum:${token}@${chainId}/transfer?address=${address}&uint256=${units}`;
}

/** Why an order of this status cannot be paid now, or null. @param deadlineMs Unix milliseconds */
export function whyNotPayable(status: OrderStatus, deadlineMs: number, nowMs: number): string | null {
  if (status === 'completed') return 'This order is paid already.';
  if (status === 'cancelled') return 'The merchant cancelled this order. It can no longer be paid.';
  if (status === 'expired' || nowMs > deadlineMs) return 'This order has expired. Ask the merchant for a new one.';
  if (nowMs > deadlineMs - LAST_PAYMENT_MS)
    return 'The time to pay this order is nearly over, too little to send a payment. Ask the merchant for a new one.';
  return null;
}
