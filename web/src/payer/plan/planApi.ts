// The hosted plan as the service tells it, and the calls that subscribe a wallet to it.
import type {
  HostedPlan,
  PreparedSubscription,
  Subscribed,
  Subscribing,
} from '../../../../src/http/api/subscriptionAnswers.ts';
import { callApi, queryOf } from '../../app/api.ts';

export type { HostedPlan, PreparedSubscription };

export const planAt = (id: string) => `/subscriptions/hosted/${encodeURIComponent(id)}`;

export function fetchHosted(id: string, subscriber?: string, signal?: AbortSignal): Promise<HostedPlan> {
  return callApi('GET', `${planAt(id)}${queryOf({ subscriber })}`, undefined, signal);
}

type Who = { plan: string; subscriber: string; periods: number };

export function prepare(who: Who, signal?: AbortSignal): Promise<PreparedSubscription> {
  return callApi('POST', '/subscriptions/subscribe/prepare', who, signal);
}

type Signed = NonNullable<PreparedSubscription['gasless']>['submit'] & { signature: string; permit_signature?: string };

export function submit(who: Who, signed: Signed): Promise<Subscribed> {
  return callApi('POST', '/subscriptions/subscribe', { ...who, ...signed });
}

type Whole = NonNullable<PreparedSubscription['transaction']>['submit'] & { solana_transaction: string };

/** The whole transaction, signed by a wallet of Solana. */
export function submitTransaction(who: Who, signed: Whole): Promise<Extract<Subscribed, { request: unknown }>> {
  return callApi('POST', '/subscriptions/subscribe', { ...who, ...signed });
}

/** The wallet sent its own transaction. @returns the subscription, once that is final */
export async function confirmSent(
  planKey: string,
  subscriber: string,
  txHash: string,
): Promise<NonNullable<HostedPlan['subscription']>> {
  const body = { planKey, subscriber, txHash };
  type Answer = { subscription: NonNullable<HostedPlan['subscription']> };
  return (await callApi<Answer>('POST', '/subscriptions/subscribe/sent', body)).subscription;
}

export function fetchCall(id: string, { plan, subscriber }: Pick<Who, 'plan' | 'subscriber'>): Promise<Subscribing> {
  return callApi('GET', `/subscriptions/subscribe/${encodeURIComponent(id)}${queryOf({ plan, subscriber })}`);
}
