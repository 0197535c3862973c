// What is said on X: within 280 weighted characters, nobody named but the one who is answered, no link, and every figure whole.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasLink, weightedLength } from '../../src/domain/weightedText.ts';
import type { IntentView, LegView } from '../../src/services/tips/intentView.ts';
import { intentSaying, keepNames, MOST_WEIGHT, postText, shorten } from './text.ts';

const leg = (part: Partial<LegView> = {}): LegView => ({
  id: 'tip_1',
  recipient: '@bob',
  amount: '5.00',
  fee: '0.10',
  asset: 'USDC',
  chain: 'base',
  chainLabel: 'Base',
  status: 'settled',
  failure: null,
  txHash: null,
  escrow: null,
  crossing: null,
  ...part,
});
const view = (part: Partial<IntentView> = {}): IntentView => ({
  status: 'routed',
  platform: 'x',
  sender: '@alice',
  senderId: '1',
  kind: 'tip',
  chainTyped: false,
  asked: [],
  doubts: [],
  note: null,
  legs: [leg()],
  refused: [],
  refusal: null,
  tellsInPrivate: false,
  tellsBeside: false,
  waitingFor: null,
  ...part,
});
const asked = (part: object = {}) => ({
  amount: '60.00',
  asset: 'USDC',
  label: '@bob',
  fee: '0.10',
  chain: 'Base',
  tabDays: null,
  ...part,
});
const say = (part: Partial<IntentView>, said: string | null = null) => intentSaying('en', view(part), said, 'K3F9QA');

describe('weighted length', () => {
  test.each([
    ['plain letters', 'hello', 5],
    ['an emoji', '✅', 2],
    ['a family of emoji', '👨‍👩‍👧‍👦', 2],
    ['a flag', '🇫🇷', 2],
    ['Japanese', '日本', 4],
    ['a typographic quote', '“a”', 3],
    ['a link, however long', `https://pay.example/${'x'.repeat(100)}`, 23],
    ['a bare host', 'see pay.example.com now', 4 + 23 + 4],
    ['decomposed letters', 'e\u0301', 1],
  ])('%s', (_name, text, weight) => {
    expect(weightedLength(text)).toBe(weight);
  });
  test('a handle, an amount and an address are no links', () => {
    for (const text of ['bob@ampersat', '5.00 USDC', '0x52908400098527886E0F7030069857D2E4169EE7', 'e.g. this'])
      expect(hasLink(text), text).toBe(false);
  });
});

