// `ampersat links`: create, list, get and deactivate payment links, and list the orders of one.
import { type Command, Option } from 'commander';
import type {
  Ampersat,
  CreatePaymentLinkParams,
  ListPaymentLinkOrdersParams,
  ListPaymentLinksParams,
  Order,
  PaymentLink,
} from '../../sdk/index.ts';
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
import { metadataWords, ORDER_COLUMNS } from './orderWords.ts';
import { type Paint, type Shell, writeResult } from './shell.ts';
import { readItem, readOne, SHOP_FLAGS, type ShopGiven, shopFacts, shopParams } from './shopFlags.ts';
import { wholeId } from './shortIds.ts';
import { type Column, facts, localTime, writeResults } from './tables.ts';

const stateOf = ({ state }: PaymentLink) => state.replace('_', ' ');
const COLUMNS: Column<PaymentLink>[] = [
  { title: 'link', cell: ({ id }) => id, isId: true },
  { title: 'status', cell: stateOf, tone: ({ active }) => (active ? 'green' : 'dim') },
  { title: 'amount', cell: amountOf },
  { title: 'network', cell: ({ chain }) => chain },
  { title: 'created', cell: ({ created_at }) => localTime(created_at) },
  { title: 'label', cell: ({ label }) => label },
];
const LINK = ['<link>', 'Payment link ID (plk_…)', idFlag] as const;

export function addLinks(program: Command, shell: Shell): void {
  const links = program.command('links').description('Create and manage payment links');

  links
    .command('create')
    .description('Create a payment link; it accepts any number of payments')
    .requiredOption('--label <text>', 'What the payment is for, shown to the buyer')
    .addOption(chainOption().makeOptionMandatory())
    .addOption(
      new Option('--amount <amount>', 'Amount of each payment, such as 25.00')
        .argParser(amountFlag)
        .conflicts('openAmount'),
    )
    .option('--open-amount', 'Let the buyer choose the amount')
    .option('--min <amount>', 'With --open-amount: minimum amount', amountFlag)
    .option('--max <amount>', 'With --open-amount: maximum amount', amountFlag)
    .option('--currency <symbol>', 'USDC or the native asset of the network (default: USDC)')
    .option('--recipient <handle>', 'Handle to pay (default: your workspace)')
    .addOption(metadataOption())
    .option('--success-url <url>', SHOP_FLAGS.successUrl)
    .option('--cancel-url <url>', SHOP_FLAGS.cancelUrl)
    .option('--reference <text>', SHOP_FLAGS.reference)
    .option('--item <quantity,amount,name>', SHOP_FLAGS.item, readItem)
    .option('--embed-origin <origin>', SHOP_FLAGS.embedOrigin, readOne)
    .addOption(new Option('--message <text>', 'Shown to the buyer after paying').conflicts('successUrl'))
    .option('--max-uses <count>', 'Start at most this many orders', wholeNumber({ least: 1, most: 1_000_000 }))
    .option('--expires-at <time>', 'Stop new payments at this time, such as 2027-02-28T23:00:00Z')
    .addOption(idempotencyOption('link'))
    .addHelpText(
      'after',
      `
Examples:
  ampersat links create --label "Two coffees" --amount 8 --chain base-sepolia
  ampersat links create --label Donation --open-amount --min 1 --chain base-sepolia`,
    )
    .action((given: Given, command: Command) =>
      withApi(shell, command, async ({ ampersat }) => {
        const { idempotencyKey } = given;
        const how = { signal: shell.signal, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) };
        writeResult(shell, await ampersat.paymentLinks.create(paramsOf(given), how), words);
      }),
    );

  links
    .command('list')
    .description('List payment links, newest first')
    .addOption(new Option('--status <status>', 'Only links in this status').choices(['active', 'inactive']))
    .addOption(chainOption('Only links on this network'))
    .addOption(metadataOption('Only links with this metadata; repeat for more'))
    .addOption(limitOption())
    .action(({ status, chain, metadata, limit }: Filters, command: Command) =>
      withApi(shell, command, async ({ ampersat }) => {
        const query = {
          limit: Math.min(limit, 100),
          ...(status ? { active: status === 'active' } : {}),
          ...(chain ? { chain } : {}),
          ...(metadata ? { metadata } : {}),
        };
        const found = await firstOf(ampersat.paymentLinks.all(query, { signal: shell.signal }), limit);
        const nothing =
          status || chain || metadata
            ? 'No payment links match these filters.'
            : `No payment links yet. Create one: ${shell.env.command} links create --label "Two coffees" --amount 8 --chain base-sepolia`;
        writeResults(shell, found, COLUMNS, nothing);
      }),
    );

  links
    .command('get')
    .description('Show a payment link')
    .argument(...LINK)
    .action((link: string, _given: object, command: Command) =>
      withApi(shell, command, async ({ ampersat }) => {
        const id = await wholeLink(shell, ampersat, link);
        writeResult(shell, await ampersat.paymentLinks.get(id, { signal: shell.signal }), words);
      }),
    );

  links
    .command('orders')
    .description('List the orders of a payment link, newest first')
    .argument(...LINK)
    .addOption(statusOption())
    .addOption(limitOption())
    .action((link: string, { status, limit }: { status?: Order['status']; limit: number }, command: Command) =>
      withApi(shell, command, async ({ ampersat }) => {
        const id = await wholeLink(shell, ampersat, link);
        const query: ListPaymentLinkOrdersParams = { limit: Math.min(limit, 100), ...(status ? { status } : {}) };
        const found = await firstOf(ampersat.paymentLinks.orders(id).all(query, { signal: shell.signal }), limit);
        writeResults(shell, found, ORDER_COLUMNS, status ? 'No orders match these filters.' : 'No payments yet.');
      }),
    );

  links
    .command('deactivate')
    .description('Stop new payments; orders already started can still be paid')
    .argument(...LINK)
    .action((link: string, _given: object, command: Command) =>
      withApi(shell, command, async ({ ampersat }) => {
        const id = await wholeLink(shell, ampersat, link);
        writeResult(shell, await ampersat.paymentLinks.deactivate(id, { signal: shell.signal }), words);
      }),
    );
}

