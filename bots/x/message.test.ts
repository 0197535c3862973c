// Posts as X gives them, read: pictures and quoted posts that hang on them, long ones, and which mentions ask for anything at all.
import { describe, expect, test } from 'vitest';
import { parseCommand } from '../../src/domain/command.ts';
import { asksSomething, toCommandInput, typedText, type XPost } from './message.ts';

const BOT = { id: '120000000000000099', username: 'ampersat_bot' };
const BOB = '120000000000000002';
const PHOTO = 'https://t.co/Ph0t0abcde';

function mentions(text: string) {
  return [...text.matchAll(/@(\w+)/g)].map((match) => {
    const start = [...text.slice(0, match.index)].length;
    const id = match[1] === 'bob' ? BOB : BOT.id;
    return { start, end: start + match[0].length, username: match[1] ?? '', id };
  });
}
function post(text: string, part: object = {}): XPost {
  const id = '2125211782338314240';
  return {
    id,
    text,
    author_id: '120000000000000001',
    conversation_id: id,
    edit_history_tweet_ids: [id],
    display_text_range: [0, [...text].length],
    entities: { mentions: mentions(text) },
    ...part,
  } as XPost;
}
const url = (text: string, link: string, more: object) => {
  const start = [...text.slice(0, text.indexOf(link))].length;
  return { start, end: start + link.length, url: link, display_url: link, ...more };
};
const read = (one: XPost) => parseCommand(toCommandInput(one, undefined, BOT));
const PAYS = { kind: 'tip', amount: '5', recipients: [{ by: 'id', value: BOB }] };

describe('what hangs on a post', () => {
  const typed = '@ampersat_bot tip @bob 5';
  test.each([
    ['a picture', { media_key: '3_1', expanded_url: 'https://x.com/alice/status/1/photo/1' }],
    ['a video that is told by its address alone', { expanded_url: 'https://twitter.com/alice/status/1/video/1' }],
  ])('%s is no note', (_name, more) => {
    const text = `${typed} ${PHOTO}`;
    const shown = post(text, {
      display_text_range: [0, typed.length],
      entities: { mentions: mentions(text), urls: [url(text, PHOTO, more)] },
    });
    expect(typedText(shown)).toBe(typed);
    expect(read(shown)).toMatchObject(PAYS);
    expect(read(shown)).toEqual(read(post(typed)));
  });

  test('four pictures share one link, which X marks four times', () => {
    const text = `${typed} ${PHOTO}`;
    const urls = [1, 2, 3, 4].map((one) => url(text, PHOTO, { media_key: `3_${one}` }));
    expect(read(post(text, { entities: { mentions: mentions(text), urls } }))).toEqual(read(post(typed)));
  });

  test('the post that it quotes is no note, and its author no recipient', () => {
    const text = `${typed} ${PHOTO}`;
    const shown = post(text, {
      referenced_tweets: [{ type: 'quoted', id: '77' }],
      entities: {
        mentions: mentions(text),
        urls: [url(text, PHOTO, { expanded_url: 'https://x.com/carol/status/77' })],
      },
    });
    expect(read(shown)).toEqual(read(post(typed)));
  });

  test('a link that somebody typed stays', () => {
    const text = `${typed} for ${PHOTO}`;
    const typedLink = post(text, {
      entities: { mentions: mentions(text), urls: [url(text, PHOTO, { expanded_url: 'https://shop.example/mug' })] },
    });
    expect(typedText(typedLink)).toBe(text);
    const inside = `@ampersat_bot ${PHOTO} tip @bob 5`;
    const hung = post(inside, { entities: { urls: [url(inside, PHOTO, { media_key: '3_1' })] } });
    expect(typedText(hung)).toBe(inside);
  });
});

describe('a long post', () => {
  const note = `@ampersat_bot tip @bob 5 for ${'a very long note '.repeat(20)}end`;
  const cut = `${note.slice(0, 250)}… https://t.co/l0ngl0ngl0`;

  test('is read whole, with the mentions of the whole', () => {
    const shown = post(cut, { note_tweet: { text: note, entities: { mentions: mentions(note) } } });
    expect(typedText(shown)).toBe(note);
    // More of the note than the cut text has.
    expect(read(shown)).toMatchObject({ ...PAYS, memo: expect.stringMatching(/^(a very long note ){16}/) });
  });

  test.each([
    ['with the names that X puts before a reply', '@carol @ampersat_bot '],
    ['without them', ''],
  ])('that is a reply, told %s, is read from what was typed', (_name, before) => {
    const names = '@carol @ampersat_bot ';
    const shown = post(names + cut, {
      display_text_range: [names.length, names.length + 250],
      note_tweet: { text: before + note, entities: { mentions: mentions(before + note) } },
    });
    expect(typedText(shown)).toBe(note);
    expect(toCommandInput(shown, undefined, BOT).ctx.display_text_range).toEqual([
      before.length,
      before.length + note.length,
    ]);
  });
});

test.each([
  ['@ampersat_bot thanks!', false],
  ['I love @ampersat_bot', false],
  ['@ampersat_bot @bob @carol99', false],
  ['@ampersat_bot 👏👏', false],
  ['@ampersat_bot help', true],
  ['@ampersat_bot tip @bob', true],
  ['@ampersat_bot TIP @bob', true],
  ['@ampersat_bot @bob 5', true],
  ['@ampersat_bot @bob ½', true],
  ['@ampersat_bot tpi @bob 5', true],
])('%s asks for something: %s', (text, asks) => {
  expect(asksSomething({ kind: 'error', code: 'unknown_command' }, text)).toBe(asks);
  expect(asksSomething({ kind: 'help' }, text)).toBe(asks);
  expect(asksSomething({ kind: 'balance' }, text)).toBe(true);
});
