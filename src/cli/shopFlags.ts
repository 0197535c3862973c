// What `ampersat orders create` and `links create` take for a shop, and how it is shown.
import { InvalidArgumentError } from 'commander';
import type { CreateOrderParams, Order, PaymentLink } from '../../sdk/index.ts';

type Item = NonNullable<CreateOrderParams['line_items']>[number];

export type ShopGiven = {
  successUrl?: string;
  cancelUrl?: string;
  reference?: string;
  item?: Item[];
  embedOrigin?: string[];
};

export const SHOP_FLAGS = {
  successUrl: 'Where the buyer goes after paying; {ORDER_ID} becomes the order’s ID',
  cancelUrl: 'Where the buyer goes without paying',
  reference: 'Your own reference, such as a cart ID; never shown to the buyer',
  item: 'What is bought, such as "2,12.50,Coffee"; repeat for more. Must add up to the amount',
  embedOrigin: 'Origin of a page that opens the checkout in a window; repeat for more',
};

/** Collects items, as often as one is given. The name may contain commas. */
export function readItem(text: string, before: Item[] = []): Item[] {
  const match = /^(\d{1,9}),(\d+(?:\.\d+)?),(.+)$/.exec(text);
  const [, quantity, amount, name] = match ?? [];
  if (!quantity || !amount || !name)
    throw new InvalidArgumentError('Must be quantity,amount,name, such as "2,12.50,Coffee".');
  return [...before, { name: name.trim(), quantity: Number(quantity), amount }];
}

export function readOne(text: string, before: string[] = []): string[] {
  return [...before, text];
}

export function shopParams({ successUrl, cancelUrl, reference, item, embedOrigin }: ShopGiven) {
  return {
    ...(successUrl === undefined ? {} : { success_url: successUrl }),
    ...(cancelUrl === undefined ? {} : { cancel_url: cancelUrl }),
    ...(reference === undefined ? {} : { client_reference_id: reference }),
    ...(item === undefined ? {} : { line_items: item }),
    ...(embedOrigin === undefined ? {} : { embed_origins: embedOrigin }),
  };
}

/** Rows of an order's or a link's facts; those without a value are left out by the table. */
export function shopFacts(
  of: Pick<Order | PaymentLink, 'client_reference_id' | 'line_items' | 'success_url' | 'cancel_url'>,
): [string, string | null][] {
  const items = of.line_items.map(({ name, quantity, amount }) => `${quantity} × ${name} at ${amount}`);
  return [
    ['reference', of.client_reference_id],
    ['items', items.length > 0 ? items.join('; ') : null],
    ['after paying', of.success_url],
    ['without paying', of.cancel_url],
  ];
}
