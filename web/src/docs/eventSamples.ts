// Every event of the OpenAPI document with an example of what is sent: what its schema allows, in the state in which it is sent.
import { type OpenApi, resolve, type Schema, sampleOf } from './openApi.ts';

type Told = { [field: string]: unknown };

const PAYER = '0x12ab34cd56ef78ab90cd12ef34ab56cd78ef90ab';
const HASH = `0x${'5f3c'.repeat(16)}`;
const MOMENT = '2026-11-22T10:04:12.000Z';
const NEXT = '2026-12-22T10:04:12.000Z';
const PAID = {
  status: 'completed',
  amount_received: '25.00',
  amount_due: '0.00',
  tx_hash: HASH,
  txHash: HASH,
  payer: PAYER,
  completed_at: MOMENT,
};
const OPEN = {
  status: 'open',
  handleSlug: 'telegram:id:4711',
  onChainId: `0x${'a1b2'.repeat(16)}`,
  tx_hash: HASH,
  txHash: HASH,
  opened_at: MOMENT,
};
const CLOSED = { close_tx_hash: HASH, paid_to: PAYER, closed_at: MOMENT };

const PLAN = {
  status: 'active',
  name: 'Coffee club',
  description: 'Beans for a month',
  period: 2_592_000,
  fee: '0.25',
  you_get: '24.75',
  url: 'https://pay.example/p/plan_01jd3xkq8fz6m2v7w4t9y5c1bn',
  replaced_by: null,
  confirmed_at: MOMENT,
};
const ACTIVE = {
  status: 'active',
  plan_name: 'Coffee club',
  period: 2_592_000,
  chargesPaid: 1,
  next_charge_at: NEXT,
  failing: null,
  ended_at: null,
  cancelled_by: null,
  reason: null,
  replaced_by: null,
};
const CHARGE = {
  object: 'charge',
  subscription: 'sub_01jd3xkq8fz6m2v7w4t9y5c1bn',
  number: 1,
  amount: '25.00',
  fee: '0.25',
  currency: 'USDC',
  txHash: HASH,
  explorer_url: null,
  charged_at: MOMENT,
  period_start: MOMENT,
  period_end: NEXT,
};
const ENDED = { ...ACTIVE, next_charge_at: null, ended_at: MOMENT, cancelled_by: 'subscriber' };

/** What an event changed, and what was there before: these are what its type means. */
const CHANGES: Record<string, { now: Told; before?: Told }> = {
  'order.created': { now: { amount_due: '25.00' } },
  'order.completed': { now: PAID, before: { status: 'processing' } },
  'order.cancelled': { now: { status: 'cancelled', amount_due: '25.00' }, before: { status: 'awaiting_payment' } },
  'order.expired': { now: { status: 'expired', amount_due: '25.00' }, before: { status: 'awaiting_payment' } },
  'order.refunded': { now: { ...PAID, amount_refunded: '25.00' }, before: { amount_refunded: '0.00' } },
  'escrow.created': { now: OPEN, before: { status: 'pending_create' } },
  'escrow.claimed': { now: { ...OPEN, ...CLOSED, status: 'claimed' }, before: { status: 'open' } },
  'escrow.refunded': { now: { ...OPEN, ...CLOSED, status: 'refunded' }, before: { status: 'open' } },
  'subscription.plan_created': { now: PLAN },
  'subscription.started': { now: ACTIVE },
  'subscription.charged': { now: { ...ACTIVE, charge: CHARGE } },
  'subscription.cancelled': { now: { ...ENDED, status: 'cancelled', reason: null }, before: { status: 'active' } },
  'campaign.grant_paid': {
    now: {
      status: 'paid',
      recipientHandle: 'alice',
      address: PAYER,
      waiting_for_account: false,
      failure: null,
      txHash: HASH,
      paid_at: MOMENT,
    },
  },
  'subscription.halted': {
    now: { ...ENDED, status: 'halted', cancelled_by: null, reason: 'unpaid' },
    before: { status: 'active' },
  },
};

/** What is not called as its event begins. */
const KINDS: Record<string, string> = { 'subscription.plan_created': 'plan', 'campaign.grant_paid': 'grant' };

export type EventSample = { type: string; description: string; payload: object };

export function samplesOf(document: OpenApi): EventSample[] {
  return Object.entries(document.webhooks).map(([type, { post }]) => {
    const schema = post.requestBody?.content?.['application/json']?.schema ?? {};
    return { type, description: post.description, payload: payloadOf(document, type, schema) };
  });
}

function payloadOf(document: OpenApi, type: string, schema: Schema): object {
  const kind = KINDS[type] ?? type.split('.')[0] ?? '';
  const envelope = sampleOf(document, schema) as Told;
  const data = resolve(document, schema).properties?.['data'] ?? {};
  const object = resolve(document, data).properties?.['object'] ?? {};
  const { now, before } = CHANGES[type] ?? { now: {} };
  const resource = {
    ...(sampleOf(document, object) as Record<string, Told>)[kind],
    ...(kind === 'order' ? NOTES : {}),
    ...now,
  };
  return {
    ...envelope,
    pending_webhooks: 1,
    data: { object: { [kind]: resource }, ...(before ? { previous_attributes: before } : {}) },
  };
}

/** What its merchant wrote. */
const NOTES = { metadata: { cart: '7041' }, description: 'Two coffees' };
