// A file of grants (CSV), as the pages and the CLI import it.
import Papa from 'papaparse';

/** `line` counts from 1, as a spreadsheet shows it. */
export type GrantRow = { line: number; key: string; recipient: string; amount: string; note: string | null };
export type GrantsFile = {
  rows: GrantRow[];
  problems: { line: number; message: string }[];
};

const NAMES: Readonly<Record<string, 'recipient' | 'amount' | 'key' | 'note'>> = {
  recipient: 'recipient',
  handle: 'recipient',
  address: 'recipient',
  to: 'recipient',
  amount: 'amount',
  key: 'key',
  note: 'note',
};
const USUAL = ['recipient', 'amount', 'key', 'note'] as const;
const MOST_ROWS = 100_000;
/** A first line that is a grant has an amount in its second column. */
const AMOUNT = /^[\d.,]+$/;
const NO_NAMES =
  'No column here is named “recipient” or “amount”. Name the columns recipient, amount, key and note, or leave the line of names out.';

/**
 * Reads a file with the columns recipient, amount, key and note; the last two may be missing. Without a first line of names, the columns are in this
 * order. Without a key, the recipient is the key: each is paid once, however often the file is imported.
 */
export function readGrantsFile(text: string): GrantsFile {
  const { data } = Papa.parse<string[]>(text, { delimiter: delimiterOf(text) });
  const lines = data.map((cells, index) => ({ line: index + 1, cells: cells.map(clean) }));
  const filled = lines.filter(({ cells }) => cells.some((cell) => cell !== ''));
  const [first, ...rest] = filled;
  if (!first) return { rows: [], problems: [{ line: 1, message: 'The file is empty.' }] };
  const named = columnsOf(first.cells);
  if (named && named.recipient === undefined)
    return { rows: [], problems: [{ line: first.line, message: 'A column named “recipient” is missing.' }] };
  if (named && named.amount === undefined)
    return { rows: [], problems: [{ line: first.line, message: 'A column named “amount” is missing.' }] };
  if (!named && !AMOUNT.test(first.cells[1] ?? ''))
    return { rows: [], problems: [{ line: first.line, message: NO_NAMES }] };
  const columns = named ?? { recipient: 0, amount: 1, key: 2, note: 3 };
  const body = named ? rest : filled;
  const file: GrantsFile = { rows: [], problems: [] };
  if (body.length === 0) file.problems.push({ line: first.line, message: 'The file has no grants.' });
  for (const { line, cells } of body.slice(0, MOST_ROWS)) {
    const cell = (name: (typeof USUAL)[number]) => {
      const at = columns[name];
      return at === undefined ? '' : (cells[at] ?? '');
    };
    const [recipient, amount] = [cell('recipient'), cell('amount')];
    if (recipient === '') file.problems.push({ line, message: 'The recipient is missing.' });
    else if (amount === '') file.problems.push({ line, message: 'The amount is missing.' });
    else file.rows.push({ line, key: cell('key') || recipient, recipient, amount, note: cell('note') || null });
  }
  if (body.length > MOST_ROWS)
    file.problems.push({ line: MOST_ROWS, message: `Only the first ${MOST_ROWS} rows are read.` });
  return file;
}

/** Spreadsheets of countries with a decimal comma write semicolons. */
function delimiterOf(text: string): string {
  const [first = ''] = text.split(/\r?\n/, 1);
  const [best = ','] = [',', ';', '\t'].sort((one, other) => first.split(other).length - first.split(one).length);
  return best;
}

/** Our own files put an apostrophe before what a spreadsheet would run. */
function clean(cell: string): string {
  return cell.trim().replace(/^'(?=[=+\-@])/, '');
}

/** The columns of a first line that is one of names; null where it is a grant. */
function columnsOf(cells: readonly string[]): Partial<Record<(typeof USUAL)[number], number>> | null {
  const columns: Partial<Record<(typeof USUAL)[number], number>> = {};
  for (const [index, cell] of cells.entries()) {
    const name = NAMES[cell.toLowerCase()];
    if (name && columns[name] === undefined) columns[name] = index;
  }
  return Object.keys(columns).length > 0 ? columns : null;
}

/** Splits rows into calls: each of at most `most` rows and `bytes` of JSON. */
export function grantCalls(rows: readonly GrantRow[], most: number, bytes: number): GrantRow[][] {
  const calls: GrantRow[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    const length = new TextEncoder().encode(JSON.stringify(row)).length + 1;
    const last = calls.at(-1);
    if (!last || last.length >= most || size + length > bytes) {
      calls.push([row]);
      size = length;
    } else {
      last.push(row);
      size += length;
    }
  }
  return calls;
}
