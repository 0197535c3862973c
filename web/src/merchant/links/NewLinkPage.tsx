// A new payment link: what it is for, and a price or the bounds of what the buyer may type.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { compareAmounts, isAmount } from '../../app/format.ts';
import { navigate } from '../../app/router.tsx';
import type { OwnAccount } from '../../app/session/RequireAccount.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Choice } from '../../ui/Choice.tsx';
import { Field, SelectField } from '../../ui/Field.tsx';
import { ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { BusinessShell } from '../business/BusinessShell.tsx';
import { chainsOf, useMode, useWorkspace, type Workspace, type WorkspaceChain } from '../business/workspaceApi.ts';
import { payoutWords } from '../orders/payoutWords.ts';
import { createLink, type NewLink as LinkWish, noteLink } from './linksApi.ts';

export function NewLinkPage() {
  return <BusinessShell title="New payment link">{(account) => <NewLink account={account} />}</BusinessShell>;
}

function NewLink({ account }: { account: OwnAccount }) {
  const { data, error, refetch } = useWorkspace();
  const mode = useMode();
  if (error && !data) return <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>;
  if (!data) return <Skeleton className="h-96 max-w-140" />;
  const chains = chainsOf(data, mode);
  const preferred = chains.find(({ chain }) => chain === account.preferred_chain) ?? chains[0];
  if (!preferred)
    return <ErrorNote retry={() => void refetch()}>No network is available in this mode right now.</ErrorNote>;
  return <LinkForm workspace={data} chains={chains} preferred={preferred} />;
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
};

function LinkForm({
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
    label: '',
    kind: 'fixed',
    amount: '',
    min: '',
    max: '',
    currency: 'USDC',
    chain: preferred.chain,
  });
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change });
  const chain = chains.find((one) => one.chain === draft.chain) ?? preferred;
  const currency = chain.currencies.includes(draft.currency) ? draft.currency : 'USDC';
  const wish = wishOf({ ...draft, currency, chain: chain.chain });
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
    inputMode: 'decimal' as const,
    maxLength: 24,
    after: currency,
    value: draft[name],
    error: problemOf(draft, name),
    onChange: (event: { target: { value: string } }) => set({ [name]: event.target.value.replace(',', '.').trim() }),
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
            <Field label="Price" placeholder="3.50" {...figure('amount')} />
          ) : (
            <>
              <Field label="Minimum (optional)" {...figure('min')} />
              <Field label="Maximum (optional)" {...figure('max')} />
            </>
          )}
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
        </div>
        <p className="text-sm text-muted">
          {payoutWords(workspace, draft.kind === 'fixed' && isAmount(draft.amount) ? draft.amount : null, currency)}
        </p>
        {create.isError && <ErrorNote>{create.error.message}</ErrorNote>}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button type="submit" kind="filled" className="min-h-12! max-sm:w-full" disabled={!wish || create.isPending}>
            {create.isPending ? 'Creating…' : 'Create link'}
          </Button>
          <ButtonLink kind="plain" href="/links">
            Cancel
          </ButtonLink>
        </div>
      </Card>
    </form>
  );
}

function problemOf({ min, max, ...draft }: Draft, name: 'amount' | 'min' | 'max'): string | null {
  const value = { amount: draft.amount, min, max }[name];
  if (value === '') return null;
  if (!isAmount(value)) return 'Enter an amount like 25 or 2.50.';
  return name === 'max' && isAmount(min) && compareAmounts(min, max) > 0 ? 'Must be at least the minimum.' : null;
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
