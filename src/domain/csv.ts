// Comma-separated values that a spreadsheet shows and never runs.

/** A text, or a figure as a decimal string, which may be negative. */
export type CsvCell = string | { figure: string };

/** One line with its end. A text that a spreadsheet would take for a formula gets a leading apostrophe. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

const FIGURE = /^-?\d+(\.\d+)?$/;

function csvCell(cell: CsvCell): string {
  if (typeof cell !== 'string' && FIGURE.test(cell.figure)) return cell.figure;
  const text = typeof cell === 'string' ? cell : cell.figure;
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
