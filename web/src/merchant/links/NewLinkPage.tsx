// A new payment link: what it is for, and a price or the bounds of what the buyer may type.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { compareAmounts, isAmount } from '../../app/format.ts';
import { navigate } from '../../app/router.tsx';
import { Card } from '../../ui/Card.tsx';
import { Choice } from '../../ui/Choice.tsx';
import { Field } from '../../ui/Field.tsx';
import { BusinessShell } from '../business/BusinessShell.tsx';
import { isShopReady, MoreOptions, NO_SHOP, type ShopDraft, ShopFields, shopWishOf } from '../business/moreOptions.tsx';
import {
  AmountField,
  amountProblem,
  CurrencyField,
  type Ground,
  NetworkField,
  SubmitRow,
  WithNetworks,
} from '../business/newThing.tsx';
import { payoutWords } from '../orders/payoutWords.ts';
import { createLink, type NewLink as LinkWish, noteLink } from './linksApi.ts';

export function NewLinkPage() {
  return (
    <BusinessShell door="links" title="New payment link">
      {(account) => <WithNetworks account={account}>{(ground) => <LinkForm {...ground} />}</WithNetworks>}
    </BusinessShell>
  );
}

const MOST_WORDS = 280;

type Draft = {
  label: string;
  kind: 'fixed' | 'open';
  amount: string;
  min: string;
  max: string;
  currency: string;
  chain: string;
  shop: ShopDraft;
  message: string;
  maxUses: string;
  /** As the browser's field has it, in the merchant's own zone. */
  expiresAt: string;
};

function LinkForm({ workspace, chains, preferred }: Ground) {
  const client = useQueryClient();
  const [draft, setDraft] = useState<Draft>({
    label: '',
    kind: 'fixed',
    amount: '',
    min: '',
    max: '',
    currency: 'USDC',
    chain: preferred.chain,
    shop: NO_SHOP,
    message: '',
    maxUses: '',
    expiresAt: '',
  });
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change });
  const chain = chains.find((one) => one.chain === draft.chain) ?? preferred;
  const currency = chain.currencies.includes(draft.currency) ? draft.currency : 'USDC';
  const terms = { livemode: chain.livemode, total: draft.kind === 'fixed' ? draft.amount : null, currency };
  const figures = wishOf({ ...draft, currency, chain: chain.chain });
  const wish = figures && isShopReady(draft.shop, terms) && boundsOf(draft) ? { ...figures, ...boundsOf(draft) } : null;
  const create = useMutation({
    mutationFn: createLink,
    onSuccess: (link) => {
      noteLink(client, link);
      navigate(`/links/${link.id}`, { replace: true });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wish && !create.isPending) create.mutate(wish);
  };
  const figure = (name: 'amount' | 'min' | 'max') => ({
    name,
    currency,
    value: draft[name],
    error: problemOf(draft, name),
    onValue: (value: string) => set({ [name]: value }),
  });
  return (
    <form onSubmit={submit} className="flex w-full max-w-140 flex-col">
      <Card title="Link details">
        <Field
          label="Description"
          name="label"
          maxLength={MOST_WORDS}
          placeholder="A coffee"
          hint="Shown to buyers on the payment page."
          value={draft.label}
          onChange={(event) => set({ label: event.target.value })}
        />
        <Choice
          label="Amount"
          value={draft.kind}
          onValue={(kind) => set({ kind })}
          choices={[
            ['fixed', 'Fixed price'],
            ['open', 'Customer chooses'],
          ]}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          {draft.kind === 'fixed' ? (
            <AmountField label="Price" placeholder="3.50" {...figure('amount')} />
          ) : (
            <>
              <AmountField label="Minimum (optional)" {...figure('min')} />
              <AmountField label="Maximum (optional)" {...figure('max')} />
            </>
          )}
          <CurrencyField chain={chain} value={currency} onValue={(value) => set({ currency: value })} />
          <NetworkField chains={chains} value={chain.chain} onValue={(value) => set({ chain: value })} />
        </div>
        <MoreOptions>
          <ShopFields draft={draft.shop} {...terms} onDraft={(shop) => set({ shop })} />
          <Field
            label="Message after payment (optional)"
            name="message"
            maxLength={MOST_WORDS}
            placeholder="Thank you! Your order is on its way."
            hint={draft.shop.successUrl ? 'Leave it empty where buyers go to a return address.' : undefined}
            error={draft.shop.successUrl && draft.message.trim() ? 'Choose a message or a return address.' : null}
            value={draft.message}
            onChange={({ target }) => set({ message: target.value })}
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <Field
              label="Maximum payments (optional)"
              name="max_uses"
              inputMode="numeric"
              maxLength={7}
              placeholder="Any number"
              value={draft.maxUses}
              onChange={({ target }) => set({ maxUses: target.value.replace(/\D/g, '') })}
            />
            <Field
              label="Expires (optional)"
              name="expires_at"
              type="datetime-local"
              value={draft.expiresAt}
              onChange={({ target }) => set({ expiresAt: target.value })}
            />
          </div>
        </MoreOptions>
        <p className="text-sm text-muted">
          {payoutWords(
            workspace,
            chain,
            draft.kind === 'fixed' && isAmount(draft.amount) ? draft.amount : null,
            currency,
          )}
        </p>
        <SubmitRow task={create} isReady={Boolean(wish) && chain.payout !== null} button="Create link" back="/links" />
      </Card>
    </form>
  );
}

function problemOf({ min, max, ...draft }: Draft, name: 'amount' | 'min' | 'max'): string | null {
  const value = { amount: draft.amount, min, max }[name];
  return (
    amountProblem(value) ??
    (name === 'max' && isAmount(min) && compareAmounts(min, max) > 0 ? 'Must be at least the minimum.' : null)
  );
}

/** What ends the link and follows a payment; null while that cannot be meant. */
function boundsOf({ shop, message, maxUses, expiresAt, kind }: Draft): Partial<LinkWish> | null {
  const text = message.trim();
  const at = expiresAt === '' ? null : Date.parse(expiresAt);
  if ((text && shop.successUrl) || maxUses === '0' || Number.isNaN(at)) return null;
  return {
    ...shopWishOf(shop, kind === 'fixed'),
    ...(text && { after_completion: { type: 'message', message: text } }),
    ...(maxUses && { max_uses: Number(maxUses) }),
    ...(at !== null && { expires_at: new Date(at).toISOString() }),
  };
}

/** What goes to the service; null while the form is not filled in. */
function wishOf(draft: Draft): LinkWish | null {
  const { kind, amount, min, max, currency, chain } = draft;
  const label = draft.label.trim();
  if (label === '') return null;
  const names = kind === 'fixed' ? (['amount'] as const) : (['min', 'max'] as const);
  if (names.some((name) => problemOf(draft, name) !== null)) return null;
  if (kind === 'fixed') return isAmount(amount) ? { label, chain, currency, open_amount: false, amount } : null;
  return {
    label,
    chain,
    currency,
    open_amount: true,
    ...(min && { min_amount: min }),
    ...(max && { max_amount: max }),
  };
}
