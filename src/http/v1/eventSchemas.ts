// Events as they cross at /v1 and in webhooks: one envelope for each type that there is by now.
import { z } from 'zod';
import { CHAINS } from '../../domain/chains.ts';
import { API_VERSION, EVENT_TYPES, type EventType } from '../../domain/events.ts';
import { address, amount, hash, listOf, livemode, order, time } from './schemas.ts';

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
    tx_hash: hash('Hash of the transaction that opened the tab.').nullable(),
    txHash: hash('Same as `tx_hash`.').nullable(),
    close_tx_hash: hash('Hash of the transaction that paid it out or returned it.').nullable(),
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

const KINDS = {
  order: { object: z.strictObject({ order }), previous: orderChanges },
  escrow: { object: z.strictObject({ escrow }), previous: escrowChanges },
};

function envelope(type: EventType, description: string) {
  const [kind, what] = type.split('.') as [keyof typeof KINDS, string];
  const { object, previous } = KINDS[kind];
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
      data: z.strictObject({ object, previous_attributes: previous.optional() }),
    })
    .meta({ id: `${capital(kind)}${capital(what)}Event`, description });
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
  resource: z.string().max(60).optional().meta({ description: 'Filter by the ID of the order or tab.' }),
  endpoint: z
    .string()
    .max(60)
    .optional()
    .meta({ description: 'Endpoint to send it to. Defaults to every endpoint subscribed to its type.' }),
};
