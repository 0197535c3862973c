// A list that is read page by page.
import type { ComponentProps, ReactNode } from 'react';
import { FRAME, Paged } from './Paged.tsx';

/** @param row with its key */
export function PagedList<Row>({
  row,
  ...rest
}: Omit<ComponentProps<typeof Paged<Row>>, 'children'> & { row: (one: Row) => ReactNode }) {
  return (
    <Paged {...rest}>
      {(rows) => (
        <ul aria-label={rest.name} className={`${FRAME} px-2 sm:px-4`}>
          {rows.map(row)}
        </ul>
      )}
    </Paged>
  );
}
