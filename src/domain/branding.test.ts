// What may stand on a shop's pages as its name and as the way to its help.
import { expect, test } from 'vitest';
import { readBrandName, readSupport, supportHref, supportLabel } from './branding.ts';

test.each([
  ['Blue Bottle', 'Blue Bottle'],
  ['  Blue   Bottle  ', 'Blue Bottle'],
  ['Café Müller & Søn', 'Café Müller & Søn'],
  ['珈琲店', '珈琲店'],
  ['<script>alert(1)</script>', '<script>alert(1)</script>'],
  ['x'.repeat(60), 'x'.repeat(60)],
  ['🫘'.repeat(60), '🫘'.repeat(60)],
  ['', null],
  ['   ', null],
])('the name %j', (text, name) => {
  expect(readBrandName(text)).toEqual({ name });
});

test.each([
  ['x'.repeat(61), 'too_long'],
  ['Blue\u202eelttoB', 'not_plain'],
  ['\u2066Blue', 'not_plain'],
  ['Blue\u200bBottle', 'not_plain'],
  ['Blue\0Bottle', 'not_plain'],
  ['Blue\u0007', 'not_plain'],
  ['Blue\nBottle', 'not_plain'],
  ['Blue\ud800', 'not_plain'],
  ['\u{E0041}Blue', 'not_plain'],
  ['@coinbase', 'has_at'],
  ['Pay ＠coinbase', 'has_at'],
  ['Pay ﹫coinbase', 'has_at'],
  ['B\u0301\u0302\u0303\u0304lue', 'piled_marks'],
])('no name: %j', (text, problem) => {
  expect(readBrandName(text)).toEqual({ problem });
});

test.each([
  ['help@shop.example', 'help@shop.example', 'mailto:help@shop.example', 'help@shop.example'],
  ['MAILTO:help@shop.example', 'help@shop.example', 'mailto:help@shop.example', 'help@shop.example'],
  ['https://shop.example', 'https://shop.example/', 'https://shop.example/', 'shop.example'],
  [
    'https://shop.example/help?a=1',
    'https://shop.example/help?a=1',
    'https://shop.example/help?a=1',
    'shop.example/help?a=1',
  ],
  // Look-alikes show themselves.
  ['https://аpple.com/', 'https://xn--pple-43d.com/', 'https://xn--pple-43d.com/', 'xn--pple-43d.com'],
])('the support address %j', (text, support, href, label) => {
  expect(readSupport(text)).toEqual({ support });
  expect([supportHref(support), supportLabel(support)]).toEqual([href, label]);
});

test.each([
  'http://shop.example',
  'javascript:alert(1)',
  'JavaScript:alert(1)//https://shop.example',
  'data:text/html,<script>alert(1)</script>',
  'mailto:help@shop.example?bcc=all@evil.example',
  'help@shop.example?subject=x',
  'help%0aBcc@shop.example',
  'a&b@shop.example',
  '<b>@shop.example',
  'help@localhost',
  'https://user:pass@shop.example/',
  'https://coinbase.com@evil.example/',
  'https://localhost/',
  'https://shop.example/\u202egnp.exe',
  'https://shop.example/a b',
  'https://shop .example/',
  '//shop.example',
  'shop.example',
  `https://shop.example/${'x'.repeat(200)}`,
  'https://shop.example/\nSet-Cookie: a=b',
  '+49 30 123456',
])('no support address: %j', (text) => {
  expect(readSupport(text)).toBe('invalid');
});
