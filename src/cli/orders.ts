// `ampersat orders`: create, list, get, cancel and refund orders.
import { type Command, Option } from 'commander';
import type { CreateOrderParams, ListOrdersParams } from '../../sdk/index.ts';
import { EXPIRES_IN } from '../domain/order.ts';
import { withApi } from './api.ts';
import {
  amountFlag,
  chainOption,
  firstOf,
  idempotencyOption,
  idFlag,
  limitOption,
  metadataOption,
  statusOption,
  wholeNumber,
} from './flags.ts';
import { wholeLink } from './links.ts';
import { ORDER_ARGUMENT, ORDER_COLUMNS, orderWords, wholeOrder } from './orderWords.ts';
import { addRefund } from './refund.ts';
import { type Shell, writeResult } from './shell.ts';
import { readItem, readOne, SHOP_FLAGS, type ShopGiven, shopParams } from './shopFlags.ts';
import { writeResults } from './tables.ts';

export function addOrders(program: Command, shell: Shell): void {
  const orders = program.command('orders').description('Create and manage orders');

  orders
    .command('create')
    .description('Create an order; send the buyer to its checkout_url')
    .requiredOption('--amount <amount>', 'Amount to charge, such as 25.00', amountFlag)
    .addOption(chainOption().makeOptionMandatory())
    .option('--currency <symbol>', 'USDC or the native asset of the network (default: USDC)')
    .option('--recipient <handle>', 'Handle to pay (default: your workspace)')
    .option(
      '--expires-in <seconds>',
      `Expire after this many seconds (default: ${EXPIRES_IN.usual})`,
      wholeNumber(EXPIRES_IN),
    )
    .option('--description <text>', 'Description, shown to the buyer')
    .addOption(metadataOption())
    .option('--success-url <url>', SHOP_FLAGS.successUrl)
    .option('--cancel-url <url>', SHOP_FLAGS.cancelUrl)
    .option('--reference <text>', SHOP_FLAGS.reference)
    .option('--item <quantity,amount,name>', SHOP_FLAGS.item, readItem)
    .option('--embed-origin <origin>', SHOP_FLAGS.embedOrigin, readOne)
    .addOption(idempotencyOption('order'))
    .addHelpText('after', '\nExample:\n  ampersat orders create --amount 25 --chain base-sepolia --metadata cart=7041')
    .action((given: Given, command: Command) =>
      withApi(shell, command, async ({ ampersat }) => {
        const { idempotencyKey } = given;
        const how = { signal: shell.signal, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) };
        writeResult(shell, await ampersat.orders.create(paramsOf(given), how), orderWords);
      }),
    );

  orders
    .command('list')
    .description('List orders, newest first')
    .addOption(statusOption())
    .addOption(chainOption('Only orders on this network'))
    .addOption(new Option('--link <link>', 'Only orders of this payment link (plk_…)').argParser(idFlag))
    .addOption(metadataOption('Only orders with this metadata; repeat for more'))
    .addOption(limitOption())
    .action(({ limit, link, ...filters }: Filters, command: Command) =>
      withApi(shell, command, async ({ ampersat }) => {
        const of = link === undefined ? {} : { payment_link: await wholeLink(shell, ampersat, link) };
        const query = { ...filters, ...of, limit: Math.min(limit, 100) };
        const found = await firstOf(ampersat.orders.all(query, { signal: shell.signal }), limit);
        const nothing =
          Object.keys({ ...filters, ...of }).length > 0
            ? 'No orders match these filters.'
            : `No orders yet. Create one: ${shell.env.command} orders create --amount 25 --chain base-sepolia`;
        writeResults(shell, found, ORDER_COLUMNS, nothing);
      }),
    );

  orders
    .command('get')
    .description('Show an order')
    .argument(...ORDER_ARGUMENT)
    .action((order: string, _given: object, command: Command) =>
      withApi(shell, command, async ({ ampersat }) => {
        const id = await wholeOrder(shell, ampersat, order);
        writeResult(shell, await ampersat.orders.get(id, { signal: shell.signal }), orderWords);
      }),
    );

  orders
    .command('cancel')
    .description('Cancel an order that is awaiting payment')
    .argument(...ORDER_ARGUMENT)
    .action((order: string, _given: object, command: Command) =>
      withApi(shell, command, async ({ ampersat }) => {
        const id = await wholeOrder(shell, ampersat, order);
        writeResult(shell, await ampersat.orders.cancel(id, { signal: shell.signal }), orderWords);
      }),
    );

  addRefund(orders, shell);
}

type Filters = Pick<ListOrdersParams, 'status' | 'chain' | 'metadata'> & { link?: string; limit: number };

type Given = {
  amount: string;
  chain: string;
  currency?: string;
  recipient?: string;
  expiresIn?: number;
  description?: string;
  metadata?: Record<string, string>;
  idempotencyKey?: string;
} & ShopGiven;

/** What was not given is not sent: the service knows what is usual. */
function paramsOf({
  amount,
  chain,
  currency,
  recipient,
  expiresIn,
  description,
  metadata,
  ...shop
}: Given): CreateOrderParams {
  return {
    amount,
    chain,
    ...(currency === undefined ? {} : { currency }),
    ...(recipient === undefined ? {} : { recipient }),
    ...(expiresIn === undefined ? {} : { expires_in: expiresIn }),
    ...(description === undefined ? {} : { description }),
    ...(metadata === undefined ? {} : { metadata }),
    ...shopParams(shop),
  };
}
