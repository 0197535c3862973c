import { describe, expect, it } from 'vitest';
import { EMBED_ORIGINS, originOf, readOrigin, readReturnUrl, withOrderId } from './returnUrl.ts';

const live = { livemode: true };
const test = { livemode: false };

describe('a return address', () => {
  it.each([
    ['https://shop.example/thanks?order={ORDER_ID}', 'https://shop.example/thanks?order={ORDER_ID}'],
    ['https://shop.example/o/{ORDER_ID}/done#{ORDER_ID}', 'https://shop.example/o/{ORDER_ID}/done#{ORDER_ID}'],
    ['HTTPS://Shop.Example', 'https://shop.example/'],
    ['https://bücher.example/zurück', 'https://xn--bcher-kva.example/zur%C3%BCck'],
    ['https://shop.example:8443/?mail=a@b.example', 'https://shop.example:8443/?mail=a@b.example'],
    [`https://shop.example/${'a'.repeat(2_027)}`, `https://shop.example/${'a'.repeat(2_027)}`],
  ])('%s is taken', (text, url) => {
    expect(readReturnUrl(text, live)).toEqual({ url });
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://shop.example/1',
    '//evil.example/x',
    '/thanks',
    'shop.example/thanks',
    'https:shop.example',
    'https:/shop.example',
    'https:///shop.example',
    'https://',
    ' https://shop.example',
    'https://shop.example/a b',
    'https://shop.example\n.evil.example',
    'ht\ttps://shop.example',
    'https://shop.example\\@evil.example',
    'https:\\\\evil.example',
    'https://shop.example/\\evil.example',
    'https://shop@evil.example/',
    'https://shop.example:pw@evil.example/',
    'https://@evil.example/',
    'https://shop.example%40evil.example/',
    'https://shop.example/\u202Egpj.exe',
    'https://shop\u200B.example/',
    'https://shop.example/\u0000',
    'https://shop.example/\u{E0041}',
    'https://{ORDER_ID}.evil.example/',
    'https://shop.example:{ORDER_ID}/',
    'https://{ORDER_ID}@shop.example/',
    '{ORDER_ID}://shop.example/',
    'https://%7BORDER_ID%7D.example/',
    'http://shop.example/',
    'http://localhost/',
    'http://127.0.0.1:3000/',
    `https://shop.example/${'a'.repeat(2_028)}`,
    `https://shop.example/${'ü'.repeat(400)}`,
  ])('%j is refused in live mode', (text) => {
    expect(readReturnUrl(text, live)).toEqual({ problem: expect.stringMatching(/^(must|can) .*\.$/) });
  });

  it.each(['http://localhost:3000/', 'http://127.0.0.1/', 'http://127.8.8.8/', 'http://[::1]:8080/'])(
    '%s is taken in test mode',
    (text) => {
      expect(readReturnUrl(text, test)).toEqual({ url: text });
    },
  );

  it.each([
    'http://shop.example/',
    'http://localhost.evil.example/',
    'http://127.0.0.1.evil.example/',
    'http://192.168.0.1/',
    'http://0.0.0.0/',
  ])('%s is refused in test mode, too', (text) => {
    expect(readReturnUrl(text, test)).toHaveProperty('problem');
  });

  it('has the order’s ID in the placeholder’s place, everywhere', () => {
    const read = readReturnUrl('https://shop.example/{ORDER_ID}?a={ORDER_ID}#{ORDER_ID}', live);
    expect('url' in read && withOrderId(read.url, 'ord_7')).toBe('https://shop.example/ord_7?a=ord_7#ord_7');
  });
});

describe('an origin', () => {
  it.each([
    ['https://shop.example', 'https://shop.example'],
    ['https://Shop.Example:443/', 'https://shop.example'],
    ['https://shop.example:8443', 'https://shop.example:8443'],
  ])('%s is %s', (text, origin) => {
    expect(readOrigin(text, live)).toEqual({ origin });
    expect(originOf(text)).toBe(origin);
  });

  it.each([
    '*',
    'null',
    'https://*.shop.example',
    'https://shop.example/path',
    'https://shop.example/?a',
    'http://shop.example',
    'javascript:0',
  ])('%s is none', (text) => {
    expect(readOrigin(text, live)).toHaveProperty('problem');
  });

  it('can be one of several', () => {
    expect(EMBED_ORIGINS).toBe(5);
  });
});
