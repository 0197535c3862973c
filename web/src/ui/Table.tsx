// A table whose whole rows lead somewhere: the first cell has the link, which covers its row. Narrow screens keep the columns that are not `wide`.
import { Fragment, type ReactNode } from 'react';
import { Link } from '../app/router.tsx';
import { FRAME } from './Paged.tsx';
import { type MenuItem, RowMenu } from './RowMenu.tsx';

export type Column<Row> = {
  header: string;
  cell: (row: Row) => ReactNode;
  /** Shown where there is room. */
  wide?: boolean;
  align?: 'right';
  /** Its width: the first column takes what is left. */
  width?: string;
};

/** What covers a row: the row's link or button. */
export const COVER =
  'after:absolute after:inset-0 after:rounded-lg focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent';
const EDGE = 'first:pl-4 last:pr-4 sm:first:pl-6 sm:last:pr-6';

export function Table<Row>({
  name,
  columns,
  rows,
  keyOf,
  hrefOf,
  menuOf,
  below,
  framed = true,
}: {
  /** For those who hear it. */
  name: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Without it the first cell brings its own link or button. */
  hrefOf?: (row: Row) => string;
  menuOf?: (row: Row) => MenuItem[];
  /** What is open under a row, if anything. */
  below?: (row: Row) => ReactNode;
  framed?: boolean;
}) {
  const look = ({ wide, align }: Column<Row>) => `${wide ? 'max-md:hidden' : ''} ${align ? 'text-right' : ''} ${EDGE}`;
  return (
    <div className={framed ? `${FRAME} overflow-hidden` : '-mx-4 sm:-mx-6'}>
      <table aria-label={name} className="w-full table-fixed text-left text-sm">
        <thead>
          <tr className="text-muted">
            {columns.map((column) => (
              <th
                key={column.header}
                scope="col"
                className={`h-9 px-2 font-medium ${column.width ?? ''} ${look(column)}`}
              >
                {column.header}
              </th>
            ))}
            {menuOf && (
              <th scope="col" className={`w-14 ${EDGE}`}>
                <span className="sr-only">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const open = below?.(row);
            return (
              <Fragment key={keyOf(row)}>
                <tr className="relative border-t border-line hover:bg-paper">
                  {columns.map((column, index) => (
                    <td key={column.header} className={`h-12 px-2 py-1.5 ${look(column)}`}>
                      {index === 0 && hrefOf ? (
                        <Link href={hrefOf(row)} className={COVER}>
                          {column.cell(row)}
                        </Link>
                      ) : (
                        column.cell(row)
                      )}
                    </td>
                  ))}
                  {menuOf && (
                    <td className={`text-right ${EDGE}`}>
                      <RowMenu items={menuOf(row)} />
                    </td>
                  )}
                </tr>
                {open && (
                  <tr>
                    <td colSpan={columns.length + (menuOf ? 1 : 0)} className="px-4 pt-1 pb-4 sm:px-6">
                      {open}
                    </td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
