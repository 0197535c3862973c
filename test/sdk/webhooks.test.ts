// Verifying webhooks: what is right is read, and whatever is changed, old or somebody else's is not. Signed by other people's libraries.
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { AmpersatSignatureError, webhooks } from '../../sdk/index.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const NOW_S = 1_795_400_000;
const now = NOW_S * 1_000;
const ID = `evt_${'0'.repeat(26)}`;
const BODY = JSON.stringify({
  id: ID,
  object: 'event',
  type: 'order.completed',
  data: { object: { order: { note: 'Käse ☕' } } },
});

/** The header as the SDK of a widely used platform writes it for tests. */
function header(secret = SECRET, timestamp = NOW_S, payload = BODY): string {
  return new Stripe('sk_test_none').webhooks.generateTestHeaderString({ payload, secret, timestamp });
}
const macOf = (text: string) => /v1=(\w+)/.exec(text)?.[1] ?? '';
function codeOf(work: () => unknown): string | null {
  try {
    work();
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(AmpersatSignatureError);
    return (error as AmpersatSignatureError).code;
  }
}

describe('Service-Signature', () => {
  test('an event is read as it was sent, from text and from bytes, by the header or by all headers', () => {
    for (const body of [BODY, Buffer.from(BODY), new TextEncoder().encode(BODY)])
      for (const given of [
        header(),
        { 'service-signature': header() },
        { 'Service-Signature': header() },
        new Headers({ 'Service-Signature': header() }),
      ])
        expect(webhooks.constructEvent(body, given, SECRET, { now })).toEqual(JSON.parse(BODY));
  });

  test('the other library agrees about what this one takes', () => {
    const { webhooks: theirs } = new Stripe('sk_test_none');
    expect(theirs.constructEvent(BODY, header(), SECRET, 1e9)).toEqual(
      webhooks.constructEvent(BODY, header(), SECRET, { now }),
    );
    expect(() => theirs.constructEvent(BODY, header(OTHER), SECRET, 1e9)).toThrow();
  });

  const [good, wrong] = [macOf(header()), macOf(header(OTHER))];
  test.each<[string, string, string | null]>([
    ['one signature', `t=${NOW_S},v1=${good}`, null],
    ['two, the former secret’s second', `t=${NOW_S},v1=${good},v1=${wrong}`, null],
    ['two, ours second', `t=${NOW_S},v1=${wrong},v1=${good}`, null],
    ['of another scheme beside ours', `t=${NOW_S},v0=${wrong},v1=${good},v2=x`, null],
    ['spaces', `t=${NOW_S}, v1=${good}`, null],
    ['another secret’s only', `t=${NOW_S},v1=${wrong}`, 'signature_wrong'],
    ['several wrong ones', `t=${NOW_S},v1=${wrong},v1=${wrong}`, 'signature_wrong'],
    ['another time than was signed', `t=${NOW_S + 1},v1=${good}`, 'signature_wrong'],
    ['cut off', `t=${NOW_S},v1=${good.slice(0, -1)}`, 'signature_wrong'],
    ['with something behind', `t=${NOW_S},v1=${good}0`, 'signature_wrong'],
    ['in capitals', `t=${NOW_S},v1=${good.toUpperCase()}`, 'signature_wrong'],
    ['other letters', `t=${NOW_S},v1=${'ä'.repeat(32)}`, 'signature_wrong'],
    ['in another scheme only', `t=${NOW_S},v0=${good}`, 'header_invalid'],
    ['no time', `v1=${good}`, 'header_invalid'],
    ['a time that is none', `t=now,v1=${good}`, 'header_invalid'],
    ['an endless time', `t=${'9'.repeat(40)},v1=${good}`, 'header_invalid'],
    ['an empty signature', `t=${NOW_S},v1=`, 'header_invalid'],
    ['nothing', ',,=,', 'header_invalid'],
  ])('%s', (_, given, code) => {
    expect(codeOf(() => webhooks.constructEvent(BODY, given, SECRET, { now }))).toBe(code);
  });

  test('every changed byte of the body is seen', () => {
    const bytes = Buffer.from(BODY);
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(codeOf(() => webhooks.constructEvent(changed, header(), SECRET, { now }))).toBe('signature_wrong');
    }
    for (const changed of [`${BODY} `, ` ${BODY}`, BODY.slice(0, -1), ''])
      expect(codeOf(() => webhooks.constructEvent(changed, header(), SECRET, { now }))).toBe('signature_wrong');
  });

  test.each([
    [300, 0, null],
    [301, 0, 'too_old'],
    [-300, 0, null],
    [-301, 0, 'too_new'],
    [11, 10, 'too_old'],
    [10, 10, null],
  ])('signed %i s ago, tolerating %i s (0 for the usual)', (ageS, toleranceS, code) => {
    const options = { now: (NOW_S + ageS) * 1_000, ...(toleranceS ? { toleranceS } : {}) };
    expect(codeOf(() => webhooks.constructEvent(BODY, header(), SECRET, options))).toBe(code);
  });

  test('by the time of this machine when none is given', () => {
    const nowS = Math.floor(Date.now() / 1_000);
    expect(codeOf(() => webhooks.constructEvent(BODY, header(SECRET, nowS), SECRET))).toBeNull();
    expect(codeOf(() => webhooks.constructEvent(BODY, header(SECRET, nowS - 400), SECRET))).toBe('too_old');
  });

  test('a header that is not there is said by its name', () => {
    for (const headers of [{}, new Headers(), { 'service-signature': undefined }, { 'service-signature': '' }])
      expect(() => webhooks.constructEvent(BODY, headers, SECRET)).toThrow('There is no header Service-Signature.');
  });
});

