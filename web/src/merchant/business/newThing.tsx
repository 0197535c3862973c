// What the forms of new orders, links, plans and campaigns have in common: the workspace and its networks first, an amount, a network, and the last row.
import type { ReactNode } from 'react';
import { isAmount, typedAmount } from '../../app/format.ts';
import type { OwnAccount } from '../../app/session/RequireAccount.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Field, SelectField } from '../../ui/Field.tsx';
import { ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { chainsOf, useMode, useWorkspace, type Workspace, type WorkspaceChain } from './workspaceApi.ts';

export type Ground = { workspace: Workspace; chains: WorkspaceChain[]; preferred: WorkspaceChain };

/** @param only the networks of the mode that can be chosen; all of EVM without it */
export function WithNetworks({
  account,
  only = ({ family }) => family === 'evm',
  children,
}: {
  account: OwnAccount;
  only?: (chain: WorkspaceChain, workspace: Workspace) => boolean;
  children: (ground: Ground) => ReactNode;
}) {
  const { data, error, refetch } = useWorkspace();
  const mode = useMode();
  if (error && !data) return <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>;
  if (!data) return <Skeleton className="h-96 max-w-140" />;
  const chains = chainsOf(data, mode).filter((chain) => only(chain, data));
  const payable = chains.filter(isPaidOn);
  const preferred = payable.find(({ chain }) => chain === account.preferred_chain) ?? payable[0] ?? chains[0];
  if (!preferred)
    return <ErrorNote retry={() => void refetch()}>No network is available in this mode right now.</ErrorNote>;
  return children({ workspace: data, chains, preferred });
}

/** A wallet is paid on the networks of its family; a contract only where it has proven itself. */
export function isPaidOn({ payout }: WorkspaceChain): boolean {
  return payout !== null;
}

export function amountProblem(amount: string): string | null {
  return amount === '' || isAmount(amount) ? null : 'Enter an amount like 25 or 2.50.';
}

export function AmountField({
  label,
  name,
  value,
  placeholder,
  currency = 'USDC',
  error = amountProblem(value),
  onValue,
}: {
  label: string;
  name: string;
  value: string;
  placeholder?: string;
  currency?: string;
  error?: string | null;
  onValue: (value: string) => void;
}) {
  return (
    <Field
      label={label}
      name={name}
      inputMode="decimal"
      maxLength={24}
      placeholder={placeholder}
      after={currency}
      value={value}
      error={error}
      onChange={({ target }) => onValue(typedAmount(target.value))}
    />
  );
}

export function NetworkField({
  chains,
  value,
  closed = {},
  onValue,
}: {
  chains: readonly Pick<WorkspaceChain, 'chain' | 'label'>[];
  value: string;
  /** Why a network cannot be chosen now, by its name. */
  closed?: Readonly<Record<string, string>>;
  onValue: (chain: string) => void;
}) {
  return (
    <SelectField label="Network" value={value} onChange={({ target }) => onValue(target.value)}>
      {chains.map((one) => (
        <option key={one.chain} value={one.chain} disabled={one.chain in closed}>
          {one.label}
        </option>
      ))}
    </SelectField>
  );
}

export function CurrencyField({
  chain,
  value,
  onValue,
}: {
  chain: WorkspaceChain;
  value: string;
  onValue: (currency: string) => void;
}) {
  return (
    <SelectField label="Currency" value={value} onChange={({ target }) => onValue(target.value)}>
      {chain.currencies.map((one) => (
        <option key={one}>{one}</option>
      ))}
    </SelectField>
  );
}

/** The error of the last try, the button, and the way back. */
export function SubmitRow({
  task: { isPending, error },
  isReady,
  button,
  busy = 'Creating…',
  back,
}: {
  task: { isPending: boolean; error: Error | null };
  isReady: boolean;
  button: string;
  busy?: string;
  back: string;
}) {
  return (
    <>
      {error && <ErrorNote>{error.message}</ErrorNote>}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" kind="filled" className="min-h-12! max-sm:w-full" disabled={!isReady || isPending}>
          {isPending ? busy : button}
        </Button>
        <ButtonLink kind="plain" href={back}>
          Cancel
        </ButtonLink>
      </div>
    </>
  );
}
