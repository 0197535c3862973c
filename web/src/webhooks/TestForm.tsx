// Sends an event that did not happen, so that one sees how an endpoint takes it; what becomes of it stands in the log below.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { EventType } from '../../../src/domain/events.ts';
import { Button } from '../ui/Button.tsx';
import { ErrorNote } from '../ui/notices.tsx';
import { WEBHOOKS_KEY } from './live.ts';
import type { Endpoint } from './shapes.ts';
import { TypeField } from './TypeField.tsx';
import { TYPE_GROUPS, TYPE_WORDS } from './typeWords.ts';
import { sendTestEvent } from './webhooksApi.ts';

/** Of what there is not yet, there is no example either. */
const GROUPS = TYPE_GROUPS.filter(({ isLater }) => !isLater);
const TYPES = GROUPS.flatMap(({ types }) => types);

/** One that the endpoint takes, if it can be. */
function usualType({ enabled_events: taken }: Endpoint): EventType {
  return TYPES.find((type) => taken.includes(type)) ?? 'order.completed';
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
      <p className="text-sm">Nothing has happened: it is made up, never of live mode, and tried once.</p>
      <div className="flex flex-wrap items-end gap-2">
        <TypeField
          label="Which event"
          groups={GROUPS}
          value={type}
          onValue={(next) => next && setType(next)}
          className="max-sm:w-full"
        />
        <Button className="min-h-12!" disabled={send.isPending} onClick={() => send.mutate()}>
          {send.isPending ? 'Sending…' : 'Send it'}
        </Button>
        <Button className="min-h-12!" kind="plain" onClick={onCancel}>
          Close
        </Button>
      </div>
      <p role="status" className="text-sm text-muted">
        {send.isSuccess ? 'Sent. Look at the deliveries below.' : TYPE_WORDS[type]}
      </p>
      {send.isError && <ErrorNote>{send.error.message}</ErrorNote>}
    </div>
  );
}