test.each(['', 'whsec_', 'whsec_…', `${SECRET}\n`, undefined as unknown as string])(
  'a secret with which anybody could sign is none: %j',
  (secret) => {
    const at = String(NOW_S);
    const mac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text);
    const own = mac(secret ?? '', `${at}.${BODY}`).digest('hex');
    const key = Buffer.from((secret ?? '').replace('whsec_', ''), 'base64');
    const standard = `v1,${mac(key, `${ID}.${at}.${BODY}`).digest('base64')}`;
    const headers = { 'webhook-id': ID, 'webhook-timestamp': at, 'webhook-signature': standard };
    expect(() => webhooks.constructEvent(BODY, `t=${at},v1=${own}`, secret, { now })).toThrow(TypeError);
    expect(() => webhooks.verifyStandard(BODY, headers, secret, { now })).toThrow(TypeError);
  },
);

describe('Standard Webhooks', () => {
  function headers(secret = SECRET, atS = NOW_S, body = BODY): Record<string, string> {
    return {
      'webhook-id': ID,
      'webhook-timestamp': String(atS),
      'webhook-signature': new Webhook(secret).sign(ID, new Date(atS * 1_000), body),
    };
  }
  const two = `${headers(OTHER)['webhook-signature']} ${headers()['webhook-signature']}`;

  test.each<[string, Record<string, string>, string | null]>([
    ['as their library signs', headers(), null],
    ['two, ours second', { ...headers(), 'webhook-signature': two }, null],
    [
      'of another scheme beside ours',
      { ...headers(), 'webhook-signature': `v1a,xx ${headers()['webhook-signature']}` },
      null,
    ],
    ['another secret', headers(OTHER), 'signature_wrong'],
    ['another id', { ...headers(), 'webhook-id': `${ID}0` }, 'signature_wrong'],
    ['another time', { ...headers(), 'webhook-timestamp': String(NOW_S + 1) }, 'signature_wrong'],
    ['another body', headers(SECRET, NOW_S, `${BODY} `), 'signature_wrong'],
    ['old', headers(SECRET, NOW_S - 301), 'too_old'],
    ['of the future', headers(SECRET, NOW_S + 301), 'too_new'],
    ['another scheme', { ...headers(), 'webhook-signature': 'v1a,AAAA' }, 'header_invalid'],
    ['a time that is none', { ...headers(), 'webhook-timestamp': 'now' }, 'header_invalid'],
    ['no id', { ...headers(), 'webhook-id': '' }, 'header_missing'],
  ])('%s', (_, given, code) => {
    expect(codeOf(() => webhooks.verifyStandard(BODY, given, SECRET, { now }))).toBe(code);
    if (code === null)
      expect(webhooks.verifyStandard(Buffer.from(BODY), new Headers(given), SECRET, { now })).toEqual(JSON.parse(BODY));
  });

  test('a signature of one kind is none of the other, although the secret is the same', () => {
    const mixed = Buffer.from(macOf(header()), 'hex').toString('base64');
    expect(
      codeOf(() =>
        webhooks.verifyStandard(BODY, { ...headers(), 'webhook-signature': `v1,${mixed}` }, SECRET, { now }),
      ),
    ).toBe('signature_wrong');
  });
});
