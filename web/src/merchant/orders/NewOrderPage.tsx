// A new order: amount, network, description and expiry. Then its page has what the buyer needs.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { isAmount } from '../../app/format.ts';
import { navigate } from '../../app/router.tsx';
import { Card } from '../../ui/Card.tsx';
import { Field, SelectField } from '../../ui/Field.tsx';
import { BusinessShell } from '../business/BusinessShell.tsx';
import { isShopReady, MoreOptions, NO_SHOP, type ShopDraft, ShopFields, shopWishOf } from '../business/moreOptions.tsx';
import {
  AmountField,
  CurrencyField,
  type Ground,
  NetworkField,
  SubmitRow,
  WithNetworks,
} from '../business/newThing.tsx';
import { createOrder, ORDERS_KEY } from './ordersApi.ts';
import { payoutWords } from './payoutWords.ts';

export function NewOrderPage() {
  return (
    <BusinessShell door="create_order" title="New order">
      {(account) => <WithNetworks account={account}>{(ground) => <OrderForm {...ground} />}</WithNetworks>}
    </BusinessShell>
  );
}

const LENGTHS = [
  [900, '15 minutes'],
  [3_600, '1 hour'],
  [86_400, '1 day'],
  [604_800, '7 days'],
  [2_592_000, '30 days'],
] as const;
const MOST_WORDS = 280;

type Draft = {
  amount: string;
  currency: string;
  chain: string;
  description: string;
  expiresIn: number;
  shop: ShopDraft;
};

function OrderForm({ workspace, chains, preferred }: Ground) {
  const client = useQueryClient();
  const [draft, setDraft] = useState<Draft>({
    amount: '',
    currency: 'USDC',
    chain: preferred.chain,
    description: '',
    expiresIn: 3_600,
    shop: NO_SHOP,
  });
  const chain = chains.find((one) => one.chain === draft.chain) ?? preferred;
  const currency = chain.currencies.includes(draft.currency) ? draft.currency : 'USDC';
  const create = useMutation({
    mutationFn: () => {
      const description = draft.description.trim();
      return createOrder({
        amount: draft.amount,
        currency,
        chain: chain.chain,
        expires_in: draft.expiresIn,
        ...(description && { description }),
        ...shopWishOf(draft.shop, true),
      });
    },
    onSuccess: (order) => {
      void client.invalidateQueries({ queryKey: ORDERS_KEY });
      navigate(`/orders/${order.id}`, { replace: true });
    },
  });
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change });
  const terms = { livemode: chain.livemode, total: draft.amount, currency };
  const isReady = isAmount(draft.amount) && chain.payout !== null && isShopReady(draft.shop, terms);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && !create.isPending) create.mutate();
  };
  return (
    <form onSubmit={submit} className="flex w-full max-w-140 flex-col">
      <Card title="Order details">
        <div className="grid gap-4 sm:grid-cols-2">
          <AmountField
            label="Amount"
            name="amount"
            placeholder="25.00"
            currency={currency}
            value={draft.amount}
            onValue={(amount) => set({ amount })}
          />
          <CurrencyField chain={chain} value={currency} onValue={(value) => set({ currency: value })} />
          <NetworkField chains={chains} value={chain.chain} onValue={(value) => set({ chain: value })} />
          <SelectField
            label="Expires after"
            value={draft.expiresIn}
            onChange={(event) => set({ expiresIn: Number(event.target.value) })}
          >
            {LENGTHS.map(([seconds, words]) => (
              <option key={seconds} value={seconds}>
                {words}
              </option>
            ))}
          </SelectField>
        </div>
        <Field
          label="Description (optional)"
          name="description"
          maxLength={MOST_WORDS}
          placeholder="Two coffees"
          hint="Shown to the buyer."
          value={draft.description}
          onChange={(event) => set({ description: event.target.value })}
        />
        <MoreOptions>
          <ShopFields draft={draft.shop} {...terms} onDraft={(shop) => set({ shop })} />
        </MoreOptions>
        <p className="text-sm text-muted">
          {payoutWords(workspace, chain, isAmount(draft.amount) ? draft.amount : null, currency)}
        </p>
        <SubmitRow task={create} isReady={isReady} button="Create order" back="/orders" />
      </Card>
    </form>
  );
}
