// Payment links: a request for payments that anyone may pay, each time by an order of its own: any number of times, unless the link has bounds.

import { type Ctx, newId } from '../../../context.ts';
import { decimalOf, type Row, type Tx } from '../../../db.ts';
import { AppError } from '../../../domain/errors.ts';
import { isId } from '../../../domain/ids.ts';
import type { LineItem } from '../../../domain/lineItems.ts';
import type { Metadata } from '../../../domain/metadata.ts';
import { formatUnits } from '../../../domain/money.ts';
import { originOf } from '../../../domain/returnUrl.ts';
import { record } from '../../audit.ts';
import { isLive } from '../../chains.ts';
import { readCursor, writeCursor } from '../../pagination.ts';
import { type Period, within } from '../../period.ts';
import { readPlainText } from '../../plainText.ts';
import { findPayout, payeeOn, readPayoutHandle, type Workspace } from '../../workspaces/payouts.ts';
import type { WorkspaceReader } from '../../workspaces/workspaces.ts';
import { formatAmount, metadataOf, type PayableAsset, readAsset, readOrderAmount, requireAccount } from '../input.ts';
import { LINK_INACTIVE, USE_HELD } from '../limited.ts';
import { createOrder, listOrders, type Made } from '../orders.ts';
import type { OrderFilters } from '../search.ts';
import { readShopFields, type ShopWish } from '../shopFields.ts';
import { unitsOf } from '../views.ts';
import { type BoundsWish, findUsedUp, type LinkState, linkState, readBounds, whereActive } from './bounds.ts';
import { linkRow, type PaymentLinkView, type PublicLink, publicLink, viewLinks } from './views.ts';

/** As the API takes it. Amounts are decimal strings; the caps are for links with an open amount. */
export type LinkWish = {
  label: string;
  chain: string;
  amount?: string | null | undefined;
  currency?: string | undefined;
  recipient?: string | undefined;
  open_amount?: boolean | undefined;
  min_amount?: string | null | undefined;
  max_amount?: string | null | undefined;
  metadata?: unknown;
} & ShopWish &
  BoundsWish;

/** @throws AppError as {@link readyPaymentLink} */
export async function createPaymentLink(
  ctx: Ctx,
  workspace: Workspace,
  wish: LinkWish,
  how: { livemode?: boolean | undefined } = {},
): Promise<PaymentLinkView> {
  return ctx.db.$transaction(await readyPaymentLink(ctx, workspace, wish, how));
}

/**
 * What can be said before anything is written. It asks the chain, for which no transaction waits.
 * @param livemode the mode of the caller's key; absent for a caller without a mode
 * @returns what writes the link
 * @throws AppError `parameter_missing`, `parameter_invalid`, `amount_out_of_range`, `unsupported_chain`, `unsupported_asset`, `mode_mismatch`,
 * `handle_not_found`, `recipient_not_allowed`, `state_conflict` for a recipient who cannot be paid there, `provider_unavailable`
 */
export async function readyPaymentLink(
  ctx: Ctx,
  workspace: Workspace,
  wish: LinkWish,
  { livemode }: { livemode?: boolean | undefined } = {},
): Promise<(tx: Tx) => Promise<PaymentLinkView>> {
  const label = readPlainText(wish.label, 'label');
  if (label === null) throw new AppError('parameter_missing', 'label can’t be empty.', { param: 'label' });
  const metadata = metadataOf(wish.metadata);
  const asset = readAsset(ctx, wish.chain, wish.currency ?? 'USDC', livemode);
  const figures = await readFigures(ctx, asset, wish);
  const livesIn = isLive(asset.chain);
  const shop = readShopFields(wish, asset, { livemode: livesIn, units: figures.units && unitsOf(figures.units) });
  const bounds = readBounds(ctx, wish, livesIn);
  if (wish.after_completion && shop.successUrl !== null) {
    const words = 'after_completion can’t be combined with success_url. Omit one of them.';
    throw new AppError('parameter_invalid', words, { param: 'after_completion' });
  }
  const successUrl = shop.successUrl ?? bounds.successUrl;
  const recipient = wish.recipient === undefined ? {} : { slug: readPayoutHandle(wish.recipient) };
  const payout = await findPayout(ctx.db, workspace, recipient);
  await requireAccount(asset, payout.slug, payeeOn(payout, asset.chain).payee);
  return async (tx) => {
    const row = await tx.paymentLink.create({
      data: {
        id: newId(ctx, 'plk'),
        handleId: workspace.id,
        livemode: livesIn,
        label,
        ...figures,
        ...shop,
        successUrl,
        embedOrigins: wish.embed_origins || successUrl === null ? shop.embedOrigins : [originOf(successUrl)],
        afterMessage: bounds.afterMessage,
        maxUses: bounds.maxUses,
        expiresAt: bounds.expiresAt,
        currency: asset.currency,
        chain: asset.chain.name,
        recipientId: payout.id,
        metadata,
        createdAt: new Date(ctx.clock.now()),
      },
    });
    await record(ctx, tx, {
      ...entryOf(row),
      action: 'payment_link.created',
      after: { label, recipient: `@${payout.slug}` },
    });
    return viewOne(ctx, tx, row);
  };
}

