// What the pages ask of endpoints and their deliveries, and how they change them.
import { keepPreviousData, type QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { DeliveryStatus } from '../../../../src/domain/delivery.ts';
import type { EventType } from '../../../../src/domain/events.ts';
import { callApi, type List, queryOf } from '../../app/api.ts';
import { takeAnswer } from '../../app/takeAnswer.ts';
import { keptIn, type Mode, useMode } from '../business/workspaceApi.ts';
import { usePace, WEBHOOKS_KEY } from './live.ts';
import type { Delivery, Endpoint, EndpointWish, FailedCount, Figures, ListedEndpoint, WithSecret } from './shapes.ts';

const endpointsKey = [...WEBHOOKS_KEY, 'endpoints'];
const endpointKey = (id: string) => [...WEBHOOKS_KEY, 'endpoint', id];
const pathOf = (id: string, rest = '') => `/webhooks/${encodeURIComponent(id)}${rest}`;

/** Of the mode that is looked at. */
export function useEndpoints() {
  const mode = useMode();
  return useQuery({
    queryKey: [...endpointsKey, mode],
    queryFn: ({ signal }) => callApi<List<ListedEndpoint>>('GET', `/webhooks${queryOf({ mode })}`, undefined, signal),
    select: ({ data }) => data,
    refetchInterval: usePace(),
    placeholderData: keptIn(mode),
    enabled: mode !== null,
  });
}

const SELDOM_MS = 60_000;

/** Of test and live mode, asked for seldom: for what stands on every page. */
export function useAllEndpoints() {
  return useQuery({
    queryKey: [...endpointsKey, null],
    queryFn: ({ signal }) =>
      Promise.all(
        (['test', 'live'] as const).map((mode) =>
          callApi<List<ListedEndpoint>>('GET', `/webhooks${queryOf({ mode })}`, undefined, signal),
        ),
      ),
    select: (lists) => lists.flatMap(({ data }) => data),
    staleTime: SELDOM_MS,
    refetchInterval: SELDOM_MS,
  });
}

export function useEndpoint(id: string) {
  return useQuery({
    queryKey: endpointKey(id),
    queryFn: ({ signal }) => callApi<{ endpoint: Endpoint }>('GET', pathOf(id), undefined, signal),
    select: ({ endpoint }) => endpoint,
    refetchInterval: usePace(),
  });
}

/** Puts a response about an endpoint into the cache, before any list is refetched. */
export function noteEndpoint(client: QueryClient, endpoint: Endpoint): void {
  takeAnswer(client, endpointKey(endpoint.id), { endpoint });
  void client.invalidateQueries({ queryKey: endpointsKey });
}

export function createEndpoint(wish: EndpointWish & { mode: Mode }): Promise<WithSecret> {
  return callApi('POST', '/webhooks', wish);
}

export function changeEndpoint(
  id: string,
  change: Partial<EndpointWish & { disabled: boolean }>,
): Promise<{ endpoint: Endpoint }> {
  return callApi('PATCH', pathOf(id), change);
}

export function deleteEndpoint(id: string): Promise<unknown> {
  return callApi('DELETE', pathOf(id));
}

export function rollSecret(id: string, overlapHours: number): Promise<WithSecret> {
  return callApi('POST', pathOf(id, '/roll'), { overlap_hours: overlapHours });
}

export function sendTestEvent(id: string, type: EventType): Promise<unknown> {
  return callApi('POST', pathOf(id, '/test'), { type });
}

/** @param since ISO 8601 */
export function replayFailed(id: string, since: string): Promise<{ count: number }> {
  return callApi('POST', pathOf(id, '/replay'), { since });
}

export function useFigures(id: string, hours: number) {
  return useQuery({
    queryKey: [...WEBHOOKS_KEY, 'figures', id, hours],
    queryFn: ({ signal }) => callApi<Figures>('GET', pathOf(id, `/figures${queryOf({ hours })}`), undefined, signal),
    refetchInterval: usePace(),
    placeholderData: keepPreviousData,
  });
}

export type DeliveryFilters = { endpoint?: string; event?: string; status?: DeliveryStatus; mode?: Mode | null };

const PAGE = 20;

export function useDeliveries(filters: DeliveryFilters) {
  return useInfiniteQuery({
    queryKey: [...WEBHOOKS_KEY, 'deliveries', filters.mode, filters],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => fetchDeliveries({ ...filters, limit: PAGE, cursor: pageParam }, signal),
    getNextPageParam: (page) => (page.has_more ? page.next_cursor : null),
    refetchInterval: usePace(),
    placeholderData: keptIn(filters.mode),
    enabled: filters.mode !== null,
  });
}

/** The number of failed deliveries of an endpoint since a time, as a replay would find them. @param since Unix milliseconds; null sends no request */
export function useFailedSince(id: string, since: number | null) {
  return useQuery({
    queryKey: [...WEBHOOKS_KEY, 'failed', id, since],
    queryFn: ({ signal }) =>
      callApi<FailedCount>(
        'GET',
        pathOf(id, `/failed${queryOf({ since: since === null ? null : new Date(since).toISOString() })}`),
        undefined,
        signal,
      ),
    enabled: since !== null,
    placeholderData: keepPreviousData,
  });
}

function fetchDeliveries(params: Record<string, string | number | null>, signal: AbortSignal): Promise<List<Delivery>> {
  return callApi('GET', `/deliveries${queryOf(params)}`, undefined, signal);
}
