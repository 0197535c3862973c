// The program's events, as its inner instructions carry them: one codec for all of them.
import { decode, type Fields, sizeOf, type Values } from './codec.ts';

/** The tag of the instruction that the program sends to itself. */
const EMIT_TAG = 255;

/** From contracts/solana/interface.md. `asset` is 0 for USDC, 1 for wrapped SOL, 2 for SOL. */
export const EVENTS = {
  tipSettled: {
    number: 1,
    fields: {
      messageKey: 'bytes32',
      sender: 'address',
      recipient: 'address',
      asset: 'u8',
      amount: 'u64',
      fee: 'u64',
    },
  },
  tabTipSettled: {
    number: 2,
    fields: {
      messageKey: 'bytes32',
      sender: 'address',
      handleKey: 'bytes32',
      tabId: 'bytes32',
      asset: 'u8',
      amount: 'u64',
      deadline: 'u64',
    },
  },
  limitsSet: { number: 3, fields: { owner: 'address', asset: 'u8', perTip: 'u64', perDay: 'u64', maxFee: 'u64' } },
  pausedSet: { number: 4, fields: { owner: 'address', by: 'address', paused: 'flag' } },
  tabOpened: {
    number: 5,
    fields: {
      tabId: 'bytes32',
      sender: 'address',
      handleKey: 'bytes32',
      asset: 'u8',
      amount: 'u64',
      deadline: 'u64',
      nonce: 'bytes32',
      revocable: 'flag',
    },
  },
  tabClaimed: {
    number: 6,
    fields: { tabId: 'bytes32', handleKey: 'bytes32', recipient: 'address', asset: 'u8', amount: 'u64' },
  },
  tabRefunded: { number: 7, fields: { tabId: 'bytes32', sender: 'address', asset: 'u8', amount: 'u64' } },
  paymentSettled: {
    number: 8,
    fields: {
      orderKey: 'bytes32',
      orderId: 'bytes32',
      payer: 'address',
      payee: 'address',
      asset: 'u8',
      amount: 'u64',
      fee: 'u64',
    },
  },
  depositMoved: {
    number: 9,
    fields: {
      orderKey: 'bytes32',
      orderId: 'bytes32',
      to: 'address',
      asset: 'u8',
      amount: 'u64',
      fee: 'u64',
      accepted: 'flag',
    },
  },
  paymentRefunded: {
    number: 10,
    fields: {
      orderKey: 'bytes32',
      orderId: 'bytes32',
      to: 'address',
      asset: 'u8',
      amount: 'u64',
      refundedTotal: 'u64',
    },
  },
  planCreated: {
    number: 11,
    fields: { planKey: 'bytes32', creator: 'address', planIdHash: 'bytes32', amount: 'u64', period: 'u32' },
  },
  planStateSet: { number: 12, fields: { planKey: 'bytes32', state: 'u8' } },
  subscribed: { number: 13, fields: { planKey: 'bytes32', subscriber: 'address', nextChargeAt: 'u64' } },
  charged: {
    number: 14,
    fields: {
      planKey: 'bytes32',
      subscriber: 'address',
      creator: 'address',
      amount: 'u64',
      fee: 'u64',
      nextChargeAt: 'u64',
    },
  },
  subscriptionCancelled: { number: 15, fields: { planKey: 'bytes32', subscriber: 'address', by: 'address' } },
  subscriptionHalted: { number: 16, fields: { planKey: 'bytes32', subscriber: 'address', by: 'address' } },
  campaignOpened: {
    number: 17,
    fields: {
      campaignId: 'bytes32',
      sponsor: 'address',
      asset: 'u8',
      total: 'u64',
      mostPerGrant: 'u64',
      maxFee: 'u64',
      expiry: 'u64',
      recipients: 'u32',
    },
  },
  campaignClosed: { number: 18, fields: { campaignId: 'bytes32', by: 'address' } },
  grantPaid: {
    number: 19,
    fields: { campaignId: 'bytes32', index: 'u32', recipient: 'address', asset: 'u8', amount: 'u64', fee: 'u64' },
  },
  roleSet: { number: 20, fields: { role: 'u8', key: 'address', effectiveAt: 'u64' } },
  pauseSet: { number: 21, fields: { by: 'address', until: 'u64' } },
  bucketClosed: { number: 22, fields: { hour: 'u64', shard: 'u8' } },
} as const satisfies Record<string, { number: number; fields: Fields }>;

export type EventName = keyof typeof EVENTS;
export type ProgramEvent = { [Name in EventName]: { name: Name } & Values<(typeof EVENTS)[Name]['fields']> }[EventName];

const BY_NUMBER = new Map(Object.entries(EVENTS).map(([name, { number, fields }]) => [number, { name, fields }]));

/** The event of an inner instruction's data, or null when the data is another instruction. */
export function decodeEvent(data: Uint8Array): ProgramEvent | null {
  if (data[0] !== EMIT_TAG) return null;
  const known = BY_NUMBER.get((data[1] ?? 0) as never);
  if (!known || data.length !== 2 + sizeOf(known.fields)) return null;
  return { name: known.name, ...decode(known.fields, data, 2) } as ProgramEvent;
}
