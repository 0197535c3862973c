// What of a body and a path goes into the API log: within its size, complete JSON, and without what no database stores.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { REDACTED } from './redaction.ts';
import { LOGGED_BODY, loggedBody, loggedPath } from './requestLog.ts';

const SIGNATURE = `0x${'9a'.repeat(65)}`;
const read = (value: unknown) => JSON.parse(loggedBody(value).text);

describe('a body', () => {
  test('that is small is stored as it is', () => {
    const body = { amount: '5', metadata: { cart: '7041', note: '"quoted" \\ 😀' }, list: [1, null, true, { a: 'b' }] };
    expect(loggedBody(body)).toEqual({ text: JSON.stringify(body), isCut: false });
  });

  test('is stored without secrets, wherever they are', () => {
    const body = {
      secret: 'whsec_abc',
      permit: { v: 27, r: '0x1', deadline: 1 },
      metadata: { password: 'hunter22', [SIGNATURE]: 'x', pair: '{"api_key":"hunter22"}' },
      fields: [{ name: 'password', value: 'hunter22' }],
      signatures: [SIGNATURE, SIGNATURE],
      card: 4242424242424242,
      deep: [[[{ authorization: 'hunter22' }]]],
    };
    const { text } = loggedBody(body);
    for (const part of ['hunter22', '9a9a9a', '"r"', '4242', 'whsec_abc']) expect(text).not.toContain(part);
    expect(JSON.parse(text).permit).toBe(REDACTED);
  });

  test('that is large is cut, and is still JSON', () => {
    const { text, isCut } = loggedBody({
      data: Array.from({ length: 500 }, (_, id) => ({ id, label: '😀'.repeat(30) })),
    });
    expect(isCut).toBe(true);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LOGGED_BODY);
    expect(Buffer.byteLength(text)).toBeGreaterThan(LOGGED_BODY - 300);
    expect(JSON.parse(text).data[3]).toMatchObject({ id: 3 });
  });

  test('leaves no part of a secret where it is cut', () => {
    for (let before = 7_900; before < 8_200; before += 7) {
      const { text } = loggedBody({
        note: `${`${SIGNATURE} `.repeat(59)}${'. '.repeat((before - 59 * 133) / 2)}${SIGNATURE}`,
      });
      expect(text).not.toContain('9a9a');
    }
  });

  test('has no NUL and no lone surrogate', () => {
    const { text } = loggedBody({ ['a\0\ud800']: 'b\0\udfff' });
    expect(text).toBe('{"a\\u0000\ufffd":"b\\u0000\ufffd"}');
  });

  test('is not followed into its depths', () => {
    let deep: unknown = 'end';
    for (let level = 0; level < 5_000; level++) deep = [deep];
    expect(loggedBody({ deep })).toMatchObject({ isCut: true });
  });

  test('is JSON within its size, whatever it holds', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 100, max: LOGGED_BODY }), (value, most) => {
        const { text, isCut } = loggedBody({ value }, most);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(most);
        const again = JSON.parse(text);
        if (!isCut && !text.includes(REDACTED)) expect(loggedBody(again, most).text).toBe(text);
      }),
    );
  });

  test('costs little, however much there is to read', () => {
    const started = process.cpuUsage();
    loggedBody({ many: Array.from({ length: 100 }, () => 'a='.repeat(5_000)) });
    loggedBody({ names: Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`${i}${'='.repeat(9_000)}`, 'x'])) });
    // A quadratic step needs minutes for these.
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(4_000);
  }, 120_000);

  test('that holds nothing is JSON too', () => {
    expect([read(null), read(undefined), read({}), read([])]).toEqual([null, null, {}, []]);
  });
});

describe('a path', () => {
  test('is stored as it came', () => {
    const path = '/v1/orders?status=completed&created[gte]=1764417282&metadata[cart]=a%20b&x=%E0%A4&&flag';
    expect(loggedPath(path)).toBe(path);
  });

  test('is stored without secrets', () => {
    const path = `/v1/orders/sk_test_${'a1'.repeat(20)}?signature=abc&key=${SIGNATURE}&metadata%5Bpassword%5D=hunter22`;
    const logged = loggedPath(path);
    for (const part of ['a1a1', 'abc', '9a9a', 'hunter22']) expect(logged).not.toContain(part);
    expect(logged).toContain(`signature=${encodeURIComponent(REDACTED)}`);
  });

  test('is cut', () => expect(loggedPath(`/v1/orders?q=${'x'.repeat(20_000)}`).length).toBeLessThanOrEqual(2_048));
});
