// What an order brings its merchant: gross, the fee, what was refunded, and what is left; with each refund.
import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import { formatSigned, formatUnits } from '../../domain/money.ts';
import { type OrderLogRow, transactionOf } from './unmatched.ts';
import { unitsOf } from './views.ts';

/** A refund in a final block. `at` is its block's time, ISO 8601; `amount` a canonical decimal string of the order's currency. */
export type RefundView = {
  key: string;
  at: string;
  amount: string;
  to: string;
  tx_hash: string | null;
  explorer_url: string | null;
};

/** Canonical decimal strings of the order's currency. `payout` is the amount less the fee; `net` is what is left of it after the refunds. */
export type OrderMoney = {
  fee: string;
  payout: string;
  /** Below zero where everything was refunded: the fee stays paid. */
  net: string;
  /** What can still be refunded. */
  refundable: string;
  /** The oldest first. */
  refunds: RefundView[];
};

/** @param logs of this order, in the chain's order */
export function orderMoney(ctx: Ctx, row: Row<'Order'>, logs: OrderLogRow[]): OrderMoney {
  const payout = unitsOf(row.units) - unitsOf(row.feeUnits);
  return {
    fee: formatUnits(unitsOf(row.feeUnits), row.decimals),
    payout: formatUnits(payout, row.decimals),
    net: formatSigned(payout - unitsOf(row.refundedUnits), row.decimals),
    refundable: formatUnits(refundableUnits(row), row.decimals),
    refunds: logs
      .filter(({ kind, outcome }) => kind === 'refunded' && outcome === 'credited')
      .map((log) => ({
        key: `${log.txHash} ${log.logIndex}`,
        at: log.blockTime.toISOString(),
        amount: formatUnits(unitsOf(log.units), row.decimals),
        to: log.toAddress,
        ...transactionOf(ctx, row, log.txHash),
      })),
  };
}

/** What may still go back of what was paid. */
function refundableUnits(row: Row<'Order'>): bigint {
  const left = unitsOf(row.units) - unitsOf(row.refundedUnits);
  return row.status === 'completed' && left > 0n ? left : 0n;
}
