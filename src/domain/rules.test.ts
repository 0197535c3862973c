import { keccak256, toHex } from 'viem';
import { describe, expect, test } from 'vitest';
import { CLAIM } from './claim.ts';
import { ESCROW } from './escrow.ts';
import { feeNeedsConfirmation, relayFeeUnits, relayFeeUsd } from './fees.ts';
import { handleProblem, handleSkeleton } from './handles.ts';
import { formatId } from './ids.ts';
import { INBOX } from './inbox.ts';
import { type Lifecycle, nextStatus, statusesAllowing } from './lifecycle.ts';
import { LINK } from './link.ts';
import { LOGIN } from './login.ts';
import {
  discordReactionKey,
  legKey,
  telegramEventKey,
  telegramGuestKey,
  telegramMessageKey,
  telegramReactionKey,
} from './messageKey.ts';
import { OUTGOING_TX } from './outgoing.ts';
import { PAUSE } from './pause.ts';
import { progressOf, rivalsOf, SPONSORED_CALL } from './sponsoredCall.ts';
import { INTENT, TIP } from './tip.ts';
import { WALLET_CHANGE } from './walletChange.ts';

const usd = (dollars: number) => BigInt(Math.round(dollars * 1_000_000));

describe('relay fee', () => {
  test.each([
    [0.01, false, 0.05],
    [4.999999, false, 0.05],
    [5, false, 0.1],
    [1_000, false, 0.1],
    [1, true, 0.3],
    [500, true, 0.3],
  ])('a tip of %d USD, cross-chain %s, costs %d USD', (tip, crossChain, fee) => {
    expect(relayFeeUsd(usd(tip), crossChain)).toBe(usd(fee));
  });

  test('is taken in the tip’s asset at the spot price', () => {
    expect(relayFeeUnits(usd(5), false, 1_000_000n, 6)).toBe(100_000n);
    expect(relayFeeUnits(usd(5), false, 1_000_000n, 18)).toBe(10n ** 17n);
    expect(relayFeeUnits(usd(30), false, usd(3_000), 18)).toBe(33_333_333_333_333n);
  });

  test('is asked about above a tenth of the tip', () => {
    expect(feeNeedsConfirmation(usd(0.5), usd(0.05))).toBe(false);
    expect(feeNeedsConfirmation(usd(0.499999), usd(0.05))).toBe(true);
  });
});

describe('handles', () => {
  test.each(['al', 'Alice', 'al-ice', 'alice!', 'a'.repeat(31), 'аlice'])('%s has no handle’s form', (handle) => {
    expect(handleProblem(handle)).toBe('format');
  });
  test.each(['admin', 'ampersat', 'amper_sat', 'adm1n', 'supp0rt'])('%s is reserved, look-alikes too', (handle) => {
    expect(handleProblem(handle)).toBe('reserved');
  });
  test.each([
    ['alice', 'a1ice'],
    ['bob', 'b0b'],
    ['modern', 'modem'],
    ['a_b_c', 'abc'],
    ['lisa', 'iisa'],
  ])('%s and %s look alike', (one, other) => {
    expect(handleSkeleton(one)).toBe(handleSkeleton(other));
  });
  test('different names stay apart', () => {
    expect(handleSkeleton('alice')).not.toBe(handleSkeleton('alicia'));
    expect(handleProblem('alice')).toBeNull();
  });
});

describe('identifiers', () => {
  test('sort by time and carry 80 random bits', () => {
    const random = new Uint8Array(10).fill(255);
    const early = formatId('tip', 1_000, random);
    const late = formatId('tip', 1_001, new Uint8Array(10));
    expect(early).toMatch(/^tip_[0-9a-z]{26}$/);
    expect(early < late).toBe(true);
    expect(formatId('tip', 1_000, random)).toBe(early);
    expect(formatId('tip', 1_000, new Uint8Array(10))).not.toBe(early);
  });
});

describe('message keys', () => {
  test('are built as the interface of the router expects', () => {
    const key = telegramMessageKey('42', '-100', '7');
    expect(key).toBe('tg:m:42:-100:7');
    expect(legKey(1, key, 0)).toBe(keccak256(toHex('1:tg:m:42:-100:7:0')));
    expect(legKey(2, key, 0)).not.toBe(legKey(1, key, 0));
    expect(legKey(1, key, 1)).not.toBe(legKey(1, key, 0));
    expect(telegramEventKey('42', '-100', '5', '9')).toBe('tg:e:42:-100:5:9');
    expect(telegramGuestKey('42', '77')).toBe('tg:g:42:77');
    // No update has such a number, so a press and a reaction never share a key.
    expect(telegramReactionKey('42', '-100', '5', '9')).toBe('tg:e:42:-100:5:r9');
    expect(discordReactionKey('42', '100', '5', '9')).toBe('dc:e:42:100:5:r9');
  });
  test.each(['1:2', '', 'a b', '../x', 'x'.repeat(65)])('refuse the part %j', (part) => {
    expect(() => telegramMessageKey('42', part, '7')).toThrow(RangeError);
  });
});

