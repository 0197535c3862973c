// One endpoint: its status, its settings, its performance and its deliveries.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../app/apiError.ts';
import { usePath } from '../../app/router.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { EmptyNote, ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { useKnownError } from '../../ui/useKnownError.ts';
import { BusinessShell } from '../business/BusinessShell.tsx';
import { useModeOf } from '../business/workspaceApi.ts';
import { DeliveryLog } from './DeliveryLog.tsx';
import { EditEndpoint } from './EndpointForm.tsx';
import { EndpointHead } from './EndpointHead.tsx';
import { EndpointTools } from './EndpointTools.tsx';
import { FiguresCards } from './FiguresCards.tsx';
import { useLive } from './live.ts';
import { SecretCard } from './SecretCard.tsx';
import type { Endpoint, WithSecret } from './shapes.ts';
import { noteEndpoint, useEndpoint } from './webhooksApi.ts';

export function WebhookPage() {
  const id = decodeURIComponent(usePath().split('/')[2] ?? '');
  return <BusinessShell title="Webhook">{() => <OneEndpoint key={id} id={id} />}</BusinessShell>;
}

function OneEndpoint({ id }: { id: string }) {
  useLive();
  const asked = useEndpoint(id);
  const { data: endpoint } = asked;
  useModeOf(endpoint);
  const { error, retry } = useKnownError(asked);
  if (error instanceof ApiError && error.code === 'resource_missing')
    return (
      <EmptyNote title="Endpoint not found">
        <p className="mb-4">It may have been deleted. You can only see endpoints of your own workspace.</p>
        <ButtonLink href="/webhooks">View webhooks</ButtonLink>
      </EmptyNote>
    );
  if (!endpoint)
    return error ? (
      <ErrorNote retry={retry}>{error.message}</ErrorNote>
    ) : (
      <output aria-label="Loading the webhook" className="flex flex-col gap-6">
        <Skeleton className="h-32" />
        <Skeleton className="h-72" />
        <Skeleton className="h-72" />
      </output>
    );
  return (
    <>
      {error && <ErrorNote retry={retry}>{error.message} This may be out of date.</ErrorNote>}
      <Head endpoint={endpoint} />
      <DeliveryLog endpoint={endpoint} />
      <FiguresCards id={endpoint.id} />
    </>
  );
}

/** What it is and what may be done with it; a change takes the place of the buttons until it is saved. */
function Head({ endpoint }: { endpoint: Endpoint }) {
  const client = useQueryClient();
  const [isEditing, setIsEditing] = useState(false);
  const [made, setMade] = useState<WithSecret | null>(null);
  const note = (next: Endpoint) => {
    noteEndpoint(client, next);
    setIsEditing(false);
  };
  return (
    <>
      <EndpointHead endpoint={endpoint} />
      {made && <SecretCard isRolled made={made} onDone={() => setMade(null)} />}
      {isEditing ? (
        <EditEndpoint endpoint={endpoint} onSaved={note} onCancel={() => setIsEditing(false)} />
      ) : (
        // One step at a time: the secret first.
        !made && (
          <EndpointTools
            endpoint={endpoint}
            onEdit={() => setIsEditing(true)}
            onChanged={note}
            onRolled={(next) => {
              note(next.endpoint);
              setMade(next);
            }}
          />
        )
      )}
    </>
  );
}
