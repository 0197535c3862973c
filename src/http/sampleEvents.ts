// The samples that test events carry: orders and escrows in test mode that do not exist. Their IDs end in zeros, which no real ID does.
import type { Ctx } from '../context.ts';
import { CHAINS } from '../domain/chains.ts';
import type { EscrowEvent, EventType, OrderEvent } from '../domain/events.ts';
import type { EscrowObject } from '../services/escrow/transitions.ts';
import { checkoutBase, type OrderView } from '../services/orders/views.ts';
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
  return type.startsWith('order.')
    ? sampleOrder(ctx, type as OrderEvent, slug)
    : sampleEscrow(ctx, type as EscrowEvent);
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

function timesOf(ctx: Ctx): [now: string, later: string] {
  const now = ctx.clock.now();
  return [new Date(now).toISOString(), new Date(now + HOUR_MS).toISOString()];
}
