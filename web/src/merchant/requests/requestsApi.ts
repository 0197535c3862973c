// The API log of a workspace as the service tells it.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { LoggedRequest, RequestDetail } from '../../../../src/http/api/requestLogAnswers.ts';
import { callApi, type List, queryOf } from '../../app/api.ts';
import { ApiError } from '../../app/apiError.ts';
import { keptIn, type Mode, useMode } from '../business/workspaceApi.ts';

/** The filters as they stand in the address bar; `q` is the ID of a request. */
export const FILTERS = ['q', 'status', 'method', 'key', 'route', 'code', 'from', 'to'] as const;
export type Filters = Partial<Record<(typeof FILTERS)[number], string>>;

const REQUESTS_KEY = ['requests'];
const PAGE = 25;
const REFRESH_MS = 4_000;
/** Every page that is open is read again. */
const MANY_PAGES = 3;
const SLOWER_MS = 20_000;

/** Days are those of the reader's clock. */
function paramsOf({ q, from, to, ...rest }: Filters, mode: Mode | null) {
  const dayAfter = to ? new Date(`${to}T00:00`) : null;
  dayAfter?.setDate(dayAfter.getDate() + 1);
  return {
    ...rest,
    mode,
    request: q ?? null,
    from: from ? new Date(`${from}T00:00`).toISOString() : null,
    before: dayAfter?.toISOString() ?? null,
  };
}

export function useRequests(filters: Filters) {
  const mode = useMode();
  return useInfiniteQuery({
    queryKey: [...REQUESTS_KEY, filters, mode],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      callApi<List<LoggedRequest>>(
        'GET',
        `/request_logs${queryOf({ ...paramsOf(filters, mode), limit: PAGE, cursor: pageParam })}`,
        undefined,
        signal,
      ),
    getNextPageParam: (page) => (page.has_more ? page.next_cursor : null),
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > MANY_PAGES ? SLOWER_MS : REFRESH_MS),
    placeholderData: keptIn(mode),
    enabled: mode !== null,
  });
}

export function useRoutes() {
  return useQuery({
    queryKey: [...REQUESTS_KEY, 'routes'],
    queryFn: ({ signal }) => callApi<{ routes: string[] }>('GET', '/request_log_routes', undefined, signal),
    staleTime: Number.POSITIVE_INFINITY,
    select: ({ routes }) => routes,
  });
}

/** A request is in the log a moment after its response: a link that is followed at once comes before it. */
const WRITTEN_WITHIN = { tries: 4, everyMs: 500 };

export function useRequest(id: string) {
  return useQuery({
    queryKey: [...REQUESTS_KEY, 'one', id],
    queryFn: ({ signal }) =>
      callApi<RequestDetail>('GET', `/request_logs/${encodeURIComponent(id)}`, undefined, signal),
    retry: (count, error) =>
      error instanceof ApiError && error.code === 'resource_missing' && count < WRITTEN_WITHIN.tries,
    retryDelay: WRITTEN_WITHIN.everyMs,
    staleTime: 60_000,
  });
}
