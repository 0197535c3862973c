// `ampersat orders refund`: the wallet that was paid sends a refund. A play wallet of the local stack does so at once; for any other the command
// prints the transaction, and confirms it once it is sent.
import { type Command, Option } from 'commander';
import type { Order, Refund, SolanaRefund } from '../../sdk/index.ts';
import { withApi } from './api.ts';
import { isOnThisMachine, pageUrlOf, type ServiceConnection } from './connection.ts';
import { UsageError } from './failure.ts';
import { amountFlag, readHash } from './flags.ts';
import { type LocalPerson, ownerOf } from './localPeople.ts';
import { ORDER_ARGUMENT, orderWords, wholeOrder } from './orderWords.ts';
import { sendAs, signWholeAs } from './playWallet.ts';
import { notYet, type TriggerContext, timedTeller, waitFor } from './scene.ts';
import { type Paint, type Shell, writeNote, writeResult } from './shell.ts';
import { facts } from './tables.ts';

type Given = { amount?: string; to?: string; confirm?: string; signed?: string; unsigned?: true };
type AnyRefund = Refund | SolanaRefund;

/** The wallet that was paid. */
export const payeeOf = (refund: AnyRefund) => ('from' in refund ? refund.from : refund.signed_by);

const MORE = `
On the local stack, the play wallet that was paid sends the refund. Elsewhere
this prints the transaction: send it from the wallet that was paid, then confirm
it with --confirm. On Solana, have the wallet sign it, and send it with --signed.
Or refund with a browser wallet, in the dashboard.

Examples:
  ampersat orders refund ord_1xq6g0ra
  ampersat orders refund ord_1xq6g0ra --amount 5
  ampersat orders refund ord_1xq6g0ra --confirm 0x…
  ampersat orders refund ord_1xq6g0ra --amount 5 --to 7xKX… --signed AQAA…`;

export function addRefund(orders: Command, shell: Shell): void {
  orders
    .command('refund')
    .description('Refund an order, in full or in part')
    .argument(...ORDER_ARGUMENT)
    .option('--amount <amount>', 'Amount to refund (default: the remaining amount)', amountFlag)
    .option('--to <address>', 'Payer to refund, if several paid')
    .addOption(
      new Option('--confirm <hash>', 'Confirm the refund by its transaction')
        .argParser(readHash)
        .conflicts(['amount', 'to', 'unsigned', 'signed']),
    )
    .option('--signed <base64>', 'On Solana: send the transaction that the wallet signed; needs --amount and --to')
    .option('--unsigned', 'On the local stack: print the transaction instead of sending it')
    .addHelpText('after', MORE)
    .action((order: string, given: Given, command: Command) =>
      withApi(shell, command, async ({ ampersat, connection }) => {
        const id = await wholeOrder(shell, ampersat, order);
        const { amount, to, confirm, signed, unsigned } = given;
        const how = { signal: shell.signal };
        const before = await ampersat.orders.get(id, how);
        if (confirm !== undefined)
          return writeRefunded(shell, before, await ampersat.orders.confirmRefund(id, confirm, how));
        if (signed !== undefined) {
          if (amount === undefined || to === undefined)
            throw new UsageError('--signed needs --amount and --to, as they were printed with the transaction.');
          const sent = { submit: { to, amount } };
          return writeRefunded(shell, before, await ampersat.orders.submitRefund(id, sent, signed, how));
        }
        const wish = { ...(amount === undefined ? {} : { amount }), ...(to === undefined ? {} : { to }) };
        const refund = await ampersat.orders.refund(id, wish, how);
        const wallet = unsigned ? null : playWalletOf(connection, refund);
        if (!wallet) return writeResult(shell, refund, (one, paint) => instructions(shell, one, connection, paint));
        const scene = { api: ampersat, signal: shell.signal, tell: timedTeller(shell) };
        writeRefunded(shell, before, await sendRefund(scene, wallet, refund));
      }),
    );
}

