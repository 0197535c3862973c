// What crosses at /v1: fields of requests, and the resources of answers, with the words that the reference page shows.
import { z } from 'zod';
import { CHAIN_NAMES, canonicalChain } from '../../domain/chains.ts';
import { EXPIRES_IN, METADATA, type OrderStatus } from '../../domain/order.ts';
import { amountText, solanaTransaction, transactionName } from '../parse.ts';

const DECIMAL = '^\\d{1,60}(\\.\\d{1,60})?$';
const CANONICAL = '^\\d+\\.\\d{2,18}$';
const ADDRESS = '^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$';
const HASH = '^0x[0-9a-fA-F]{64}$';
const TX_HASH = '^(0x[0-9a-fA-F]{64}|[1-9A-HJ-NP-Za-km-z]{64,88})$';

/** What the service refuses anyway; a bound in front of it keeps bodies small. */
const TOO_LONG = 'must be at most 280 characters';

export const ORDER_STATUSES = [
  'awaiting_payment',
  'processing',
  'completed',
  'expired',
  'cancelled',
] as const satisfies readonly OrderStatus[];
/** Chains on which orders settle. */
const ORDER_CHAINS = CHAIN_NAMES;

const shopUrl = z.string().max(4_096, 'must be at most 2048 bytes').nullish();
/** A form has it as text. */
const wholeNumber = z.union([
  z.number(),
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number),
]);

const amountWords = 'up to 6 decimals for USDC, 18 for a native asset';

/** What a shop writes on an order or a link. */
const shopAsk = {
  successUrl: shopUrl.meta({
    description:
      'Where the buyer goes after paying. `{ORDER_ID}` is replaced by the order’s ID. https; on localhost and in test mode also http. Up to 2,048 bytes.',
    example: 'https://shop.example/thanks?order={ORDER_ID}',
  }),
  cancelUrl: shopUrl.meta({
    description: 'Where the buyer goes without paying. Read like `success_url`.',
    example: 'https://shop.example/cart',
  }),
  clientReferenceId: z.string().max(2_000, 'must be at most 200 characters').nullish().meta({
    description: 'Your own reference, such as a cart ID. Up to 200 characters. Never shown to the buyer.',
    example: 'cart_7041',
  }),
  lineItems: z
    .array(
      z.strictObject({
        name: z.string().max(2_000).meta({ description: 'Plain text, up to 120 characters.', example: 'Coffee' }),
        quantity: wholeNumber.meta({
          description: 'From 1 to 10,000.',
          override: { type: 'integer', minimum: 1, maximum: 10_000 },
          example: 2,
        }),
        amount: amountText.meta({ description: 'Price of one.', example: '12.50', pattern: DECIMAL }),
      }),
    )
    .max(1_000)
    .nullish()
    .meta({
      description:
        'What is bought, shown to the buyer: up to 50 items. Quantity times amount must add up to the order’s amount exactly.',
    }),
  embedOrigins: z
    .array(z.string().max(4_096))
    .max(100)
    .nullish()
    .meta({
      description:
        'Origins of pages that open the checkout in a window and receive its messages, up to 5. Defaults to the origin of `success_url`.',
      example: ['https://shop.example'],
    }),
  afterCompletion: z
    .discriminatedUnion('type', [
      z.strictObject({
        type: z.literal('message'),
        message: z.string().max(2_000, TOO_LONG).meta({ description: 'Plain text, up to 280 characters.' }),
      }),
      z.strictObject({ type: z.literal('url'), url: z.string().max(4_096) }),
    ])
    .nullish()
    .meta({
      description:
        'What follows a payment: a message on the checkout page, or a URL, which is the same as `success_url`. Can’t be combined with `success_url`.',
    }),
  maxUses: z
    .number()
    .nullish()
    .meta({
      description:
        'How many orders the link can start. An order counts while it is paid or can still be paid; one that expires or is cancelled frees its use.',
      override: { type: ['integer', 'null'], minimum: 1, maximum: 1_000_000 },
      example: 1,
    }),
  expiresAt: z.string().max(60).nullish().meta({
    description: 'When the link stops starting orders. ISO 8601. Orders already started can still be paid.',
    example: '2027-02-28T23:00:00.000Z',
  }),
};

