// A new tab: for whom, how much, how long; what that means; then the wallet, step by step.
import { useState } from 'react';
import { useSearch } from '../../app/router.tsx';
import type { OwnAccount } from '../../app/session/RequireAccount.tsx';
import { Shell } from '../../app/shell/Shell.tsx';
import { ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { NoEvmWallet } from '../account/NoEvmWallet.tsx';
import { isReachable, useSpending } from '../spending/spendingApi.ts';
import { type Draft, draftOf, keep, readKept, type Staged } from './draft.ts';
import { NewEscrowForm } from './NewEscrowForm.tsx';

export function NewEscrowPage() {
  return (
    <Shell title="New tab" why="Sign in to open a tab. Your wallet is your account: no email, no password.">
      {(account) => <NewEscrow account={account} />}
    </Shell>
  );
}

function NewEscrow({ account }: { account: OwnAccount }) {
  const link = useSearch().toString();
  const [draft, setDraft] = useState(() => readKept(link)?.draft ?? draftOf(link));
  const [staged, setStaged] = useState(() => readKept(link)?.staged ?? null);
  const { data, error, refetch } = useSpending();
  const chains = data?.chains.filter(isReachable) ?? [];
  const change = (next: Draft) => {
    setDraft(next);
    keep({ link, draft: next, staged });
  };
  const hold = (next: Staged | null) => {
    setStaged(next);
    keep({ link, draft, staged: next });
  };
  if (error && !data) return <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>;
  if (!data) return <Loading />;
  if (data.chains.length === 0) return <NoEvmWallet />;
  if (chains.length === 0)
    return <ErrorNote retry={() => void refetch()}>No network is responding. What you entered is saved.</ErrorNote>;
  const preferred = chains.find((one) => one.chain === account.preferred_chain) ?? chains[0];
  const chain = chains.find((one) => one.chain === draft.chain) ?? preferred;
  if (!chain) return null;
  return (
    <NewEscrowForm
      account={account}
      draft={draft}
      chain={chain}
      chains={chains}
      staged={staged}
      onChange={change}
      onKeep={hold}
    />
  );
}

function Loading() {
  return (
    <output aria-label="Loading" className="flex max-w-110 flex-col gap-4">
      <Skeleton className="h-20" />
      <Skeleton className="h-20" />
      <Skeleton className="h-40" />
    </output>
  );
}
