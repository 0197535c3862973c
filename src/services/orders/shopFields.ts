// What a shop writes on an order or a link for itself and its buyer: where the buyer goes on, the shop's own reference, and what is bought.
import type { Row } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { type LineItem, readLineItems } from '../../domain/lineItems.ts';
import { EMBED_ORIGINS, originOf, readOrigin, readReturnUrl } from '../../domain/returnUrl.ts';
import { readPlainText } from '../plainText.ts';
import type { PayableAsset } from './input.ts';

const REFERENCE_LENGTH = 200;

/** As the API takes it. Addresses have `{ORDER_ID}` for the order's ID; the items' sum is the amount. */
export type ShopWish = {
  success_url?: string | null | undefined;
  cancel_url?: string | null | undefined;
  client_reference_id?: string | null | undefined;
  line_items?: LineItem[] | null | undefined;
  /** Without them: the origin of `success_url`. */
  embed_origins?: string[] | null | undefined;
};

type ShopFields = Pick<Row<'Order'>, 'successUrl' | 'cancelUrl' | 'clientReferenceId' | 'embedOrigins'> & {
  lineItems: LineItem[];
};

/** As orders and links show it to their merchant. */
export type ShopView = {
  success_url: string | null;
  cancel_url: string | null;
  client_reference_id: string | null;
  line_items: LineItem[];
  embed_origins: string[];
};

/** @param units what the items add up to; null where the buyer enters the amount @throws AppError `parameter_invalid` */
export function readShopFields(
  wish: ShopWish,
  asset: PayableAsset,
  { livemode, units }: { livemode: boolean; units: bigint | null },
): ShopFields {
  const successUrl = readUrl(wish.success_url, 'success_url', livemode);
  return {
    successUrl,
    cancelUrl: readUrl(wish.cancel_url, 'cancel_url', livemode),
    clientReferenceId: readReference(wish.client_reference_id),
    lineItems: readItems(wish.line_items ?? [], asset, units),
    embedOrigins: readOrigins(wish.embed_origins, livemode) ?? (successUrl === null ? [] : [originOf(successUrl)]),
  };
}

/** @throws AppError `parameter_invalid` */
export function readUrl(text: string | null | undefined, param: string, livemode: boolean): string | null {
  if (text === undefined || text === null || text === '') return null;
  const read = readReturnUrl(text, { livemode });
  if ('url' in read) return read.url;
  throw new AppError('parameter_invalid', `${param} ${read.problem}`, { param });
}

function readReference(text: string | null | undefined): string | null {
  const param = 'client_reference_id';
  const reference = readPlainText(text, param, REFERENCE_LENGTH);
  if (reference?.includes('\n')) throw new AppError('parameter_invalid', `${param} must be one line.`, { param });
  return reference;
}

function readItems(given: LineItem[], asset: PayableAsset, units: bigint | null): LineItem[] {
  if (given.length === 0) return [];
  if (units === null)
    throw new AppError('parameter_invalid', 'line_items require a fixed amount.', { param: 'line_items' });
  const { decimals, written, currency: symbol } = asset;
  const read = readLineItems(given, units, { symbol, decimals, written });
  if ('items' in read) return read.items;
  throw new AppError('parameter_invalid', read.problem, { param: read.param });
}

function readOrigins(given: string[] | null | undefined, livemode: boolean): string[] | null {
  if (given === undefined || given === null) return null;
  if (given.length > EMBED_ORIGINS)
    throw new AppError('parameter_invalid', `embed_origins can have at most ${EMBED_ORIGINS} origins.`, {
      param: 'embed_origins',
    });
  const origins = given.map((text, index) => {
    const read = readOrigin(text, { livemode });
    if ('origin' in read) return read.origin;
    const param = `embed_origins[${index}]`;
    throw new AppError('parameter_invalid', `${param} ${read.problem}`, { param });
  });
  return [...new Set(origins)];
}

export function viewShop(
  row: Pick<Row<'Order'>, 'successUrl' | 'cancelUrl' | 'clientReferenceId' | 'embedOrigins' | 'lineItems'>,
): ShopView {
  return {
    success_url: row.successUrl,
    cancel_url: row.cancelUrl,
    client_reference_id: row.clientReferenceId,
    line_items: row.lineItems as LineItem[],
    embed_origins: row.embedOrigins,
  };
}
