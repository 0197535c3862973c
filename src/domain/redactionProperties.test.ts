// No secret of any known kind survives the redaction, however it is encoded, in a body that is JSON, a form or broken; and its time is linear.
import { createHash } from 'node:crypto';
import { base58, base64, base64nopad, base64urlnopad } from '@scure/base';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { REDACTED, redactField, redactText } from './redaction.ts';
import { loggedBody, loggedPath } from './requestLog.ts';

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
/** As random as keys are: a row of zeros is no key. */
const bytesOf = (length: number) =>
  fc.nat().map((seed) => createHash('shake256', { outputLength: length }).update(String(seed)).digest());
const keyBytes = fc.constantFrom(32, 64).chain(bytesOf);
const WORDS =
  'legal winner thank year wave sausage worth useful zoo abandon act letter advice cage absurd amount doctor'.split(
    ' ',
  );
const phrase = fc
  .constantFrom(12, 15, 24)
  .chain((length) => fc.array(fc.constantFrom(...WORDS), { minLength: length, maxLength: length }));

const STRINGS: Record<string, fc.Arbitrary<string>> = {
  'an API key': bytesOf(43).map((bytes) => `sk_live_${base58.encode(bytes).slice(0, 43)}`),
  'a signing secret': bytesOf(32).map((bytes) => `whsec_${base64.encode(bytes)}`),
  'hex of 32 bytes': bytesOf(32).map((bytes) => hexOf(bytes)),
  'hex of 32 bytes, as Ethereum writes it': bytesOf(32).map((bytes) => `0x${hexOf(bytes)}`),
  'a signature': bytesOf(65).map((bytes) => `0x${hexOf(bytes)}`),
  'capitals of hex': bytesOf(32).map((bytes) => hexOf(bytes).toUpperCase()),
  'a key in base64': keyBytes.map((bytes) => base64.encode(bytes)),
  'a key in base64 without its end': keyBytes.map((bytes) => base64nopad.encode(bytes)),
  'a key in base64 for URLs': keyBytes.map((bytes) => base64urlnopad.encode(bytes)),
  'a key in base58': keyBytes.map((bytes) => base58.encode(bytes)).filter((text) => text.length >= 40),
  'a token behind its scheme': bytesOf(12).map((bytes) => `Bearer ${hexOf(bytes)}`),
};
const LISTS: Record<string, fc.Arbitrary<(string | number)[]>> = {
  'a recovery phrase': phrase,
  'the bytes of a key': keyBytes.map((bytes) => [...bytes]),
};

const escapeUnicode = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
const percent = (letter: string) => `%${letter.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`;
/** Escapes each letter that the mask names, over and over. */
const masked = (text: string, mask: boolean[], write: (letter: string) => string) =>
  [...text].map((letter, at) => (mask[at % mask.length] ? write(letter) : letter)).join('');

const encoding = fc
  .array(fc.boolean(), { minLength: 1, maxLength: 40 })
  .chain((mask) =>
    fc.constantFrom<{ name: string; of(text: string): string }>(
      { name: 'as it is', of: (text) => text },
      { name: 'unicode', of: (text) => masked(text, mask, escapeUnicode) },
      { name: 'unicode twice', of: (text) => masked(text, mask, escapeUnicode).replaceAll('\\', '\\\\') },
      { name: 'percent', of: (text) => masked(text, mask, percent) },
      { name: 'percent twice', of: (text) => encodeURIComponent(masked(text, mask, percent)) },
      { name: 'hex escapes', of: (text) => masked(text, mask, (letter) => `\\x${percent(letter).slice(1)}`) },
      { name: 'entities', of: (text) => masked(text, mask, (letter) => `&#x${percent(letter).slice(1)};`) },
      { name: 'slashes', of: (text) => text.replaceAll('/', '\\/') },
      { name: 'JSON in JSON', of: (text) => JSON.stringify(JSON.stringify({ inner: text })) },
    ),
  );
