// One's tabs: what waits for one and can be claimed in one go, and what one has sent.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { Shell } from '../shell/Shell.tsx';
import { Button, ButtonLink } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { EmptyNote, ErrorNote } from '../ui/notices.tsx';
import { TabRow, TabRowSkeleton } from './TabRow.tsx';
import { claimAll, TABS_KEY, useTabs } from './tabsApi.ts';
import { claimable } from './waiting.ts';

export function TabsPage() {
  return (
    <Shell
      title="Tabs"
      aside={
        <ButtonLink href="/tabs/new">
          <Plus aria-hidden="true" className="size-4" />
          New tab
        </ButtonLink>
      }
    >
      {() => (
        <>
          <p className="-mt-4 max-w-160 text-muted">
            A tab keeps money for somebody until they claim it. What nobody claims in time goes back to its sender.
          </p>
          <Received />
          <Sent />
        </>
      )}
    </Shell>
  );
}

function Received() {
  const tabs = useTabs('recipient');
  const waiting = claimable(tabs.data?.pages.flatMap((page) => page.escrows) ?? []);
  return (
    <Card title="For you" aside={waiting.length > 1 && <ClaimAll count={waiting.length} />}>
      <Rows tabs={tabs}>
        <EmptyNote title="Nothing waits for you">
          When somebody opens a tab for your handle, or for an account that you have connected, it stands here.
        </EmptyNote>
      </Rows>
    </Card>
  );
}

function Sent() {
  return (
    <Card title="Sent">
      <Rows tabs={useTabs('sender')}>
        <EmptyNote title="You have sent none">
          <p className="mb-4">Lock money for somebody, even if they have no account here yet.</p>
          <ButtonLink href="/tabs/new">Open a tab</ButtonLink>
        </EmptyNote>
      </Rows>
    </Card>
  );
}

const SKELETONS = [0, 1, 2];

function Rows({ tabs, children }: { tabs: ReturnType<typeof useTabs>; children: React.ReactNode }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = tabs;
  if (error && !data) return <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>;
  const rows = data?.pages.flatMap((page) => page.escrows);
  if (rows?.length === 0) return children;
  return (
    <>
      {error && <ErrorNote retry={() => void refetch()}>{error.message} What you see may be old.</ErrorNote>}
      <ul className="-mx-2">
        {rows
          ? rows.map((tab) => <TabRow key={tab.id} tab={tab} />)
          : SKELETONS.map((index) => <TabRowSkeleton key={index} />)}
      </ul>
      {hasNextPage && (
        <Button className="self-center" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? 'Loading…' : 'Show more'}
        </Button>
      )}
    </>
  );
}

function ClaimAll({ count }: { count: number }) {
  const client = useQueryClient();
  const claim = useMutation({
    mutationFn: claimAll,
    onSettled: () => client.invalidateQueries({ queryKey: TABS_KEY }),
  });
  return (
    <span className="flex flex-wrap items-center gap-3">
      {claim.isError && (
        <span role="alert" className="text-sm text-brick">
          {claim.error.message}
        </span>
      )}
      <Button kind="filled" disabled={claim.isPending} onClick={() => claim.mutate()}>
        {claim.isPending ? 'Asking for them…' : `Claim all ${count}`}
      </Button>
    </span>
  );
}
