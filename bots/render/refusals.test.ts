// Errors and refusals as sentences: in each language, in the form of each platform, naming what was typed and only what is served here.
import { describe, expect, test } from 'vitest';
import { LANGUAGES, type Language } from '../../src/domain/language.ts';
import { PLATFORMS } from '../../test/setup/everywhere.ts';
import { en } from '../words/en.ts';
import { keepNames } from '../x/text.ts';
import { errorText, refusalText } from './refusals.ts';

const place = (platform: string, chains = ['Base'], assets = ['USDC', 'ETH']) => ({ platform, chains, assets, now: 0 });
const CODES = Object.keys({ ...en.refusals, ...en.groups })
  .filter((id) => id.startsWith('error-'))
  .map((id) => id.replace(/^error-|-(word|x|telegram|discord)$/g, ''));

describe.each(LANGUAGES)('in %s', (language) => {
  test.each(PLATFORMS)('every error on %s is a whole sentence in the form of that platform', (platform) => {
    expect(CODES.length).toBeGreaterThan(30);
    for (const code of [...CODES, 'unknown_command', 'no_such_code', 'sender_not_connected'])
      for (const word of [undefined, 'fünf']) {
        const text = errorText(language, { code, word, retryAt: 60_000, channels: ['1'] }, place(platform));
        expect([code, text]).toEqual([code, expect.not.stringMatching(/[{}]|undefined|NaN/)]);
        expect([code, text]).toEqual([code, expect.stringMatching(/[.?]$/)]);
        // A post names nobody, so a command that needs a name would not work as it is read.
        if (platform === 'x')
          expect([code, text.replace(/<#1>/, '')]).toEqual([code, expect.not.stringMatching(/[@/]/)]);
      }
  });
});

test.each([
  ['en', 'I couldn’t read “fünf” as an amount. Try /tip @name 5.'],
  ['de', '„fünf“ konnte ich nicht als Betrag lesen. Versuch /tip @name 5.'],
  ['es', 'No pude leer «fünf» como cantidad. Prueba con /tip @nombre 5.'],
] as const)('an error names the word at which it stopped in %s', (language, text) => {
  expect(errorText(language, { code: 'amount_invalid', word: 'fünf' }, place('telegram'))).toBe(text);
});

test.each([
  ['telegram', 'Who is it for? Try /tip @name 5, or reply to one of their messages with /tip 5.'],
  [
    'discord',
    'Who is it for? Try /tip to:@name amount:5, or open the menu of one of their messages and choose Apps, then “Tip author”.',
  ],
  ['x', 'Who is it for? Try “tip 5” with my name in a reply to their post.'],
])('what to type is in the form of %s', (platform, text) => {
  expect(errorText('en', { code: 'recipient_missing' }, place(platform))).toBe(text);
  if (platform === 'x') expect(keepNames(text, null)).toBe(text);
});

test('only what is served is named', () => {
  const tokens = (chains: string[], assets: string[], language: Language = 'en') =>
    errorText(language, { code: 'unsupported_token', word: 'doge' }, place('telegram', chains, assets));
  expect(tokens(['Base'], ['USDC', 'ETH'])).toBe('I can’t send “doge”. I can send USDC and ETH.');
  expect(tokens(['Base', 'Celo'], ['USDC', 'ETH', 'CELO'], 'de')).toBe(
    '„doge“ kann ich nicht senden. Ich kann USDC, ETH und CELO senden.',
  );
  const chain = { code: 'chain_not_served' as const, chain: 'Ink', chains: ['Base', 'Celo'] };
  expect(refusalText('es', chain, { platform: 'telegram' })).toBe(
    'Ink no está disponible aquí. Puedo enviar en Base y Celo.',
  );
});

test('a word is shown without what is not seen, turns the text or is endless', () => {
  const shown = (word: string) => errorText('en', { code: 'suspicious_unicode', word }, place('telegram'));
  expect(shown('b\u200bo\u202eb')).toBe('There are hidden characters in “b o b”. Type it by hand.');
  expect(shown('\u200b')).toBe('There are hidden characters in that message. Type it by hand.');
  expect(shown('y'.repeat(500))).toContain(`“${'y'.repeat(40)}…”`);
});

test.each([
  ['en', 'Your limit per command is $100. This is $100.10 with the fee.'],
  ['de', 'Dein Limit pro Befehl ist 100 $. Das hier sind 100,10 $ mit Gebühr.'],
  ['es', 'Tu límite por comando es 100 $. Esto son 100,10 $ con la comisión.'],
] as const)('dollars are written as in %s', (language, text) => {
  const refusal = { code: 'command_cap', cap: '100.00', total: '100.10' } as const;
  expect(refusalText(language, refusal, { platform: 'telegram' }).replaceAll('\u00a0', ' ')).toBe(text);
});
