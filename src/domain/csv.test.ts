import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine } from './csv.ts';

test.each([
  ['=1+1', "'=1+1"],
  ['+41 44', "'+41 44"],
  ['@shop', "'@shop"],
  ['-2+3+cmd|calc', "'-2+3+cmd|calc"],
  ['-', "'-"],
  ['-5.', "'-5."],
  ['-5.00-', "'-5.00-"],
  ['-1e5', "'-1e5"],
  ['\t=1', "'\t=1"],
  ['=HYPERLINK("http://evil")', '"\'=HYPERLINK(""http://evil"")"'],
])('%j is text: %j', (cell, expected) => {
  expect(csvLine([cell])).toBe(`${expected}\r\n`);
});

test.each(['-5.00', '-0.05', '-12', '5.00', '0'])('%s stays a number', (cell) => {
  expect(csvLine([cell])).toBe(`${cell}\r\n`);
});

test('what a reader of the file gets begins like a formula only if it is a negative number', () => {
  fc.assert(
    fc.property(fc.string(), (cell) => {
      const line = csvLine([cell]).slice(0, -2);
      const read = line.startsWith('"') ? line.slice(1, -1).replaceAll('""', '"') : line;
      expect(/^[=+\-@\t\r]/.test(read)).toBe(/^-\d+(\.\d+)?$/.test(cell));
    }),
  );
});
