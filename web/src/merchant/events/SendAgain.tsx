// Resends an event: to all endpoints that listen for it, or to one.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { EventEnvelope } from '../../../../src/domain/events.ts';
import { Allowed } from '../../app/team/Allowed.tsx';
import { Button } from '../../ui/Button.tsx';
import { SelectField } from '../../ui/Field.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { shortUrl } from '../webhooks/endpointWords.ts';
import type { Endpoint } from '../webhooks/shapes.ts';
import { noteEvent, replayEvent } from './eventsApi.ts';

/** @param endpoints those that are enabled, of the event's mode */
export function SendAgain({ event, endpoints }: { event: EventEnvelope; endpoints: Endpoint[] }) {
  const client = useQueryClient();
  const [chosen, setChosen] = useState('');
  const send = useMutation({
    mutationFn: () => replayEvent(event.id, chosen || undefined),
    onSuccess: (detail) => noteEvent(client, detail),
  });
  return (
    <div className="flex flex-col gap-2 border-t border-line pt-4">
      <Allowed door="resend">
        <div className="flex flex-wrap items-end gap-2">
          <SelectField
            label="Resend to"
            className="max-sm:w-full sm:max-w-96"
            value={chosen}
            onChange={({ target }) => setChosen(target.value)}
          >
            <option value="">All subscribed endpoints</option>
            {endpoints.map(({ id, url }) => (
              <option key={id} value={id}>
                {shortUrl(url)}
              </option>
            ))}
          </SelectField>
          <Button className="min-h-12!" disabled={send.isPending} onClick={() => send.mutate()}>
            {send.isPending ? 'Resending…' : 'Resend'}
          </Button>
        </div>
      </Allowed>
      <p role="status" className="text-sm text-muted empty:hidden">
        {send.isSuccess && 'Event queued.'}
      </p>
      {send.isError && <ErrorNote>{send.error.message}</ErrorNote>}
    </div>
  );
}
