// A merchant's webhook endpoints, how they do, and what failed.

import { useQueryClient } from '@tanstack/react-query';
import { Plus, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { MOST_ENDPOINTS } from '../../../../src/domain/webhookEndpoint.ts';
import { Link } from '../../app/router.tsx';
import { Allowed } from '../../app/team/Allowed.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { CopyField } from '../../ui/CopyField.tsx';
import { EmptyNote, ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { useKnownError } from '../../ui/useKnownError.ts';
import { BusinessShell } from '../business/BusinessShell.tsx';
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
        Get notified on your server when something happens, such as an order being paid.
      </p>
      {made && <SecretCard made={made} onDone={() => setMade(null)} />}
      {isOpen && <NewEndpoint onMade={note} onCancel={() => setIsOpen(false)} />}
      <FailedHint failed={addFailed(data?.map((one) => one.failed) ?? [])} />
      <Card
        title="Endpoints"
        aside={
          !isOpen &&
          !made &&
          !isFull && (
            <Allowed door="endpoints">
              <Button kind="filled" onClick={() => setIsOpen(true)}>
                <Plus aria-hidden="true" className="size-4" />
                Add endpoint
              </Button>
            </Allowed>
          )
        }
      >
        {error && (
          <ErrorNote retry={retry}>
            {error.message}
            {data && ' This may be out of date.'}
          </ErrorNote>
        )}
        {!data && !error && <Skeleton className="h-32" />}
        {data?.length === 0 && (
          <EmptyNote title="No endpoints yet">
            Add an endpoint to receive signed events in about a second, with automatic retries.
          </EmptyNote>
        )}
        <ul
          aria-label="Endpoints"
          aria-busy={isPlaceholderData}
          className={`-mx-2 -my-2 flex flex-col empty:hidden ${isPlaceholderData ? 'opacity-50' : ''}`}
        >
          {data?.map((endpoint) => (
            <EndpointRow key={endpoint.id} endpoint={endpoint} />
          ))}
        </ul>
        {isFull && <p className="text-sm text-muted">You have reached the limit of {MOST_ENDPOINTS} endpoints.</p>}
      </Card>
      {(data || error) && <ListenCard />}
    </>
  );
}

/** How many failed, and the way to them; nothing while none did. */
function FailedHint({ failed }: { failed: FailedCount }) {
  if (failed.count === 0) return null;
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-lg bg-brick-soft px-4 py-3 text-sm text-brick"
    >
      <span className="flex min-w-0 gap-3">
        <TriangleAlert aria-hidden="true" className="size-5 shrink-0" />
        {failedWords(failed)}. Failed deliveries aren’t retried automatically.
      </span>
      <Link href="/webhooks/failed" className="font-medium underline underline-offset-4">
        View failed
      </Link>
    </div>
  );
}

function ListenCard() {
  return (
    <Card title="Test locally">
      <p className="text-sm text-muted">
        Forward events to a server on your own machine while you develop. No public URL needed.
      </p>
      <CopyField label="In the folder that you cloned" value="npx ampersat listen --forward-to http://127.0.0.1:4242" />
    </Card>
  );
}