const entryOf = ({ handleId: workspaceId, livemode, id }: Row<'PaymentLink'>) => ({
  workspaceId,
  livemode,
  object: { kind: 'payment_link' as const, id },
});

async function readFigures(ctx: Ctx, asset: PayableAsset, { amount, open_amount, min_amount, max_amount }: LinkWish) {
  const openAmount = open_amount ?? false;
  const [given, min, max] = [amount ?? null, min_amount ?? null, max_amount ?? null];
  const read = async (text: string | null, param: string) =>
    text === null ? null : decimalOf(await readOrderAmount(ctx, asset, text, param));
  if (openAmount && given !== null) {
    const words = 'amount can’t be combined with open_amount: true. Omit one of them.';
    throw new AppError('parameter_invalid', words, { param: 'amount' });
  }
  if (!openAmount) {
    if (given === null)
      throw new AppError('parameter_missing', 'Provide `amount`, or set `open_amount: true`.', { param: 'amount' });
    for (const [param, cap] of Object.entries({ min_amount: min, max_amount: max }))
      if (cap !== null) throw new AppError('parameter_invalid', `${param} requires open_amount: true.`, { param });
  }
  const [units, minUnits, maxUnits] = [
    await read(given, 'amount'),
    await read(min, 'min_amount'),
    await read(max, 'max_amount'),
  ];
  if (minUnits && maxUnits && minUnits.greaterThan(maxUnits))
    throw new AppError('parameter_invalid', 'min_amount can’t be greater than max_amount.', { param: 'min_amount' });
  return { openAmount, units, minUnits, maxUnits };
}

async function viewOne(ctx: Ctx, tx: Tx, row: Row<'PaymentLink'>): Promise<PaymentLinkView> {
  const [view] = await viewLinks(ctx, tx, [row]);
  if (!view) throw new Error('every row has its view');
  return view;
}

/** The row, for its workspace only. @throws AppError `resource_missing` */
async function ownLink(
  { workspaceId, livemode }: WorkspaceReader,
  id: string,
  tx: Tx,
  param?: string,
): Promise<Row<'PaymentLink'>> {
  const row = isId('plk', id) ? await linkRow(tx, id) : null;
  if (row && row.handleId === workspaceId && (livemode ?? row.livemode) === row.livemode) return row;
  throw missing(param);
}

/** @param param which parameter named it, where it is not the path */
function missing(param?: string): AppError {
  return new AppError('resource_missing', 'No such payment link. Check the ID.', param === undefined ? {} : { param });
}

/** @throws AppError `resource_missing` */
export async function getLink(ctx: Ctx, reader: WorkspaceReader, id: string): Promise<PaymentLinkView> {
  return viewOne(ctx, ctx.db, await ownLink(reader, id, ctx.db));
}

/** A link as its public page shows it. @throws AppError `resource_missing` */
export async function getPublicLink(ctx: Ctx, id: string): Promise<PublicLink> {
  return publicLink(ctx, await anyLink(ctx, id));
}

async function anyLink(ctx: Ctx, id: string): Promise<Row<'PaymentLink'>> {
  const row = isId('plk', id) ? await linkRow(ctx.db, id) : null;
  if (!row) throw missing();
  return row;
}

export type LinkFilters = {
  active?: boolean | undefined;
  chain?: string | undefined;
  created?: Period | undefined;
  /** Each of these keys with this value. */
  metadata?: Record<string, string> | undefined;
  limit: number;
  cursor?: string | undefined;
};

