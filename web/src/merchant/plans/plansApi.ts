// Plans as the service tells them to their creator, and what a creator asks of it.

import { type QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type {
  PlanDetail,
  PlanFigures,
  PlanList,
  PlanView,
  StagedPlan,
} from '../../../../src/http/api/subscriptionAnswers.ts';
import { namedPath } from '../../app/acting.ts';
import { callApi, queryOf } from '../../app/api.ts';
import { takeAnswer } from '../../app/takeAnswer.ts';
import { keptIn, useMode } from '../business/workspaceApi.ts';
import type { Calls } from '../orders/ordersApi.ts';

export type { PlanDetail, PlanFigures, PlanView, StagedPlan };

export type NewPlan = {
  name: string;
  description: string;
  amount: string;
  chain: string;
  /** Seconds. */
  period: number;
  trial_days: number;
  image_url: string | null;
  return_url: string | null;
  replaces?: string;
};

export const PLANS_KEY = ['plans'];
const PAGE = 20;
const REFRESH_MS = 15_000;
const WHILE_OPEN_MS = 3_000;
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

export function usePlans() {
  const mode = useMode();
  return useInfiniteQuery({
    queryKey: [...PLANS_KEY, 'list', mode],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const path = `/subscriptions/plans${queryOf({ mode, limit: PAGE, cursor: pageParam })}`;
      const { plans, has_more, next_cursor } = await callApi<PlanList>('GET', path, undefined, signal);
      return { data: plans, has_more, next_cursor };
    },
    getNextPageParam: (page) => (page.has_more ? page.next_cursor : null),
    refetchInterval: REFRESH_MS,
    enabled: mode !== null,
  });
}

const planKey = (id: string) => ['plan', id];
const planAt = (id: string) => `/subscriptions/plans/${encodeURIComponent(id)}`;

export function fetchPlan(id: string, signal?: AbortSignal): Promise<PlanDetail> {
  return callApi('GET', planAt(id), undefined, signal);
}

export function usePlan(id: string) {
  return useQuery({
    queryKey: planKey(id),
    queryFn: ({ signal }) => fetchPlan(id, signal),
    refetchInterval: ({ state: { data } }) => (data?.plan.status === 'pending_create' ? WHILE_OPEN_MS : REFRESH_MS),
  });
}

export function usePlanFigures(days: number, planId?: string) {
  const mode = useMode();
  return useQuery({
    queryKey: [...PLANS_KEY, 'figures', days, mode, planId],
    queryFn: ({ signal }) => {
      const path = `/subscriptions/figures${queryOf({ days, tz: ZONE, mode: planId ? null : mode, planId })}`;
      return callApi<PlanFigures>('GET', path, undefined, signal);
    },
    refetchInterval: REFRESH_MS,
    placeholderData: keptIn(mode),
    enabled: mode !== null,
  });
}

export function createPlan(plan: NewPlan): Promise<StagedPlan> {
  return callApi('POST', '/subscriptions/plans', plan);
}

type Wording = Partial<Pick<NewPlan, 'name' | 'description' | 'image_url' | 'return_url'>>;

export async function updatePlan(id: string, wording: Wording): Promise<PlanView> {
  return (await callApi<{ plan: PlanView }>('POST', planAt(id), { action: 'update', ...wording })).plan;
}

/** The call of a staged plan's creator, where its wallet sends that. */
export function callOf({ plan }: StagedPlan, transaction: NonNullable<StagedPlan['transaction']>): Calls {
  return { payee: plan.creator, transactions: [{ purpose: 'send', ...transaction }] };
}

/** @returns whether the plan stands */
export async function confirmCreated({ id, planKey: key }: PlanView, txHash: string): Promise<boolean> {
  const body = { action: 'confirm_create', planKey: key, txHash };
  const { plan } = await callApi<{ plan: PlanView }>('POST', planAt(id), body);
  return plan.status !== 'pending_create';
}

/** Puts a response about a plan into the cache, before any list is refetched. */
export function notePlan(client: QueryClient, detail: PlanDetail): void {
  takeAnswer(client, planKey(detail.plan.id), detail);
  void client.invalidateQueries({ queryKey: PLANS_KEY });
}

export async function refreshPlan(client: QueryClient, id: string): Promise<void> {
  void client.invalidateQueries({ queryKey: PLANS_KEY });
  await client.invalidateQueries({ queryKey: planKey(id) });
}

export function subscribersCsv(filter: Record<string, string | null>): string {
  return namedPath('GET', `/api/subscriptions/subs.csv${queryOf(filter)}`);
}
