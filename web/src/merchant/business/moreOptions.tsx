// What a shop can add to an order or a link: where the buyer goes on, its own reference, and what is bought.
import { Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { LINE_ITEMS, lineTotal } from '../../../../src/domain/lineItems.ts';
import { sumAmounts } from '../../../../src/domain/money.ts';
import { readReturnUrl } from '../../../../src/domain/returnUrl.ts';
import { compareAmounts, isAmount, padAmount, typedAmount } from '../../app/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';

type DraftItem = { key: number; name: string; quantity: string; amount: string };
export type ShopDraft = { successUrl: string; cancelUrl: string; reference: string; items: DraftItem[] };
export const NO_SHOP: ShopDraft = { successUrl: '', cancelUrl: '', reference: '', items: [] };

const REFERENCE_LENGTH = 200;

/** Shut until it is wanted. */
export function MoreOptions({ children }: { children: ReactNode }) {
  return (
    <details className="rounded-lg border border-line px-4 open:pb-4">
      <summary className="flex min-h-12 cursor-pointer items-center text-sm font-medium">More options</summary>
      <div className="flex flex-col gap-4 pt-2">{children}</div>
    </details>
  );
}

/** @param total null where the buyer chooses the amount: nothing can be listed then */
export function ShopFields({
  draft,
  livemode,
  total,
  currency,
  onDraft,
}: {
  draft: ShopDraft;
  livemode: boolean;
  total: string | null;
  currency: string;
  onDraft: (next: ShopDraft) => void;
}) {
  return (
    <>
      <Field
        label="Return address (optional)"
        name="success_url"
        type="url"
        placeholder="https://shop.example/thanks?order={ORDER_ID}"
        hint="Buyers go there after paying. {ORDER_ID} becomes the order’s ID."
        value={draft.successUrl}
        error={urlProblem(draft.successUrl, livemode)}
        onChange={({ target }) => onDraft({ ...draft, successUrl: target.value.trim() })}
      />
      <Field
        label="Cancel address (optional)"
        name="cancel_url"
        type="url"
        placeholder="https://shop.example/cart"
        hint="Buyers go back there without paying."
        value={draft.cancelUrl}
        error={urlProblem(draft.cancelUrl, livemode)}
        onChange={({ target }) => onDraft({ ...draft, cancelUrl: target.value.trim() })}
      />
      <Field
        label="Reference (optional)"
        name="client_reference_id"
        maxLength={REFERENCE_LENGTH}
        placeholder="cart-7041"
        hint="Only you see it."
        value={draft.reference}
        onChange={({ target }) => onDraft({ ...draft, reference: target.value })}
      />
      {total !== null && <ItemFields draft={draft} total={total} currency={currency} onDraft={onDraft} />}
    </>
  );
}

function ItemFields({
  draft,
  total,
  currency,
  onDraft,
}: {
  draft: ShopDraft;
  total: string;
  currency: string;
  onDraft: (next: ShopDraft) => void;
}) {
  const { items } = draft;
  const set = (key: number, change: Partial<DraftItem>) =>
    onDraft({ ...draft, items: items.map((item) => (item.key === key ? { ...item, ...change } : item)) });
  const add = () => {
    const key = Math.max(0, ...items.map((item) => item.key)) + 1;
    onDraft({ ...draft, items: [...items, { key, name: '', quantity: '1', amount: '' }] });
  };
  const problem = itemsProblem(items, total, currency);
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-1 text-sm font-medium">Items (optional)</legend>
      {items.map((item, index) => (
        <div key={item.key} className="grid grid-cols-[1fr_auto] items-end gap-2 sm:grid-cols-[1fr_5rem_9rem_auto]">
          <Field
            label={`Item ${index + 1}`}
            maxLength={LINE_ITEMS.nameLength}
            placeholder="Coffee"
            className="max-sm:col-span-2"
            value={item.name}
            onChange={({ target }) => set(item.key, { name: target.value })}
          />
          <Field
            label="Quantity"
            inputMode="numeric"
            maxLength={5}
            value={item.quantity}
            onChange={({ target }) => set(item.key, { quantity: target.value.replace(/\D/g, '') })}
          />
          <Field
            label="Price of one"
            inputMode="decimal"
            maxLength={24}
            value={item.amount}
            onChange={({ target }) => set(item.key, { amount: typedAmount(target.value) })}
          />
          <Button
            kind="plain"
            className="min-h-12!"
            aria-label={`Remove item ${index + 1}`}
            onClick={() => onDraft({ ...draft, items: items.filter(({ key }) => key !== item.key) })}
          >
            <X aria-hidden="true" className="size-4" />
          </Button>
        </div>
      ))}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {items.length < LINE_ITEMS.most && (
          <Button onClick={add}>
            <Plus aria-hidden="true" className="size-4" />
            Add item
          </Button>
        )}
        {problem && (
          <p role="status" className="text-sm text-muted">
            {problem}
          </p>
        )}
      </div>
    </fieldset>
  );
}

function urlProblem(text: string, livemode: boolean): string | null {
  if (text === '') return null;
  const read = readReturnUrl(text, { livemode });
  return 'problem' in read ? `It ${read.problem}` : null;
}

const isWhole = ({ name, quantity, amount }: DraftItem) =>
  name.trim() !== '' && Number(quantity) > 0 && /^\d+(\.\d+)?$/.test(amount);

function itemsProblem(items: DraftItem[], total: string, currency: string): string | null {
  if (items.length === 0) return null;
  if (!items.every(isWhole)) return 'Give each item a name, a quantity and a price.';
  const sum = sumAmounts(
    items.map(({ quantity, amount, name }) => lineTotal({ name, amount, quantity: Number(quantity) })),
  );
  if (!isAmount(total) || compareAmounts(sum, total) === 0) return null;
  return `The items add up to ${padAmount(sum)} ${currency}, not to ${padAmount(total)}.`;
}

export function isShopReady(
  draft: ShopDraft,
  { livemode, total, currency }: { livemode: boolean; total: string | null; currency: string },
): boolean {
  const urls = [draft.successUrl, draft.cancelUrl];
  return (
    urls.every((url) => urlProblem(url, livemode) === null) &&
    (total === null || itemsProblem(draft.items, total, currency) === null)
  );
}

export type ShopWish = {
  success_url?: string;
  cancel_url?: string;
  client_reference_id?: string;
  line_items?: { name: string; quantity: number; amount: string }[];
};

/** @param withItems false where the buyer chooses the amount */
export function shopWishOf({ successUrl, cancelUrl, reference, items }: ShopDraft, withItems: boolean): ShopWish {
  return {
    ...(successUrl && { success_url: successUrl }),
    ...(cancelUrl && { cancel_url: cancelUrl }),
    ...(reference.trim() && { client_reference_id: reference.trim() }),
    ...(withItems &&
      items.length > 0 && {
        line_items: items.map(({ name, quantity, amount }) => ({
          name: name.trim(),
          quantity: Number(quantity),
          amount,
        })),
      }),
  };
}
