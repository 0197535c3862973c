// Addresses of handle pages, as people and apps write them.
import { expect, test } from 'vitest';
import { readHandlePagePath } from './handlePage.ts';
import { pageAt } from './pages.ts';

test.each([
  ['/@alice', 'alice', 'page', '/@alice'],
  ['/@alice/', 'alice', 'page', '/@alice'],
  ['/@Alice', 'alice', 'page', '/@alice'],
  ['/%40alice/Poster', 'alice', 'poster', '/@alice/poster'],
  ['/@alice/card.png', 'alice', 'card', '/@alice/card.png'],
  ['/@al', null, 'page', '/@al'],
  ['/@', null, 'page', '/@'],
  ['/@%E0%A4%A', null, 'page', '/@%E0%A4%A'],
  ['/@аlice', null, 'page', '/@аlice'],
  ['/@alice%2Fposter', null, 'page', '/@alice%2Fposter'],
] as const)('%s', (typed, slug, file, path) => {
  expect(readHandlePagePath(typed)).toEqual({ slug, file, path });
});

test.each(['/alice', '/@alice/other', '/@alice//evil.example', '//@alice', '/@alice/poster/x', '/x/@alice'])(
  '%s is none',
  (path) => {
    expect(readHandlePagePath(path)).toBeNull();
  },
);

test('they have their pages', () => {
  expect(pageAt('/@alice').page).toBe('payer/handle/HandlePage');
  expect(pageAt('/@alice/poster').page).toBe('payer/handle/PosterPage');
  expect(pageAt('/alice').page).toBe('app/missing/MissingPage');
  expect(pageAt('/o/ord_1').page).toBe('payer/checkout/OrderPage');
});
