// A table that is read page by page.
import type { ComponentProps } from 'react';
import { Paged } from './Paged.tsx';
import { Table } from './Table.tsx';

export function PagedTable<Row>({
  list,
  empty,
  ...table
}: Omit<ComponentProps<typeof Table<Row>>, 'rows'> & Pick<ComponentProps<typeof Paged<Row>>, 'list' | 'empty'>) {
  return (
    <Paged list={list} name={table.name} keyOf={table.keyOf} empty={empty}>
      {(rows) => <Table {...table} rows={rows} />}
    </Paged>
  );
}
