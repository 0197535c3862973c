// Money that arrived for an order and does not count for it: why, how much of it is left, and what its merchant's wallet can do.
import { nativeToken } from '../../chain/orders.ts';
import { type Ctx, chainOf } from '../../context.ts';
import type { Row } from '../../db.ts';
import { CHAINS, type ChainName } from '../../domain/chains.ts';
import { formatUnits } from '../../domain/money.ts';
import { isSameAddress } from '../../domain/walletFamily.ts';
import { transactionUrl } from '../chains.ts';
import { unitsOf } from './views.ts';

export type OrderLogRow = Row<'OrderLog'>;

/** Money that arrived and does not count for the order; what its merchant's wallet can do about it. */
export type Unmatched = {
  key: string;
  amount: string;
  currency: string;
  /** Who sent it, the latest first; a refund goes to them alone. */
  senders: string[];
  tx_hash: string;
  explorer_url: string | null;
  reason: string;
  actions: ('accept' | 'send_back' | 'refund')[];
};

/** Why a payment does not count, to the merchant. */
export function reasonOf(row: Row<'Order'>, { outcome, kind, toAddress }: OrderLogRow): string {
  if (kind === 'settled' && toAddress.toLowerCase() !== row.payee.toLowerCase())
    return 'A payment to another recipient named this order. It affects neither you nor the order.';
  switch (outcome) {
    case 'other_terms':
      return 'The payment named this order with a different amount, asset or expiry. It is in your wallet.';
    case 'not_payable':
      return kind === 'deposit'
        ? 'It arrived after the order could no longer be paid.'
        : 'It arrived after the order could no longer be paid. It is in your wallet.';
    case 'already_paid':
      return 'The order was already paid.';
    case 'other_token':
      return 'The asset differs from the order’s.';
    default:
      return 'It was too little, or not needed, to pay the order.';
  }
}

/** @param logs whose deposits name their payers (see namePayers) */
export function findUnmatched(ctx: Ctx, row: Row<'Order'>, logs: OrderLogRow[]): Unmatched[] {
  return [...strayPayments(ctx, row, logs), ...leftDeposits(ctx, row, logs)];
}

/** Payments through the router that reached the payee and not the order. */
function strayPayments(ctx: Ctx, row: Row<'Order'>, logs: OrderLogRow[]): Unmatched[] {
  return logs
    .filter(({ kind, outcome, toAddress }) => kind === 'settled' && outcome !== 'credited' && isPayee(row, toAddress))
    .flatMap((log) => {
      const back = logs.filter(({ kind, key }) => kind === 'refunded' && key === log.key);
      const left = back.reduce((rest, one) => rest - unitsOf(one.units), unitsOf(log.units));
      // Its terms are the order's own when only its time was over: those can be refunded through the router.
      const actions: Unmatched['actions'] = log.outcome === 'other_terms' ? [] : ['refund'];
      const senders = log.fromAddress && !isOwn(row, log.fromAddress) ? [log.fromAddress] : sendersOf(logs, row.token);
      return left > 0n ? [{ ...shown(ctx, row, log, left), senders, reason: reasonOf(row, log), actions }] : [];
    });
}

/** What lies at the order's own address and is not on its way into the order. */
function leftDeposits(ctx: Ctx, row: Row<'Order'>, logs: OrderLogRow[]): Unmatched[] {
  if (row.depositAddress === null || row.status === 'awaiting_payment' || row.status === 'processing') return [];
  const tokens = [...new Set(logs.filter(({ kind }) => kind === 'deposit').map(({ token }) => token))];
  return tokens.flatMap((token) => {
    const those = logs.filter((log) => log.token.toLowerCase() === token.toLowerCase());
    const left = those.reduce((sum, log) => {
      if (log.kind === 'deposit') return sum + unitsOf(log.units);
      const isOut = log.kind === 'deposit_moved' || (log.kind === 'settled' && isOwn(row, log.fromAddress));
      return isOut ? sum - unitsOf(log.units) : sum;
    }, 0n);
    const last = those.filter(({ kind }) => kind === 'deposit').at(-1);
    if (left <= 0n || !last) return [];
    const senders = sendersOf(logs, token);
    return [
      { ...shown(ctx, row, last, left), senders, reason: leftReason(row, last), actions: ['accept', 'send_back'] },
    ];
  });
}

function leftReason(row: Row<'Order'>, log: OrderLogRow): string {
  if (log.outcome !== 'credited') return `${reasonOf(row, log)} It is at the order’s deposit address.`;
  if (row.status === 'completed') return 'The buyer overpaid. The rest is at the order’s deposit address.';
  return 'The buyer underpaid or paid late. The payment is at the order’s deposit address.';
}

function shown(ctx: Ctx, row: Row<'Order'>, log: OrderLogRow, units: bigint) {
  const { explorer_url } = transactionOf(ctx, row, log.txHash);
  return {
    key: `${log.txHash} ${log.logIndex}`,
    ...logAmount(ctx, row, log, units),
    tx_hash: log.txHash,
    explorer_url,
  };
}

function sendersOf(logs: OrderLogRow[], token: string): string[] {
  const those = logs.filter((log) => log.kind === 'deposit' && log.token.toLowerCase() === token.toLowerCase());
  return [...new Set(those.reverse().flatMap(({ fromAddress }) => fromAddress ?? []))];
}

function isOwn(row: Row<'Order'>, address: string | null): boolean {
  return row.depositAddress !== null && address?.toLowerCase() === row.depositAddress.toLowerCase();
}

function isPayee(row: Row<'Order'>, address: string): boolean {
  return address.toLowerCase() === row.payee.toLowerCase();
}

/** Two assets are known: the network's own coin, and USDC. */
export function logAmount(
  ctx: Ctx,
  row: Row<'Order'>,
  log: OrderLogRow,
  units: bigint = unitsOf(log.units),
): { amount: string; currency: string } {
  const { native, nativeDecimals, usdcDecimals } = CHAINS[row.chain as ChainName];
  const isNative = isSameAddress(log.token, nativeToken(chainOf(ctx, row.chain)));
  const other = isNative ? nativeDecimals : usdcDecimals;
  const decimals = log.token.toLowerCase() === row.token.toLowerCase() ? row.decimals : other;
  return { amount: formatUnits(units, decimals), currency: isNative ? native : 'USDC' };
}

export function transactionOf(ctx: Ctx, row: Row<'Order'>, hash: string | null) {
  return { tx_hash: hash, explorer_url: transactionUrl(ctx, row.chain, hash) };
}
