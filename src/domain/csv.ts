// Comma-separated values that a spreadsheet shows and never runs.

/** One line with its end. A cell that a spreadsheet would take for a formula gets a leading apostrophe; a negative number is none. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

const NEGATIVE = /^-\d+(\.\d+)?$/;

function csvCell(text: string): string {
  const isFormula = /^[=+\-@\t\r]/.test(text) && !NEGATIVE.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
