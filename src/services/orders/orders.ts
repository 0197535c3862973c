// Orders: made, read, listed, cancelled and expired. What an order asks for is frozen when it is made.

import { needsRight } from '../../acting.ts';
import type { Chain } from '../../chain/chain.ts';
import { orderContract } from '../../chain/orders.ts';
import { orderIdHash } from '../../chain/routers/payment.ts';
import type { Hex } from '../../chain/rpc/client.ts';
import { type Ctx, newId } from '../../context.ts';
import { decimalOf, type Row, type Tx } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { API_VERSION } from '../../domain/events.ts';
import { type OrderStatus, orderFee, SUBMISSION_OPEN } from '../../domain/order.ts';
import { withOrderId } from '../../domain/returnUrl.ts';
import type { OrderTerms } from '../../domain/typedData/orders.ts';
import { record } from '../audit.ts';
import { isLive } from '../chains.ts';
import { type Cause, wakeDeliveries } from '../events.ts';
import type { KeyedRequest } from '../idempotency.ts';
import { readCursor, writeCursor } from '../pagination.ts';
import { readPlainText } from '../plainText.ts';
import { findPayout, payeeOn, type RecipientWish, readPayoutHandle, type Workspace } from '../workspaces/payouts.ts';
import type { WorkspaceReader } from '../workspaces/workspaces.ts';
import { metadataOf, readAsset, readExpiresIn, readOrderAmount, requireAccount } from './input.ts';
import { insertOrder, storedAnswer } from './insert.ts';
import { insertWithin, type LinkLimit } from './limited.ts';
import type { OrderChat } from './notices.ts';
import { readNewest } from './read.ts';
import { type OrderFilters, searchOrders } from './search.ts';
import { readShopFields, type ShopWish } from './shopFields.ts';
import { eventKeyOf, moveOrders } from './transitions.ts';
import { holdOrder, isUnderWay } from './underWay.ts';
import { type OrderView, orderRow, unitsOf, viewOrder, viewOrders } from './views.ts';

/** As the API takes it. `amount` is a decimal string, `expires_in` whole seconds, `recipient` "@alice", by default the workspace itself. */
export type OrderWish = {
  amount: string;
  chain: string;
  currency?: string | undefined;
  recipient?: string | undefined;
  expires_in?: number | undefined;
  metadata?: unknown;
  description?: string | null | undefined;
} & ShopWish;

export type OrderOrigin = 'api' | 'dashboard' | 'link' | 'chat' | 'page';
export type HowMade = {
  origin: OrderOrigin;
  /** The mode of the key, which must match the chain; absent for a caller without a mode. */
  livemode?: boolean | undefined;
  linkId?: string | undefined;
  /** A link that begins so many orders at most. */
  limit?: LinkLimit | undefined;
  /** The recipient of the link, in place of the wish's. */
  recipientId?: string | undefined;
  chat?: OrderChat | undefined;
  requestId?: string | undefined;
  idempotency?: KeyedRequest | null | undefined;
};

/** `body` is the answer as it is kept. A replay may be of an error: then `status` says so, and `order` is what `body` holds. */
export type Made = { order: OrderView; body: string; status: number; replayed: boolean };

/**
 * Makes an order: its row, its event and the idempotency key in one statement, all or nothing.
 * @throws AppError `parameter_invalid`, `amount_out_of_range`, `unsupported_chain`, `unsupported_asset`, `mode_mismatch`, `handle_not_found`,
 * `recipient_not_allowed`, `state_conflict` for a recipient who cannot be paid there, `idempotency_key_reused`, `provider_unavailable`
 */