/** Requests: text of a bounded length; what it says is read by the service, which knows chains and prices. */
export const ask = {
  amount: amountText.meta({
    description: `Amount to charge, as a decimal string: ${amountWords}.`,
    example: '25.00',
    pattern: DECIMAL,
  }),
  linkAmount: amountText.nullish().meta({
    description: `Amount of each payment, as a decimal string: ${amountWords}. Omit it with open_amount.`,
    example: '25.00',
    pattern: DECIMAL,
  }),
  minAmount: amountText
    .nullish()
    .meta({ description: 'Minimum amount a buyer can enter. Requires open_amount.', pattern: DECIMAL }),
  maxAmount: amountText
    .nullish()
    .meta({ description: 'Maximum amount a buyer can enter. Requires open_amount.', pattern: DECIMAL }),
  openAmount: z.boolean().optional().meta({ description: 'Whether the buyer enters the amount. Defaults to false.' }),
  label: z.string().max(2_000, TOO_LONG).meta({
    description: 'What the payment is for, shown to the buyer. Plain text, up to 280 characters.',
    example: 'Coffee',
  }),
  confirm: z
    .literal('confirm')
    .optional()
    .meta({ description: 'Omit to get the transaction to sign; set to `confirm` after sending it.' }),
  txHash: transactionName
    .optional()
    .meta({ description: 'Hash of the refund transaction, on Solana its signature. Requires `action=confirm`.' }),
  signedRefund: solanaTransaction.optional().meta({
    description:
      'On Solana: the transaction of the first step, signed by the wallet that was paid, in base64. Requires `amount` and `to`.',
  }),
  refundAmount: amountText.optional().meta({
    description: 'Amount to refund. Defaults to the remaining amount.',
    pattern: DECIMAL,
  }),
  refundTo: z.string().max(80).optional().meta({
    description: 'Address to refund, when several wallets paid into the order’s deposit address. Must be one of them.',
  }),
  active: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional()
    .meta({ description: 'Filter by whether the link accepts payments.' }),
  chain: z
    .string()
    .max(40)
    .meta({ description: `Network of the payment: ${ORDER_CHAINS.join(', ')}. Case-insensitive.`, example: 'base' }),
  currency: z.string().max(10).optional().meta({
    description: 'USDC, or the chain’s native asset: ETH, BNB, CELO or SOL. Case-insensitive. Defaults to USDC.',
    example: 'USDC',
  }),
  recipient: z.string().max(40).optional().meta({
    description: 'Handle to pay. Defaults to the key’s workspace; any other handle must be on its allow list.',
    example: '@shop',
  }),
  expiresIn: z
    .number()
    .int()
    .min(EXPIRES_IN.least, `must be at least ${EXPIRES_IN.least} seconds`)
    .max(EXPIRES_IN.most, `must be at most ${EXPIRES_IN.most} seconds`)
    .optional()
    .meta({
      description: `Seconds until the order expires. Defaults to ${EXPIRES_IN.usual}.`,
      example: EXPIRES_IN.usual,
    }),
  description: z
    .string()
    .max(2_000, TOO_LONG)
    .nullish()
    .meta({ description: 'Shown to the buyer. Plain text, up to 280 characters.', example: 'Two coffees' }),
  /** Read by the service as it came, because a library’s record would quietly drop the names that we refuse. */
  metadata: z
    .custom<Record<string, string>>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
      error: 'must be an object of strings',
    })
    .meta({
      description: `Key-value pairs you can attach to the object: up to ${METADATA.keys} keys of ${METADATA.keyLength} characters, values up to ${METADATA.valueLength}. Such a request body can have up to 1 MB.`,
      type: 'object',
      maxProperties: METADATA.keys,
      additionalProperties: { type: 'string', maxLength: METADATA.valueLength },
      example: { cart: '7041' },
    })
    .optional(),
  ...shopAsk,
  limit: z
    .string()
    .regex(/^\d{1,9}$/, LIMIT_WORDS())
    .transform(Number)
    .refine((count) => count >= 1 && count <= 100, LIMIT_WORDS())
    .default(20)
    .meta({
      description: 'Maximum number of results, 1–100. Defaults to 20.',
      override: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    }),
  cursor: z.string().max(200).optional().meta({ description: '`next_cursor` of the previous page.' }),
  paymentLink: z.string().max(60).optional().meta({ description: 'Filter by payment link ID.' }),
  onChain: z
    .string()
    .transform((text) => canonicalChain(text) as (typeof ORDER_CHAINS)[number])
    .pipe(z.enum(ORDER_CHAINS))
    .optional()
    .meta({ description: 'Filter by network.', override: { type: 'string', enum: ORDER_CHAINS } }),
  status: z.enum(ORDER_STATUSES).optional().meta({ description: 'Filter by status.' }),
};

