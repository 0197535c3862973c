// For whom a tab is: a platform and a name there. A handle is looked up while it is typed.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { callApi } from '../../app/api.ts';
import { Button } from '../../ui/Button.tsx';
import { Field, SelectField } from '../../ui/Field.tsx';
import type { Draft } from './draft.ts';
import { cleanName, labelOf, PLATFORM_NAMES, PLATFORMS, type Platform, recipientProblem } from './recipient.ts';

const PAUSE_MS = 400;

type Availability = { available: boolean; reason: string | null };

export function RecipientField({
  value,
  own,
  onChange,
}: {
  value: Draft;
  /** The sender’s own handle. */
  own: string;
  onChange: (change: Partial<Draft>) => void;
}) {
  const name = cleanName(value.name);
  const isHandle = value.platform === 'ampersat';
  const problem = value.name === '' ? null : recipientProblem(value);
  const settled = useSettled(name);
  const lookUp = useQuery({
    queryKey: ['handle', settled],
    enabled: isHandle && settled !== '' && recipientProblem({ ...value, name: settled }) === null,
    queryFn: ({ signal }) => callApi<Availability>('GET', `/handles/${encodeURIComponent(settled)}`, undefined, signal),
    staleTime: 10_000,
  });
  if (value.byId)
    return (
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg border border-line bg-surface px-4 py-3">
        <p className="min-w-0">
          For <b className="font-semibold break-words">{labelOf(value)}</b>
        </p>
        <Button onClick={() => onChange({ name: '', byId: false })}>Choose another</Button>
      </div>
    );
  const isSettled = settled === name && name.length >= 3;
  const isFree = isHandle && isSettled && lookUp.data?.available === true;
  const isOwn = isHandle && name === own;
  const hint = isHandle
    ? isSettled && lookUp.data && !isFree
      ? `@${name} is on Ampersat.`
      : 'Their Ampersat handle.'
    : `Their name on ${PLATFORM_NAMES[value.platform]}. They don’t need an account yet.`;
  return (
    <div className="grid gap-4 sm:grid-cols-[11rem_minmax(0,1fr)]">
      <SelectField
        label="Platform"
        value={value.platform}
        onChange={(event) => onChange({ platform: event.target.value as Platform })}
      >
        {PLATFORMS.map((platform) => (
          <option key={platform} value={platform}>
            {PLATFORM_NAMES[platform]}
          </option>
        ))}
      </SelectField>
      <Field
        label="Name"
        name="to"
        before="@"
        maxLength={45}
        autoCapitalize="none"
        placeholder="theirname"
        value={value.name}
        error={
          isOwn
            ? 'This is your own account.'
            : name.length >= 3
              ? (problem ??
                (isFree ? `@${name} isn’t on Ampersat. If it’s a username elsewhere, choose that platform.` : null))
              : null
        }
        hint={hint}
        onChange={(event) => onChange({ name: event.target.value.replace(/^@/, '') })}
      />
    </div>
  );
}

/** The value once it has not changed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
