// One tab: how much, from whom, for whom, how long still, what became of it, and what the reader may do.
import { ApiError } from '../api.ts';
import { usePath } from '../router.tsx';
import type { OwnAccount } from '../session/RequireAccount.tsx';
import { Shell } from '../shell/Shell.tsx';
import { ButtonLink } from '../ui/Button.tsx';
import { EmptyNote, ErrorNote, Skeleton } from '../ui/notices.tsx';
import { TabCard } from './TabCard.tsx';
import { useTab } from './tabsApi.ts';

export function TabPage() {
  return (
    <Shell
      title="Tab"
      why="To see this tab, say who you are. Your wallet is your account here: no e-mail, no password."
    >
      {(account) => <OneTab account={account} />}
    </Shell>
  );
}

function OneTab({ account }: { account: OwnAccount }) {
  const id = decodeURIComponent(usePath().split('/')[2] ?? '');
  const { data, error, refetch } = useTab(id);
  if (error instanceof ApiError && error.code === 'resource_missing')
    return (
      <EmptyNote title="There is no such tab">
        <p className="mb-4">
          Check the address: it may have been cut. A tab that nobody opened is dropped after a day.
        </p>
        <ButtonLink href="/tabs">To your tabs</ButtonLink>
      </EmptyNote>
    );
  return (
    <div className="mx-auto flex w-full max-w-110 flex-col gap-4">
      {error && (
        <ErrorNote retry={() => void refetch()}>
          {error.message}
          {data && ' What you see may be old.'}
        </ErrorNote>
      )}
      {data ? <TabCard key={data.id} tab={data} account={account} /> : !error && <Skeleton className="h-96" />}
    </div>
  );
}
