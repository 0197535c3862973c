// What the overview of a workspace answers, and the call that says that a checkout was opened.
import { z } from 'zod';
import { EXPIRED_REASONS } from '../../services/orders/overviewSums.ts';
import { FAILURE_REASONS } from '../../services/orders/payments/failures.ts';

const time = z.iso.datetime();
const count = z.number().int();
/** Decimal strings of the currency; `net` may be below zero. */
const money = {
  gross: z.string(),
  fees: z.string(),
  refunds: z.string(),
  net: z.string(),
  payments: count,
  refunded: count,
};
/** In tenths of a percent; null where there was nothing before. */
const change = count.nullable();
const orders = {
  created: count,
  paid: count,
  open: count,
  expired: count,
  cancelled: count,
  opened: count,
  opened_paid: count,
  /** In hundredths of a percent; null while no checkout was opened. */
  conversion: count.nullable(),
};

export const overview = z.strictObject({
  object: z.literal('overview'),
  mode: z.enum(['test', 'live']),
  tz: z.string(),
  period: z.strictObject({
    from: z.string(),
    to: z.string(),
    step: z.enum(['hour', 'day', 'month']),
    parts: z.array(time),
  }),
  before: z.strictObject({ start: time, end: time }),
  currencies: z.array(
    z.strictObject({
      currency: z.string(),
      ...money,
      parts: z.array(z.strictObject(money)),
      before: z.strictObject(money),
      change: z.strictObject({ gross: change, fees: change, refunds: change, net: change }),
    }),
  ),
  orders: z.strictObject({ ...orders, before: z.strictObject(orders) }),
  expired: z.array(z.strictObject({ reason: z.enum(EXPIRED_REASONS), count })),
  failed_payments: z.array(z.strictObject({ reason: z.enum(FAILURE_REASONS), count })),
  links: z.array(
    z.strictObject({
      id: z.string(),
      label: z.string(),
      payments: count,
      amounts: z.array(z.strictObject({ currency: z.string(), gross: z.string() })),
    }),
  ),
  setup: z.strictObject({ order: z.boolean(), key: z.boolean(), endpoint: z.boolean() }),
});
export type OverviewAnswer = z.infer<typeof overview>;

export const opened = z.strictObject({ object: z.literal('checkout.opened'), order: z.string() });
