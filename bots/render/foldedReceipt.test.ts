// The receipt of many recipients: the sum stands in one line, the rest is folded, and no failed leg is.
import { describe, expect, test } from 'vitest';
import type { IntentView, LegView } from '../../src/services/tips/intentView.ts';
import { messageBody } from '../discord/render.ts';
import { intentSaying } from '../x/text.ts';
import { intentText } from './intentText.ts';
import { withLinks } from './message.ts';

const leg = (recipient: string, more: Partial<LegView> = {}): LegView => ({
  id: `tip_${recipient}`,
  recipient,
  amount: '5.00',
  fee: '0.10',
  asset: 'USDC',
  chain: 'base',
  chainLabel: 'Base',
  status: 'settled',
  failure: null,
  txHash: '0x12ab000000000000000000000000000000000000000000000000000000e089ef',
  escrow: null,
  crossing: null,
  ...more,
});
const view = (legs: LegView[], more: Partial<IntentView> = {}): IntentView => ({
  ...{ platform: 'telegram', status: 'completed', senderId: '1', sender: '@alice', kind: 'tip', chainTyped: false },
  ...{
    asked: [],
    doubts: [],
    note: null,
    refused: [],
    refusal: null,
    tellsInPrivate: false,
    tellsBeside: false,
    waitingFor: null,
  },
  legs,
  ...more,
});
const url = () => 'https://ampersat.test/r/x';
const rendered = (legs: LegView[], more: Partial<IntentView> = {}) => ({
  ...withLinks(intentText('en', view(legs, more), url)),
  buttons: [],
});
const parts = (legs: LegView[]) => {
  const { text, folded = { offset: 0, length: 0 } } = rendered(legs);
  const hidden = text.slice(folded.offset, folded.offset + folded.length);
  return { hidden: hidden.split('\n'), open: text.replace(hidden, '…').split('\n') };
};
const four = () => [leg('@bob'), leg('@carol', { amount: '2.5' }), leg('@dave'), leg('@shop')];

describe('a receipt', () => {
  test('of two recipients has a sentence for each', () => {
    const { text, folded } = rendered([leg('@bob'), leg('@carol')]);
    expect(text).toContain('@alice tipped @carol 5.00 USDC');
    expect(folded).toBeUndefined();
  });

  test('says what the bridge takes of what crosses, and nothing of what came back', () => {
    const across = (status: 'pending' | 'succeeded' | 'refunded') => ({
      crossing: {
        ...{ chain: 'celo', chainLabel: 'Celo', bridgeFee: '0.02', status, arriveTxHash: '0x1', refundTxHash: '0x2' },
      },
    });
    const [one, ...others] = four() as [LegView, ...LegView[]];
    const crossed = (status: 'pending' | 'succeeded' | 'refunded') => ({ ...one, ...across(status) });
    expect(rendered([crossed('succeeded')]).text).toContain(
      '(fee $0.10, plus $0.02 for the bridge from Base): arrived on Celo.',
    );
    expect(rendered([crossed('pending')]).text).toContain(
      '(fee $0.10, plus $0.02 for the bridge from Base): on its way to Celo.',
    );
    expect(rendered([crossed('refunded')]).text).not.toContain('the bridge');
    const both = [crossed('succeeded'), leg('@erin', across('succeeded')), ...others];
    expect(parts(both).open[0]).toMatch(/\(fees \$0\.50\)\. Plus \$0\.04 for the bridge\.$/);
    expect(parts([crossed('refunded'), ...others]).open[0]).not.toContain('bridge');
    expect(intentSaying('en', view([crossed('succeeded')], { platform: 'x' }), null, 'ABC')?.text).toContain(
      '\nPlus $0.02 for the bridge.',
    );
  });

  test('of many has the sum in one line and folds a line for each', () => {
    const { open, hidden } = parts(four());
    expect(open).toEqual(['✅ @alice tipped 4 people 17.50 USDC in all (fees $0.40).', '…']);
    expect(hidden).toHaveLength(4);
    expect(hidden[1]).toBe('@carol 2.50 USDC · View 0x12ab…89ef');
  });

  test('counts and names what failed outside of what is folded', () => {
    const { open, hidden } = parts([
      ...four(),
      leg('@erin', { status: 'failed', failure: { code: 'expired' } }),
      leg('@frank', { status: 'mined', failure: { code: 'expired' } }),
    ]);
    expect(open[0]).toContain('4 people 17.50 USDC');
    expect(open.slice(2)).toEqual([expect.stringContaining('@erin'), expect.stringContaining('@frank')]);
    expect(hidden.join()).not.toMatch(/erin|frank/);
  });

  test('names whom nothing was sent to, outside', () => {
    const refused = [{ label: '@nobody', refusal: { code: 'recipient_bot' as const, label: '@nobody' } }];
    const { text, folded } = rendered(four(), { refused });
    expect(text.slice((folded?.offset ?? 0) + (folded?.length ?? 0))).toContain('@nobody');
  });

  test('says that a part is on its way, or confirming', () => {
    expect(parts([...four(), leg('@erin', { status: 'submitted' })]).open[0]).toBe(
      '⏳ @alice tips 5 people 22.50 USDC in all: on its way…',
    );
    expect(parts([...four(), leg('@erin', { status: 'mined' })]).open[0]).toMatch(/· confirming on Base…$/);
  });

  test('tells how to claim outside', () => {
    const escrow = { id: 'esc_1', status: 'open' as const, days: 7, closeTxHash: null };
    const { open, hidden } = parts([...four(), leg('@erin', { escrow }), leg('@frank', { escrow })]);
    expect(open.at(-1)).toMatch(/7 days/);
    expect(hidden.at(-1)).toMatch(/^🎁 @frank 5\.00 USDC, waiting/);
  });

  test('is a list on Discord, whose links stay links and whose names stay text', () => {
    const { content } = messageBody(rendered([leg('@b_b'), leg('@carol'), leg('@dave')]));
    expect(content.split('\n')[1]).toBe('- @b\\_b 5.00 USDC · [View 0x12ab…89ef](<https://ampersat.test/r/x>)');
    expect(content.split('\n')).toHaveLength(4);
  });

  test('is one line on X, with every part while that is short, and within its length for twenty', () => {
    const saying = intentSaying('en', view(four()), null, 'ABC');
    expect(saying?.text.split('\n')[0]).toBe(
      '✅ @alice gave bob 5.00 USDC, carol 2.50 USDC, dave 5.00 USDC, and shop 5.00 USDC (fees $0.40).',
    );
    const failed = (name: string) => leg(name, { status: 'failed', failure: { code: 'expired' } });
    const some = [...four(), ...Array.from({ length: 6 }, (_, index) => failed(`@failed_one_${index}`))];
    expect(intentSaying('en', view(some), null, 'ABC')?.text).toMatch(
      /^✅ .*\n5\.00 USDC to failed_one_0, .*failed_one_5 /,
    );
    const many = Array.from({ length: 10 }, (_, index) => leg(`@recipient_${index}`, { amount: `${index + 1}.00` }));
    expect(intentSaying('en', view(many), null, 'ABC')?.text.split('\n')[0]).toBe(
      '✅ @alice tipped 10 people 55.00 USDC in all (fees $1).',
    );
  });
});
