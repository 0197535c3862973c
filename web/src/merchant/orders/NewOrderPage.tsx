// A new order: amount, network, description and expiry. Then its page has what the buyer needs.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { isAmount } from '../../app/format.ts';
import { navigate } from '../../app/router.tsx';
import type { OwnAccount } from '../../app/session/RequireAccount.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Field, SelectField } from '../../ui/Field.tsx';
import { ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { BusinessShell } from '../business/BusinessShell.tsx';
import { chainsOf, useMode, useWorkspace, type Workspace, type WorkspaceChain } from '../business/workspaceApi.ts';
import { createOrder, ORDERS_KEY } from './ordersApi.ts';
import { payoutWords } from './payoutWords.ts';

export function NewOrderPage() {
  return <BusinessShell title="New order">{(account) => <NewOrder account={account} />}</BusinessShell>;
}

function NewOrder({ account }: { account: OwnAccount }) {
  const { data, error, refetch } = useWorkspace();
  const mode = useMode();
  if (error && !data) return <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>;
  if (!data) return <Skeleton className="h-96 max-w-110" />;
  const chains = chainsOf(data, mode);
  const preferred = chains.find(({ chain }) => chain === account.preferred_chain) ?? chains[0];
  if (!preferred)
    return <ErrorNote retry={() => void refetch()}>No network is available in this mode right now.</ErrorNote>;
  return <OrderForm workspace={data} chains={chains} preferred={preferred} />;
}

const LENGTHS = [
  [900, '15 minutes'],
  [3_600, '1 hour'],
  [86_400, '1 day'],
  [604_800, '7 days'],
  [2_592_000, '30 days'],
] as const;
const MOST_WORDS = 280;

type Draft = { amount: string; currency: string; chain: string; description: string; expiresIn: number };

function OrderForm({
  workspace,
  chains,
  preferred,
}: {
  workspace: Workspace;
  chains: WorkspaceChain[];
  preferred: WorkspaceChain;
}) {
  const client = useQueryClient();
  const [draft, setDraft] = useState<Draft>({
    amount: '',
    currency: 'USDC',
    chain: preferred.chain,
    description: '',
    expiresIn: 3_600,
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
      });
    },
    onSuccess: (order) => {
      void client.invalidateQueries({ queryKey: ORDERS_KEY });
      navigate(`/orders/${order.id}`, { replace: true });
    },
  });
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change });
  const isReady = isAmount(draft.amount);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && !create.isPending) create.mutate();
  };
  return (
    <form onSubmit={submit} className="flex w-full max-w-140 flex-col">
      <Card title="Order details">
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label="Amount"
            name="amount"
            inputMode="decimal"
            maxLength={24}
            placeholder="25.00"
            after={currency}
            value={draft.amount}
            error={draft.amount !== '' && !isReady ? 'Enter an amount like 25 or 2.50.' : null}
            onChange={(event) => set({ amount: event.target.value.replace(',', '.').trim() })}
          />
          <SelectField label="Currency" value={currency} onChange={(event) => set({ currency: event.target.value })}>
            {chain.currencies.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </SelectField>
          <SelectField label="Network" value={chain.chain} onChange={(event) => set({ chain: event.target.value })}>
            {chains.map((one) => (
              <option key={one.chain} value={one.chain}>
                {one.label}
              </option>
            ))}
          </SelectField>
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
        <p className="text-sm text-muted">{payoutWords(workspace, isReady ? draft.amount : null, currency)}</p>
        {create.isError && <ErrorNote>{create.error.message}</ErrorNote>}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button
            type="submit"
            kind="filled"
            className="min-h-12! max-sm:w-full"
            disabled={!isReady || create.isPending}
          >
            {create.isPending ? 'Creating…' : 'Create order'}
          </Button>
          <ButtonLink kind="plain" href="/orders">
            Cancel
          </ButtonLink>
        </div>
      </Card>
    </form>
  );
}
