// `ampersat orders`: ask for a payment, and see what became of it.
import { type Command, Option } from 'commander';
import type { CreateOrderParams, ListOrdersParams, Order } from '../../sdk/index.ts';
import { EXPIRES_IN } from '../domain/order.ts';
import { withApi } from './api.ts';
import { firstOf, limitOption, metadataOption, readId, wholeNumber } from './flags.ts';
import { type Column, facts, type Paint, type Shell, writeResult, writeResults } from './shell.ts';

const STATUSES = [
  'awaiting_payment',
  'processing',
  'completed',
  'expired',
  'cancelled',
] as const satisfies Order['status'][];
const CHAINS = ['base', 'bsc', 'ink', 'celo', 'base-sepolia'] as const satisfies Order['chain'][];
const TONES = {
  awaiting_payment: 'yellow',
  processing: 'cyan',
  completed: 'green',
  expired: 'dim',
  cancelled: 'dim',
} as const;

const COLUMNS: Column<Order>[] = [
  { title: 'order', cell: ({ id }) => id },
  { title: 'status', cell: ({ status }) => status, tone: ({ status }) => TONES[status] },
  { title: 'amount', cell: ({ amount, currency }) => `${amount} ${currency}` },
  { title: 'chain', cell: ({ chain }) => chain },
  { title: 'created', cell: ({ created_at }) => created_at },
  { title: 'description', cell: ({ description }) => description ?? '' },
];

export function addOrders(program: Command, shell: Shell): void {
  const orders = program.command('orders').description('ask for payments and see what became of them');

  orders
    .command('create')
    .description('makes an order; send the buyer to its checkout_url')
    .requiredOption('--amount <amount>', 'what the payer gives, such as 25.00')
    .addOption(new Option('--chain <name>', 'where it is paid').choices(CHAINS).makeOptionMandatory())
    .option('--currency <symbol>', 'USDC, or the native asset of the chain')
    .option('--recipient <handle>', 'the handle that is paid, when it is not the workspace of the key')
    .option('--expires-in <seconds>', 'until it can no longer be paid', wholeNumber(EXPIRES_IN))
    .option('--description <text>', 'what the buyer reads')
    .addOption(metadataOption())
    .option('--idempotency-key <key>', 'the same key and order again make no second one')
    .addHelpText('after', '\nExample:\n  ampersat orders create --amount 25 --chain base --metadata cart=7041')
    .action((given: Given, command: Command) =>
      withApi(shell, command, async ({ ampersat }) => {
        const { idempotencyKey } = given;
        const how = { signal: shell.signal, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) };
        writeResult(shell, await ampersat.orders.create(paramsOf(given), how), words);
      }),
    );

  orders
    .command('list')
    .description('the orders of the workspace, newest first')
    .addOption(new Option('--status <status>', 'only those in this one').choices(STATUSES))
    .addOption(limitOption())
    .action(({ status, limit }: { status?: Order['status']; limit: number }, command: Command) =>
      withApi(shell, command, async ({ ampersat }) => {
        const query: ListOrdersParams = { limit: Math.min(limit, 100), ...(status ? { status } : {}) };
        const found = await firstOf(ampersat.orders.all(query, { signal: shell.signal }), limit);
        writeResults(shell, found, COLUMNS, 'There are no such orders.');
      }),
    );

  orders
    .command('get')
    .description('one order as it is now')
    .argument('<order>', 'its id, ord_…', readId)
    .action((id: string, _given: object, command: Command) =>
      withApi(shell, command, async ({ ampersat }) =>
        writeResult(shell, await ampersat.orders.get(id, { signal: shell.signal }), words),
      ),
    );

  orders
    .command('cancel')
    .description('ends an order that nobody has begun to pay')
    .argument('<order>', 'its id, ord_…', readId)
    .action((id: string, _given: object, command: Command) =>
      withApi(shell, command, async ({ ampersat }) =>
        writeResult(shell, await ampersat.orders.cancel(id, { signal: shell.signal }), words),
      ),
    );
}

type Given = {
  amount: string;
  chain: string;
  currency?: string;
  recipient?: string;
  expiresIn?: number;
  description?: string;
  metadata?: Record<string, string>;
  idempotencyKey?: string;
};

/** What was not given is not sent: the service knows what is usual. */
function paramsOf({ amount, chain, currency, recipient, expiresIn, description, metadata }: Given): CreateOrderParams {
  return {
    amount,
    chain,
    ...(currency === undefined ? {} : { currency }),
    ...(recipient === undefined ? {} : { recipient }),
    ...(expiresIn === undefined ? {} : { expires_in: expiresIn }),
    ...(description === undefined ? {} : { description }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

function words(order: Order, paint: Paint): string {
  const isOpen = order.status === 'awaiting_payment';
  const notes = Object.entries(order.metadata).map(([key, value]) => `${key}=${value}`);
  return facts(
    [
      ['order', order.id],
      ['status', order.status],
      ['amount', `${order.amount} ${order.currency} on ${order.chain}`],
      ['recipient', `${order.recipient} (${order.recipient_address})`],
      ['description', order.description],
      ['metadata', notes.length === 0 ? null : notes.join(', ')],
      ['received', isOpen && /^[0.]+$/.test(order.amount_received) ? null : order.amount_received],
      ['refunded', /^[0.]+$/.test(order.amount_refunded) ? null : order.amount_refunded],
      ['transaction', order.txHash],
      ['payer', order.payer],
      ['expires', isOpen ? order.expires_at : null],
      ['completed', order.completed_at],
      ['pay at', isOpen ? order.checkout_url : null],
    ],
    paint,
  );
}
