// Payment links as the service tells them to their merchant. Amounts are canonical decimal strings.
import { type QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { LineItem } from '../../../../src/domain/lineItems.ts';
import { callApi, type List, queryOf } from '../../app/api.ts';
import { takeAnswer } from '../../app/takeAnswer.ts';
import type { ShopWish } from '../business/moreOptions.tsx';
import { keptIn, useMode } from '../business/workspaceApi.ts';

export type PaymentLink = {
  id: string;
  url: string;
  active: boolean;
  label: string;
  /** Null where the buyer types the figure. */
  amount: string | null;
  currency: string;
  chain: string;
  chain_label: string;
  recipient: string;
  open_amount: boolean;
  min_amount: string | null;
  max_amount: string | null;
  livemode: boolean;
  created_at: string;
  deactivated_at: string | null;
  state: 'active' | 'inactive' | 'expired' | 'used_up';
  after_completion: { type: 'message'; message: string } | { type: 'url'; url: string } | null;
  max_uses: number | null;
  uses: number | null;
  expires_at: string | null;
  success_url: string | null;
  cancel_url: string | null;
  client_reference_id: string | null;
  line_items: LineItem[];
  embed_origins: string[];
  totals: { orders: number; paid: number; paid_amount: string; last_paid_at: string | null };
};

export type NewLink = {
  label: string;
  chain: string;
  currency: string;
  open_amount: boolean;
  amount?: string;
  min_amount?: string;
  max_amount?: string;
  after_completion?: { type: 'message'; message: string };
  max_uses?: number;
  expires_at?: string;
} & ShopWish;

export const LINKS_KEY = ['payment-links'];
const PAGE = 20;
const REFRESH_MS = 15_000;

/** @param active "true", "false", or empty for all */
export function useLinks(active: string) {
  const mode = useMode();
  return useInfiniteQuery({
    queryKey: [...LINKS_KEY, mode, active],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      callApi<List<PaymentLink>>(
        'GET',
        `/payment_links${queryOf({ mode, active, limit: PAGE, cursor: pageParam })}`,
        undefined,
        signal,
      ),
    getNextPageParam: (page) => (page.has_more ? page.next_cursor : null),
    refetchInterval: REFRESH_MS,
    placeholderData: keptIn(mode),
    enabled: mode !== null,
  });
}

const linkKey = (id: string) => ['payment-link', id];

export function useLink(id: string) {
  return useQuery({
    queryKey: linkKey(id),
    queryFn: ({ signal }) =>
      callApi<{ link: PaymentLink }>('GET', `/payment_links/${encodeURIComponent(id)}`, undefined, signal),
    select: ({ link }) => link,
    refetchInterval: REFRESH_MS,
  });
}

export async function createLink(link: NewLink): Promise<PaymentLink> {
  const answer = await callApi<{ link: PaymentLink }>('POST', '/payment_links', link);
  return answer.link;
}

export function deactivateLink(id: string): Promise<{ link: PaymentLink }> {
  return callApi('POST', `/payment_links/${encodeURIComponent(id)}/deactivate`);
}

/** Puts a response about a link into the cache, before any list is refetched. */
export function noteLink(client: QueryClient, link: PaymentLink): void {
  takeAnswer(client, linkKey(link.id), { link });
  void client.invalidateQueries({ queryKey: LINKS_KEY });
}
