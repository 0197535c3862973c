// Campaigns as the service tells them to their sponsor, and what a sponsor asks of it.

import { keepPreviousData, type QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { GrantStatus } from '../../../../src/domain/campaign.ts';
import type {
  ActedOn,
  CampaignView,
  GrantList,
  GrantsAdded,
  GrantView,
  OpeningCalls,
  TakeBackCall,
} from '../../../../src/http/api/campaignAnswers.ts';
import type { CallView } from '../../../../src/http/api/spendingAnswers.ts';
import { namedPath } from '../../app/acting.ts';
import { callApi, queryOf } from '../../app/api.ts';
import { takeAnswer } from '../../app/takeAnswer.ts';
import type { OnStage, SolanaSigner } from '../../person/spending/runCall.ts';
import { runSigned } from '../../person/spending/runCall.ts';
import { useMode } from '../business/workspaceApi.ts';
import type { Calls } from '../orders/ordersApi.ts';

export type { CampaignView, GrantsAdded, GrantView };
export type NewCampaign = {
  name: string;
  chain: string;
  budget: string;
  most_per_grant?: string;
  expires_at: string;
  recipients?: number;
};
export type GrantWish = { key: string; recipient: string; amount: string; note: string | null };

const CAMPAIGNS_KEY = ['campaigns'];
const PAGE = 20;
const REFRESH_MS = 15_000;
/** While something is on its way. */
const BUSY_MS = 2_000;

export function useCampaigns() {
  const mode = useMode();
  return useInfiniteQuery({
    queryKey: [...CAMPAIGNS_KEY, 'list', mode],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const path = `/campaigns${queryOf({ mode, limit: PAGE, cursor: pageParam })}`;
      const { campaigns, ...page } = await callApi<{
        campaigns: CampaignView[];
        has_more: boolean;
        next_cursor: string | null;
      }>('GET', path, undefined, signal);
      return { data: campaigns, ...page };
    },
    getNextPageParam: (page) => (page.has_more ? page.next_cursor : null),
    refetchInterval: REFRESH_MS,
    enabled: mode !== null,
  });
}

const campaignKey = (id: string) => ['campaign', id];
const campaignAt = (id: string) => `/campaigns/${encodeURIComponent(id)}`;

export async function fetchCampaign(id: string, signal?: AbortSignal): Promise<CampaignView> {
  return (await callApi<{ campaign: CampaignView }>('GET', campaignAt(id), undefined, signal)).campaign;
}

export function isBusy({ status, grants, problem, closing }: CampaignView): boolean {
  if (status === 'pending_create' || closing) return true;
  return grants.sent > 0 || (problem === null && grants.queued > grants.waiting && status === 'active');
}

export function useCampaign(id: string) {
  return useQuery({
    queryKey: campaignKey(id),
    queryFn: ({ signal }) => fetchCampaign(id, signal),
    refetchInterval: ({ state: { data } }) => (data && isBusy(data) ? BUSY_MS : REFRESH_MS),
  });
}

export function useGrants(campaign: CampaignView, status: GrantStatus | '') {
  return useInfiniteQuery({
    // Read again as soon as the campaign says that something changed.
    queryKey: [...campaignKey(campaign.id), 'grants', status, campaign.grants],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const query = queryOf({ limit: PAGE, cursor: pageParam, status: status || null });
      const path = `${campaignAt(campaign.id)}/grants${query}`;
      const { grants, has_more, next_cursor } = await callApi<GrantList>('GET', path, undefined, signal);
      return { data: grants, has_more, next_cursor };
    },
    getNextPageParam: (page) => (page.has_more ? page.next_cursor : null),
    placeholderData: keepPreviousData,
  });
}

export async function createCampaign(wish: NewCampaign): Promise<CampaignView> {
  return (await callApi<{ campaign: CampaignView }>('POST', '/campaigns', wish)).campaign;
}

/** `check` writes nothing. */
export function addGrants(id: string, grants: readonly GrantWish[], check: boolean): Promise<GrantsAdded> {
  return callApi('POST', `${campaignAt(id)}/grants`, { grants, check });
}