/** The play wallet that was paid; null where it is none of this machine. */
function playWalletOf({ local }: ServiceConnection, refund: AnyRefund): LocalPerson | null {
  return local && isOnThisMachine(local) ? ownerOf(local.file, payeeOf(refund)) : null;
}

/** Sends it from a play wallet, and shows it to the service. */
export async function sendRefund(
  scene: Pick<TriggerContext, 'api' | 'signal' | 'tell'>,
  wallet: LocalPerson,
  refund: AnyRefund,
): Promise<Order> {
  const { api, signal, tell } = scene;
  if ('solana_transaction' in refund) {
    const signed = await signWholeAs(wallet, refund.signed_by, refund.solana_transaction);
    const before = await api.orders.get(refund.order, { signal });
    await api.orders.submitRefund(refund.order, refund, signed, { signal });
    tell(`${wallet.name}’s wallet signed the refund of ${refund.amount} ${refund.currency}`);
    return waitFor(scene, 'The refund', async () => {
      const order = await api.orders.get(refund.order, { signal });
      return order.amount_refunded === before.amount_refunded ? null : order;
    });
  }
  if (refund.approval) await sendAs(scene, wallet, refund.approval);
  const txHash = await sendAs(scene, wallet, refund);
  tell(`${wallet.name}’s wallet sent the refund of ${refund.amount} ${refund.currency}: ${txHash}`);
  return waitFor(scene, `The proof of the refund ${txHash}`, () =>
    api.orders.confirmRefund(refund.order, txHash, { signal }).catch(notYet),
  );
}

function writeRefunded(shell: Shell, before: Order, order: Order): void {
  writeResult(shell, order, orderWords);
  if (order.amount_refunded === before.amount_refunded)
    writeNote(shell, 'Confirmed. The refunded amount includes it once the transaction is final.');
}

function exchangeNote({ paid_by_transfer, refund_to }: AnyRefund): string[] {
  if (!paid_by_transfer) return [];
  return [`The order was paid by a transfer from ${refund_to}. If that is an exchange’s address, ask the buyer first.`];
}

/** What to send, and what to do then. */
function instructions({ env }: Shell, refund: AnyRefund, { baseUrl }: ServiceConnection, paint: Paint): string {
  if ('solana_transaction' in refund) {
    const { submit, signed_by, solana_transaction } = refund;
    return [
      facts(
        [
          ['refund', `${refund.amount} ${refund.currency} to ${refund.refund_to}`],
          ['from', signed_by],
          ['network', refund.chain],
        ],
        paint,
      ),
      ...exchangeNote(refund),
      `Have the wallet sign this transaction within a minute:\n${solana_transaction}`,
      `Then send it: ${env.command} orders refund ${refund.order} --amount ${submit.amount} --to ${submit.to} --signed <base64>`,
      `Or refund with a browser wallet: ${pageUrlOf(baseUrl, `/orders/${refund.order}`)}`,
    ].join('\n\n');
  }
  const { order, amount, currency, chain, chainId, from, refund_to: to, approval } = refund;
  const call = ({ to, value, data }: Pick<Refund, 'to' | 'value' | 'data'>): string =>
    facts(
      [
        ['to', to],
        ['value', `${value} wei`],
        ['data', data],
      ],
      paint,
    );
  const summary = facts(
    [
      ['refund', `${amount} ${currency} to ${to}`],
      ['from', from],
      ['network', `${chain} (chain ID ${chainId})`],
    ],
    paint,
  );
  return [
    summary,
    ...exchangeNote(refund),
    ...(approval ? [`First send this approval, and wait until it is in a block:\n${call(approval)}`] : []),
    `${approval ? 'Then send' : 'Send'} this transaction:\n${call(refund)}`,
    `Then confirm it: ${env.command} orders refund ${order} --confirm <hash>`,
    `Or refund with a browser wallet: ${pageUrlOf(baseUrl, `/orders/${order}`)}`,
  ].join('\n\n');
}
