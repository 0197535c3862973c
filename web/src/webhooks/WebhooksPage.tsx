// A merchant's webhooks: which of their servers are told of events, how that goes, and what failed for good.
import { useQueryClient } from '@tanstack/react-query';
import { Plus, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { MOST_ENDPOINTS } from '../../../src/domain/webhookEndpoint.ts';
import { BusinessShell } from '../business/BusinessShell.tsx';
import { Link } from '../router.tsx';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { CopyField } from '../ui/CopyField.tsx';
import { EmptyNote, ErrorNote, Skeleton } from '../ui/notices.tsx';
import { useKnownError } from '../ui/useKnownError.ts';
import { addFailed, failedWords } from './deliveryWords.ts';
import { NewEndpoint } from './EndpointForm.tsx';
import { EndpointRow } from './EndpointRow.tsx';
import { useLive } from './live.ts';
import { SecretCard } from './SecretCard.tsx';
import type { FailedCount, WithSecret } from './shapes.ts';
import { noteEndpoint, useEndpoints } from './webhooksApi.ts';

export function WebhooksPage() {
  return <BusinessShell title="Webhooks">{() => <Webhooks />}</BusinessShell>;
}

function Webhooks() {
  useLive();
  const client = useQueryClient();
  const endpoints = useEndpoints();
  const { data, isPlaceholderData } = endpoints;
  const { error, retry } = useKnownError(endpoints);
  const [isOpen, setIsOpen] = useState(false);
  const [made, setMade] = useState<WithSecret | null>(null);
  const note = (next: WithSecret) => {
    setMade(next);
    setIsOpen(false);
    noteEndpoint(client, next.endpoint);
  };
  const isFull = (data?.length ?? 0) >= MOST_ENDPOINTS;
  return (
    <>
      <p className="max-w-160 text-muted">
        A webhook is an address of your server. We call it as soon as something happens: an order is paid, a tab is
        claimed.
      </p>
      {made && <SecretCard made={made} onDone={() => setMade(null)} />}
      {isOpen && <NewEndpoint onMade={note} onCancel={() => setIsOpen(false)} />}
      <FailedHint failed={addFailed(data?.map((one) => one.failed) ?? [])} />
      <Card
        title="Your webhooks"
        aside={
          !isOpen &&
          !made &&
          !isFull && (
            <Button kind="filled" onClick={() => setIsOpen(true)}>
              <Plus aria-hidden="true" className="size-4" />
              New webhook
            </Button>
          )
        }
      >
        {error && (
          <ErrorNote retry={retry}>
            {error.message}
            {data && ' What you see may be old.'}
          </ErrorNote>
        )}
        {!data && !error && <Skeleton className="h-32" />}
        {data?.length === 0 && (
          <EmptyNote title="No webhooks yet">
            Make one, and your server hears of each event within a second or so, signed, and again until it has taken
            it.
          </EmptyNote>
        )}
        <ul
          aria-label="Your webhooks"
          aria-busy={isPlaceholderData}
          className={`-mx-2 -my-2 flex flex-col empty:hidden ${isPlaceholderData ? 'opacity-50' : ''}`}
        >
          {data?.map((endpoint) => (
            <EndpointRow key={endpoint.id} endpoint={endpoint} />
          ))}
        </ul>
        {isFull && <p className="text-sm text-muted">There are {MOST_ENDPOINTS}, as many as a workspace can have.</p>}
      </Card>
      <ListenCard />
    </>
  );
}

/** How many failed for good, and the way to them; nothing while none did. */
function FailedHint({ failed }: { failed: FailedCount }) {
  if (failed.count === 0) return null;
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-lg bg-brick-soft px-4 py-3 text-sm text-brick"
    >
      <span className="flex min-w-0 gap-3">
        <TriangleAlert aria-hidden="true" className="size-5 shrink-0" />
        {failedWords(failed)}. What failed is not tried again by itself.
      </span>
      <Link href="/webhooks/failed" className="font-medium underline underline-offset-4">
        Look at it
      </Link>
    </div>
  );
}

function ListenCard() {
  return (
    <Card title="On your own machine">
      <p className="text-sm text-muted">
        While you write your receiver it needs no public address. This shows each event in your terminal and hands it on
        to your server there, signed as it will be later.
      </p>
      <CopyField label="In a terminal" value="ampersat listen --forward-to http://127.0.0.1:3000/webhooks" />
    </Card>
  );
}
