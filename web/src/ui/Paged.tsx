// What is read page by page, with its skeleton, its error with a retry, and its end. Rows that arrive while it is read wait behind a button.
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { List } from '../app/api.ts';
import { Button } from './Button.tsx';
import { useHeldRows } from './heldRows.ts';
import { NewRows } from './NewRows.tsx';
import { ErrorNote } from './notices.tsx';
import { useKnownError } from './useKnownError.ts';

const SKELETONS = [0, 1, 2, 3];
export const FRAME = 'rounded-2xl border border-line bg-surface';

/**
 * @param name of the list, in the plural, for those who hear it
 * @param empty what is shown when there is none
 * @param keyOf a row, where it is not its `id`
 */
export function Paged<Row>({
  list,
  name,
  empty,
  keyOf = idOf,
  children,
}: {
  list: UseInfiniteQueryResult<InfiniteData<List<Row>>>;
  name: string;
  empty: ReactNode;
  keyOf?: (row: Row) => string;
  children: (rows: readonly Row[]) => ReactNode;
}) {
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage, isPlaceholderData } = list;
  const { error, retry } = useKnownError(list);
  const { rows, held, release } = useHeldRows(list, keyOf);
  if (error && !data) return <ErrorNote retry={retry}>{error.message}</ErrorNote>;
  if (!data)
    return (
      <output aria-label={`Loading ${name.toLowerCase()}`} className={`block ${FRAME} px-2 sm:px-4`}>
        {SKELETONS.map((index) => (
          <span key={index} className="flex min-h-14 items-center gap-3 border-line px-2 py-2 not-first:border-t">
            <span className="h-8 grow rounded-lg bg-sunken waits" />
            <span className="h-8 w-24 shrink-0 rounded-lg bg-sunken waits" />
          </span>
        ))}
      </output>
    );
  return (
    <div aria-busy={isPlaceholderData} className={`flex flex-col gap-4 ${isPlaceholderData ? 'opacity-50' : ''}`}>
      {error && <ErrorNote retry={retry}>{error.message} This may be out of date.</ErrorNote>}
      <NewRows held={held} name={name} onShow={release} />
      {rows.length === 0 ? empty : children(rows)}
      {hasNextPage && (
        <Button className="self-center" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? 'Loading…' : 'Show more'}
        </Button>
      )}
    </div>
  );
}

/** Rows of the service have one. */
const idOf = (row: unknown) => (row as { id: string }).id;
