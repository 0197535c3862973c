// What Discord is shown: text without markup, in which addresses stay whole.
import { expect, test } from 'vitest';
import { messageBody } from './render.ts';

const contentOf = (text: string) => messageBody({ text, links: [], buttons: [] }).content;

test.each([
  ['Pay here: https://pay.example/o/ord_01_ab*c', 'Pay here: https://pay.example/o/ord_01_ab*c'],
  ['@b_b, https://pay.example/a_b and *more*', '@b\\_b, https://pay.example/a_b and \\*more\\*'],
  ['(https://pay.example/a_b)', '(https://pay.example/a_b)'],
  ['[x](https://pay.example/a_b)', '\\[x\\](https://pay.example/a_b)'],
  ['<#123> a_b', '<#123> a\\_b'],
])('%s', (text, content) => {
  expect(contentOf(text)).toBe(content);
});
