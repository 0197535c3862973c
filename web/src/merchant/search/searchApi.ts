// What the search asks for, and where each thing found leads.
import { useQuery } from '@tanstack/react-query';
import { callApi, queryOf } from '../../app/api.ts';
import { keptIn, useMode } from '../business/workspaceApi.ts';

export type Found = {
  id: string;
  kind: 'order' | 'payment_link' | 'event' | 'tab';
  title: string | null;
  status: string | null;
  amount: string | null;
  currency: string | null;
  livemode: boolean;
  at: string;
};

const LEAST = 2;

/** Asks nothing for less than two characters. */
export function useFound(q: string) {
  const mode = useMode();
  return useQuery({
    queryKey: ['search', q, mode],
    queryFn: ({ signal }) => callApi<{ data: Found[] }>('GET', `/search${queryOf({ q, mode })}`, undefined, signal),
    select: ({ data }) => data,
    enabled: q.length >= LEAST && mode !== null,
    placeholderData: keptIn(mode),
  });
}

const PATHS: Record<Found['kind'], string> = {
  order: '/orders',
  payment_link: '/links',
  event: '/events',
  tab: '/tabs',
};

export function pathOf({ kind, id }: Found): string {
  return `${PATHS[kind]}/${id}`;
}
