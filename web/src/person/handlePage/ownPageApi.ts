// One's own page, how it changes, and what its payers wrote.
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { OwnHandlePage, OwnMessage } from '../../../../src/http/api/handlePageAnswers.ts';
import { callApi, type List } from '../../app/api.ts';
import { removePicture, uploadPicture } from '../../app/pictures.ts';
import { takeAnswer } from '../../app/takeAnswer.ts';

const KEY = ['own page'];
const MESSAGES = ['page messages'];
const AT = '/settings/page';

type Answer = { page: OwnHandlePage };
export type PageChange = Partial<
  Pick<
    OwnHandlePage,
    'enabled' | 'line' | 'suggested_amounts' | 'chain' | 'currency' | 'show_messages' | 'show_amounts'
  >
>;

export function useOwnPage() {
  return useQuery({ queryKey: KEY, queryFn: ({ signal }) => callApi<Answer>('GET', AT, undefined, signal) });
}

export function useChangePage() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: PageChange) => callApi<Answer>('PATCH', AT, change),
    onSuccess: (answer) => takeAnswer(client, KEY, answer),
  });
}

export function useMessages() {
  return useInfiniteQuery({
    queryKey: MESSAGES,
    queryFn: ({ pageParam, signal }) => {
      const query = pageParam ? `?cursor=${encodeURIComponent(pageParam)}` : '';
      return callApi<List<OwnMessage>>('GET', `${AT}/messages${query}`, undefined, signal);
    },
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor,
  });
}

export function useHideMessage() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, hidden }: { id: string; hidden: boolean }) =>
      callApi<{ message: OwnMessage }>('PATCH', `${AT}/messages/${id}`, { hidden }),
    onSettled: () => client.invalidateQueries({ queryKey: MESSAGES }),
  });
}

/** Kept as soon as it is chosen; null takes it away. */
export function useChangePicture() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (file: File | null) => {
      await (file === null ? removePicture('page') : uploadPicture('page', file));
    },
    onSuccess: () => client.invalidateQueries({ queryKey: KEY }),
  });
}
