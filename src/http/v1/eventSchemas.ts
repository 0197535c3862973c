// Events as they cross at /v1 and in webhooks: one envelope for each type that there is by now.
import { z } from 'zod';
import { CHAINS } from '../../domain/chains.ts';
import { API_VERSION, type EscrowEvent, EVENT_TYPES, type OrderEvent } from '../../domain/events.ts';
import { address, amount, hash, listOf, livemode, order, time } from './schemas.ts';

export const escrow = z
  .strictObject({
    id: z.string().meta({ description: 'The tab.', pattern: '^esc_[0-9a-z]{26}$' }),
    object: z.literal('escrow'),
    status: z.enum(['pending_create', 'open', 'claimed', 'refunded']).meta({
      description: 'Claimed is paid out to whom it was for, refunded is back with its sender.',
    }),
    amount: amount('What is locked.'),
    currency: z.string().meta({ description: 'USDC or a native asset.', enum: ['USDC', 'ETH', 'BNB', 'CELO'] }),
    chain: z.string().meta({ description: 'The chain on which it is.', enum: Object.keys(CHAINS), example: 'base' }),
    handleSlug: z.string().nullable().meta({
      description: 'Whom it is for, as it was named; null where only the chain knows.',
      example: 'telegram:id:4711',
    }),
    recipient_label: z.string().meta({ description: 'The same for people.', example: '@carol on Telegram' }),
    deadline: time('From when on anybody may send it back to its sender.'),
    revocable: z.boolean().meta({ description: 'Whether its sender may take it back before.' }),
    note: z.string().nullable().meta({ description: 'What its sender wrote.' }),
    onChainId: hash('The tab, as the router knows it.'),
    txHash: hash('The transaction that opened it.').nullable(),
    close_tx_hash: hash('The transaction that paid it out.').nullable(),
    paid_to: address('The wallet to which it was paid out.').nullable(),
    created_at: time('When it was staged.'),
    opened_at: time('When it was opened.').nullable(),
    closed_at: time('When it was paid out.').nullable(),
    livemode,
  })
  .meta({ id: 'Escrow', description: 'Money that waits on-chain for somebody, until it is claimed or goes back.' });

const orderChanges = order
  .partial()
  .meta({ id: 'OrderChanges', description: 'What was before: the status, or of a refund the amount_refunded.' });
const escrowChanges = escrow.partial().meta({ id: 'EscrowChanges', description: 'What was before: the status.' });

const KINDS = {
  order: { object: z.strictObject({ order }), previous: orderChanges },
  escrow: { object: z.strictObject({ escrow }), previous: escrowChanges },
};

function envelope(type: OrderEvent | EscrowEvent, description: string) {
  const [kind, what] = type.split('.') as [keyof typeof KINDS, string];
  const { object, previous } = KINDS[kind];
  return z
    .strictObject({
      id: z.string().meta({
        description: 'The event. The same event may come more than once: take each id once.',
        pattern: '^evt_[0-9a-z]{26}$',
      }),
      object: z.literal('event'),
      api_version: z.string().meta({ description: 'In which version it is written.', example: API_VERSION }),
      type: z.literal(type),
      created: z.number().int().meta({ description: 'When it happened, in Unix seconds.', example: 1_795_341_600 }),
      created_at: time('The same.'),
      livemode,
      pending_webhooks: z.number().int().meta({ description: 'Endpoints that have not taken it yet.' }),
      request: z.strictObject({
        id: z.string().nullable().meta({ description: 'The call that caused it; null where none did.' }),
        idempotency_key: z.string().nullable().meta({ description: 'The Idempotency-Key of that call.' }),
      }),
      data: z.strictObject({ object, previous_attributes: previous.optional() }),
    })
    .meta({ id: `${capital(kind)}${capital(what)}Event`, description });
}

const capital = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

/** What is sent by now, and when. Types of parts that are yet to come are told of nothing. */
export const EVENT_SCHEMAS = {
  'order.created': envelope('order.created', 'An order was made.'),
  'order.completed': envelope('order.completed', 'An order was paid, in a final block.'),
  'order.cancelled': envelope('order.cancelled', 'An order was cancelled before anybody began to pay.'),
  'order.expired': envelope('order.expired', 'The time of an order is over, and nobody paid.'),
  'order.refunded': envelope('order.refunded', 'A refund of an order is in a final block. There is one for each.'),
  'escrow.created': envelope('escrow.created', 'A tab of the workspace was opened, in a final block.'),
  'escrow.claimed': envelope('escrow.claimed', 'A tab of the workspace was paid out to whom it is for.'),
  'escrow.refunded': envelope('escrow.refunded', 'A tab of the workspace went back to its sender.'),
} satisfies Record<OrderEvent | EscrowEvent, z.ZodType>;

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
  .meta({ id: 'Event', description: 'Something that happened. The type says what `data.object` holds.' });

export const eventList = listOf(event, 'EventList');

export const askEvent = {
  type: z
    .string()
    .max(40)
    .optional()
    .meta({
      description: `Only this type, or a group of them such as \`order.*\`. There are: ${EVENT_TYPES.join(', ')}.`,
      example: 'order.completed',
    }),
  resource: z
    .string()
    .max(60)
    .optional()
    .meta({ description: 'Only what happened to this one: the id of an order or a tab.' }),
  endpoint: z
    .string()
    .max(60)
    .optional()
    .meta({ description: 'Where it is sent; every endpoint that takes its type when it is left out.' }),
};
