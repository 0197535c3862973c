// One key: its name, permissions and last use, and how to roll or revoke it.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { mayGive } from '../../../../src/domain/team.ts';
import { exactTime } from '../../app/format.ts';
import { useCan, useRole } from '../../app/team/teamsApi.ts';
import { ConfirmButton } from '../../person/settings/ConfirmButton.tsx';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { RollForm } from '../../ui/RollForm.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import { type ApiKey, KEYS_KEY, type NewKey, revokeKey, rollKey } from './keysApi.ts';
import { KEY_STATUS, SCOPE_WORDS } from './scopeWords.ts';

const OVERLAPS = [0, 1, 24, 168];

export function KeyRow({ apiKey, onRolled }: { apiKey: ApiKey; onRolled: (made: NewKey) => void }) {
  const client = useQueryClient();
  const [isRolling, setIsRolling] = useState(false);
  const mayChange = useCan('keys');
  const role = useRole();
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
            Created by {apiKey.made_by} <TimeAgo at={apiKey.created_at} />,{' '}
            {apiKey.last_used_at ? (
              <>
                last used <TimeAgo at={apiKey.last_used_at} />
              </>
            ) : (
              'never used'
            )}
            {status === 'rolled' && apiKey.expires_at && `, expires ${exactTime(Date.parse(apiKey.expires_at))}`}
          </p>
        </div>
        {isWorking && !isRolling && mayChange && (
          <div className="flex flex-wrap gap-2">
            {status === 'active' && role && apiKey.scopes.every((scope) => mayGive(role, scope)) && (
              <Button aria-label={`Roll ${apiKey.label}`} onClick={() => setIsRolling(true)}>
                Roll…
              </Button>
            )}
            <ConfirmButton
              label={`Revoke ${apiKey.label}`}
              question="Revoke this key? Requests that use it fail immediately."
              yes="Revoke key"
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
          overlaps={OVERLAPS}
          usual={24}
          yes="Roll key"
          roll={(hours) => rollKey(apiKey.id, hours)}
          onRolled={(made) => {
            setIsRolling(false);
            onRolled(made);
          }}
          onCancel={() => setIsRolling(false)}
        >
          Creates a new secret with the same name and permissions. Both keys work until this one expires, so you can
          switch without downtime.
        </RollForm>
      )}
      {revoke.isError && <ErrorNote>{revoke.error.message}</ErrorNote>}
    </li>
  );
}
