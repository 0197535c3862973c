// Events as they cross at /v1 and in webhooks: one envelope for each type.
import { z } from 'zod';
import { CHAINS } from '../../domain/chains.ts';
import { API_VERSION, EVENT_TYPES, type EventType } from '../../domain/events.ts';
import { grant } from './campaignSchemas.ts';
import { chargedSubscription, plan, subscription } from './planSchemas.ts';
import { address, amount, hash, listOf, livemode, order, time, txHash } from './schemas.ts';

export const escrow = z
  .strictObject({
    id: z.string().meta({ description: 'The tab’s ID.', pattern: '^esc_[0-9a-z]{26}$' }),
    object: z.literal('escrow'),
    status: z.enum(['pending_create', 'open', 'claimed', 'refunded']).meta({
      description: '`claimed`: paid out to the recipient. `refunded`: returned to the sender.',
    }),
    amount: amount('Locked amount.'),
    currency: z.string().meta({ description: 'USDC or a native asset.', enum: ['USDC', 'ETH', 'BNB', 'CELO'] }),
    chain: z.string().meta({ description: 'Network of the tab.', enum: Object.keys(CHAINS), example: 'base' }),
    handleSlug: z.string().nullable().meta({
      description: 'Recipient as named by the sender; null when known only on-chain.',
      example: 'telegram:id:4711',
    }),
    recipient_label: z.string().meta({ description: 'Recipient, human-readable.', example: '@carol on Telegram' }),
    deadline: time('When it can be returned to the sender by anyone.'),
    revocable: z.boolean().meta({ description: 'Whether the sender can take it back before the deadline.' }),
    note: z.string().nullable().meta({ description: 'Note of the sender.' }),
    onChainId: hash('The tab’s ID in the escrow contract.'),
    tx_hash: txHash('Hash of the transaction that opened the tab.').nullable(),
    txHash: txHash('Same as `tx_hash`.').nullable(),
    close_tx_hash: txHash('Hash of the transaction that paid it out or returned it.').nullable(),
    paid_to: address('Wallet it was paid to.').nullable(),
    created_at: time('When it was created.'),
    opened_at: time('When it was opened on-chain.').nullable(),
    closed_at: time('When it was paid out or returned.').nullable(),
    livemode,
  })
  .meta({
    id: 'Escrow',
    description: 'A tab: money held on-chain until the recipient claims it or it returns to the sender.',
  });

const orderChanges = order.partial().meta({
  id: 'OrderChanges',
  description: 'Previous values of the changed fields: the status, or `amount_refunded` for a refund.',
});
const escrowChanges = escrow
  .partial()
  .meta({ id: 'EscrowChanges', description: 'Previous values of the changed fields.' });

const planChanges = plan.partial().meta({ id: 'PlanChanges', description: 'Previous values of the changed fields.' });
const subscriptionChanges = subscription
  .partial()
  .meta({ id: 'SubscriptionChanges', description: 'Previous values of the changed fields.' });

const grantChanges = grant
  .partial()
  .meta({ id: 'GrantChanges', description: 'Previous values of the changed fields.' });

/** What `data.object` and `previous_attributes` are, by type. */
const ORDER = { object: z.strictObject({ order }), previous: orderChanges };
const ESCROW = { object: z.strictObject({ escrow }), previous: escrowChanges };
const SUBSCRIPTION = { object: z.strictObject({ subscription }), previous: subscriptionChanges };
const CONTENT = {
  'order.created': ORDER,
  'order.completed': ORDER,
  'order.cancelled': ORDER,
  'order.expired': ORDER,
  'order.refunded': ORDER,
  'escrow.created': ESCROW,
  'escrow.claimed': ESCROW,
  'escrow.refunded': ESCROW,
  'subscription.plan_created': { object: z.strictObject({ plan }), previous: planChanges },
  'subscription.started': SUBSCRIPTION,
  'subscription.charged': { ...SUBSCRIPTION, object: z.strictObject({ subscription: chargedSubscription }) },
  'subscription.cancelled': SUBSCRIPTION,
  'subscription.halted': SUBSCRIPTION,
  'campaign.grant_paid': { object: z.strictObject({ grant }), previous: grantChanges },
} satisfies Record<EventType, { object: z.ZodType; previous: z.ZodType }>;

