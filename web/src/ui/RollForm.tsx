// Replaces a secret; the current one may stay valid for a while.
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button } from './Button.tsx';
import { SelectField } from './Field.tsx';
import { ErrorNote } from './notices.tsx';

const HOURS: Record<number, string> = {
  0: 'immediately',
  1: 'in an hour',
  6: 'in six hours',
  24: 'in a day',
  168: 'in a week',
};

export function RollForm<Made>({
  overlaps,
  usual,
  yes,
  roll,
  onRolled,
  onCancel,
  children,
}: {
  /** After how many hours the present one may end. */
  overlaps: readonly number[];
  usual: number;
  yes: string;
  roll: (hours: number) => Promise<Made>;
  onRolled: (made: Made) => void;
  onCancel: () => void;
  /** What rolling does. */
  children: ReactNode;
}) {
  const [hours, setHours] = useState(usual);
  const rolling = useMutation({ mutationFn: () => roll(hours), onSuccess: onRolled });
  return (
    <div className="flex flex-col gap-3 rounded-lg bg-sunken p-4">
      <p className="text-sm">{children}</p>
      <div className="flex flex-wrap items-end gap-2">
        <SelectField
          label="Current secret expires"
          value={hours}
          onChange={({ target }) => setHours(Number(target.value))}
        >
          {overlaps.map((value) => (
            <option key={value} value={value}>
              {HOURS[value] ?? `in ${value} hours`}
            </option>
          ))}
        </SelectField>
        <Button className="min-h-12!" disabled={rolling.isPending} onClick={() => rolling.mutate()}>
          {rolling.isPending ? 'One moment…' : yes}
        </Button>
        <Button className="min-h-12!" kind="plain" disabled={rolling.isPending} onClick={onCancel}>
          Cancel
        </Button>
      </div>
      {rolling.isError && <ErrorNote>{rolling.error.message}</ErrorNote>}
    </div>
  );
}
