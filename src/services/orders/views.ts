// An order as it is shown: to its merchant (API, dashboard, events), and to anyone with its checkout page.
import type { Ctx } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import type { Branding } from '../../domain/branding.ts';
import { CHAINS, type ChainName, chainLabel } from '../../domain/chains.ts';
import { AppError } from '../../domain/errors.ts';
import { isId } from '../../domain/ids.ts';
import type { LineItem } from '../../domain/lineItems.ts';
import { formatUnits } from '../../domain/money.ts';
import type { OrderStatus } from '../../domain/order.ts';
import { slugsOfHandles } from '../accounts/handles.ts';
import { transactionUrl } from '../chains.ts';
import { brandingOf } from '../workspaces/branding.ts';
import { readOrder, type ShownOrder } from './read.ts';
import { type ShopView, viewShop } from './shopFields.ts';

/** Amounts are canonical decimal strings of `currency`, times ISO 8601 in UTC. */
export type OrderView = {
  id: string;
  object: 'order';
  status: OrderStatus;
  checkout_url: string;
  amount: string;
  currency: string;
  chain: string;
  /** "@shop". */
  recipient: string;
  recipient_address: string;
  expires_at: string;
  metadata: Record<string, string>;
  created_at: string;
  livemode: boolean;
  description: string | null;
  /** The link that it was started from. */
  payment_link: string | null;
  /** The payment's transaction, or the one that is on its way. `txHash` is the same, by its name of before. */
  tx_hash: string | null;
  txHash: string | null;
  /** What arrived in final blocks; what is missing; what was sent back. */
  amount_received: string;
  amount_due: string;
  amount_refunded: string;
  payer: string | null;
  completed_at: string | null;
} & ShopView;

/** What a buyer may see: nothing of the workspace but the face that it chose, nothing of its metadata, its keys or who else paid. */
export type PublicOrder = {
  id: string;
  object: 'checkout.order';
  status: OrderStatus;
  amount: string;
  currency: string;
  chain: string;
  chain_label: string;
  /** EIP-155. */
  chain_id: number;
  merchant: { handle: string; kind: 'personal' | 'business' };
  /** The face of the workspace that made it, as it is now. Who is paid is the merchant’s handle. */
  branding: Branding | null;
  description: string | null;
  expires_at: string;
  created_at: string;
  livemode: boolean;
  txHash: string | null;
  tx_hash: string | null;
  explorer_url: string | null;
  amount_received: string;
  amount_due: string;
  /** What the merchant sent back of it, in final blocks. */
  amount_refunded: string;
  /** What it paid in the end: its amount without what was sent back. Zero until it is completed. */
  amount_net: string;
  settled_at: string | null;
  /** Where the buyer goes on: the first once the payment is under way, because it may say that the order is paid; the other until then. */
  success_url: string | null;
  cancel_url: string | null;
  line_items: LineItem[];
  /** What the shop says once it is paid. */
  completion_message: string | null;
  /** Origins that the checkout's window may report to. */
  embed_origins: string[];
  /** Blocks on top of (and with) the payment's own while it waits to be final; null when it is in none. */
  seen: { confirmations: number; needed: number } | null;
};

type Order = Row<'Order'>;

/** A row's `Decimal` as units. */
export function unitsOf(value: { toFixed(places: number): string }): bigint {
  return BigInt(value.toFixed(0));
}

/** An order by its id, without a check of the caller. @throws AppError `resource_missing` */
export async function orderRow(ctx: Ctx, id: string, tx: Tx = ctx.db): Promise<Order> {
  const read = () => (tx === ctx.db ? readOrder(ctx, id) : tx.order.findUnique({ where: { id } }));
  const row = isId('ord', id) ? await read() : null;
  if (!row) throw new AppError('resource_missing', 'No such order. Check the ID.');
  return row;
}