export async function actOnCampaign(
  id: string,
  action: 'close' | 'taken_back' | 'retry' | 'cancel',
): Promise<CampaignView> {
  return (await callApi<{ campaign: CampaignView }>('POST', campaignAt(id), { action })).campaign;
}

/** The wallet's transaction was sent. @returns the campaign as final blocks have it */
export async function confirmSent(id: string, txHash: string): Promise<CampaignView> {
  const body = { action: 'confirm', txHash };
  return (await callApi<{ campaign: CampaignView }>('POST', campaignAt(id), body)).campaign;
}

/** The calls with which the sponsor's wallet opens a campaign. */
export async function openingOf({ id, sponsor }: CampaignView): Promise<Calls> {
  const prepared = await callApi<OpeningCalls>('GET', `${campaignAt(id)}/opening`);
  if (!('open' in prepared)) throw new Error('This campaign is opened by a signature.');
  const { approve, open } = prepared;
  const allowance = approve ? [{ purpose: 'approve' as const, ...approve }] : [];
  return { payee: sponsor, transactions: [...allowance, { purpose: 'send', ...open }] };
}

/** The opening that the sponsor's wallet signs, until the campaign is open. */
export async function openBySignature(signer: SolanaSigner, onStage: OnStage, { id }: CampaignView): Promise<void> {
  const name = await runSigned(
    signer,
    onStage,
    () => callApi('GET', `${campaignAt(id)}/opening`),
    signedFor(id, 'open'),
  );
  // Each answer waits for a moment itself.
  for (let round = 0; round < 30 && (await confirmSent(id, name)).status !== 'active'; round++);
}

function signedFor(id: string, action: 'open' | 'take_back') {
  return async (solana_transaction: string): Promise<CallView> => {
    const { request } = await callApi<ActedOn>('POST', campaignAt(id), { action, solana_transaction });
    if (!request) throw new Error('Ampersat’s answer is incomplete. Reload the page.');
    return request;
  };
}

/** The lower allowance that it signs. */
export async function takeBackBySignature(signer: SolanaSigner, onStage: OnStage, { id }: CampaignView): Promise<void> {
  const prepare = async () => {
    const { approve } = await callApi<TakeBackCall>('GET', `${campaignAt(id)}/take_back`);
    if (!approve || 'to' in approve) throw new Error('Nothing of the budget is left in the allowance.');
    return approve;
  };
  await runSigned(signer, onStage, prepare, signedFor(id, 'take_back'));
  await actOnCampaign(id, 'taken_back');
}

/** The call that takes the unused budget out of the allowance; null where nothing of it is left, and where the allowance has no limit; `signed` where the wallet signs it. */
export async function fetchTakeBack({ id, sponsor }: CampaignView): Promise<Calls | 'signed' | null> {
  const { approve } = await callApi<TakeBackCall>('GET', `${campaignAt(id)}/take_back`);
  if (approve === null) return null;
  return 'to' in approve ? { payee: sponsor, transactions: [{ purpose: 'send', ...approve }] } : 'signed';
}

export function useTakeBack(campaign: CampaignView) {
  return useQuery({
    queryKey: [...campaignKey(campaign.id), 'take_back'],
    queryFn: () => fetchTakeBack(campaign),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Puts a response about a campaign into the cache, before any list is refetched. */
export function noteCampaign(client: QueryClient, campaign: CampaignView): void {
  takeAnswer(client, campaignKey(campaign.id), campaign);
  void client.invalidateQueries({ queryKey: CAMPAIGNS_KEY });
}

export async function refreshCampaign(client: QueryClient, id: string): Promise<void> {
  void client.invalidateQueries({ queryKey: CAMPAIGNS_KEY });
  await client.invalidateQueries({ queryKey: campaignKey(id) });
}

export const resultsCsv = (id: string) => namedPath('GET', `/api${campaignAt(id)}/grants.csv`);
