// A payment from elsewhere as the service has it: by a stream while that stands, by asking again while it does not.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiError } from '../app/apiError.ts';
import { forgetPayment } from './kept.ts';
import { fetchSmart, type SmartPayment, smartStreamOf } from './smartApi.ts';

const POLL_MS = 4_000;
/** What a bridge gave up may still come back. */
const GIVEN_UP_POLL_MS = 10_000;

export const smartKeyOf = (id: string) => ['smart', id];

/** @returns null until it is read, and where the service doesn't have it */
export function useSmartPayment(name: string, id: string | null): SmartPayment | null {
  const client = useQueryClient();
  const { data } = useQuery({
    queryKey: smartKeyOf(id ?? ''),
    queryFn: ({ signal }) => readKept(name, id ?? '', signal),
    enabled: id !== null,
    refetchInterval: ({ state }) => pollOf(state.data),
  });
  const isOpen = data?.status === 'pending';
  useEffect(() => {
    if (id === null || !isOpen) return;
    const source = new EventSource(smartStreamOf(id));
    source.addEventListener('payment', (event) => client.setQueryData(smartKeyOf(id), JSON.parse(event.data)));
    return () => source.close();
  }, [client, id, isOpen]);
  return id === null ? null : (data ?? null);
}

async function readKept(name: string, id: string, signal: AbortSignal): Promise<SmartPayment | null> {
  try {
    return await fetchSmart(id, signal);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'resource_missing')) throw error;
    forgetPayment(name, id);
    return null;
  }
}

function pollOf(payment: SmartPayment | null | undefined): number | false {
  if (payment === null) return false;
  if (payment === undefined || payment.status === 'pending') return POLL_MS;
  return payment.status === 'failed' ? GIVEN_UP_POLL_MS : false;
}
