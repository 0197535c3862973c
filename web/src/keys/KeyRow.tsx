// One key: how it is known, what it may do, when it was used, and its end.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { exactTime } from '../format.ts';
import { ConfirmButton } from '../settings/ConfirmButton.tsx';
import { Button } from '../ui/Button.tsx';
import { SelectField } from '../ui/Field.tsx';
import { ErrorNote } from '../ui/notices.tsx';
import { Pill } from '../ui/Pill.tsx';
import { TimeAgo } from '../ui/TimeAgo.tsx';
import { type ApiKey, KEYS_KEY, type NewKey, revokeKey, rollKey } from './keysApi.ts';
import { KEY_STATUS, SCOPE_WORDS } from './scopeWords.ts';

export function KeyRow({ apiKey, onRolled }: { apiKey: ApiKey; onRolled: (made: NewKey) => void }) {
  const client = useQueryClient();
  const [isRolling, setIsRolling] = useState(false);
  const revoke = useMutation({
    mutationFn: () => revokeKey(apiKey.id),
    onSuccess: () => client.invalidateQueries({ queryKey: KEYS_KEY }),
  });
  const { status } = apiKey;
  const { word, tone } = KEY_STATUS[status];
  const isWorking = status === 'active' || status === 'rolled';
  return (
    <li className="flex flex-col gap-3 border-t border-line py-4 first:border-t-0 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-col gap-0.5">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <b className="font-semibold break-words">{apiKey.label}</b>
            <Pill tone={tone}>{word}</Pill>
          </p>
          <p className="text-sm">
            <code className="font-mono">
              sk_{apiKey.mode}_…{apiKey.last4}
            </code>
          </p>
          <p className="text-sm text-muted">{apiKey.scopes.map((scope) => SCOPE_WORDS[scope].name).join(', ')}</p>
          <p className="text-sm text-muted">
            Made <TimeAgo at={apiKey.created_at} />,{' '}
            {apiKey.last_used_at ? (
              <>
                last used <TimeAgo at={apiKey.last_used_at} />
              </>
            ) : (
              'never used'
            )}
            {status === 'rolled' && apiKey.expires_at && `, works until ${exactTime(Date.parse(apiKey.expires_at))}`}
          </p>
        </div>
        {isWorking && !isRolling && (
          <div className="flex flex-wrap gap-2">
            {status === 'active' && (
              <Button aria-label={`Roll ${apiKey.label}`} onClick={() => setIsRolling(true)}>
                Roll…
              </Button>
            )}
            <ConfirmButton
              label={`Revoke ${apiKey.label}`}
              question="Whatever uses it stops at once."
              yes="Revoke it"
              busy={revoke.isPending}
              onYes={() => revoke.mutate()}
            >
              Revoke…
            </ConfirmButton>
          </div>
        )}
      </div>
      {isRolling && (
        <RollForm
          apiKey={apiKey}
          onRolled={(made) => {
            setIsRolling(false);
            onRolled(made);
          }}
          onCancel={() => setIsRolling(false)}
        />
      )}
      {revoke.isError && <ErrorNote>{revoke.error.message}</ErrorNote>}
    </li>
  );
}

const OVERLAPS = [
  [0, 'at once'],
  [1, 'in an hour'],
  [24, 'in a day'],
  [168, 'in a week'],
] as const;

function RollForm({
  apiKey,
  onRolled,
  onCancel,
}: {
  apiKey: ApiKey;
  onRolled: (made: NewKey) => void;
  onCancel: () => void;
}) {
  const [hours, setHours] = useState(24);
  const roll = useMutation({ mutationFn: () => rollKey(apiKey.id, hours), onSuccess: onRolled });
  return (
    <div className="flex flex-col gap-3 rounded-lg bg-sunken p-4">
      <p className="text-sm">
        A new secret takes the place of this one, with the same name and rights. Both work until this one ends, so that
        nothing stops while you change it.
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
          {roll.isPending ? 'One moment…' : 'Roll the key'}
        </Button>
        <Button className="min-h-12!" kind="plain" disabled={roll.isPending} onClick={onCancel}>
          Cancel
        </Button>
      </div>
      {roll.isError && <ErrorNote>{roll.error.message}</ErrorNote>}
    </div>
  );
}
