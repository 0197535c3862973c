// The samples that test events carry: orders, escrows, plans, subscriptions and grants in test mode that do not exist. Their IDs end in zeros, which no real ID does.
import type { Ctx } from '../context.ts';
import { CHAINS } from '../domain/chains.ts';
import type { EscrowEvent, EventType, OrderEvent, SubscriptionEvent } from '../domain/events.ts';
import type { EscrowObject } from '../services/escrow/transitions.ts';
import { checkoutBase, type OrderView } from '../services/orders/views.ts';
import type { GrantView } from '../services/plans/campaigns/views.ts';
import { type ChargeView, type PlanView, planUrl, type SubscriptionView } from '../services/plans/views.ts';
import type { Sample } from '../services/webhooks/testEvents.ts';

const NO_ID = '0'.repeat(26);
const NO_HASH = `0x${'0'.repeat(64)}`;
const NO_ADDRESS = `0x${'0'.repeat(40)}`;
const AMOUNT = '25.00';
const NOTE = 'This is a test event.';
const CHAIN = CHAINS['base-sepolia'].name;
const HOUR_MS = 3_600_000;

/** @param slug of the workspace, which the sample names as the recipient */
export function sampleOf(ctx: Ctx, type: EventType, slug: string): Sample {
  if (type.startsWith('order.')) return sampleOrder(ctx, type as OrderEvent, slug);
  if (type.startsWith('escrow.')) return sampleEscrow(ctx, type as EscrowEvent);
  if (type === 'campaign.grant_paid') return sampleGrant(ctx);
  return type === 'subscription.plan_created'
    ? { resourceId: `plan_${NO_ID}`, object: { plan: samplePlan(ctx, slug) }, previous: undefined }
    : sampleSubscription(ctx, type as SubscriptionEvent, slug);
}

function sampleOrder(ctx: Ctx, type: OrderEvent, slug: string): Sample {
  const id = `ord_${NO_ID}`;
  const [now, later] = timesOf(ctx);
  const waiting: OrderView = {
    id,
    object: 'order',
    status: 'awaiting_payment',
    checkout_url: `${checkoutBase(ctx)}/o/${id}`,
    amount: AMOUNT,
    currency: 'USDC',
    chain: CHAIN,
    recipient: `@${slug}`,
    recipient_address: NO_ADDRESS,
    expires_at: later,
    metadata: {},
    created_at: now,
    livemode: false,
    description: NOTE,
    payment_link: null,
    tx_hash: null,
    txHash: null,
    amount_received: '0.00',
    amount_due: AMOUNT,
    amount_refunded: '0.00',
    payer: null,
    completed_at: null,
    success_url: null,
    cancel_url: null,
    client_reference_id: null,
    line_items: [],
    embed_origins: [],
  };
  const paid: OrderView = {
    ...waiting,
    status: 'completed',
    tx_hash: NO_HASH,
    txHash: NO_HASH,
    amount_received: AMOUNT,
    amount_due: '0.00',
    payer: NO_ADDRESS,
    completed_at: now,
  };
  const samples: Record<OrderEvent, { order: OrderView; previous?: object }> = {
    'order.created': { order: waiting },
    'order.completed': { order: paid, previous: { status: 'processing' } },
    'order.cancelled': { order: { ...waiting, status: 'cancelled' }, previous: { status: 'awaiting_payment' } },
    'order.expired': { order: { ...waiting, status: 'expired' }, previous: { status: 'awaiting_payment' } },
    'order.refunded': { order: { ...paid, amount_refunded: AMOUNT }, previous: { amount_refunded: '0.00' } },
  };
  const { order, previous } = samples[type];
  return { resourceId: id, object: { order }, previous };
}

function sampleEscrow(ctx: Ctx, type: EscrowEvent): Sample {
  const id = `esc_${NO_ID}`;
  const [now, later] = timesOf(ctx);
  const open: EscrowObject = {
    id,
    object: 'escrow',
    status: 'open',
    amount: AMOUNT,
    currency: 'USDC',
    chain: CHAIN,
    handleSlug: 'telegram:id:0',
    recipient_label: 'alex on Telegram',
    deadline: later,
    revocable: true,
    note: NOTE,
    onChainId: NO_HASH,
    tx_hash: NO_HASH,
    txHash: NO_HASH,
    close_tx_hash: null,
    paid_to: null,
    created_at: now,
    opened_at: now,
    closed_at: null,
    livemode: false,
  };
  const closed = { close_tx_hash: NO_HASH, paid_to: NO_ADDRESS, closed_at: now };
  const samples: Record<EscrowEvent, { escrow: EscrowObject; from: string }> = {
    'escrow.created': { escrow: open, from: 'pending_create' },
    'escrow.claimed': { escrow: { ...open, ...closed, status: 'claimed' }, from: 'open' },
    'escrow.refunded': { escrow: { ...open, ...closed, status: 'refunded' }, from: 'open' },
  };
  const { escrow, from } = samples[type];
  return { resourceId: id, object: { escrow }, previous: { status: from } };
}

