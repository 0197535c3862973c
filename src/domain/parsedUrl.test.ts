import { expect, it } from 'vitest';
import { parsedUrl } from './parsedUrl.ts';

it.each([
  ['https://shop.example/back?order=1', 'https://shop.example/back?order=1'],
  ['https://bücher.example/zurück', 'https://xn--bcher-kva.example/zur%C3%BCck'],
  ['HTTP://[::1]:80/', 'http://[::1]/'],
])('reads %s', (text, href) => {
  expect(parsedUrl(text)?.href).toBe(href);
});

it.each(['', 'shop.example', '//shop.example', 'https://', 'https://a b.example', 'https://shop.example:99999'])(
  'is undefined for %j',
  (text) => {
    expect(parsedUrl(text)).toBeUndefined();
  },
);