export async function createOrder(ctx: Ctx, workspace: Workspace, wish: OrderWish, how: HowMade): Promise<Made> {
  const { idempotency = null } = how;
  const drafted = await draftOrder(ctx, workspace, wish, how).catch(async (error: unknown) => {
    // What was answered once is answered again, whatever has changed since.
    const before = idempotency && (await storedAnswer(ctx, idempotency));
    if (before) return before;
    throw error;
  });
  if ('replayed' in drafted) return drafted;
  const { row, slug } = drafted;
  const order = viewOrder(ctx, row, slug);
  const body = JSON.stringify(order);
  const event = {
    id: newId(ctx, 'evt'),
    type: 'order.created',
    apiVersion: API_VERSION,
    uniqueKey: eventKeyOf(row.id, 'order.created'),
    object: `{"order":${body}}`,
    requestId: how.requestId ?? null,
  };
  // A member's right holds in a transaction; one statement is enough for everyone else.
  if (how.limit || needsRight()) {
    await insertWithin(ctx, how.limit ?? null, { row, object: { order }, cause: { requestId: how.requestId } });
    return { order, body, status: 201, replayed: false };
  }
  const { isNew, deliveries } = await insertOrder(ctx, { row, event, body, status: 201, idempotency });
  if (deliveries > 0) await wakeDeliveries(ctx);
  if (isNew) return { order, body, status: 201, replayed: false };
  const before = idempotency && (await storedAnswer(ctx, idempotency));
  if (!before) throw new AppError('idempotency_in_progress');
  return before;
}

async function draftOrder(
  ctx: Ctx,
  workspace: Workspace,
  wish: OrderWish,
  how: HowMade,
): Promise<{ row: Row<'Order'>; slug: string }> {
  const metadata = metadataOf(wish.metadata);
  const description = readPlainText(wish.description, 'description');
  const expiresIn = readExpiresIn(wish.expires_in);
  const asset = readAsset(ctx, wish.chain, wish.currency ?? 'USDC', how.livemode);
  const recipient: RecipientWish =
    wish.recipient === undefined ? { id: how.recipientId } : { slug: readPayoutHandle(wish.recipient) };
  const [units, payout] = await Promise.all([
    readOrderAmount(ctx, asset, wish.amount),
    findPayout(ctx.db, workspace, recipient),
  ]);
  const { router, payee } = payeeOn(payout, asset.chain);
  const livemode = isLive(asset.chain);
  const shop = readShopFields(wish, asset, { livemode, units });
  await requireAccount(asset, payout.slug, payee);
  const id = newId(ctx, 'ord');
  const now = ctx.clock.now();
  const row = {
    id,
    handleId: workspace.id,
    recipientId: payout.id,
    livemode,
    origin: how.origin,
    linkId: how.linkId ?? null,
    status: 'awaiting_payment' satisfies OrderStatus,
    description,
    currency: asset.currency,
    chain: asset.chain.name,
    router,
    routerAddress: orderContract(asset.chain, router),
    token: asset.token,
    decimals: asset.decimals,
    payee,
    units: decimalOf(units),
    feeUnits: decimalOf(orderFee(router, units)),
    deadline: BigInt(Math.floor(now / 1_000) + expiresIn),
    onChainId: orderIdHash(id),
    metadata,
    depositAddress: null,
    depositShownAt: null,
    receivedUnits: decimalOf(0n),
    refundedUnits: decimalOf(0n),
    payer: null,
    txHash: null,
    chat: how.chat ?? null,
    createdAt: new Date(now),
    endedAt: null,
    ...shop,
    successUrl: shop.successUrl && withOrderId(shop.successUrl, id),
    cancelUrl: shop.cancelUrl && withOrderId(shop.cancelUrl, id),
    openedAt: null,
    opensRecorded: true,
  };
  return { row, slug: payout.slug };
}

/** The order as its contract knows it. */
export function orderTerms(order: Row<'Order'>): OrderTerms {
  return {
    orderId: order.onChainId as Hex,
    payee: order.payee,
    token: order.token,
    amount: unitsOf(order.units),
    fee: unitsOf(order.feeUnits),
    deadline: order.deadline,
  };
}

/** The row, for its workspace only. @throws AppError `resource_missing` */
export async function ownOrder(
  ctx: Ctx,
  { workspaceId, livemode }: WorkspaceReader,
  id: string,
  tx: Tx = ctx.db,
): Promise<Row<'Order'>> {
  const row = await orderRow(ctx, id, tx);
  if (row.handleId === workspaceId && (livemode ?? row.livemode) === row.livemode) return row;
  throw new AppError('resource_missing', 'No such order. Check the ID.');
}

