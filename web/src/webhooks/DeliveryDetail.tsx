// All that is known of one delivery: why it stands as it does, its attempts with their answers, what was sent; and sending it again.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { noteEvent, replayEvent, useEvent } from '../events/eventsApi.ts';
import { JsonBlock } from '../events/JsonBlock.tsx';
import { exactTime } from '../format.ts';
import { Link } from '../router.tsx';
import { Button } from '../ui/Button.tsx';
import { ErrorNote, Skeleton } from '../ui/notices.tsx';
import { useKnownError } from '../ui/useKnownError.ts';
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
          {delivery.attempt_count === 0 ? 'It is due since ' : 'The next attempt is due at '}
          {exactTime(Date.parse(delivery.next_attempt_at))}.
        </p>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button disabled={replay.isPending} onClick={() => replay.mutate()}>
          {replay.isPending ? 'One moment…' : 'Send it again'}
        </Button>
        <Link href={`/events/${delivery.event}`} className="text-sm text-accent underline-offset-4 hover:underline">
          The event
        </Link>
        <span role="status" className="text-sm text-muted">
          {replay.isSuccess && 'It is on its way again.'}
        </span>
      </div>
      {replay.isError && <ErrorNote>{replay.error.message}</ErrorNote>}
      <AttemptList delivery={delivery} />
      {error && !data && <ErrorNote retry={retry}>{error.message}</ErrorNote>}
      {data ? <JsonBlock title="What is sent" value={data.event} /> : !error && <Skeleton className="h-40" />}
    </div>
  );
}
