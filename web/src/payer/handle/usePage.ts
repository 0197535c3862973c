// A handle's page as it is now: what came with the document first.
import { useQuery } from '@tanstack/react-query';
import type { PublicHandlePage } from '../../../../src/http/api/handlePageAnswers.ts';
import { ApiError } from '../../app/apiError.ts';
import { firstAnswer } from '../../app/firstAnswer.ts';
import { askAgain } from '../checkout/checkoutApi.ts';
import { fetchPage, pageAtHandle } from './handlePageApi.ts';

/** @param handle null where the address can be none of a handle: there is no request then */
export function usePage(handle: string | null) {
  const name = handle ?? '';
  const { data, error, refetch } = useQuery({
    queryKey: ['handle page', name],
    queryFn: ({ signal }) => fetchPage(name, signal),
    initialData: () => firstAnswer<{ page: PublicHandlePage }>(pageAtHandle(name)),
    initialDataUpdatedAt: 0,
    enabled: handle !== null,
    refetchInterval: ({ state }) => askAgain(state.error),
  });
  const isGone = error instanceof ApiError && error.code === 'resource_missing';
  return {
    page: isGone ? undefined : data?.page,
    error,
    isMissing: handle === null || isGone,
    refetch: () => void refetch(),
  };
}