/** @param recipient the slug of the handle that is paid */
export function viewOrder(ctx: Ctx, order: ShownOrder, recipient: string): OrderView {
  return {
    id: order.id,
    object: 'order',
    status: order.status as OrderStatus,
    checkout_url: `${checkoutBase(ctx)}/o/${order.id}`,
    amount: formatUnits(unitsOf(order.units), order.decimals),
    currency: order.currency,
    chain: order.chain,
    recipient: `@${recipient}`,
    recipient_address: order.payee,
    expires_at: expiresAt(order),
    metadata: order.metadata as Record<string, string>,
    created_at: order.createdAt.toISOString(),
    livemode: order.livemode,
    description: order.description,
    payment_link: order.linkId,
    tx_hash: order.txHash,
    txHash: order.txHash,
    amount_received: formatUnits(unitsOf(order.receivedUnits), order.decimals),
    amount_due: formatUnits(dueUnits(order), order.decimals),
    amount_refunded: formatUnits(unitsOf(order.refundedUnits), order.decimals),
    payer: order.payer,
    completed_at: completedAt(order),
    ...viewShop(order),
  };
}

/** Many at once, in their order. */
export async function viewOrders(ctx: Ctx, tx: Tx, orders: ShownOrder[]): Promise<OrderView[]> {
  const slugs = await slugsOfHandles(
    tx,
    orders.map((order) => order.recipientId),
  );
  return orders.map((order) => viewOrder(ctx, order, slugs.get(order.recipientId) ?? ''));
}

/** @param seen what the chain shows of a payment that is not final yet, where it was queried */
export async function publicOrder(ctx: Ctx, order: Order, seen: PublicOrder['seen'] = null): Promise<PublicOrder> {
  const [{ slug, kind }, branding] = await Promise.all([
    ctx.db.handle.findUniqueOrThrow({ where: { id: order.recipientId } }),
    brandingOf(ctx, order.handleId),
  ]);
  return {
    id: order.id,
    object: 'checkout.order',
    status: order.status as OrderStatus,
    amount: formatUnits(unitsOf(order.units), order.decimals),
    currency: order.currency,
    chain: order.chain,
    chain_label: chainLabel(order.chain),
    chain_id: CHAINS[order.chain as ChainName].chainId,
    merchant: { handle: slug, kind: kind as PublicOrder['merchant']['kind'] },
    branding,
    description: order.description,
    expires_at: expiresAt(order),
    created_at: order.createdAt.toISOString(),
    livemode: order.livemode,
    tx_hash: order.txHash,
    txHash: order.txHash,
    explorer_url: transactionUrl(ctx, order.chain, order.txHash),
    amount_received: formatUnits(unitsOf(order.receivedUnits), order.decimals),
    amount_due: formatUnits(dueUnits(order), order.decimals),
    amount_refunded: formatUnits(unitsOf(order.refundedUnits), order.decimals),
    amount_net: formatUnits(netUnits(order), order.decimals),
    settled_at: completedAt(order),
    success_url: isUnderWay(order) ? order.successUrl : null,
    cancel_url: isUnderWay(order) ? null : order.cancelUrl,
    line_items: order.lineItems as LineItem[],
    completion_message: await completionMessage(ctx, order),
    embed_origins: order.embedOrigins,
    seen,
  };
}

function isUnderWay({ status }: Order): boolean {
  return status === 'processing' || status === 'completed';
}

/** A link's message can't change, so the order needs no copy. */
async function completionMessage(ctx: Ctx, { status, linkId }: Order): Promise<string | null> {
  if (status !== 'completed' || linkId === null) return null;
  const link = await ctx.db.paymentLink.findUnique({ where: { id: linkId }, select: { afterMessage: true } });
  return link?.afterMessage ?? null;
}

/** Where people pay. */
export function checkoutBase(ctx: Ctx): string {
  return (ctx.env.CHECKOUT_BASE ?? ctx.env.BASE_URL).replace(/\/+$/, '');
}

/** What is missing until the order's amount is there. Nothing is, once it is completed. */
export function dueUnits(order: ShownOrder): bigint {
  const due = unitsOf(order.units) - unitsOf(order.receivedUnits);
  return order.status === 'completed' || due < 0n ? 0n : due;
}

function netUnits(order: ShownOrder): bigint {
  return order.status === 'completed' ? unitsOf(order.units) - unitsOf(order.refundedUnits) : 0n;
}

function expiresAt(order: ShownOrder): string {
  return new Date(Number(order.deadline) * 1_000).toISOString();
}

function completedAt(order: ShownOrder): string | null {
  if (order.status !== 'completed' || !order.endedAt) return null;
  // A block has whole seconds and a clock of its own: one that paid an order at once may seem older than it.
  return (order.endedAt > order.createdAt ? order.endedAt : order.createdAt).toISOString();
}
