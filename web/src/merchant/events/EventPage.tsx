// One event: what it says, as it is sent, to whom it was delivered and how, and sending it again.

import type { EventEnvelope } from '../../../../src/domain/events.ts';
import { ApiError } from '../../app/apiError.ts';
import { shortId } from '../../app/format.ts';
import { Link, usePath } from '../../app/router.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { CopyButton } from '../../ui/CopyField.tsx';
import { Hex } from '../../ui/Hex.tsx';
import { EmptyNote, ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import { useKnownError } from '../../ui/useKnownError.ts';
import { BusinessShell } from '../business/BusinessShell.tsx';
import { useModeOf } from '../business/workspaceApi.ts';
import { DeliveryTable } from '../webhooks/DeliveryTable.tsx';
import { addressesOf } from '../webhooks/endpointWords.ts';
import { useLive } from '../webhooks/live.ts';
import type { EventDetail } from '../webhooks/shapes.ts';
import { resourcePath, TYPE_WORDS, takes } from '../webhooks/typeWords.ts';
import { useAllEndpoints } from '../webhooks/webhooksApi.ts';
import { useEvent } from './eventsApi.ts';
import { resourceOf } from './eventWords.ts';
import { Json } from './JsonBlock.tsx';
import { SendAgain } from './SendAgain.tsx';

export function EventPage() {
  const id = decodeURIComponent(usePath().split('/')[2] ?? '');
  return <BusinessShell title="Event">{() => <OneEvent key={id} id={id} />}</BusinessShell>;
}

function OneEvent({ id }: { id: string }) {
  useLive();
  const asked = useEvent(id);
  const { data } = asked;
  useModeOf(data?.event);
  const { error, retry } = useKnownError(asked);
  // With the names of the endpoints, which make a card grow that has another below it.
  const isLoading = useAllEndpoints().isPending || !data;
  if (error instanceof ApiError && error.code === 'resource_missing')
    return (
      <EmptyNote title="Event not found">
        <p className="mb-4">Check the link; it may be incomplete. You can only see events of your own workspace.</p>
        <ButtonLink href="/events">View all events</ButtonLink>
      </EmptyNote>
    );
  if (isLoading)
    return error ? (
      <ErrorNote retry={retry}>{error.message}</ErrorNote>
    ) : (
      <output aria-label="Loading the event" className="flex flex-col gap-6">
        <Skeleton className="h-24" />
        <Skeleton className="h-48" />
        <Skeleton className="h-96" />
      </output>
    );
  return (
    <>
      {error && <ErrorNote retry={retry}>{error.message} This may be out of date.</ErrorNote>}
      <Head detail={data} />
      <Deliveries detail={data} />
      <Sent event={data.event} />
    </>
  );
}

function Sent({ event }: { event: EventEnvelope }) {
  const text = JSON.stringify(event, null, 2);
  return (
    <Card title="Payload" aside={<CopyButton value={text} what="the event as JSON" />}>
      <Json text={text} />
    </Card>
  );
}

const isTest = ({ deliveries }: EventDetail) => deliveries.some(({ is_test }) => is_test);

function Head({ detail }: { detail: EventDetail }) {
  const { event } = detail;
  const resource = resourceOf(event);
  // What a test is about there never was.
  const path = resource && !isTest(detail) && resourcePath(resource);
  return (
    <header className="flex flex-col items-start gap-2">
      <h2 className="font-mono text-lg font-semibold break-all">{event.type}</h2>
      <p>{TYPE_WORDS[event.type]}</p>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
        <TimeAgo at={event.created_at} />
        <span>{isTest(detail) ? 'test event (not backed by real data)' : event.livemode ? 'live' : 'test mode'}</span>
        <Hex value={event.id} what="the event’s ID" />
        {path && (
          <Link href={path} className="text-accent underline-offset-4 hover:underline">
            {path.startsWith('/orders/') ? 'Order' : 'Tab'} <span className="font-mono">{shortId(resource)}</span>
          </Link>
        )}
      </p>
    </header>
  );
}

function Deliveries({ detail }: { detail: EventDetail }) {
  const { event, deliveries } = detail;
  const { data: known } = useAllEndpoints();
  const endpoints = known ?? [];
  const whereOf = addressesOf(known);
  const hadIt = new Set(deliveries.map(({ endpoint }) => endpoint));
  const open = endpoints.filter(
    (one) => one.status === 'enabled' && (hadIt.has(one.id) || (!isTest(detail) && takes(one, event))),
  );
  return (
    <Card title="Deliveries">
      {deliveries.length === 0 ? (
        <EmptyNote title="Not sent to any endpoint">
          {open.length === 0
            ? 'No endpoint is subscribed to this event type.'
            : 'No endpoint was subscribed at the time. You can send it now.'}
        </EmptyNote>
      ) : (
        <DeliveryTable framed={false} deliveries={deliveries} whereOf={whereOf} ofEvent />
      )}
      {open.length > 0 && <SendAgain event={event} endpoints={open} />}
    </Card>
  );
}
