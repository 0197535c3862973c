import { describe, expect, test } from 'vitest';
import { markEntities } from './entities.ts';

function marked(text: string): string[] {
  return markEntities(text).map(({ type, offset, length }) => `${type} ${text.slice(offset, offset + length)}`);
}

describe('markEntities', () => {
  test.each<[string, string[]]>([
    ['/tip @bob 5 usdc', ['bot_command /tip', 'mention @bob']],
    ['/tip@ampersat_bot @alice 5', ['bot_command /tip@ampersat_bot', 'mention @alice']],
    ['hey/tip no/command', []],
    ['a//tip </tip /tip/', []],
    ['mail bob@example.com or @bob', ['email bob@example.com', 'mention @bob']],
    ['bob@ampersat @ab', []],
    ['@bobé @bob, @bob.', ['mention @bob', 'mention @bob']],
    [`@${'x'.repeat(33)}`, []],
    ['#lunch #123 a#b $USDC $usdc A$BC', ['hashtag #lunch', 'cashtag $USDC']],
    ['see https://example.com/@bob, or example.org.', ['url https://example.com/@bob', 'url example.org']],
    ['http://127.0.0.1:3000/claim#x!', ['url http://127.0.0.1:3000/claim#x']],
    ['1.5 to v2.0 e.g. nothing', []],
    ['/tip @bob 0.5 eth', ['bot_command /tip', 'mention @bob']],
  ])('%s', (text, expected) => {
    expect(marked(text)).toEqual(expected);
  });

  test('counts in UTF-16 units', () => {
    expect(markEntities('👍🏽 @bob')).toEqual([{ type: 'mention', offset: 5, length: 4 }]);
  });

  test('finds nothing in code and links, and keeps what was given', () => {
    const given = [
      { type: 'code', offset: 0, length: 4 },
      { type: 'text_link', offset: 5, length: 4, url: 'https://example.com' },
    ];
    expect(markEntities('/tip @bob @eve', given)).toEqual([...given, { type: 'mention', offset: 10, length: 4 }]);
  });

  test('drops what does not fit the text or only Telegram can set', () => {
    expect(
      markEntities('hello', [
        { type: 'bold', offset: 3, length: 9 },
        { type: 'mention', offset: 0, length: 5 },
      ]),
    ).toEqual([]);
  });
});
