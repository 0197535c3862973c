// What the checkout pages ask of the service. None of it needs a session.

import type { Branding } from '../../../../src/domain/branding.ts';
import { CHAINS, type ChainName, type NativeSymbol } from '../../../../src/domain/chains.ts';
import type { LineItem } from '../../../../src/domain/lineItems.ts';
import type { OrderStatus } from '../../../../src/domain/order.ts';
import { callApi, type TypedData } from '../../app/api.ts';
import { ApiError } from '../../app/apiError.ts';
import { padAmount } from '../../app/format.ts';
import type { NetworkToAdd, TransactionRequest } from '../../wallet/requests.ts';

const AWAY_MS = 5_000;

/** No answer came from the service. */
export function isAway(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'unreachable';
}

/** When to ask again by itself what got no answer; else `usual`. */
export function askAgain(error: unknown, usual: number | false = false): number | false {
  return isAway(error) ? AWAY_MS : usual;
}

export type { Branding };

export type Merchant = { handle: string; kind: 'personal' | 'business' };

/** An order as anyone with its address may see it. Amounts are decimal strings, times ISO 8601. */
export type PublicOrder = {
  id: string;
  object: 'checkout.order';
  status: OrderStatus;
  amount: string;
  currency: string;
  chain: string;
  chain_label: string;
  chain_id: number;
  merchant: Merchant;
  branding: Branding | null;
  description: string | null;
  expires_at: string;
  created_at: string;
  livemode: boolean;
  txHash: string | null;
  explorer_url: string | null;
  amount_received: string;
  amount_due: string;
  amount_refunded: string;
  /** What was paid in the end; zero until then. */
  amount_net: string;
  settled_at: string | null;
  /** From the payment on; the other until then. */
  success_url: string | null;
  cancel_url: string | null;
  line_items: LineItem[];
  completion_message: string | null;
  embed_origins: string[];
  seen: { confirmations: number; needed: number } | null;
};

export const isOfSolana = ({ chain }: PublicOrder) => CHAINS[chain as ChainName].family === 'solana';

type StepName = 'preparing' | 'submitted' | 'confirming' | 'settled';

/** Each step's `at` is when it was reached, or null. */
export type Progress = {
  step: 'waiting' | StepName | 'ended';
  steps: { name: StepName; at: string | null; confirmations?: number | null; needed?: number }[];
  tx_hash: string | null;
  explorer_url: string | null;
  /** Why the last attempt did not get through, while the order can be paid again. */
  failure: string | null;
};

export type Refund = { amount: string; at: string; tx_hash: string; explorer_url: string | null };

/** `refunds`: the latest first. */
/** What is missing, with its currency. */
export const dueOf = ({ amount_due, currency }: PublicOrder) => `${padAmount(amount_due)} ${currency}`;

export type OrderNow = { order: PublicOrder; progress: Progress; refunds: Refund[] };

export type PaymentLink = {
  id: string;
  label: string;
  amount: string | null;
  open_amount: boolean;
  min_amount: string | null;
  max_amount: string | null;
  currency: string;
  chain: string;
  chain_label: string;
  merchant: Merchant;
  branding: Branding | null;
  livemode: boolean;
  active: boolean;
  state: 'active' | 'inactive' | 'expired' | 'used_up';
  line_items: LineItem[];
  cancel_url: string | null;
  embed_origins: string[];
};

export type PayWay = 'auto' | 'direct' | 'deposit';

/** `until` is when the signature expires. */
type ToSign = { name: 'authorization' | 'permit' | 'order'; typed_data: TypedData; allows: string; until: string };
export type WalletCall = TransactionRequest & { kind: 'approve' | 'pay'; words: string };

export type GaslessPayment = {
  way: 'eip3009' | 'permit2' | 'eip2612' | 'allowance';
  gasless: true;
  sign: ToSign[];
  submit: { payer: string; way: string; valid_until: number; nonce?: string };
};
/** The whole transaction, which the wallet signs and an executor sends. `until` is when its block hash has expired. */
export type WholePayment = {
  way: 'transaction';
  gasless: true;
  transaction: { solana_transaction: string; allows: string; until: string };
  submit: { payer: string; way: 'transaction' };
};
type DirectPayment = { way: 'direct'; gasless: false; calls: WalletCall[]; submit: null };
export type Payment = GaslessPayment | WholePayment | DirectPayment;

export type Deposit = {
  /** Null where an order can only be scanned. */
  address: string | null;
  amount: string;
  currency: string;
  uri: string;
  scan: { transaction: string; transfer: { treasury: string; memo: string } | null } | null;
  send_before: string;
  words: string;
};

export type Prepared = {
  order: PublicOrder;
  chain: { name: string; label: string; chain_id: number; explorer_url: string | null; add: NetworkToAdd | null };
  asset: { symbol: 'USDC' | NativeSymbol; address: string | null };
  payer: string | null;
  balance: string | null;
  too_little: { balance: string; needed: string; currency: string } | null;
  payment: Payment | null;
  deposit: Deposit | null;
};

type Submission = { id: string; status: string; tx_hash: string | null; failure: string | null };
export type Submitted = OrderNow & { submission: Submission | null };

export const orderAt = (id: string) => `/checkout/${encodeURIComponent(id)}`;

export const fetchOrder = (id: string, signal?: AbortSignal) =>
  callApi<OrderNow>('GET', orderAt(id), undefined, signal);

export const linkAt = (id: string) => `/checkout/links/${encodeURIComponent(id)}`;

export const fetchLink = (id: string) => callApi<{ link: PaymentLink }>('GET', linkAt(id));

/** Makes an order of a link. @param amount of an open-amount link only */
export const beginOrder = (linkId: string, amount: string | null) =>
  callApi<{ order: PublicOrder }>('POST', linkAt(linkId), amount === null ? {} : { amount });

/** @param asked who pays, where that is known, and how */
export const preparePayment = (orderId: string, asked: { payer?: string; way?: PayWay }, signal?: AbortSignal) =>
  callApi<Prepared>('POST', '/checkout', { order_id: orderId, ...asked }, signal);

export const submitSigned = (orderId: string, payment: GaslessPayment, signatures: string[]) =>
  callApi<Submitted>('POST', `${orderAt(orderId)}/submit`, { ...payment.submit, signatures });

export const submitWhole = (orderId: string, { submit }: WholePayment, signed: string) =>
  callApi<Submitted>('POST', `${orderAt(orderId)}/submit`, { ...submit, solana_transaction: signed });

/** Posts the payer's own transaction; the service verifies it on-chain. */
export const submitHash = (orderId: string, hash: string) =>
  callApi<Submitted>('POST', `${orderAt(orderId)}/submit`, { tx_hash: hash });

/** Counts for the merchant's conversion, once an order; whether it arrives concerns no buyer. */
export const noteOpened = (id: string) => callApi('POST', `${orderAt(id)}/opened`).catch(() => {});

/** Where the stream of an order's progress is. */
export const streamOf = (id: string) => `/api${orderAt(id)}/events`;

/** What this deployment offers. */
export const fetchConfig = () => callApi<{ walletconnect_project_id: string | null }>('GET', '/config');
