// The calls of one's own subscriptions: what they take, what they may still take, and what changes them.
import { type QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { OneCall } from '../../../../src/http/api/spendingAnswers.ts';
import type {
  AllowanceList,
  ChargeList,
  ChargeView,
  Managed,
  PreparedManage,
  PreparedSwitch,
  PreparedTransaction,
  SubscriptionList,
  SubscriptionView,
  Switched,
  TrialList,
  TrialView,
  WalletTransaction,
} from '../../../../src/http/api/subscriptionAnswers.ts';
import { callApi, type List, queryOf } from '../../app/api.ts';

export type { ChargeView, SubscriptionView, TrialView };
export type Allowance = AllowanceList['allowances'][number];

export const SUBSCRIPTIONS_KEY = ['subscriptions'];
const PAGE = 20;
const REFRESH_MS = 15_000;

const listOf = <T>(page: { has_more: boolean; next_cursor: string | null }, data: T[]): List<T> => ({
  data,
  has_more: page.has_more,
  next_cursor: page.next_cursor,
});

/**
 * @param filter of a creator's; none for the reader's own
 * @param isReady whether all of the filter is known
 */
export function useSubscriptions(filter: Record<string, string | null> = {}, isReady = true) {
  return useInfiniteQuery({
    queryKey: [...SUBSCRIPTIONS_KEY, 'list', filter],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const query = queryOf({ ...filter, limit: PAGE, cursor: pageParam });
      const page = await callApi<SubscriptionList>('GET', `/subscriptions/subs${query}`, undefined, signal);
      return listOf(page, page.subscriptions);
    },
    getNextPageParam: (page) => (page.has_more ? page.next_cursor : null),
    refetchInterval: REFRESH_MS,
    enabled: isReady,
  });
}

export async function fetchSubscription(id: string): Promise<SubscriptionView> {
  const path = `/subscriptions/subs/${encodeURIComponent(id)}`;
  return (await callApi<{ subscription: SubscriptionView }>('GET', path)).subscription;
}

/** @param as the creator sees those of its subscribers */
export function useCharges(id: string, as?: 'creator') {
  return useInfiniteQuery({
    queryKey: [...SUBSCRIPTIONS_KEY, 'charges', id],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const path = `/subscriptions/subs/${encodeURIComponent(id)}/charges`;
      const page = await callApi<ChargeList>(
        'GET',
        `${path}${queryOf({ as, limit: 12, cursor: pageParam })}`,
        undefined,
        signal,
      );
      return listOf(page, page.charges);
    },
    getNextPageParam: (page) => (page.has_more ? page.next_cursor : null),
  });
}

export function useAllowances() {
  return useQuery({
    queryKey: [...SUBSCRIPTIONS_KEY, 'allowances'],
    queryFn: ({ signal }) => callApi<AllowanceList>('GET', '/subscriptions/allowances', undefined, signal),
    select: ({ allowances }) => allowances,
    refetchInterval: REFRESH_MS,
  });
}

export function useTrials() {
  return useQuery({
    queryKey: [...SUBSCRIPTIONS_KEY, 'trials'],
    queryFn: ({ signal }) => callApi<TrialList>('GET', '/subscriptions/trials', undefined, signal),
    select: ({ trials }) => trials,
    refetchInterval: REFRESH_MS,
  });
}

export function leaveTrial(id: string): Promise<unknown> {
  return callApi('POST', `/subscriptions/trials/${encodeURIComponent(id)}`, { action: 'leave' });
}

/** What is shown of subscriptions is old by now. */
export async function refreshSubscriptions(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: SUBSCRIPTIONS_KEY });
}

/** What the wallet is to sign to go on at another price. */
export function prepareSwitch(subscriptionId: string): Promise<PreparedSwitch> {
  return callApi('POST', '/subscriptions/switch', { subscriptionId });
}

type SwitchSignatures = { cancel_signature: string; signature: string; permit_signature?: string };

/** @returns the call that cancels the old subscription */
export async function submitSwitch(
  subscriptionId: string,
  submit: PreparedSwitch['submit'],
  signatures: SwitchSignatures,
): Promise<OneCall['request']> {
  const body = { subscriptionId, ...submit, ...signatures };
  return (await callApi<Switched>('POST', '/subscriptions/switch', body)).request;
}

export type ManageJob =
  | { action: 'create'; planId: string }
  | { action: 'deactivate' | 'reactivate'; planId: string }
  | { action: 'cancel'; subscriptionId: string }
  | { action: 'renew'; subscriptionId: string; periods: number }
  | { action: 'revoke'; chain: string };

/** A creator's own plans are the workspace's for which the tab acts; what a subscriber does is the account's. */
const manageAt = (job: ManageJob) => `/subscriptions/manage${'planId' in job ? '?as=creator' : ''}`;

export function prepareManage(job: ManageJob): Promise<PreparedManage> {
  return callApi('POST', manageAt(job), job);
}

/** The whole transaction, for a wallet of Solana. */
export function prepareTransaction(job: ManageJob): Promise<PreparedTransaction> {
  return callApi('POST', manageAt(job), job);
}

export async function submitTransaction(
  job: ManageJob,
  submit: PreparedTransaction['submit'],
  solana_transaction: string,
): Promise<Managed['request']> {
  return (await callApi<Managed>('POST', manageAt(job), { ...job, ...submit, solana_transaction })).request;
}

/** For a wallet that cannot sign, and for a token that takes no signature. */
export async function prepareOwnCall(job: ManageJob): Promise<WalletTransaction['transaction']> {
  const path = manageAt(job);
  return (await callApi<WalletTransaction>('POST', path, { ...job, by: 'wallet' })).transaction;
}

export async function submitManage(
  job: ManageJob,
  submit: PreparedManage['submit'],
  signature: string,
): Promise<Managed['request']> {
  return (await callApi<Managed>('POST', manageAt(job), { ...job, ...submit, signature })).request;
}

/** @param isOfWorkspace what was sent for a workspace, such as a creator's own call */
export async function fetchRequest(id: string, isOfWorkspace = false): Promise<OneCall['request']> {
  const path = `/spending/requests/${encodeURIComponent(id)}${isOfWorkspace ? '?of=workspace' : ''}`;
  return (await callApi<OneCall>('GET', path)).request;
}

/** Tells the service of the wallet's own transaction. */
export async function confirmOwn(job: ManageJob, txHash: string): Promise<void> {
  if ('planId' in job)
    await callApi('POST', `/subscriptions/plans/${encodeURIComponent(job.planId)}`, { action: job.action, txHash });
  if (job.action === 'cancel')
    await callApi('POST', `/subscriptions/subs/${encodeURIComponent(job.subscriptionId)}`, {
      action: 'cancel',
      txHash,
    });
}