const CONTAINERS: Record<string, (text: string) => string> = {
  'a field': (text) => loggedBody({ amount: '5', note: text }).text,
  'a name': (text) => loggedBody({ metadata: { [text]: '1' } }).text,
  'a list': (text) => loggedBody({ notes: ['a', text] }).text,
  'JSON in a field': (text) => loggedBody({ note: `{"a":"b","note":"${text}"}` }).text,
  'a form': (text) => redactText(`amount=5&note=${text}&chain=base`),
  'a broken body': (text) => redactText(`{"amount": 5, "note": "${text}", "chain": `),
  'a body that is cut': (text) => redactText(`{"amount": 5, "note": "${text}`),
  'a sentence': (text) => redactText(`It is ${text}, thanks.`),
};

/** What someone could read out of it. */
function readings(output: string): string[] {
  const decoded = output
    .replace(/\\+u00([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\+x([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/%(?:25)*([0-7][0-9a-f])/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/&#x([0-9a-f]{2});/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll('\\', '');
  return [output, decoded];
}

const PART = 12;
function partsOf(secret: string): string[] {
  return Array.from({ length: Math.max(1, secret.length - PART + 1) }, (_, at) => secret.slice(at, at + PART));
}

describe('no part survives of', () => {
  const cases = Object.keys(STRINGS).flatMap((kind) => Object.keys(CONTAINERS).map((where) => [kind, where] as const));
  test.each(cases)('%s in %s', (kind, where) => {
    fc.assert(
      fc.property(STRINGS[kind] as fc.Arbitrary<string>, encoding, (secret, encoded) => {
        const output = CONTAINERS[where]?.(encoded.of(secret)) ?? '';
        for (const reading of readings(output))
          for (const part of partsOf(secret.replace(/^Bearer /, '')))
            expect(reading.includes(part), `${encoded.name}: ${output}`).toBe(false);
      }),
      { numRuns: 40 },
    );
  });

  const between = fc.constantFrom(' ', ', ', ',', '\n', ' \n ', '","', '", "', '-', '+', '_');
  const lists = Object.keys(LISTS).flatMap((kind) => Object.keys(CONTAINERS).map((where) => [kind, where] as const));
  test.each(lists)('%s in %s', (kind, where) => {
    fc.assert(
      fc.property(LISTS[kind] as fc.Arbitrary<string[]>, between, encoding, (list, sign, encoded) => {
        // A minus sign, a plus or an underscore makes other numbers.
        const text = list.join(kind === 'the bytes of a key' && /[-+_]/.test(sign) ? ',' : sign);
        const output = CONTAINERS[where]?.(encoded.of(text)) ?? '';
        expectNoList(output, list);
      }),
      { numRuns: 60 },
    );
  });

  test.each(Object.keys(LISTS))('%s as JSON has lists', (kind) => {
    fc.assert(
      fc.property(LISTS[kind] as fc.Arbitrary<(string | number)[]>, (list) => {
        const numbered = Object.fromEntries(
          list.map((one, at) => [`${typeof one === 'string' ? 'word' : ''}${at}`, one]),
        );
        for (const shape of [list, list.map(String), numbered, { type: 'Buffer', data: list }]) {
          expectNoList(loggedBody({ note: shape }).text, list);
          expectNoList(loggedBody({ note: JSON.stringify(shape, null, 2) }).text, list);
          expectNoList(redactText(`${JSON.stringify({ note: shape })}}}`), list);
        }
      }),
      { numRuns: 60 },
    );
  });

  function expectNoList(output: string, list: readonly (string | number)[]): void {
    for (const reading of readings(output)) {
      const items = reading.match(/[a-z]+|\d+/gi)?.join(' ') ?? '';
      for (let at = 0; at + 4 <= list.length; at++)
        expect(` ${items} `, output).not.toContain(` ${list.slice(at, at + 4).join(' ')} `);
    }
  }
});

describe('nothing behind a name that is denied survives', () => {
  const piece = fc.stringMatching(/^[a-z]{5,7}[0-9]{4}$/);
  const secret = fc.array(piece, { minLength: 2, maxLength: 5 });
  const name = fc.constantFrom('password', 'PIN', 'private_key', 'Authorization', 'mnemonic', 'seed phrase', 'api-key');
  test('as words in a row', () => {
    const form = fc.constantFrom<(name: string, value: string) => string>(
      (one, value) => `${one}: ${value}`,
      (one, value) => `${one}=${value}`,
      (one, value) => `a=1&${one}=${value}`,
      (one, value) => `{"${one}": "${value}", "a": "1"}`,
      (one, value) => `{"a": 1, "${one}": "${value}`,
      (one, value) => `{"a": 1, "${one}": {\n "x": "${value}"\n}}`,
      (one, value) => JSON.stringify(JSON.stringify({ [one]: value, a: '1' })),
      (one, value) => JSON.stringify({ [one]: `a"b\\ ",${value}` }),
      (one, value) => JSON.stringify(JSON.stringify({ [one]: `a"b\\ ",${value}` })),
      (one, value) => `<${one}>${value}</${one}>`,
      (one, value) => `${encodeURIComponent(one)}%3D${encodeURIComponent(value)}`,
      (one, value) => `${one}: Bearer ${value}`,
      (one, value) => `metadata[${one}]=${value}`,
      (one, value) => masked(`"${one}": "${value}"`, [true, false, false], escapeUnicode),
    );
    const sign = fc.constantFrom(' ', '  ', ', ', '; ', ':', '/', '@', '.');
    fc.assert(
      fc.property(name, secret, form, sign, (one, pieces, write, between) => {
        const text = write(one, pieces.join(between));
        for (const output of [redactText(text), loggedBody({ note: text }).text])
          for (const reading of readings(output)) for (const part of pieces) expect(reading, text).not.toContain(part);
      }),
      { numRuns: 600 },
    );
  });
});

test('a path keeps no part of a secret with signs that part the pieces of a path', () => {
  fc.assert(
    fc.property(bytesOf(32), (bytes) => {
      const secret = `whsec_${base64.encode(bytes)}`;
      for (const path of [
        `/v1/orders?note=${secret}&limit=1`,
        `/v1/orders/${secret}`,
        `/v1/orders?note=${encodeURIComponent(secret)}`,
      ]) {
        const output = loggedPath(path);
        expect(output).toMatch(/^\/v1\/|^.redacted|^%5B/);
        for (const reading of readings(output))
          for (const part of partsOf(secret)) expect(reading.includes(part), output).toBe(false);
      }
    }),
  );
});

test.each([
  ['recipient_address', '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU', true],
  ['note', '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU', false],
  ['payer', '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW', false],
  ['next_cursor', Buffer.from('ord_01kb2v6m3fz0q8x4w7t5r9y1nc').toString('base64url'), true],
  ['cursor', Buffer.from('a key of thirty bytes, no more').toString('base64url'), false],
  ['description', 'Sent to 0xAbCdEf0123456789AbCdEf0123456789aBcDeF01 on 2026-11-29', true],
  ['success_url', 'https://shop.example/en/Products/Mens-Running-Shoes-Nike-Air-Zoom-Pegasus-Limited', true],
  ['url', 'https://shop.example/p/SKU-12345-RED/size-XL/Order?utm_source=Newsletter-2026-November', true],
  ['description', 'Three coffees and a cake, for the lady who sits at the window with her dog', true],
  [
    'enabled_events',
    'order.paid, order.opened, order.created, plan.changed, plan.created, tab.opened, tab.closed',
    true,
  ],
])('%s: %s is kept: %s', (name, text, isKept) => expect(redactField(name, text)).toBe(isKept ? text : REDACTED));
