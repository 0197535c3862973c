// A new signing secret in the place of the present one, which may go on working for a while.
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ROLL_HOURS } from '../../../src/domain/webhookEndpoint.ts';
import { Button } from '../ui/Button.tsx';
import { SelectField } from '../ui/Field.tsx';
import { ErrorNote } from '../ui/notices.tsx';
import type { Endpoint, WithSecret } from './shapes.ts';
import { rollSecret } from './webhooksApi.ts';

const OVERLAPS = [
  [ROLL_HOURS.least, 'at once'],
  [1, 'in an hour'],
  [6, 'in six hours'],
  [ROLL_HOURS.most, 'in a day'],
] as const;

export function RollForm({
  endpoint,
  onRolled,
  onCancel,
}: {
  endpoint: Endpoint;
  onRolled: (made: WithSecret) => void;
  onCancel: () => void;
}) {
  const [hours, setHours] = useState<number>(ROLL_HOURS.usual);
  const roll = useMutation({ mutationFn: () => rollSecret(endpoint.id, hours), onSuccess: onRolled });
  return (
    <div className="flex flex-col gap-3 rounded-lg bg-sunken p-4">
      <p className="text-sm">
        A new secret takes the place of this one. Until this one ends we sign with both, so that nothing stops while you
        change it.
      </p>
      <div className="flex flex-wrap items-end gap-2">
        <SelectField label="This one ends" value={hours} onChange={(event) => setHours(Number(event.target.value))}>
          {OVERLAPS.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </SelectField>
        <Button className="min-h-12!" disabled={roll.isPending} onClick={() => roll.mutate()}>
          {roll.isPending ? 'One moment…' : 'Roll the secret'}
        </Button>
        <Button className="min-h-12!" kind="plain" disabled={roll.isPending} onClick={onCancel}>
          Cancel
        </Button>
      </div>
      {roll.isError && <ErrorNote>{roll.error.message}</ErrorNote>}
    </div>
  );
}