type Filters = Pick<ListPaymentLinksParams, 'chain' | 'metadata'> & { status?: 'active' | 'inactive'; limit: number };

type Given = {
  label: string;
  chain: string;
  amount?: string;
  openAmount?: true;
  min?: string;
  max?: string;
  currency?: string;
  recipient?: string;
  metadata?: Record<string, string>;
  message?: string;
  maxUses?: number;
  expiresAt?: string;
  idempotencyKey?: string;
} & ShopGiven;

/** What was not given is not sent: the service knows what is usual. */
function paramsOf(given: Given): CreatePaymentLinkParams {
  const { label, chain, amount, openAmount, min, max, currency, recipient, metadata, ...more } = given;
  const { message, maxUses, expiresAt } = more;
  return {
    label,
    chain,
    ...(amount === undefined ? {} : { amount }),
    ...(openAmount === undefined ? {} : { open_amount: openAmount }),
    ...(min === undefined ? {} : { min_amount: min }),
    ...(max === undefined ? {} : { max_amount: max }),
    ...(currency === undefined ? {} : { currency }),
    ...(recipient === undefined ? {} : { recipient }),
    ...(metadata === undefined ? {} : { metadata }),
    ...shopParams(more),
    ...(message === undefined ? {} : { after_completion: { type: 'message' as const, message } }),
    ...(maxUses === undefined ? {} : { max_uses: maxUses }),
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
  };
}

export function wholeLink({ signal }: Shell, { paymentLinks }: Ampersat, id: string): Promise<string> {
  return wholeId(id, () => paymentLinks.all({}, { signal }));
}

function amountOf({ amount, currency, min_amount: min, max_amount: max }: PaymentLink): string {
  if (amount !== null) return `${amount} ${currency}`;
  const bounds = [min && `from ${min}`, max && `up to ${max}`].filter(Boolean).join(' ');
  return bounds === '' ? `any ${currency}` : `${bounds} ${currency}`;
}

function words(link: PaymentLink, paint: Paint): string {
  return facts(
    [
      ['link', link.id],
      ['status', stateOf(link)],
      ['label', link.label],
      ['amount', `${amountOf(link)} on ${link.chain}`],
      ['recipient', link.recipient],
      ...shopFacts(link),
      ['message', link.after_completion?.type === 'message' ? link.after_completion.message : null],
      ['uses', link.max_uses === null ? null : `${link.uses} of ${link.max_uses}`],
      ['expires', link.expires_at && localTime(link.expires_at)],
      ['metadata', metadataWords(link.metadata)],
      ['created', localTime(link.created_at)],
      ['deactivated', link.deactivated_at && localTime(link.deactivated_at)],
      ['pay at', link.active ? link.url : null],
    ],
    paint,
  );
}