function LIMIT_WORDS(): string {
  return 'must be a whole number from 1 to 100';
}

export const amount = (description: string) => z.string().meta({ description, example: '25.00', pattern: CANONICAL });
export const time = (description: string) =>
  z
    .string()
    .meta({ description: `${description} ISO 8601 in UTC.`, format: 'date-time', example: '2026-11-22T10:00:00.000Z' });
export const address = (description: string) => z.string().meta({ description, pattern: ADDRESS });
export const hash = (description: string) => z.string().meta({ description, pattern: HASH });
/** Of a transaction: its signature on Solana. */
export const txHash = (description: string) => z.string().meta({ description, pattern: TX_HASH });
const chain = z.string().meta({ description: 'Network of the payment.', enum: ORDER_CHAINS, example: 'base' });
const currency = z
  .string()
  .meta({ description: 'USDC or a native asset.', enum: ['USDC', 'ETH', 'BNB', 'CELO', 'SOL'] });
export const livemode = z.boolean().meta({ description: 'False on test and local networks.' });
const metadata = z.record(z.string(), z.string()).meta({ description: 'Key-value pairs attached by you.' });

/** On orders and links. */
const shop = {
  success_url: z.string().nullable().meta({ description: 'Where the buyer goes after paying.' }),
  cancel_url: z.string().nullable().meta({ description: 'Where the buyer goes without paying.' }),
  client_reference_id: z.string().nullable().meta({ description: 'Your own reference. Never shown to the buyer.' }),
  line_items: z
    .array(
      z.strictObject({
        name: z.string(),
        quantity: z.number().int(),
        amount: amount('Price of one.'),
      }),
    )
    .meta({
      description: 'What is bought. Adds up to the amount; empty where nothing is listed.',
      example: [{ name: 'Coffee', quantity: 2, amount: '12.50' }],
    }),
  embed_origins: z
    .array(z.string())
    .meta({ description: 'Origins that the checkout’s window may report to.', example: ['https://shop.example'] }),
};

export const order = z
  .strictObject({
    id: z.string().meta({ description: 'The order’s ID.', pattern: '^ord_[0-9a-z]{26}$' }),
    object: z.literal('order'),
    status: z.enum(ORDER_STATUSES).meta({
      description: 'Order status. `completed`, `expired` and `cancelled` are final.',
    }),
    checkout_url: z.url().meta({ description: 'Checkout page. Send the buyer here.' }),
    amount: amount('Amount to pay.'),
    currency,
    chain,
    recipient: z.string().meta({ description: 'Handle that is paid.', example: '@shop' }),
    recipient_address: address('Wallet that is paid, fixed when the order is created.'),
    expires_at: time('When the order expires.'),
    metadata,
    created_at: time('When it was created.'),
    livemode,
    description: z.string().nullable().meta({ description: 'Shown to the buyer.' }),
    payment_link: z.string().nullable().meta({ description: 'ID of the payment link the order was started from.' }),
    tx_hash: txHash(
      'Hash of the payment transaction. While the order is processing, only of a transaction that the payer sent.',
    ).nullable(),
    txHash: txHash('Same as `tx_hash`.').nullable(),
    amount_received: amount('Amount received in final blocks.'),
    amount_due: amount('Amount still due.'),
    amount_refunded: amount('Amount refunded in final blocks.'),
    payer: address('Address that paid.').nullable(),
    completed_at: time(
      'When the order was paid: the time of the payment’s block. Set once the payment is final.',
    ).nullable(),
    ...shop,
  })
  .meta({ id: 'Order', description: 'A request for one payment.' });

