// The sums of an overview: rows of the database by the part of the period in which they fall, added up exactly.

import { formatSigned, formatUnits, scaleUnits } from '../../domain/money.ts';
import type { OrderStatus } from '../../domain/order.ts';
import { changeOf, conversionOf } from '../../domain/overview.ts';

/** In which part of the period a row falls: its index, or `before` the period. */
export type Place = number | 'before';

export type MoneyRow = {
  place: Place;
  currency: string;
  decimals: number;
  units: string;
  fees: string;
  refunds: string;
  payments: number;
  refunded: number;
};

/** In units of 18 decimals, which no currency exceeds: sums over networks lose no digit. */
type Sum = { gross: bigint; fees: bigint; refunds: bigint; payments: number; refunded: number };
const DECIMALS = 18;

/** Decimal strings. `net` is gross less fees and refunds; a refund counts when it is final, so `net` may be below zero. */
export type Money = {
  gross: string;
  fees: string;
  refunds: string;
  net: string;
  /** How many orders were paid, and how many refunds there were. */
  payments: number;
  refunded: number;
};
/** In tenths of a percent of the figure before; null where that is zero. */
export type MoneyChange = { gross: number | null; fees: number | null; refunds: number | null; net: number | null };
export type CurrencyMoney = Money & { currency: string; parts: Money[]; before: Money; change: MoneyChange };

/** One line a currency, that with the most payments first, however many decimals its networks give it. */
export function sumCurrencies(rows: readonly MoneyRow[], parts: number): CurrencyMoney[] {
  const currencies = [...new Set(rows.map(({ currency }) => currency))];
  return currencies
    .map((currency) =>
      currencyMoney(
        currency,
        rows.filter((row) => row.currency === currency),
        parts,
      ),
    )
    .sort(
      (a, b) => b.payments - a.payments || b.before.payments - a.before.payments || (a.currency < b.currency ? -1 : 1),
    );
}

function currencyMoney(currency: string, rows: readonly MoneyRow[], parts: number): CurrencyMoney {
  const before = sumOf(rows.filter(({ place }) => place === 'before'));
  const now = sumOf(rows.filter(({ place }) => place !== 'before'));
  const change = (of: (sum: Sum) => bigint) => changeOf(of(before), of(now));
  return {
    currency,
    ...moneyOf(now),
    parts: Array.from({ length: parts }, (_, part) => moneyOf(sumOf(rows.filter(({ place }) => place === part)))),
    before: moneyOf(before),
    change: {
      gross: change(({ gross }) => gross),
      fees: change(({ fees }) => fees),
      refunds: change(({ refunds }) => refunds),
      net: change(netOf),
    },
  };
}

function sumOf(rows: readonly MoneyRow[]): Sum {
  const add = (name: 'units' | 'fees' | 'refunds') =>
    rows.reduce((sum, row) => sum + scaleUnits(BigInt(row[name]), row.decimals, DECIMALS), 0n);
  return {
    gross: add('units'),
    fees: add('fees'),
    refunds: add('refunds'),
    payments: rows.reduce((sum, { payments }) => sum + payments, 0),
    refunded: rows.reduce((sum, { refunded }) => sum + refunded, 0),
  };
}

function netOf({ gross, fees, refunds }: Sum): bigint {
  return gross - fees - refunds;
}

function moneyOf(sum: Sum): Money {
  return {
    gross: formatUnits(sum.gross, DECIMALS),
    fees: formatUnits(sum.fees, DECIMALS),
    refunds: formatUnits(sum.refunds, DECIMALS),
    net: formatSigned(netOf(sum), DECIMALS),
    payments: sum.payments,
    refunded: sum.refunded,
  };
}

/** Why an order expired. A payment of ours that failed says more than that the checkout was opened. */
export const EXPIRED_REASONS = ['part_paid', 'payment_failed', 'opened', 'not_opened', 'unrecorded'] as const;
export type ExpiredReason = (typeof EXPIRED_REASONS)[number];

/** Orders of one end: `reason` is of expired ones. */
export type OrderCountsRow = {
  place: Place;
  status: OrderStatus;
  opened: boolean;
  reason: ExpiredReason | null;
  count: number;
};

/** Of the orders that were created in the period; `open` ones may still be paid. */
export type OrderFigures = {
  created: number;
  paid: number;
  open: number;
  expired: number;
  cancelled: number;
  /** Those whose checkout was opened, and of them those that were paid; `conversion` in hundredths of a percent. */
  opened: number;
  opened_paid: number;
  conversion: number | null;
};

export function orderFigures(rows: readonly OrderCountsRow[]): OrderFigures {
  const count = (wanted: (row: OrderCountsRow) => boolean) =>
    rows.filter(wanted).reduce((sum, row) => sum + row.count, 0);
  const opened = count((row) => row.opened);
  const openedPaid = count((row) => row.opened && row.status === 'completed');
  return {
    created: count(() => true),
    paid: count(({ status }) => status === 'completed'),
    open: count(({ status }) => status === 'awaiting_payment' || status === 'processing'),
    expired: count(({ status }) => status === 'expired'),
    cancelled: count(({ status }) => status === 'cancelled'),
    opened,
    opened_paid: openedPaid,
    conversion: conversionOf({ opened, paid: openedPaid }),
  };
}

/** The most frequent one first. */
export function expiredReasons(rows: readonly OrderCountsRow[]): { reason: ExpiredReason; count: number }[] {
  return EXPIRED_REASONS.map((reason) => ({
    reason,
    count: rows.filter((row) => row.reason === reason).reduce((sum, row) => sum + row.count, 0),
  }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
}

export type LinkRow = {
  id: string;
  label: string;
  currency: string;
  decimals: number;
  units: string;
  payments: number;
};
export type LinkMoney = { id: string; label: string; payments: number; amounts: { currency: string; gross: string }[] };

/** Links with what each was paid, the one with the most payments first. */
export function sumLinks(rows: readonly LinkRow[]): LinkMoney[] {
  return groupsOf(rows, ({ id }) => id)
    .map(([first, ...rest]) => ({
      id: first.id,
      label: first.label,
      payments: [first, ...rest].reduce((sum, { payments }) => sum + payments, 0),
      amounts: groupsOf([first, ...rest], ({ currency }) => currency)
        .map((of) => ({
          currency: of[0].currency,
          gross: formatUnits(
            of.reduce((sum, { units, decimals }) => sum + scaleUnits(BigInt(units), decimals, DECIMALS), 0n),
            DECIMALS,
          ),
        }))
        .sort((a, b) => (a.currency < b.currency ? -1 : 1)),
    }))
    .sort((a, b) => b.payments - a.payments || (a.id < b.id ? -1 : 1));
}

function groupsOf<T>(rows: readonly T[], keyOf: (row: T) => string): [T, ...T[]][] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return [...groups.values()];
}
