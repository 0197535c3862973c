import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine } from './csv.ts';

test.each([
  ['=1+1', "'=1+1"],
  ['+41 44', "'+41 44"],
  ['@shop', "'@shop"],
  ['-2+3+cmd|calc', "'-2+3+cmd|calc"],
  ['-1', "'-1"],
  ['\t=1', "'\t=1"],
  ['=HYPERLINK("http://evil")', '"\'=HYPERLINK(""http://evil"")"'],
])('%j is text: %j', (cell, expected) => {
  expect(csvLine([cell])).toBe(`${expected}\r\n`);
});

test.each(['-5.00', '-0.05', '-12', '5.00', '0'])('the figure %s stays a number', (figure) => {
  expect(csvLine([{ figure }])).toBe(`${figure}\r\n`);
});

test.each(['-', '-5.', '-5.00-', '-1e5', '-1|cmd', '=1'])('%s is no figure', (figure) => {
  expect(csvLine([{ figure }])).toBe(`'${figure}\r\n`);
});

test('no text begins like a formula, whatever it is', () => {
  fc.assert(
    fc.property(fc.string(), (cell) => {
      const line = csvLine([cell]).slice(0, -2);
      const read = line.startsWith('"') ? line.slice(1, -1).replaceAll('""', '"') : line;
      expect(/^[=+\-@\t\r]/.test(read)).toBe(false);
    }),
  );
});