/** The newest first. @throws AppError `parameter_invalid` for a cursor that is not ours */
export async function listLinks(
  ctx: Ctx,
  { workspaceId, livemode }: WorkspaceReader,
  { active, chain, created = {}, metadata = {}, limit, cursor }: LinkFilters,
): Promise<{ data: PaymentLinkView[]; nextCursor: string | null }> {
  const usedUp = active === undefined ? [] : await findUsedUp(ctx, workspaceId);
  const rows = await ctx.db.paymentLink.findMany({
    where: {
      handleId: workspaceId,
      ...(livemode === undefined ? {} : { livemode }),
      ...(chain === undefined ? {} : { chain }),
      ...(cursor === undefined ? {} : { id: { lt: readCursor('plk', cursor) } }),
      createdAt: within(created),
      AND: [
        ...Object.entries(metadata).map(([key, equals]) => ({ metadata: { path: [key], equals } })),
        ...(active === undefined ? [] : [whereActive(active, { usedUp, now: new Date(ctx.clock.now()) })]),
      ],
    },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { data: await viewLinks(ctx, ctx.db, page), nextCursor: last ? writeCursor(last.id) : null };
}

/** The payments against a link, the newest first. @throws AppError `resource_missing`, `parameter_invalid` */
export async function listLinkOrders(
  ctx: Ctx,
  reader: WorkspaceReader,
  id: string,
  filters: OrderFilters & { limit: number; cursor?: string | undefined },
  param?: string,
) {
  await ownLink(reader, id, ctx.db, param);
  return listOrders(ctx, reader.workspaceId, { ...filters, link: id });
}

/** Takes no new payments from now on; orders that were started go on. Once more changes nothing. @throws AppError `resource_missing` */
export async function deactivateLink(
  ctx: Ctx,
  reader: WorkspaceReader,
  id: string,
  within?: Tx,
): Promise<PaymentLinkView> {
  if (!within) return ctx.db.$transaction((tx) => deactivateLink(ctx, reader, id, tx));
  const tx = within;
  const before = await ownLink(reader, id, tx);
  const { count } = await tx.paymentLink.updateMany({
    where: { id, active: true },
    data: { active: false, endedAt: new Date(ctx.clock.now()) },
  });
  if (count > 0)
    await record(ctx, tx, {
      ...{ ...entryOf(before), action: 'payment_link.deactivated' },
      before: { label: before.label },
    });
  return viewOne(ctx, tx, await ownLink(reader, id, tx));
}

/**
 * A buyer's press on “Pay”: creates an order with the link's terms, without a signed-in user.
 * @param amount what the buyer typed, for a link with an open amount
 * @throws AppError `resource_missing`, `link_inactive`, `link_expired`, `link_used_up`, `parameter_missing`, `parameter_invalid`, `amount_out_of_range` that names the bounds,
 * `state_conflict` when the recipient can no longer be paid there, `provider_unavailable`
 */
export async function startOrder(
  ctx: Ctx,
  linkId: string,
  { amount, requestId }: { amount?: string | undefined; requestId?: string | undefined } = {},
): Promise<Made> {
  const link = await anyLink(ctx, linkId);
  const state = await linkState(ctx, link);
  if (state !== 'active') throw refusal(state);
  const asset = readAsset(ctx, link.chain, link.currency);
  const wish = {
    amount: formatUnits(await askedUnits(ctx, asset, link, amount), asset.decimals),
    currency: link.currency,
    chain: link.chain,
    metadata: link.metadata as Metadata,
    description: link.label,
    success_url: link.successUrl,
    cancel_url: link.cancelUrl,
    client_reference_id: link.clientReferenceId,
    line_items: link.lineItems as LineItem[],
    embed_origins: link.embedOrigins,
    ...(link.maxUses === null ? {} : { expires_in: USE_HELD }),
  };
  const limit = link.maxUses === null ? undefined : { linkId: link.id, maxUses: link.maxUses };
  const how = { origin: 'link' as const, linkId: link.id, limit, recipientId: link.recipientId, requestId };
  try {
    return await createOrder(ctx, { id: link.handleId }, wish, how);
  } catch (error) {
    // The workspace's own affair, which is no buyer's.
    if (error instanceof AppError && error.code === 'recipient_not_allowed') throw inactive();
    throw error;
  }
}

async function askedUnits(
  ctx: Ctx,
  asset: PayableAsset,
  { openAmount, units, minUnits, maxUnits }: Row<'PaymentLink'>,
  amount: string | undefined,
): Promise<bigint> {
  const param = 'amount';
  if (!openAmount && units) {
    if (amount === undefined) return unitsOf(units);
    throw new AppError('parameter_invalid', 'This payment link has a fixed amount. Omit amount.', { param });
  }
  if (amount === undefined) throw new AppError('parameter_missing', 'Enter an amount.', { param });
  const typed = await readOrderAmount(ctx, asset, amount);
  const [min, max] = [minUnits && unitsOf(minUnits), maxUnits && unitsOf(maxUnits)];
  if ((min === null || typed >= min) && (max === null || typed <= max)) return typed;
  const bounds = [
    ...(min === null ? [] : [`at least ${formatAmount(asset, min)}`]),
    ...(max === null ? [] : [`at most ${formatAmount(asset, max)}`]),
  ];
  throw new AppError('amount_out_of_range', `The amount must be ${bounds.join(' and ')}.`, { param });
}

function refusal(state: Exclude<LinkState, 'active'>): AppError {
  return state === 'inactive' ? inactive() : new AppError(state === 'expired' ? 'link_expired' : 'link_used_up');
}

function inactive(): AppError {
  return new AppError('link_inactive', LINK_INACTIVE);
}
