// Paying an order from elsewhere, as the service tells it: the ways with their prices, a payment and its legs.
import type {
  CandidateAnswer,
  CandidateListAnswer,
  PreparedPaymentAnswer,
  SmartPaymentAnswer,
} from '../../../src/http/api/smartAnswers.ts';
import { callApi, queryOf } from '../app/api.ts';

export type Candidate = CandidateAnswer;
export type PreparedSmart = PreparedPaymentAnswer;
export type SmartPayment = SmartPaymentAnswer;
export type SmartLeg = SmartPayment['legs'][number];

/** As many as are given. */
const MOST_WAYS = 10;

/** @param payer addresses of the wallets, of any family */
export const fetchCandidates = (orderId: string, payer: readonly string[], signal?: AbortSignal) =>
  callApi<CandidateListAnswer>('POST', '/pay/smart/candidates', { orderId, payer, limit: MOST_WAYS }, signal);

/** The same candidate again is the same payment, with what is still to be signed or sent. */
export const beginSmart = (candidateId: string, payer: string) =>
  callApi<PreparedSmart>('POST', '/pay/smart', { candidateId, payer });

type LegProof = { signature: string } | { txHash: string } | { solana_transaction: string };

export const submitLeg = (paymentId: string, n: number, proof: LegProof) =>
  callApi<SmartPayment>('POST', `/pay/smart/${encodeURIComponent(paymentId)}/legs/${n}`, proof);

export const fetchSmart = (id: string, signal?: AbortSignal) =>
  callApi<SmartPayment>('GET', `/pay/smart/status${queryOf({ id })}`, undefined, signal);

export const smartStreamOf = (id: string) => `/api/pay/smart/${encodeURIComponent(id)}/events`;

/** As it is once the service sees what the wallet sent. @param unseen numbers of legs */
export function withSent(payment: SmartPayment, unseen: readonly number[]): SmartPayment {
  if (unseen.length === 0) return payment;
  const legs = payment.legs.map((leg) => (unseen.includes(leg.n) ? { ...leg, status: 'sent' as const } : leg));
  const step = isBegun(payment) ? payment.step : 'waiting_for_confirmation';
  return { ...payment, legs, step, status: 'pending' };
}

/** Something of it was given. */
export function isBegun({ legs }: SmartPayment): boolean {
  return legs.some(
    ({ status, txHashes }) => status !== 'prepared' && (status !== 'failed' || txHashes.origin !== null),
  );
}
