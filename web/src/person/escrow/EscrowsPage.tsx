// Tabs: what waits for the reader, what they have sent, and what they received before.

import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import type { EscrowView } from '../../../../src/http/api/escrowAnswers.ts';
import { Shell } from '../../app/shell/Shell.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { EmptyNote, ErrorNote } from '../../ui/notices.tsx';
import { Waiting } from '../waiting/Waiting.tsx';
import { EscrowRow, EscrowRowSkeleton } from './EscrowRow.tsx';
import { useEscrows } from './escrowApi.ts';

export function EscrowsPage() {
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
            A tab holds money for someone until they claim it. Unclaimed money returns to its sender.
          </p>
          <Waiting />
          <Sent />
          <Received />
        </>
      )}
    </Shell>
  );
}

/** What is open is shown above, where it can be claimed. */
function Received() {
  const escrows = useEscrows('recipient');
  const ended = escrows.data?.pages.some((page) => page.escrows.some(isEnded));
  if (!ended && !escrows.hasNextPage) return null;
  return (
    <Card title="Received">
      <Rows escrows={escrows} isShown={isEnded}>
        {null}
      </Rows>
    </Card>
  );
}

const isEnded = ({ status }: EscrowView) => status === 'claimed' || status === 'refunded';

function Sent() {
  return (
    <Card title="Sent">
      <Rows escrows={useEscrows('sender')}>
        <EmptyNote title="No tabs sent yet">
          <p className="mb-4">Send money to anyone, even if they don’t have an account yet.</p>
          <ButtonLink href="/tabs/new">Open a tab</ButtonLink>
        </EmptyNote>
      </Rows>
    </Card>
  );
}

const SKELETONS = [0, 1, 2];

function Rows({
  escrows,
  isShown = () => true,
  children,
}: {
  escrows: ReturnType<typeof useEscrows>;
  isShown?: (escrow: EscrowView) => boolean;
  children: ReactNode;
}) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = escrows;
  if (error && !data) return <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>;
  const rows = data?.pages.flatMap((page) => page.escrows).filter(isShown);
  if (rows?.length === 0 && !hasNextPage) return children;
  return (
    <>
      {error && <ErrorNote retry={() => void refetch()}>{error.message} This may be out of date.</ErrorNote>}
      <ul className="-mx-2">
        {rows
          ? rows.map((escrow) => <EscrowRow key={escrow.id} escrow={escrow} />)
          : SKELETONS.map((index) => <EscrowRowSkeleton key={index} />)}
      </ul>
      {hasNextPage && (
        <Button className="self-center" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? 'Loading…' : 'Show more'}
        </Button>
      )}
    </>
  );
}
