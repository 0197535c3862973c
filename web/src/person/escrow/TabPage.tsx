// One tab: how much, from whom, for whom, time left, outcome, and what the reader may do.
import { ApiError } from '../../app/api.ts';
import { usePath } from '../../app/router.tsx';
import type { OwnAccount } from '../../app/session/RequireAccount.tsx';
import { Shell } from '../../app/shell/Shell.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { EmptyNote, ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { TabCard } from './TabCard.tsx';
import { useTab } from './tabsApi.ts';

export function TabPage() {
  return (
    <Shell title="Tab" why="Sign in to see this tab. Your wallet is your account: no email, no password.">
      {(account) => <OneTab account={account} />}
    </Shell>
  );
}

function OneTab({ account }: { account: OwnAccount }) {
  const id = decodeURIComponent(usePath().split('/')[2] ?? '');
  const { data, error, refetch } = useTab(id);
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
      {data ? <TabCard key={data.id} tab={data} account={account} /> : !error && <Skeleton className="h-96" />}
    </div>
  );
}