describe('an intent', () => {
  test.each([
    ['is not told while it is on its way', { status: 'accepted' }],
    ['is not told before it is in a block', { legs: [leg({ status: 'submitted' })] }],
    ['is not told while one leg is open', { legs: [leg(), leg({ status: 'ready' })] }],
    ['is not told as failed before that is final', { legs: [leg({ status: 'mined', failure: { code: 'expired' } })] }],
    ['is not told when nobody answered: the question said so', { status: 'lapsed' }],
  ] as [string, Partial<IntentView>][])('%s', (_name, part) => {
    expect(say(part)).toBeNull();
  });

  test('is told at its first block, and not again when it is final', () => {
    const first = say({ legs: [leg({ status: 'mined' })] });
    expect(first?.text).toBe('✅ @alice tipped bob 5.00 USDC (fee $0.10).\nReceipt K3F9QA');
    expect(say({ status: 'completed' }, first?.said)).toBeNull();
  });

  test('that was told as paid and is not is told once more', () => {
    const paid = say({ legs: [leg({ status: 'mined' })] });
    const lost = say({ status: 'completed', legs: [leg({ status: 'failed' })] }, paid?.said);
    expect(lost?.text).toMatch(/^Correction: 5\.00 USDC didn’t reach bob/);
    expect(say({ status: 'completed', legs: [leg({ status: 'failed' })] }, lost?.said)).toBeNull();
  });

  test('of ten people names them all with the sum of the fees', () => {
    const legs = Array.from({ length: 10 }, (_, index) => leg({ recipient: `@fifteen_letter${index}` }));
    const { text = '' } = say({ legs }) ?? {};
    expect(text).toContain('5.00 USDC each (fees $1)');
    for (const one of legs) expect(text).toContain(one.recipient.slice(1));
    expect(weightedLength(text)).toBeLessThanOrEqual(MOST_WEIGHT);
  });

  test('of which a part failed says which part', () => {
    const { text = '' } = say({ legs: [leg(), leg({ recipient: '@carol', status: 'failed' })] }) ?? {};
    expect(text.split('\n')).toEqual([
      '✅ @alice tipped bob 5.00 USDC (fee $0.10).',
      '5.00 USDC to carol wasn’t sent. You weren’t charged for it.',
      'Receipt K3F9QA',
    ]);
  });

  test('that waits for somebody is told without naming them, and not again when it is claimed', () => {
    const escrow = { id: 'esc_1', status: 'open', days: 7, closeTxHash: null } as const;
    const waits = say({ legs: [leg({ fee: '0.00', escrow })] });
    expect(waits?.text.split('\n')).toEqual([
      '🎁 5.00 USDC for bob, from @alice.',
      'Claim it within 7 days: connect X on the page in my profile.',
      'Receipt K3F9QA',
    ]);
    expect(say({ legs: [leg({ escrow: { ...escrow, status: 'claimed' } })] }, waits?.said)).toBeNull();
  });

  test('of a sender who has to connect first says so, and tells the receipt later', () => {
    const kept = say({ status: 'waiting', legs: [] });
    expect(kept?.text).toMatch(/^Saved for 24 hours/);
    expect(say({}, kept?.said)?.text).toContain('tipped bob');
  });

  test('asks in words, and anew when the plan is another one', () => {
    const question = say({ status: 'awaiting_confirmation', asked: [asked()] as never, doubts: ['large_amount'] });
    expect(question?.text.split('\n')).toEqual([
      'Send 60.00 USDC to bob (fee $0.10, on Base)?',
      'I always ask above $50.',
      'Reply yes or no within 10 minutes. This can’t be undone. Ref K3F9QA',
    ]);
    const again = { status: 'awaiting_confirmation', asked: [asked()] as never } as const;
    expect(say(again, question?.said)).toBeNull();
    expect(say({ ...again, asked: [asked({ fee: '0.20' })] as never }, question?.said)).not.toBeNull();
  });

  test('keeps figures about the sender’s money to direct messages', () => {
    const refusal = { code: 'balance_low' } as never;
    expect(say({ status: 'refused', refusal, tellsInPrivate: true })?.text).not.toMatch(/\d\.\d/);
  });
});

test('only the sender keeps an @, and nothing is a link', () => {
  expect(keepNames('@alice and @bob (＠carol, x@dave) name@ampersat', '@alice')).toBe(
    '@alice and bob (carol, x@dave) name@ampersat',
  );
  expect(hasLink(keepNames('see https://evil.example/x or evil.com', null))).toBe(false);
});

const line = fc.string({ unit: 'grapheme', maxLength: 200 }).map((text) => text.replaceAll('\n', ' '));
const money = fc
  .tuple(fc.nat(99_999), fc.nat(99))
  .map(([whole, cents]) => `${whole}.${String(cents).padStart(2, '0')}`);

test('whatever has to be said fits, ends with how it is answered, and never has a part of a figure', () => {
  const last = 'Reply yes or no within 10 minutes. This can’t be undone. Ref K3F9QA';
  fc.assert(
    fc.property(fc.array(fc.tuple(line, money), { maxLength: 12 }), (rows) => {
      const lines = rows.map(([text, amount]) => `${text.replace(/\d/g, '')} ${amount} USDC to somebody`);
      const text = shorten('en', lines.join('\n'), last);
      expect(weightedLength(text)).toBeLessThanOrEqual(MOST_WEIGHT);
      expect(text.endsWith(last)).toBe(true);
      const figures = new Set(rows.map(([, amount]) => amount));
      const shown = text.slice(0, -last.length).match(/\d+(\.\d+)?(?= USDC)/g) ?? [];
      for (const figure of shown) expect(figures).toContain(figure);
    }),
    { numRuns: 300 },
  );
});

test('no text of anybody makes a post that names, links or is too long', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 600 }),
      fc.constantFrom('@a', 'https://x.co/', '＠bob ', ''),
      (text, more) => {
        const post = postText('en', `${text}${more}${text}`, null, 'K3F9QA');
        expect(weightedLength(post)).toBeLessThanOrEqual(MOST_WEIGHT);
        expect(hasLink(post)).toBe(false);
        expect(post).not.toMatch(/(?<![A-Za-z0-9_.])[@＠]\w/);
      },
    ),
    { numRuns: 300 },
  );
});
