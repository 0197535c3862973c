// A list that is read page by page, with its skeleton, its error with a retry, and its end.
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { List } from '../api.ts';
import { Button } from './Button.tsx';
import { ErrorNote } from './notices.tsx';
import { useKnownError } from './useKnownError.ts';

const SKELETONS = [0, 1, 2, 3];
const FRAME = 'rounded-2xl border border-line bg-surface px-2 sm:px-4';

/**
 * @param name of the list, for those who hear it
 * @param row with its key
 * @param empty what stands there when there is none
 */
export function PagedList<Row>({
  list,
  name,
  row,
  empty,
}: {
  list: UseInfiniteQueryResult<InfiniteData<List<Row>>>;
  name: string;
  row: (one: Row) => ReactNode;
  empty: ReactNode;
}) {
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage, isPlaceholderData } = list;
  const { error, retry } = useKnownError(list);
  if (error && !data) return <ErrorNote retry={retry}>{error.message}</ErrorNote>;
  if (!data)
    return (
      <output aria-label={`Loading ${name.toLowerCase()}`} className={`block ${FRAME}`}>
        {SKELETONS.map((index) => (
          <span key={index} className="flex min-h-16 items-center gap-3 border-line px-2 py-2 not-first:border-t">
            <span className="h-9 grow rounded-lg bg-sunken waits" />
            <span className="h-9 w-24 shrink-0 rounded-lg bg-sunken waits" />
          </span>
        ))}
      </output>
    );
  const rows = data.pages.flatMap((page) => page.data);
  return (
    <div aria-busy={isPlaceholderData} className={`flex flex-col gap-4 ${isPlaceholderData ? 'opacity-50' : ''}`}>
      {error && <ErrorNote retry={retry}>{error.message} What you see may be old.</ErrorNote>}
      {rows.length === 0 ? (
        empty
      ) : (
        <ul aria-label={name} className={FRAME}>
          {rows.map(row)}
        </ul>
      )}
      {hasNextPage && (
        <Button className="self-center" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? 'Loading…' : 'Show more'}
        </Button>
      )}
    </div>
  );
}
