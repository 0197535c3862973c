// Rows that arrive while a list is read: they are held back until the reader asks for them, so that nothing moves under the eyes.
import { type InfiniteData, type UseInfiniteQueryResult, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { List } from '../app/api.ts';

/**
 * What stays in view of a list that was read again. Rows that are known are shown as they are now; what came before the last of them is held back.
 * @param hasMore the list goes on behind `rows`: what newer rows pushed out of it is still there
 * @returns `isStale` while a row that is shown was pushed out of `rows`: the next page says how it is now
 */
export function heldBack<Row>(
  shown: readonly Row[],
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  hasMore: boolean,
): { shown: readonly Row[]; held: number; isStale: boolean } {
  if (shown.length === 0) return { shown: rows, held: 0, isStale: false };
  const known = new Set(shown.map(keyOf));
  const last = rows.findLastIndex((row) => known.has(keyOf(row)));
  const lastRow = rows[last];
  if (lastRow === undefined)
    return hasMore ? { shown, held: rows.length, isStale: true } : { shown: rows, held: 0, isStale: false };
  const now = new Map(rows.map((row) => [keyOf(row), row]));
  const end = shown.findIndex((row) => keyOf(row) === keyOf(lastRow));
  const behind = rows.slice(last + 1);
  const kept = shown.flatMap((row, at) => {
    const fresh = now.get(keyOf(row));
    if (fresh !== undefined) return [fresh];
    return at > end && hasMore && behind.length === 0 ? [row] : [];
  });
  const held = rows.slice(0, last).filter((row) => !known.has(keyOf(row))).length;
  return { shown: [...kept, ...behind], held, isStale: kept.some((row) => !now.has(keyOf(row))) };
}

/** Pages that are read beyond those asked for, so that rows which newer ones pushed off are shown as they are now. */
const MOST_PAGES_MORE = 4;

/** What a person did on the page is shown at once, as are rows that it made. */
const OWN_ACT_MS = 10_000;

/** @returns the rows to show, how many newer ones there are, and what shows those too */
export function useHeldRows<Row>(
  list: Pick<
    UseInfiniteQueryResult<InfiniteData<List<Row>>>,
    'data' | 'isFetchedAfterMount' | 'hasNextPage' | 'isFetching' | 'isError' | 'fetchNextPage'
  >,
  keyOf: (row: Row) => string,
): { rows: readonly Row[]; held: number; release: () => void } {
  const { data, isFetchedAfterMount, hasNextPage, isFetching, isError, fetchNextPage } = list;
  const mutations = useQueryClient().getMutationCache();
  const [state, setState] = useState<State<Row>>({
    ...{ data: undefined, isRead: false, shown: [], held: 0, isStale: false },
    more: 0,
  });
  let next = state;
  if (state.data !== data || state.isRead !== isFetchedAfterMount) {
    const rows = data?.pages.flatMap((page) => page.data) ?? [];
    const acted = Math.max(0, ...mutations.getAll().map((one) => one.state.submittedAt));
    // What is there when a list is opened, or filtered differently, is where reading begins.
    const begins = !state.isRead || !isFetchedAfterMount || Date.now() - acted < OWN_ACT_MS;
    const kept = begins ? { shown: rows, held: 0, isStale: false } : heldBack(state.shown, rows, keyOf, hasNextPage);
    next = { data, isRead: isFetchedAfterMount, more: kept.isStale ? state.more : 0, ...kept };
    setState(next);
  }
  const readsMore = next.isStale && hasNextPage && !isFetching && !isError && next.more < MOST_PAGES_MORE;
  useEffect(() => {
    if (!readsMore) return;
    setState((now) => ({ ...now, more: now.more + 1 }));
    void fetchNextPage();
  }, [readsMore, fetchNextPage]);
  const release = () =>
    setState({ ...next, shown: data?.pages.flatMap((page) => page.data) ?? [], held: 0, isStale: false });
  return { rows: next.shown, held: next.held, release };
}

type State<Row> = {
  data: InfiniteData<List<Row>> | undefined;
  isRead: boolean;
  shown: readonly Row[];
  held: number;
  isStale: boolean;
  more: number;
};
