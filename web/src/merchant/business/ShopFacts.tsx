// What a shop wrote on an order or a link, as rows of its details.
import type { LineItem } from '../../../../src/domain/lineItems.ts';
import { padAmount } from '../../app/format.ts';
import { Fact } from '../../ui/Facts.tsx';

type Shop = {
  currency: string;
  success_url: string | null;
  cancel_url: string | null;
  client_reference_id: string | null;
  line_items: LineItem[];
};

/** Addresses are shown, not followed: one may do something at the shop. */
export function ShopFacts({ of }: { of: Shop }) {
  return (
    <>
      {of.client_reference_id !== null && <Fact name="Reference">{of.client_reference_id}</Fact>}
      {of.line_items.length > 0 && (
        <Fact name="Items">
          <ul className="flex flex-col">
            {of.line_items.map((item, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
              <li key={index}>
                {item.quantity} × {item.name},{' '}
                <span className="whitespace-nowrap tabular-nums">
                  {padAmount(item.amount)} {of.currency}
                </span>
              </li>
            ))}
          </ul>
        </Fact>
      )}
      {of.success_url !== null && (
        <Fact name="Return address">
          <span className="break-all">{of.success_url}</span>
        </Fact>
      )}
      {of.cancel_url !== null && (
        <Fact name="Cancel address">
          <span className="break-all">{of.cancel_url}</span>
        </Fact>
      )}
    </>
  );
}
