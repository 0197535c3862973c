// What the redaction takes out, what it leaves, and that its time grows with the length of the text and no faster.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { REDACTED, redactField, redactText } from './redaction.ts';

const HEX_32 = `0x${'4f'.repeat(32)}`;
const SIGNATURE = `0x${'9a'.repeat(65)}`;
const KEY = `sk_test_${'a1B2c3D4e5F'.repeat(4).slice(0, 43)}`;
const BASE58 = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';
const BASE64 = 'AQABA/Zk9+q3Yk0bUuWx4mGgqQ9oYw2Yt7bqV4hV1fT0aT3Tt6Hq0c5vJc2eW1mZ+8kQ==';

describe('a secret is taken out of a text', () => {
  test.each([
    ['an API key', KEY],
    ['a live key of another service', `rk_live_${'x'.repeat(20)}`],
    ['a signing secret', `whsec_${'A1b2'.repeat(11)}`],
    ['a signature', SIGNATURE],
    ['a short signature', `0x${'9a'.repeat(64)}`],
    ['a signature without its prefix', '9A'.repeat(65)],
    ['a private key', HEX_32],
    ['a signature of Solana', BASE58],
    ['a signed transaction in base64', BASE64],
    ['a JSON web token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'],
    ['a bearer token', 'Bearer 8c1f0d9a7b6e5d4c'],
    ['a bot’s token', '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw_1'],
    ['a card', '4242 4242 4242 4242'],
    ['a card with its month', '4242-4242-4242-4242 12'],
    ['a recovery phrase', 'legal winner thank year wave sausage worth useful legal winner thank yellow'],
    ['a key of SSH', '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\n-----END OPENSSH PRIVATE KEY-----'],
  ])('%s', (_name, secret) => {
    for (const text of [secret, `"${secret}"`, `note: ${secret}, thanks`, `https://shop.example/?a=${secret}&b=1`])
      expect(redactText(text)).not.toContain(secret.slice(-12));
  });

  test.each([
    'password=hunter22',
    'pin: 9913',
    '"password" : "hunter22 9913"',
    "private key: 'hunter22'",
    'x&api_key=hunter22&y',
  ])('by the name before it: %s', (text) => {
    expect(redactText(text)).toContain(REDACTED);
    expect(redactText(text)).not.toMatch(/hunter22|9913/);
  });
});

describe('a field', () => {
  test.each([
    'signature',
    'privateKey',
    'PRIVATE-KEY',
    'x_password_2',
    'permit',
    'authorization',
    'token',
    'CVC',
    'card_number',
  ])('%s is never stored', (name) => expect(redactField(name, 'anything')).toBe(REDACTED));

  test.each([
    ['tx_hash', HEX_32],
    ['closeTxHash', HEX_32],
    ['txHash', BASE58],
    ['onChainId', HEX_32],
    ['token', `0x${'1'.repeat(40)}`],
    ['recipient_address', `0x${'1'.repeat(40)}`],
    ['id', 'ord_01kb2v6m3fz0q8x4w7t5r9y1nc'],
    ['amount', '12.50'],
    ['label', 'Three coffees, and a cake: 12.50'],
    ['created', '1764417282000'],
    ['success_url', 'https://shop.example/orders/7041/thank-you-for-your-order/and-come-back-soon'],
    ['idempotency_key', '7a1c2f0e-1b2c-4d5e-8f90-a1b2c3d4e5f6'],
  ])('%s keeps what it may hold', (name, text) => expect(redactField(name, text)).toBe(text));

  test('of a hash holds a hash and nothing else', () => {
    expect(redactField('tx_hash', SIGNATURE)).toBe(REDACTED);
    expect(redactField('tx_hash', KEY)).toBe(REDACTED);
    expect(redactField('note', HEX_32)).toBe(REDACTED);
  });
});

/** A step that is quadratic needs minutes for these; a linear one some milliseconds. */
const LENGTH = 150_000;
const WITHIN_MS = 4_000;
const PIECES = [
  ...[
    'a',
    'A',
    '1',
    '0x',
    'f',
    '_',
    '-',
    '=',
    ':',
    ' ',
    '"',
    "'",
    '\\',
    '/',
    '+',
    '.',
    '%',
    '&',
    ',',
    '{',
    '[',
    '\n',
    '\t',
  ],
  ...[
    'pin:',
    'pin="',
    'password',
    'bearer ',
    'Bearer',
    'eyJ',
    'sk_test_',
    'whsec_',
    '4242 ',
    '4-',
    '1:',
    '123456:',
    'word ',
    'abcdefgh ',
  ],
  ...['\\u0030', '%25', '&amp;', '<pin>', 'pin={', 'legal,', '12,', '1)', '1.', 'AbCdEfG1'],
  ...['0x9a9a', 'Ab1+/', 'private key', 'é', '😀', '\ud800', '\0'],
];
/** In the processor's own time, which other work on the machine does not lengthen. */
const timed = (text: string) => {
  const started = process.cpuUsage();
  redactText(text);
  return process.cpuUsage(started).user / 1_000;
};

describe('its time grows with the length', () => {
  test.each(PIECES.map((piece) => [JSON.stringify(piece), piece]))(
    'for %s again and again',
    (_name, piece) => {
      expect(timed(piece.repeat(LENGTH / piece.length))).toBeLessThan(WITHIN_MS);
    },
    120_000,
  );

  test('for any few pieces again and again, and another one at the end', () => {
    const some = fc.array(fc.constantFrom(...PIECES), { minLength: 2, maxLength: 5 });
    fc.assert(
      fc.property(some, fc.constantFrom(...PIECES), (pieces, last) => {
        const piece = pieces.join('');
        expect(timed(piece.repeat(LENGTH / piece.length) + last)).toBeLessThan(WITHIN_MS);
      }),
      { numRuns: 60 },
    );
  }, 120_000);
});
