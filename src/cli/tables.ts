// How people read results: tables with short IDs, facts on a line each, times on their own clock.
import { jsonLine, type Paint, paintOf, plainLine, type Shell, type Tone, writeLine, writeNote } from './shell.ts';

/**
 * @property isId shortened, unless --wide is given
 * @property tone colours the cell after it was padded
 */
export type Column<T> = {
  title: string;
  cell: (row: T) => string;
  isId?: true;
  tone?: (row: T) => Tone | undefined;
};

/** A line of JSON for each, or a table; `nothing` is what people read when there is none. */
export function writeResults<T>(shell: Shell, results: T[], columns: Column<T>[], nothing: string): void {
  if (shell.isJson) for (const one of results) writeLine(shell, jsonLine(one));
  else if (results.length === 0) writeNote(shell, nothing);
  else writeLine(shell, table(shell, results, columns));
}

function table<T>(shell: Shell, rows: T[], columns: Column<T>[]): string {
  const paint = paintOf(shell);
  const cells = rows.map((row) =>
    columns.map(({ cell, isId }) => plainLine(isId ? shownId(shell, cell(row)) : cell(row))),
  );
  const widths = columns.map(({ title }, at) => Math.max(title.length, ...cells.map((row) => row[at]?.length ?? 0)));
  // The last one is not padded, so that no line ends in spaces.
  const pad = (text: string, at: number) => (at === columns.length - 1 ? text : text.padEnd(widths[at] ?? 0));
  const head = columns.map(({ title }, at) => paint('dim', pad(title, at))).join('  ');
  const lines = rows.map((row, line) =>
    columns
      .map(({ tone }, at) => {
        const text = pad(cells[line]?.[at] ?? '', at);
        const chosen = tone?.(row);
        return chosen ? paint(chosen, text) : text;
      })
      .join('  ')
      .trimEnd(),
  );
  return [head, ...lines].join('\n');
}

/** Facts of one thing, a line each; those that are null are left out. */
export function facts(rows: [name: string, value: string | null][], paint: Paint): string {
  const shown = rows.filter((row): row is [string, string] => row[1] !== null);
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${paint('dim', name.padEnd(width))}  ${plainLine(value)}`).join('\n');
}

/** As tables and lines show an ID: short, or in full with --wide. */
export function shownId({ isWide }: Pick<Shell, 'isWide'>, id: string): string {
  return isWide ? id : shortId(id);
}

/** The kind and the last eight characters, which are random: the first ones are the time, and much the same in all. */
export function shortId(id: string): string {
  return id.replace(/^([a-z]+_)\w+(\w{8})$/, '$1$2');
}

/** A moment of the API on the reader’s own clock: 2026-11-24 15:04:05. */
export function localTime(iso: string): string {
  const at = new Date(iso);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  return `${day} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')}`;
}
