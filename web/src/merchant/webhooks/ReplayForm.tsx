// Resends everything that failed at an endpoint since a time.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { readClockOffset } from '../../app/api.ts';
import { Button } from '../../ui/Button.tsx';
import { Field, SelectField } from '../../ui/Field.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { failedWords, replayedWords } from './deliveryWords.ts';
import { WEBHOOKS_KEY } from './live.ts';
import type { Endpoint, FailedCount } from './shapes.ts';
import { replayFailed, useFailedSince } from './webhooksApi.ts';

const HOUR_MS = 3_600_000;
const SPANS = [
  [1, 'an hour ago'],
  [24, 'a day ago'],
  [120, 'five days ago'],
] as const;

export function ReplayForm({ endpoint, onCancel }: { endpoint: Endpoint; onCancel: () => void }) {
  const client = useQueryClient();
  const [hours, setHours] = useState(24);
  const [typed, setTyped] = useState('');
  /** Unix milliseconds; null while no time was typed. */
  const [since, setSince] = useState<number | null>(() => hoursAgo(24));
  const { data: found, error, refetch } = useFailedSince(endpoint.id, since);
  const replay = useMutation({
    mutationFn: (time: number) => replayFailed(endpoint.id, new Date(time).toISOString()),
    onSuccess: () => client.invalidateQueries({ queryKey: WEBHOOKS_KEY }),
  });
  const isDisabled = endpoint.status === 'disabled';
  const choose = (next: number) => {
    setHours(next);
    setSince(next > 0 ? hoursAgo(next) : timeOf(typed));
    replay.reset();
  };
  const type = (text: string) => {
    setTyped(text);
    setSince(timeOf(text));
    replay.reset();
  };
  return (
    <div className="flex flex-col gap-3 rounded-lg bg-sunken p-4">
      <div className="flex flex-wrap items-end gap-2">
        <SelectField label="Failed since" value={hours} onChange={({ target }) => choose(Number(target.value))}>
          {SPANS.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
          <option value={0}>a custom time</option>
        </SelectField>
        {hours === 0 && (
          <Field label="Since" type="datetime-local" value={typed} onChange={({ target }) => type(target.value)} />
        )}
        <Button
          className="min-h-12!"
          disabled={since === null || !found?.count || isDisabled || replay.isPending}
          onClick={() => since !== null && replay.mutate(since)}
        >
          {replay.isPending ? 'Resending…' : 'Resend'}
        </Button>
        <Button className="min-h-12!" kind="plain" onClick={onCancel}>
          Close
        </Button>
      </div>
      <p role="status" className="text-sm text-muted">
        {replay.isSuccess
          ? replayedWords(replay.data.count)
          : isDisabled
            ? 'Enable the endpoint first.'
            : since !== null && found && foundWords(found)}
      </p>
      {error && !found && <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>}
      {replay.isError && <ErrorNote>{replay.error.message}</ErrorNote>}
    </div>
  );
}

function hoursAgo(hours: number): number {
  return Date.now() + readClockOffset() - hours * HOUR_MS;
}

/** A field of the browser gives a time in the reader's zone, or nothing while it is half typed. */
function timeOf(typed: string): number | null {
  const time = Date.parse(typed);
  return Number.isNaN(time) ? null : time;
}

function foundWords(found: FailedCount): string {
  return found.count === 0 ? 'Nothing failed since then.' : `${failedWords(found)} since then.`;
}