const MONTH_S = 30 * 24 * 3_600;

function samplePlan(ctx: Ctx, slug: string): PlanView {
  const [now] = timesOf(ctx);
  const id = `plan_${NO_ID}`;
  return {
    id,
    object: 'plan',
    planKey: NO_HASH,
    name: 'Coffee club',
    description: NOTE,
    amount: AMOUNT,
    currency: 'USDC',
    chain: CHAIN,
    period: MONTH_S,
    status: 'active',
    fee: '0.25',
    you_get: '24.75',
    trial_days: 0,
    image_url: null,
    return_url: null,
    metadata: {},
    url: planUrl(ctx, id),
    creatorHandle: slug,
    creator: NO_ADDRESS,
    replaced_by: null,
    livemode: false,
    created_at: now,
    confirmed_at: now,
  };
}

function sampleSubscription(ctx: Ctx, type: SubscriptionEvent, slug: string): Sample {
  const [now] = timesOf(ctx);
  const at = ctx.clock.now();
  const next = new Date(at + MONTH_S * 1_000).toISOString();
  const id = `sub_${NO_ID}`;
  const active: SubscriptionView = {
    id,
    object: 'subscription',
    plan: `plan_${NO_ID}`,
    planKey: NO_HASH,
    plan_name: 'Coffee club',
    subscriberHandle: 'alex',
    subscriber: NO_ADDRESS,
    creatorHandle: slug,
    creator: NO_ADDRESS,
    status: 'active',
    amount: AMOUNT,
    currency: 'USDC',
    chain: CHAIN,
    period: MONTH_S,
    startedAt: at,
    lastChargedAt: at,
    chargesPaid: 1,
    next_charge_at: next,
    total_paid: AMOUNT,
    failing: null,
    ended_at: null,
    cancelled_by: null,
    reason: null,
    replaced_by: null,
    txHash: NO_HASH,
    livemode: false,
  };
  const charge: ChargeView = {
    object: 'charge',
    subscription: id,
    number: 1,
    amount: AMOUNT,
    fee: '0.25',
    currency: 'USDC',
    txHash: NO_HASH,
    explorer_url: null,
    charged_at: now,
    period_start: now,
    period_end: next,
  };
  const ended = { ...active, next_charge_at: null, ended_at: now };
  const samples: Record<
    Exclude<SubscriptionEvent, 'subscription.plan_created'>,
    { subscription: object; from?: string }
  > = {
    'subscription.started': { subscription: active },
    'subscription.charged': { subscription: { ...active, charge } },
    'subscription.cancelled': {
      subscription: { ...ended, status: 'cancelled', cancelled_by: 'subscriber' },
      from: 'active',
    },
    'subscription.halted': { subscription: { ...ended, status: 'halted', reason: 'unpaid' }, from: 'active' },
  };
  const { subscription, from } = samples[type as keyof typeof samples];
  return { resourceId: id, object: { subscription }, previous: from === undefined ? undefined : { status: from } };
}

function sampleGrant(ctx: Ctx): Sample {
  const [now] = timesOf(ctx);
  const id = `grt_${NO_ID}`;
  const grant: GrantView = {
    id,
    object: 'grant',
    campaign: `cgr_${NO_ID}`,
    key: 'sample',
    recipient: '@alex',
    recipientHandle: 'alex',
    address: NO_ADDRESS,
    amount: AMOUNT,
    currency: 'USDC',
    chain: CHAIN,
    status: 'paid',
    waiting_for_account: false,
    failure: null,
    note: NOTE,
    txHash: NO_HASH,
    explorer_url: null,
    livemode: false,
    created_at: now,
    paid_at: now,
  };
  return { resourceId: id, object: { grant }, previous: undefined };
}

function timesOf(ctx: Ctx): [now: string, later: string] {
  const now = ctx.clock.now();
  return [new Date(now).toISOString(), new Date(now + HOUR_MS).toISOString()];
}
