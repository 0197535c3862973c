// Rows outlive the version that wrote them: each kind, as the version before this one wrote it, reads as it was written.
import { describe, expect, test } from 'vitest';
import { type ReplyKind, readContent } from './content.ts';

const userId = '1001';
const origin = { chatId: '-500', messageId: '12' };
const intentId = 'int_01kawbvmxzegtrh6gnz3gs5xq4';
const linkId = 'lnk_01kawbvmxzegtrh6gnz3gs5xq4';
const orderId = 'ord_01kawbvmxzegtrh6gnz3gs5xq4';
const escrowId = 'esc_01kawbvmxzegtrh6gnz3gs5xq4';
const subscriptionId = 'sub_01kawbvmxzegtrh6gnz3gs5xq4';

const SAMPLES: { [Kind in ReplyKind]: object[] } = {
  intent: [{ intentId }],
  subscription_failing: [{ subscriptionId, stage: 'first', code: 'insufficient_balance' }],
  subscription_halted: [{ subscriptionId }],
  subscription_cancelled: [{ subscriptionId }],
  subscription_low: [{ subscriptionId }],
  subscription_price: [{ subscriptionId }],
  subscription_charged: [{ subscriptionId, number: 2 }],
  deposit: [{ userId: '1' }, { userId: '1', amount: '5' }],
  withdraw: [{ userId: '1', amount: '5', to: 'telegram:bob' }],
  grant: [{ grantId: 'grt_01' }],
  send_received: [{ userId: '1', sendId: 'snd_01' }],
  intent_private: [{ intentId }],
  intent_question: [{ intentId, userId }],
  guest_private: [{ userId }, { refused: true, userId }],
  help: [{ userId }, { inGroup: true, userId }, { isStart: true, userId }, {}],
  balance: [{ userId }, { userId, origin }],
  history: [{ userId }, { userId, origin }],
  limits: [{ userId }, { userId, origin }],
  me: [{ userId }, { userId, origin }],
  subscriptions: [{ userId }, { userId, origin }],
  plan: [{ userId }, { userId, origin, name: 'Supporters', amount: '5', period: 604_800 }],
  react: [
    { userId, outcome: 'shown' },
    { userId, outcome: 'set' },
    { userId, outcome: 'off' },
    { userId, outcome: 'unclear' },
    { userId, outcome: 'receive_only' },
    { userId, outcome: 'range', cap: '100.00' },
    { userId, outcome: 'elsewhere', origin },
  ],
  leaderboard: ['shown', 'on', 'off', 'left_all', 'unclear', 'elsewhere'].map((outcome) => ({ userId, outcome })),
  paused: [{ userId }, {}],
  error: [
    { code: 'amount_missing', userId },
    { code: 'amount_invalid', word: 'fünf', userId },
    { code: 'unsupported_token', word: 'doge', chain: 'base', userId },
    { code: 'rate_limited', retryAt: 1_795_600_000_000, userId },
    { code: 'server_channel', channels: ['111', '222'], userId },
  ],
  reaction: [{ userId }],
  open_chat: [{ refused: true }, { refused: true, userId }, {}],
  link: [{ linkId, userId }, { linkId, userId, origin }, { linkId }],
  link_sent: [{ userId }, { refused: true, userId }, {}],
  link_question: [{ linkId, userId }, { linkId }],
  connected: [{ userId }, { userId, origin }],
  disconnected: [{ userId }, { handle: 'alice' }, {}],
  notice: [
    { changeId: 'chg_01kawbvmxzegtrh6gnz3gs5xq4' },
    { account: { platform: 'discord', platformUserId: '2002', username: 'alice', handle: 'alice' } },
    { account: { platform: 'telegram', platformUserId: '2002', username: null, handle: 'alice' } },
  ],
  right: [{ own: true, commandCap: '100.00', dayCap: '500.00' }],
  waiting: [{ handleId: 'hdl_01kawbvmxzegtrh6gnz3gs5xq4', userId }],
  thread_total: [{ thread: { platform: 'telegram', botId: '7', chatId: '-500', messageId: '12' }, userId }],
  received: ['minute', 'day'].map((pace) => ({
    noticeId: 'ntc_01kawbvmxzegtrh6gnz3gs5xq4',
    reader: 'hdl_1',
    pace,
    userId,
  })),
  tab_claimed: [{ escrowId }],
  tab_refunded: [{ escrowId }],
  tab_reminder: [{ escrowId }],
  tab_name_hold: [{ escrowId }],
  order: [{ orderId, userId }],
  order_end: [{ orderId, userId }],
  order_money: [{ orderId, userId }],
  endpoint_disabled: ['gone', 'failing'].map((reason) => ({
    endpoint: { host: 'shop.example', reason, livemode: false },
  })),
};

describe.each(Object.entries(SAMPLES))('%s', (kind, samples) => {
  test.each(samples)('%j', (data) => {
    expect(readContent({ kind, data: data as never })).toEqual({ kind, data });
  });
});

test('what a newer version added to the data of a kind is left out', () => {
  expect(readContent({ kind: 'intent', data: { intentId, more: 1 } })).toEqual({ kind: 'intent', data: { intentId } });
});

test.each([
  ['a_newer_kind', {}],
  ['intent', {}],
  ['intent', null],
  ['react', { userId, outcome: 'a_newer_outcome' }],
  ['notice', { userId }],
])('a row of %s with %j is of another version', (kind, data) => {
  expect(readContent({ kind, data })).toBeNull();
});