export const paymentLink = z
  .strictObject({
    id: z.string().meta({ description: 'The payment link’s ID.', pattern: '^plk_[0-9a-z]{26}$' }),
    object: z.literal('payment_link'),
    url: z.url().meta({ description: 'Page to share with buyers.' }),
    active: z.boolean().meta({ description: 'Whether the link accepts new payments.' }),
    label: z.string().meta({ description: 'What the payment is for, shown to the buyer.' }),
    amount: amount('Amount of each payment; null with `open_amount`.').nullable(),
    currency,
    chain,
    recipient: z.string().meta({ description: 'Handle that is paid.', example: '@shop' }),
    open_amount: z.boolean().meta({ description: 'Whether the buyer enters the amount.' }),
    min_amount: amount('Minimum amount a buyer can enter.').nullable(),
    max_amount: amount('Maximum amount a buyer can enter.').nullable(),
    metadata,
    livemode,
    created_at: time('When it was created.'),
    deactivated_at: time('When it was deactivated; null while active.').nullable(),
    state: z.enum(['active', 'inactive', 'expired', 'used_up']).meta({
      description: '`active`, or why it starts no orders: deactivated, past `expires_at`, or all of `max_uses` taken.',
    }),
    after_completion: z
      .discriminatedUnion('type', [
        z.strictObject({ type: z.literal('message'), message: z.string() }),
        z.strictObject({ type: z.literal('url'), url: z.string() }),
      ])
      .nullable()
      .meta({ description: 'What follows a payment.' }),
    max_uses: z.number().int().nullable().meta({ description: 'How many orders it can start; null for any number.' }),
    uses: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'Orders that are paid or can still be paid; null without `max_uses`.' }),
    expires_at: time('When it stops starting orders.').nullable(),
    ...shop,
  })
  .meta({ id: 'PaymentLink', description: 'A reusable page that creates an order for each payment.' });

const digits = (description: string) => z.string().meta({ description, pattern: '^\\d+$' });
const bytes = z.string().meta({ description: 'Transaction calldata.', pattern: '^0x([0-9a-fA-F]{2})*$' });
const chainId = z.number().int().meta({ description: 'EIP-155 chain ID.' });

const refundBase = {
  object: z.literal('order.refund'),
  order: z.string(),
  chain,
  router: address('Router contract; the program on Solana.'),
  function: z.literal('refund'),
  args: z.strictObject({
    terms: z.strictObject({
      orderId: hash('The order’s ID in the contract.'),
      payee: address('Wallet that was paid.'),
      token: address('USDC, or what stands for the native asset: the zero address, on Solana the system program.'),
      amount: digits('In the asset’s smallest units.'),
      fee: digits('In the asset’s smallest units.'),
      deadline: digits('Unix seconds.'),
    }),
    to: address('Address that receives the refund.'),
    amount: digits('In the asset’s smallest units.'),
  }),
  refund_to: address('Address that receives the refund.'),
  amount: amount('Amount refunded.'),
  currency,
  paid_by_transfer: z.boolean().meta({
    description:
      'Whether the order was paid by a transfer to its deposit address. `refund_to` can then belong to an exchange, which may not credit the refund to the buyer: ask them first.',
  }),
};

export const refund = z
  .strictObject({
    ...refundBase,
    chainId,
    from: address('Wallet that was paid. Only this wallet can send the refund.'),
    to: address('Contract to call.'),
    data: bytes,
    value: digits('Wei.'),
    approval: z
      .strictObject({
        chainId,
        from: address('Same as the refund’s `from`.'),
        to: address('Token contract.'),
        data: bytes,
        value: digits('Wei.'),
        token: address('Token contract.'),
        spender: address('Router contract.'),
        amount: digits('In the asset’s smallest units.'),
      })
      .nullable()
      .meta({ description: 'Approval transaction to send first; null when the allowance is sufficient.' }),
  })
  .meta({
    id: 'Refund',
    description: 'The transaction that refunds an order, to be sent by the wallet that was paid.',
  });

export const solanaRefund = z
  .strictObject({
    ...refundBase,
    signed_by: address('Wallet that was paid. It signs the transaction.'),
    solana_transaction: z.string().meta({
      description: 'Transaction to sign, in base64. An executor pays its fee. Send it back within about a minute.',
    }),
    submit: z
      .strictObject({ to: address('Same as `refund_to`.'), amount: amount('Same as `amount`.') })
      .meta({ description: 'What is sent back with the signed transaction.' }),
  })
  .meta({
    id: 'SolanaRefund',
    description: 'The transaction that refunds an order on Solana, to be signed by the wallet that was paid.',
  });

export const EMPTY = z.strictObject({});

/** A page of a list, newest first. */
export function listOf(item: z.ZodType, id: string) {
  return z
    .strictObject({
      object: z.literal('list'),
      data: z.array(item),
      has_more: z.boolean().meta({ description: 'Whether more results are available.' }),
      next_cursor: z
        .string()
        .nullable()
        .meta({ description: 'Pass as `cursor` to get the next page; null on the last page.' }),
    })
    .meta({ id, description: 'A page of a list, newest first.' });
}

/** Of the workspace, and of one link. */
export const orderList = listOf(order, 'OrderList');
