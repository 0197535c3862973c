import { expect, test } from 'vitest';
import { readGrantRecipient } from './campaign.ts';
import { csvLine } from './csv.ts';
import { grantCalls, readGrantsFile } from './grantsFile.ts';

const row = (line: number, recipient: string, amount: string, more: object = {}) => ({
  line,
  key: recipient,
  recipient,
  amount,
  note: null,
  ...more,
});

test.each([
  ['names in any order', 'note,amount,Recipient\r\nHello,5,@alice\r\n', [row(2, '@alice', '5', { note: 'Hello' })]],
  [
    'no names',
    '@alice,5\n@bob,6,k1,"For, you"\n',
    [row(1, '@alice', '5'), row(2, '@bob', '6', { key: 'k1', note: 'For, you' })],
  ],
  ['semicolons, and a mark at the front', '\ufeffrecipient;amount\n@alice;5.50\n', [row(2, '@alice', '5.50')]],
  ['tabs', 'recipient\tamount\n@alice\t5\n', [row(2, '@alice', '5')]],
  ['empty lines between', 'recipient,amount\n\n@alice,5\n,\n@bob,6\n', [row(3, '@alice', '5'), row(5, '@bob', '6')]],
])('%s', (_name, text, rows) => {
  expect(readGrantsFile(text)).toEqual({ rows, problems: [] });
});

test.each([
  ['', 1, 'The file is empty.'],
  ['recipient,amount\n', 1, 'The file has no grants.'],
  ['amount,note\n5,x\n', 1, 'A column named “recipient” is missing.'],
  ['recipient,note\n@alice,x\n', 1, 'A column named “amount” is missing.'],
  ['recipient,amount\n,5\n', 2, 'The recipient is missing.'],
  ['recipient,amount\n@alice,\n', 2, 'The amount is missing.'],
])('%j says what is wrong', (text, line, message) => {
  expect(readGrantsFile(text)).toEqual({ rows: [], problems: [{ line, message }] });
});

test.each(['user,visits,payout\n@alice,0.07,0.02', 'name,sum\n@alice,1'])(
  'unknown names of columns pay no one: %j',
  (text) => {
    const { rows, problems } = readGrantsFile(text);
    expect(rows).toEqual([]);
    expect(problems).toEqual([{ line: 1, message: expect.stringContaining('Name the columns') }]);
  },
);

test('what our own files write is read as it was', () => {
  const text = csvLine(['recipient', 'amount', 'key', 'note']) + csvLine(['@alice', '5.00', 'k1', '=1+1, "quoted"']);
  expect(text).toContain("'@alice");
  expect(readGrantsFile(text).rows).toEqual([row(2, '@alice', '5.00', { key: 'k1', note: '=1+1, "quoted"' })]);
});

test('calls are bounded by rows and by bytes', () => {
  const rows = [...Array(1_001).keys()].map((line) => row(line, '@alice', '5'));
  expect(grantCalls(rows, 400, 1e6).map((call) => call.length)).toEqual([400, 400, 201]);
  const bounded = grantCalls(rows, 1_000, 2_000);
  expect(bounded.flat()).toEqual(rows);
  for (const call of bounded) expect(JSON.stringify(call).length).toBeLessThanOrEqual(2_001);
});

test.each([
  ['@Alice', '@alice'],
  [' telegram:id:42 ', 'telegram:id:42'],
  ['discord:@some.one', 'discord:some.one'],
  ['X:Jack', 'x:jack'],
  ['0x1926d62427db26be8760f5ee7078e524119ffa66', '0x1926d62427db26BE8760F5EE7078e524119FFA66'],
  [' So11111111111111111111111111111111111111112', 'So11111111111111111111111111111111111111112'],
])('%s is a recipient', (text, read) => expect(readGrantRecipient(text)).toBe(read));

test.each([
  'alice',
  '@a',
  '',
  'telegram:id:x',
  'signal:bob',
  '0x1926d62427db26BE8760F5EE7078e524119FFa66',
  `0x${'0'.repeat(40)}`,
  '1'.repeat(32),
  'So1111111111111111111111111111111111111111',
  'solana:So11111111111111111111111111111111111111112',
])('%j is none', (text) => expect(readGrantRecipient(text)).toBeNull());
