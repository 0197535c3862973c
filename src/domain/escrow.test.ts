// Escrows as the domain knows them: whom they name, what may be written on them, and what can happen to them.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ESCROW, refundable, stagedDeadline } from './escrow.ts';
import { readEscrowSlug, slugLabel, usernameSlug } from './escrowSlug.ts';
import { nextStatus } from './lifecycle.ts';
import { readNote } from './note.ts';

describe('whom a tab names', () => {
  test.each([
    ['alice', 'handle', 'alice@ampersat'],
    ['Alice', 'handle', 'alice@ampersat'],
    ['x:Name', 'username', '@name on X'],
    ['telegram:some_one', 'username', '@some_one on Telegram'],
    ['discord:a.b', 'username', '@a.b on Discord'],
    ['telegram:id:123', 'id', 'user 123 on Telegram'],
  ])('%s', (text, kind, label) => {
    const slug = readEscrowSlug(text);
    expect(slug).toMatchObject({ kind, slug: text.toLowerCase() });
    expect(slug && slugLabel(slug)).toBe(label);
  });

  test.each([
    '',
    '@alice',
    'al',
    'alice@ampersat',
    'x:',
    'x:id:',
    'x:id:0123',
    'x:id:12a',
    'x:id:-1',
    'x:too_long_for_that_site',
    'x:na me',
    'discord:a..b',
    'telegram:abc',
    'facebook:bob',
    'constructor:bob',
    'x:bob:carol',
    'х:bob',
  ])('nobody: %j', (text) => expect(readEscrowSlug(text)).toBeNull());

  test('what is read is written in one way only', () =>
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        const slug = readEscrowSlug(text);
        if (slug) expect(readEscrowSlug(slug.slug)).toEqual(slug);
      }),
    ));

  test('a username cannot be read as an id, nor an id as a username', () => {
    expect(usernameSlug('x', 'id:12')).toBeNull();
    expect(usernameSlug('discord', 'id')).toBe('discord:id');
    expect(usernameSlug('x', null)).toBeNull();
  });
});

describe('notes', () => {
  test.each([
    ['thank you', 'thank you'],
    ['  two\r\nlines  ', 'two\nlines'],
    ['👩‍👩‍👧 für dich', '👩‍👩‍👧 für dich'],
    ['   ', null],
    ['', null],
    ['x'.repeat(280), 'x'.repeat(280)],
  ])('%j', (text, note) => expect(readNote(text)).toEqual({ note }));

  test('is counted by characters', () => expect(readNote('😀'.repeat(281))).toEqual({ problem: 'too_long' }));

  test.each([
    'a\u202Eb',
    'a\u2066b',
    'a\u200Eb',
    'a\u200Bb',
    'a\u0000b',
    'a\u001B[31mb',
    'a\tb',
    'a\uD800b',
    'a\u2028b',
    'a\uFEFFb',
    'a\u{E0041}b',
  ])('refused: %j', (text) => expect(readNote(text)).toEqual({ problem: 'not_plain' }));
});

test('deadlines leave time to sign at the short end, and clocks to differ at the long one', () => {
  const now = 1_800_000_000_000;
  const hours = (n: number) => stagedDeadline(now, n) - now / 1_000;
  expect(hours(1)).toBe(3_600 + 900);
  expect(hours(2)).toBe(7_200);
  expect(hours(168)).toBe(168 * 3_600);
  expect(hours(2_160)).toBe(90 * 86_400 - 300);
});

test('who may send a tab back', () => {
  const escrow = { status: 'open', deadline: 100n, revocable: true };
  expect(refundable(escrow, 99_999)).toBe('by_sender');
  expect(refundable({ ...escrow, revocable: false }, 99_999)).toBe('after_deadline');
  expect(refundable(escrow, 100_000)).toBe('now');
  for (const status of ['pending_create', 'claimed', 'refunded', 'dropped'])
    expect(refundable({ ...escrow, status }, 100_000)).toBe('no');
});

test('every status and every action', () => {
  const table = Object.entries(ESCROW).map(([status, row]) => [status, row]);
  expect(Object.fromEntries(table)).toEqual({
    pending_create: { confirm: 'open', drop: 'dropped' },
    open: { claim: 'claimed', refund: 'refunded', unconfirm: 'pending_create' },
    claimed: { reopen: 'open' },
    refunded: { reopen: 'open' },
    dropped: { confirm: 'open' },
  });
  expect(nextStatus(ESCROW, 'claimed', 'refund')).toBeNull();
  expect(nextStatus(ESCROW, 'refunded', 'claim')).toBeNull();
});