describe('lifecycles', () => {
  const tables: Record<string, { table: Lifecycle<string, string>; actions: string[]; allowed: string[] }> = {
    intent: {
      table: INTENT,
      actions: ['ask', 'confirm', 'decline', 'lapse', 'route', 'refuse', 'complete'],
      allowed: [
        'waiting confirm accepted',
        'waiting decline declined',
        'waiting lapse lapsed',
        'accepted ask awaiting_confirmation',
        'accepted route routed',
        'accepted refuse refused',
        'awaiting_confirmation confirm accepted',
        'awaiting_confirmation decline declined',
        'awaiting_confirmation lapse lapsed',
        'routed complete completed',
      ],
    },
    escrow: {
      table: ESCROW,
      actions: ['confirm', 'drop', 'claim', 'refund'],
      allowed: [
        'pending_create confirm open',
        'pending_create drop dropped',
        'open claim claimed',
        'open refund refunded',
        'dropped confirm open',
      ],
    },
    tip: {
      table: TIP,
      actions: ['submit', 'mine', 'unmine', 'settle', 'fail', 'adopt', 'requeue'],
      allowed: [
        'ready submit submitted',
        'ready fail failed',
        'ready adopt settled',
        'submitted mine mined',
        'submitted requeue ready',
        'mined unmine submitted',
        'mined settle settled',
        'mined fail failed',
      ],
    },
    link: {
      table: LINK,
      actions: ['redeem', 'confirm', 'decline', 'expire'],
      allowed: [
        'open redeem redeemed',
        'open expire expired',
        'redeemed confirm confirmed',
        'redeemed decline declined',
        'redeemed expire expired',
      ],
    },
    login: {
      table: LOGIN,
      actions: ['ask', 'prove', 'connect', 'cancel', 'fail'],
      allowed: [
        'open ask asked',
        'asked prove proven',
        'asked cancel cancelled',
        'asked fail failed',
        'proven connect connected',
        'proven fail failed',
      ],
    },
    'wallet change': {
      table: WALLET_CHANGE,
      actions: ['apply', 'cancel'],
      allowed: ['pending apply applied', 'pending cancel cancelled'],
    },
    'signed call': {
      table: SPONSORED_CALL,
      actions: ['submit', 'fail'],
      allowed: ['queued submit submitted', 'queued fail failed'],
    },
    claim: {
      table: CLAIM,
      actions: ['attest', 'ask_again', 'submit', 'settle', 'fail'],
      allowed: [
        'asked attest attested',
        'asked fail failed',
        'attested ask_again asked',
        'attested submit submitted',
        'attested fail failed',
        'submitted settle paid',
        'submitted ask_again asked',
        'submitted fail failed',
      ],
    },
    pause: {
      table: PAUSE,
      actions: ['want', 'submit', 'settle', 'hold', 'fail'],
      allowed: [
        'wanted want wanted',
        'wanted submit sent',
        'wanted settle done',
        'wanted hold held',
        'sent want wanted',
        'sent settle done',
        'sent fail wanted',
        'done want wanted',
        'held want wanted',
      ],
    },
    'inbox message': {
      table: INBOX,
      actions: ['release', 'drop', 'finish'],
      allowed: ['held release received', 'held drop done', 'received finish done'],
    },
    'outgoing transaction': {
      table: OUTGOING_TX,
      actions: ['sign', 'cancel', 'send', 'mine', 'unmine', 'finalise', 'reopen', 'lose'],
      allowed: [
        'queued sign signed',
        'queued cancel cancelled',
        'signed send sent',
        'signed mine mined',
        'signed lose lost',
        'sent lose lost',
        'sent mine mined',
        'mined unmine sent',
        'mined finalise final',
        'final reopen sent',
      ],
    },
  };
  test.each(Object.entries(tables))(
    'every status and action of %s is as written down',
    (_name, { table, actions, allowed }) => {
      const found: string[] = [];
      for (const status of Object.keys(table)) {
        for (const action of actions) {
          const to = nextStatus(table, status, action);
          if (to !== null) found.push(`${status} ${action} ${to}`);
        }
      }
      expect(found.sort()).toEqual([...allowed].sort());
    },
  );
  test('a paid tip never moves again', () => {
    expect(TIP.settled).toEqual({});
    expect(TIP.failed).toEqual({});
    expect(statusesAllowing(TIP, 'submit')).toEqual(['ready']);
  });
});

describe('a signed call', () => {
  test.each([
    ['queued', null, null, 'queued'],
    ['failed', null, null, 'failed'],
    ['submitted', 'signed', null, 'sent'],
    ['submitted', 'sent', null, 'sent'],
    ['submitted', 'mined', true, 'mined'],
    // It may still succeed in another block.
    ['submitted', 'mined', false, 'sent'],
    ['submitted', 'final', true, 'final'],
    ['submitted', 'final', false, 'failed'],
    ['submitted', 'lost', null, 'failed'],
  ] as const)('that is %s, with a transaction that is %s (succeeded %s), is %s', (status, tx, succeeded, progress) => {
    expect(progressOf(status, tx && { status: tx, succeeded })).toBe(progress);
  });

  test('shares its number with whatever else uses it up', () => {
    const approving = ['permit', 'allow', 'campaign_open', 'campaign_allowance', 'subscribe', 'subscription_allowance'];
    expect(rivalsOf('permit')).toEqual(approving);
    expect(rivalsOf('wrap')).toEqual([]);
    expect(rivalsOf('set_plan')).toEqual(['subscribe', 'cancel_subscription', 'set_plan']);
    expect(rivalsOf('tab_refund')).toEqual([]);
    expect(rivalsOf('limits')).toEqual(rivalsOf('resume'));
  });
});
