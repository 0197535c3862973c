// What is bought, line by line: on the checkout, on links and on receipts.
import { type LineItem, lineTotal } from '../../../../src/domain/lineItems.ts';
import { padAmount } from '../../app/format.ts';
import { useWords } from './language.ts';

export function LineItems({ items, currency }: { items: readonly LineItem[]; currency: string }) {
  const words = useWords();
  if (items.length === 0) return null;
  return (
    <ul
      aria-label={words.items}
      className="flex flex-col rounded-2xl border border-line bg-surface px-4 text-sm print:border-0"
    >
      {items.map((item, index) => (
        // Two lines may say the same.
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
        <li key={index} className="flex items-baseline justify-between gap-4 border-line py-3 not-first:border-t">
          <span className="min-w-0 break-words">
            {item.name}
            {item.quantity > 1 && (
              <span className="block text-muted tabular-nums">
                {item.quantity} × {padAmount(item.amount)}
              </span>
            )}
          </span>
          <span className="shrink-0 font-medium tabular-nums">
            {padAmount(lineTotal(item))} <span className="font-normal text-muted">{currency}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
