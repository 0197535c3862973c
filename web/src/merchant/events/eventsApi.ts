// The events of a workspace as the service tells them to their merchant, each with how its deliveries stand.
import { type QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { EVENT_TYPES, type EventType } from '../../../../src/domain/events.ts';
import { callApi, type List, queryOf } from '../../app/api.ts';
import { takeAnswer } from '../../app/takeAnswer.ts';
import { keptIn, type Mode, useMode } from '../business/workspaceApi.ts';
import { usePace, WEBHOOKS_KEY } from '../webhooks/live.ts';
import type { EventDetail, ListedEvent } from '../webhooks/shapes.ts';

/** The filters as they stand in the address bar. */
export const FILTERS = ['type', 'resource', 'delivery'] as const;
export type Filters = Partial<Record<(typeof FILTERS)[number], string>>;

const PAGE = 25;
const eventKey = (id: string) => [...WEBHOOKS_KEY, 'event', id];
const pathOf = (id: string, rest = '') => `/events/${encodeURIComponent(id)}${rest}`;

export function isEventType(text: string): text is EventType {
  return EVENT_TYPES.some((type) => type === text);
}

/** @param options `mode` where it is another than the one that is looked at */
export function useEvents(filters: Filters, options: { limit?: number; mode?: Mode } = {}) {
  const looked = useMode();
  const { limit = PAGE, mode = looked } = options;
  const pace = usePace();
  return useInfiniteQuery({
    queryKey: [...WEBHOOKS_KEY, 'events', filters, mode, limit],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      callApi<List<ListedEvent>>(
        'GET',
        `/events${queryOf({ ...filters, mode, limit, cursor: pageParam })}`,
        undefined,
        signal,
      ),
    getNextPageParam: (page) => (page.has_more ? page.next_cursor : null),
    refetchInterval: pace,
    placeholderData: keptIn(mode),
    enabled: mode !== null,
  });
}

export function useEvent(id: string) {
  return useQuery({
    queryKey: eventKey(id),
    queryFn: ({ signal }) => callApi<EventDetail>('GET', pathOf(id), undefined, signal),
    refetchInterval: usePace(),
  });
}

/** @param endpoint one, or all that take it now */
export function replayEvent(id: string, endpoint?: string): Promise<EventDetail> {
  return callApi('POST', pathOf(id, '/replay'), endpoint ? { endpoint } : {});
}

/** Puts a response about an event into the cache, before any list is refetched. */
export function noteEvent(client: QueryClient, detail: EventDetail): void {
  takeAnswer(client, eventKey(detail.event.id), detail);
  void client.invalidateQueries({ queryKey: WEBHOOKS_KEY });
}
