// One delivery in full: why it failed, its attempts with their responses, its payload, and a way to resend it.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { exactTime } from '../../app/format.ts';
import { Link } from '../../app/router.tsx';
import { Allowed } from '../../app/team/Allowed.tsx';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { useKnownError } from '../../ui/useKnownError.ts';
import { noteEvent, replayEvent, useEvent } from '../events/eventsApi.ts';
import { JsonBlock } from '../events/JsonBlock.tsx';
import { AttemptList } from './AttemptList.tsx';
import { failureWords } from './deliveryWords.ts';
import type { Delivery } from './shapes.ts';

export function DeliveryDetail({ delivery }: { delivery: Delivery }) {
  const client = useQueryClient();
  const asked = useEvent(delivery.event);
  const { data } = asked;
  const { error, retry } = useKnownError(asked);
  const replay = useMutation({
    mutationFn: () => replayEvent(delivery.event, delivery.endpoint),
    onSuccess: (detail) => noteEvent(client, detail),
  });
  const failure = failureWords(delivery);
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {failure && <p className="text-sm text-brick">{failure}</p>}
      {delivery.next_attempt_at && (
        <p className="text-sm text-muted">
          {delivery.attempt_count === 0 ? 'Due since ' : 'Next attempt: '}
          {exactTime(Date.parse(delivery.next_attempt_at))}.
        </p>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Allowed door="resend">
          <Button disabled={replay.isPending} onClick={() => replay.mutate()}>
            {replay.isPending ? 'Resending…' : 'Resend'}
          </Button>
        </Allowed>
        <Link href={`/events/${delivery.event}`} className="text-sm text-accent underline-offset-4 hover:underline">
          View event
        </Link>
        <span role="status" className="text-sm text-muted">
          {replay.isSuccess && 'Event queued.'}
        </span>
      </div>
      {replay.isError && <ErrorNote>{replay.error.message}</ErrorNote>}
      <AttemptList delivery={delivery} />
      {error && !data && <ErrorNote retry={retry}>{error.message}</ErrorNote>}
      {data ? <JsonBlock title="Payload" value={data.event} /> : !error && <Skeleton className="h-40" />}
    </div>
  );
}
