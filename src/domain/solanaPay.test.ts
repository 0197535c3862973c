// What we print for wallets of Solana, read by a parser that was written from the standard alone.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { transactionUri, transferUri } from './solanaPay.ts';

/** As the standard says: `solana:<recipient>?<query>`, or `solana:<link>`. @throws Error for what a wallet must refuse */
function parse(text: string): { link: string } | { recipient: string; fields: Map<string, string> } {
  if (!text.startsWith('solana:')) throw new Error('another scheme');
  const path = text.slice('solana:'.length);
  if (/^https?(:|%3A)/i.test(path)) return { link: decodeURIComponent(path) };
  const [recipient = '', query = ''] = path.split(/\?(.*)/s);
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(recipient)) throw new Error('no recipient');
  const fields = new Map<string, string>();
  for (const pair of query.split('&')) {
    const [name = '', value = ''] = pair.split('=');
    if (fields.has(name) && name !== 'reference') throw new Error(`${name} twice`);
    fields.set(name, decodeURIComponent(value));
  }
  const amount = fields.get('amount');
  if (amount !== undefined && !/^(0|[1-9]\d*)(\.\d+)?$/.test(amount)) throw new Error('a malformed amount');
  return { recipient, fields };
}

const RECIPIENT = 'ZSmhVNzM6irm3p5STo6byMGWuPxnbMoFgYKKstBY3uh6';
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const REFERENCE = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';

describe('a transfer request', () => {
  const words = fc.string({ unit: 'grapheme', maxLength: 80 });
  test('says the same to a wallet, whatever its words are', () => {
    fc.assert(
      fc.property(words, words, words, (label, message, memo) => {
        const asked = { recipient: RECIPIENT, amount: '12.50', mint: MINT, reference: REFERENCE, label, message, memo };
        const read = parse(transferUri(asked));
        if (!('fields' in read)) throw new Error('this is a transfer');
        expect(read.recipient).toBe(RECIPIENT);
        expect(Object.fromEntries(read.fields)).toEqual({
          amount: '12.50',
          'spl-token': MINT,
          reference: REFERENCE,
          label,
          message,
          memo,
        });
      }),
    );
  });

  test('of SOL names no token', () => {
    const asked = {
      recipient: RECIPIENT,
      amount: '0.1',
      mint: null,
      reference: REFERENCE,
      label: 'Shop',
      message: 'A',
      memo: 'B',
    };
    const read = parse(transferUri(asked));
    expect('fields' in read && read.fields.has('spl-token')).toBe(false);
  });
});

test('a transaction request is a link', () => {
  const plain = 'https://pay.example/api/checkout/ord_1/solana_pay';
  expect(transactionUri(plain)).toBe(`solana:${plain}`);
  expect(parse(transactionUri(plain))).toEqual({ link: plain });
  const query = `${plain}?a=1&b=2`;
  expect(transactionUri(query)).not.toContain('?');
  expect(parse(transactionUri(query))).toEqual({ link: query });
});
