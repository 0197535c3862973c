// What crosses at /v1: fields of requests, and the resources of answers, with the words that the reference page shows.
import { z } from 'zod';
import { CHAINS } from '../../domain/chains.ts';
import { EXPIRES_IN, METADATA, type OrderStatus } from '../../domain/order.ts';

const DECIMAL = '^\\d{1,60}(\\.\\d{1,60})?$';
const CANONICAL = '^\\d+\\.\\d{2,18}$';
const ADDRESS = '^0x[0-9a-fA-F]{40}$';
const HASH = '^0x[0-9a-fA-F]{64}$';

export const ORDER_STATUSES = [
  'awaiting_payment',
  'processing',
  'completed',
  'expired',
  'cancelled',
] as const satisfies readonly OrderStatus[];
/** Chains on which orders settle. */
const ORDER_CHAINS = Object.values(CHAINS).flatMap(({ name, family }) => (family === 'evm' ? [name] : []));

const amountText = 'digits with at most one point, at most six decimals for USDC and eighteen for a native asset';

/** Requests: text of a bounded length; what it says is read by the service, which knows chains and prices. */
export const ask = {
  amount: z
    .string()
    .max(100)
    .meta({
      description: `What the payer gives: a decimal string, ${amountText}.`,
      example: '25.00',
      pattern: DECIMAL,
    }),
  linkAmount: z
    .string()
    .max(100)
    .nullish()
    .meta({
      description: `What each payer gives: a decimal string, ${amountText}. Left out with open_amount.`,
      example: '25.00',
      pattern: DECIMAL,
    }),
  minAmount: z
    .string()
    .max(100)
    .nullish()
    .meta({ description: 'With open_amount: the least that a buyer may type.', pattern: DECIMAL }),
  maxAmount: z
    .string()
    .max(100)
    .nullish()
    .meta({ description: 'With open_amount: the most that a buyer may type.', pattern: DECIMAL }),
  openAmount: z.boolean().optional().meta({ description: 'Whether the buyer types the figure; false when left out.' }),
  label: z.string().max(2_000).meta({
    description: 'What it is for: plain text of at most 280 characters, shown to the buyer.',
    example: 'Coffee',
  }),
  confirm: z.literal('confirm').optional().meta({ description: 'Left out for the call, “confirm” once it is sent.' }),
  txHash: z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/, 'it must be 0x and 64 hex digits')
    .optional()
    .meta({ description: 'With action=confirm: the transaction that refunded.' }),
  refundAmount: z.string().max(100).optional().meta({
    description: 'How much goes back; all that is left when it is left out.',
    pattern: DECIMAL,
  }),
  refundTo: z.string().max(80).optional().meta({
    description: 'To whom, when several sent money to the order’s own address: one of them.',
  }),
  active: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional()
    .meta({ description: 'Only those that take payments, or only those that do not.' }),
  chain: z
    .string()
    .max(40)
    .meta({ description: `The chain on which it is paid: ${ORDER_CHAINS.join(', ')}.`, example: 'base' }),
  currency: z.string().max(10).optional().meta({
    description: 'USDC, which is the default, or the native asset of the chain: ETH, BNB, CELO.',
    example: 'USDC',
  }),
  recipient: z.string().max(40).optional().meta({
    description:
      'The handle that is paid, by default the workspace of the key. Another one has to be allowed in the dashboard first.',
    example: '@shop',
  }),
  expiresIn: z
    .number()
    .int()
    .min(EXPIRES_IN.least)
    .max(EXPIRES_IN.most)
    .optional()
    .meta({
      description: `Seconds until it expires; ${EXPIRES_IN.usual} when left out.`,
      example: EXPIRES_IN.usual,
    }),
  description: z
    .string()
    .max(2_000)
    .nullish()
    .meta({ description: 'Shown to the buyer: plain text of at most 280 characters.', example: 'Two coffees' }),
  /** Read by the service as it came, because a library’s record would quietly drop the names that we refuse. */
  metadata: z
    .custom<Record<string, string>>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
      error: 'it must be an object of strings',
    })
    .meta({
      description: `Your own notes, which come back as they were given: up to ${METADATA.keys} keys of ${METADATA.keyLength} characters, values of ${METADATA.valueLength}.`,
      type: 'object',
      maxProperties: METADATA.keys,
      additionalProperties: { type: 'string', maxLength: METADATA.valueLength },
      example: { cart: '7041' },
    })
    .optional(),
  limit: z
    .string()
    .regex(/^\d{1,9}$/, LIMIT_WORDS())
    .transform(Number)
    .refine((count) => count >= 1 && count <= 100, LIMIT_WORDS())
    .default(20)
    .meta({
      description: 'How many at most.',
      override: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    }),
  cursor: z.string().max(200).optional().meta({ description: 'The next_cursor of the page before.' }),
  status: z.enum(ORDER_STATUSES).optional().meta({ description: 'Only orders in this status.' }),
};

function LIMIT_WORDS(): string {
  return 'it must be a whole number from 1 to 100';
}

export const amount = (description: string) => z.string().meta({ description, example: '25.00', pattern: CANONICAL });
export const time = (description: string) =>
  z
    .string()
    .meta({ description: `${description} ISO 8601 in UTC.`, format: 'date-time', example: '2026-11-22T10:00:00.000Z' });
