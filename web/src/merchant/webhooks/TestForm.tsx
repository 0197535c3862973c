// Sends a sample event to an endpoint; the deliveries below show the result.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { EVENT_TYPES, type EventType } from '../../../../src/domain/events.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { WEBHOOKS_KEY } from './live.ts';
import type { Endpoint } from './shapes.ts';
import { TypeField } from './TypeField.tsx';
import { TYPE_WORDS } from './typeWords.ts';
import { sendTestEvent } from './webhooksApi.ts';

/** One that the endpoint takes, if it can be. */
function usualType({ enabled_events: taken }: Endpoint): EventType {
  return EVENT_TYPES.find((type) => taken.includes(type)) ?? 'order.completed';
}

export function TestForm({ endpoint, onCancel }: { endpoint: Endpoint; onCancel: () => void }) {
  const client = useQueryClient();
  const [type, setType] = useState(usualType(endpoint));
  const send = useMutation({
    mutationFn: () => sendTestEvent(endpoint.id, type),
    onSuccess: () => client.invalidateQueries({ queryKey: WEBHOOKS_KEY }),
  });
  return (
    <div className="flex flex-col gap-3 rounded-lg bg-sunken p-4">
      <p className="text-sm">
        Sends a sample event (not backed by real data), in test mode and without retries. It doesn’t count as a failure.
      </p>
      <div className="flex flex-wrap items-end gap-2">
        <TypeField
          label="Event type"
          value={type}
          onValue={(next) => next && setType(next)}
          className="max-sm:w-full"
        />
        <Button className="min-h-12!" disabled={send.isPending} onClick={() => send.mutate()}>
          {send.isPending ? 'Sending…' : 'Send'}
        </Button>
        <Button className="min-h-12!" kind="plain" onClick={onCancel}>
          Close
        </Button>
      </div>
      <p role="status" className="text-sm text-muted">
        {send.isSuccess ? 'Sent. See the deliveries below.' : TYPE_WORDS[type]}
      </p>
      {send.isError && <ErrorNote>{send.error.message}</ErrorNote>}
    </div>
  );
}
