// One tab: how much, from whom, for whom, time left, outcome, and what the reader may do.
import { ApiError } from '../../app/apiError.ts';
import { usePath } from '../../app/router.tsx';
import type { OwnAccount } from '../../app/session/RequireAccount.tsx';
import { Shell } from '../../app/shell/Shell.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { EmptyNote, ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { EscrowCard } from './EscrowCard.tsx';
import { useEscrow } from './escrowApi.ts';

export function EscrowPage() {
  return (
    <Shell title="Tab" why="Sign in to see this tab. Your wallet is your account: no email, no password.">
      {(account) => <EscrowById account={account} />}
    </Shell>
  );
}

function EscrowById({ account }: { account: OwnAccount }) {
  const id = decodeURIComponent(usePath().split('/')[2] ?? '');
  const { data, error, refetch } = useEscrow(id);
  if (error instanceof ApiError && error.code === 'resource_missing')
    return (
      <EmptyNote title="Tab not found">
        <p className="mb-4">Check the link; it may be incomplete. Tabs that aren’t opened are deleted after a day.</p>
        <ButtonLink href="/tabs">View your tabs</ButtonLink>
      </EmptyNote>
    );
  return (
    <div className="mx-auto flex w-full max-w-110 flex-col gap-4">
      {error && (
        <ErrorNote retry={() => void refetch()}>
          {error.message}
          {data && ' This may be out of date.'}
        </ErrorNote>
      )}
      {data ? <EscrowCard key={data.id} escrow={data} account={account} /> : !error && <Skeleton className="h-96" />}
    </div>
  );
}