function envelope<Type extends EventType>(type: Type, description: string) {
  const { object, previous } = CONTENT[type];
  return z
    .strictObject({
      id: z.string().meta({
        description: 'Unique ID. Events can be delivered more than once; deduplicate by this ID.',
        pattern: '^evt_[0-9a-z]{26}$',
      }),
      object: z.literal('event'),
      api_version: z.string().meta({ description: 'API version of the event.', example: API_VERSION }),
      type: z.literal(type),
      created: z
        .number()
        .int()
        .meta({ description: 'When the event was created, in Unix seconds.', example: 1_795_341_600 }),
      created_at: time('Same as `created`.'),
      livemode,
      pending_webhooks: z
        .number()
        .int()
        .meta({ description: 'Number of endpoints that haven’t acknowledged this event.' }),
      request: z.strictObject({
        id: z.string().nullable().meta({ description: 'ID of the API request that caused the event, if any.' }),
        idempotency_key: z.string().nullable().meta({ description: 'Idempotency-Key of that request.' }),
      }),
      data: z.strictObject({
        object: object as (typeof CONTENT)[Type]['object'],
        previous_attributes: (previous as (typeof CONTENT)[Type]['previous']).optional(),
      }),
    })
    .meta({ id: `${type.split(/[._]/).map(capital).join('')}Event`, description });
}

const capital = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

export const EVENT_SCHEMAS = {
  'order.created': envelope('order.created', 'Sent when an order is created.'),
  'order.completed': envelope('order.completed', 'Sent when an order’s payment is final.'),
  'order.cancelled': envelope('order.cancelled', 'Sent when an order is cancelled before it is paid.'),
  'order.expired': envelope('order.expired', 'Sent when an order expires unpaid.'),
  'order.refunded': envelope('order.refunded', 'Sent when a refund is final, once for each refund.'),
  'escrow.created': envelope('escrow.created', 'Sent when a tab of the workspace is opened and final.'),
  'escrow.claimed': envelope('escrow.claimed', 'Sent when a tab of the workspace is paid out to its recipient.'),
  'escrow.refunded': envelope('escrow.refunded', 'Sent when a tab of the workspace returns to its sender.'),
  'subscription.plan_created': envelope(
    'subscription.plan_created',
    'Sent when a plan of the workspace exists on-chain.',
  ),
  'subscription.started': envelope('subscription.started', 'Sent when a wallet subscribes, with its first charge.'),
  'subscription.charged': envelope('subscription.charged', 'Sent for each charge, the first one included.'),
  'subscription.cancelled': envelope(
    'subscription.cancelled',
    'Sent when the subscriber or the creator cancels a subscription.',
  ),
  'subscription.halted': envelope('subscription.halted', 'Sent when a subscription ends because it stayed unpaid.'),
  'campaign.grant_paid': envelope('campaign.grant_paid', 'Sent for each grant that is paid and final.'),
} satisfies Record<EventType, z.ZodType>;

export const event = z
  .discriminatedUnion('type', [
    EVENT_SCHEMAS['order.created'],
    EVENT_SCHEMAS['order.completed'],
    EVENT_SCHEMAS['order.cancelled'],
    EVENT_SCHEMAS['order.expired'],
    EVENT_SCHEMAS['order.refunded'],
    EVENT_SCHEMAS['escrow.created'],
    EVENT_SCHEMAS['escrow.claimed'],
    EVENT_SCHEMAS['escrow.refunded'],
    EVENT_SCHEMAS['subscription.plan_created'],
    EVENT_SCHEMAS['subscription.started'],
    EVENT_SCHEMAS['subscription.charged'],
    EVENT_SCHEMAS['subscription.cancelled'],
    EVENT_SCHEMAS['subscription.halted'],
    EVENT_SCHEMAS['campaign.grant_paid'],
  ])
  .meta({ id: 'Event', description: 'A change in your workspace. `type` tells what `data.object` contains.' });

export const eventList = listOf(event, 'EventList');

export const askEvent = {
  type: z
    .string()
    .max(40)
    .optional()
    .meta({
      description: `Filter by type, or by a group such as \`order.*\`. Types: ${EVENT_TYPES.join(', ')}.`,
      example: 'order.completed',
    }),
  resource: z
    .string()
    .max(60)
    .optional()
    .meta({ description: 'Filter by the ID of the order, tab, plan, subscription or grant.' }),
  endpoint: z
    .string()
    .max(60)
    .optional()
    .meta({ description: 'Endpoint to send it to. Defaults to every endpoint subscribed to its type.' }),
};