export const address = (description: string) => z.string().meta({ description, pattern: ADDRESS });
export const hash = (description: string) => z.string().meta({ description, pattern: HASH });
const chain = z.string().meta({ description: 'The chain on which it is paid.', enum: ORDER_CHAINS, example: 'base' });
const currency = z.string().meta({ description: 'USDC or a native asset.', enum: ['USDC', 'ETH', 'BNB', 'CELO'] });
export const livemode = z.boolean().meta({ description: 'False on test chains and on local ones.' });
const metadata = z.record(z.string(), z.string()).meta({ description: 'As you gave it.' });

export const order = z
  .strictObject({
    id: z.string().meta({ description: 'The order.', pattern: '^ord_[0-9a-z]{26}$' }),
    object: z.literal('order'),
    status: z.enum(ORDER_STATUSES).meta({
      description: 'Where it is. Nothing leads out of completed, expired and cancelled.',
    }),
    checkout_url: z.url().meta({ description: 'Give this to the buyer: the page on which it is paid.' }),
    amount: amount('What the payer gives.'),
    currency,
    chain,
    recipient: z.string().meta({ description: 'The handle that is paid.', example: '@shop' }),
    recipient_address: address('Where the money goes; frozen when the order was made.'),
    expires_at: time('Until when it can be paid.'),
    metadata,
    created_at: time('When it was made.'),
    livemode,
    description: z.string().nullable().meta({ description: 'What the buyer reads.' }),
    payment_link: z.string().nullable().meta({ description: 'The payment link that it was started from.' }),
    txHash: hash('The transaction that paid it, or the one that is on its way.').nullable(),
    amount_received: amount('What has arrived in final blocks.'),
    amount_due: amount('What is still missing.'),
    amount_refunded: amount('What was sent back.'),
    payer: address('Who paid.').nullable(),
    completed_at: time('When it settled.').nullable(),
  })
  .meta({ id: 'Order', description: 'A request for one payment.' });

export const paymentLink = z
  .strictObject({
    id: z.string().meta({ description: 'The payment link.', pattern: '^plk_[0-9a-z]{26}$' }),
    object: z.literal('payment_link'),
    url: z.url().meta({ description: 'Give this to buyers.' }),
    active: z.boolean().meta({ description: 'Whether it takes new payments.' }),
    label: z.string().meta({ description: 'What it is for.' }),
    amount: amount('What the payer gives; null when the buyer types the figure.').nullable(),
    currency,
    chain,
    recipient: z.string().meta({ description: 'The handle that is paid.', example: '@shop' }),
    open_amount: z.boolean().meta({ description: 'Whether the buyer types the figure.' }),
    min_amount: amount('The least that a buyer may type.').nullable(),
    max_amount: amount('The most that a buyer may type.').nullable(),
    metadata,
    livemode,
    created_at: time('When it was made.'),
    deactivated_at: time('When it was deactivated.').nullable(),
  })
  .meta({ id: 'PaymentLink', description: 'A reusable address for payments.' });

const digits = (description: string) => z.string().meta({ description, pattern: '^\\d+$' });
const bytes = z.string().meta({ description: 'What the transaction carries.', pattern: '^0x([0-9a-fA-F]{2})*$' });
const chainId = z.number().int().meta({ description: 'EIP-155.' });

export const refund = z
  .strictObject({
    object: z.literal('order.refund'),
    order: z.string(),
    chain,
    router: address('The contract, also “to”.'),
    function: z.literal('refund'),
    args: z.strictObject({
      terms: z.strictObject({
        orderId: hash('The order, as the router knows it.'),
        payee: address('To whom it was paid.'),
        token: address('USDC, or the zero address for the native asset.'),
        amount: digits('Smallest units.'),
        fee: digits('Smallest units.'),
        deadline: digits('Unix seconds.'),
      }),
      to: address('Who gets it.'),
      amount: digits('Smallest units.'),
    }),
    chainId,
    from: address('The wallet to which the order was paid: the only one that may call.'),
    to: address('The contract.'),
    data: bytes,
    value: digits('Wei.'),
    refund_to: address('Who gets it.'),
    amount: amount('How much.'),
    currency,
    approval: z
      .strictObject({
        chainId,
        from: address('The same wallet.'),
        to: address('The token.'),
        data: bytes,
        value: digits('Wei.'),
        token: address('The token.'),
        spender: address('The router.'),
        amount: digits('Smallest units.'),
      })
      .nullable()
      .meta({ description: 'What the wallet sends first; null where its allowance is enough.' }),
  })
  .meta({ id: 'Refund', description: 'The transaction with which a wallet refunds an order.' });

export const EMPTY = z.strictObject({});

/** A page of a list, newest first. */
export function listOf(item: z.ZodType, id: string) {
  return z
    .strictObject({
      object: z.literal('list'),
      data: z.array(item),
      has_more: z.boolean().meta({ description: 'Whether there is another page.' }),
      next_cursor: z.string().nullable().meta({ description: 'For the next page; null on the last one.' }),
    })
    .meta({ id, description: 'A page of a list, newest first.' });
}

/** Of the workspace, and of one link. */
export const orderList = listOf(order, 'OrderList');