/** @throws AppError `resource_missing` */
export async function getOrder(ctx: Ctx, reader: WorkspaceReader, id: string): Promise<OrderView> {
  return viewOne(ctx, ctx.db, await ownOrder(ctx, reader, id));
}

async function viewOne(ctx: Ctx, tx: Tx, row: Row<'Order'>): Promise<OrderView> {
  const [view] = await viewOrders(ctx, tx, [row]);
  if (!view) throw new Error('every row has its view');
  return view;
}

/** The newest first. @throws AppError `parameter_invalid` for a cursor that is not ours */
export async function listOrders(
  ctx: Ctx,
  workspaceId: string,
  { limit, cursor, ...filters }: OrderFilters & { limit: number; cursor?: string | undefined },
): Promise<{ data: OrderView[]; nextCursor: string | null }> {
  const { livemode, ...others } = filters;
  if (livemode === undefined || Object.values(others).some((one) => one !== undefined)) {
    const { orders, nextCursor } = await searchOrders(ctx, workspaceId, filters, { limit, cursor });
    return { data: await viewOrders(ctx, ctx.db, orders), nextCursor };
  }
  const below = cursor === undefined ? undefined : readCursor('ord', cursor);
  const rows = await readNewest(ctx, { workspaceId, livemode, below, count: limit + 1 });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { data: await viewOrders(ctx, ctx.db, page), nextCursor: last ? writeCursor(last.id) : null };
}

/**
 * Ends an order whose payment has not begun.
 * @throws AppError `resource_missing`, `order_not_cancellable`
 */
export async function cancelOrder(
  ctx: Ctx,
  reader: WorkspaceReader,
  id: string,
  cause: Cause = {},
): Promise<OrderView> {
  const cancelled = await ctx.db.$transaction((tx) => cancelIn(ctx, tx, reader, id, cause));
  await wakeDeliveries(ctx);
  return cancelled;
}

/** The same within a transaction, after which the caller wakes the deliveries. */
export async function cancelIn(
  ctx: Ctx,
  tx: Tx,
  reader: WorkspaceReader,
  id: string,
  cause: Cause = {},
): Promise<OrderView> {
  const { handleId, livemode } = await ownOrder(ctx, reader, id, tx);
  await holdOrder(tx, id);
  if (await isUnderWay(tx, id)) {
    const words = 'A payment for this order is in progress, so it can no longer be cancelled.';
    throw new AppError('order_not_cancellable', words);
  }
  const moved = await moveOrders(ctx, tx, [{ id, action: 'cancel' }], cause);
  if (!moved.has(id)) throw new AppError('order_not_cancellable');
  await record(ctx, tx, {
    ...{ workspaceId: handleId, livemode, action: 'order.cancelled', object: { kind: 'order', id } },
  });
  return viewOne(ctx, tx, await tx.order.findUniqueOrThrow({ where: { id } }));
}

const EXPIRED_AT_ONCE = 200;

/**
 * Ends the orders of a chain whose time is over, by our clock and by the chain: nothing that was paid in time can still turn up. One with a
 * payment of ours under way is left to that payment's end.
 * @param finalTimeS Unix second of the newest block up to which everything is indexed
 * @returns how many
 */
export async function expireOrders(ctx: Ctx, chain: Chain, finalTimeS: bigint): Promise<number> {
  const nowS = BigInt(Math.floor(ctx.clock.now() / 1_000));
  const before = finalTimeS < nowS ? finalTimeS : nowS;
  for (let expired = 0; ; ) {
    const page = await ctx.db.$transaction(async (tx) => {
      const due = await tx.$queryRaw<{ id: string }[]>`
        select id from payment_order o
        where chain = ${chain.name} and status = 'awaiting_payment' and deadline < ${before}
          and not exists (select 1 from order_submission s where s.order_id = o.id and s.status = any(${[...SUBMISSION_OPEN]}))
        order by deadline limit ${EXPIRED_AT_ONCE} for update skip locked`;
      const moved = await moveOrders(
        ctx,
        tx,
        due.map(({ id }) => ({ id, action: 'expire' })),
      );
      return moved.size;
    });
    expired += page;
    if (page === 0 || ctx.shutdown.closing()) return expired;
  }
}
