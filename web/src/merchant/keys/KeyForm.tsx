// A new key: its name, mode and permissions.

import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type KeyMode, SCOPES, type Scope, USUAL_SCOPES } from '../../../../src/domain/apiKey.ts';
import { mayGive } from '../../../../src/domain/team.ts';
import { useRole } from '../../app/team/teamsApi.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Choice } from '../../ui/Choice.tsx';
import { Field } from '../../ui/Field.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { useMode, useWorkspace } from '../business/workspaceApi.ts';
import { createKey, type NewKey } from './keysApi.ts';
import { SCOPE_WORDS } from './scopeWords.ts';

const MODES = [
  ['test', 'Test: no real money'],
  ['live', 'Live: real money'],
] as const;

export function KeyForm({ onMade, onCancel }: { onMade: (made: NewKey) => void; onCancel: () => void }) {
  const role = useRole();
  const modes = useWorkspace().data?.modes ?? [];
  const looked = useMode();
  const [label, setLabel] = useState('');
  const [chosen, setChosen] = useState<KeyMode | null>(null);
  const [scopes, setScopes] = useState<readonly Scope[]>(USUAL_SCOPES);
  const mode = chosen ?? looked ?? modes[0] ?? 'test';
  const create = useMutation({
    mutationFn: () => createKey({ label: label.trim(), mode, scopes: [...scopes] }),
    onSuccess: onMade,
  });
  const isReady = label.trim() !== '' && scopes.length > 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && !create.isPending) create.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Card arrives title="New key">
        <Field
          label="Name"
          name="label"
          maxLength={280}
          placeholder="The web shop"
          value={label}
          onChange={(event) => setLabel(event.target.value)}
        />
        {modes.length > 1 ? (
          <Choice label="Mode" value={mode} onValue={setChosen} choices={MODES} />
        ) : (
          <p className="text-sm text-muted">
            {mode === 'test' ? 'Test key: works on test networks only.' : 'Live key: moves real money.'}
          </p>
        )}
        <fieldset className="flex flex-col gap-1">
          <legend className="mb-1 text-sm font-medium">Permissions</legend>
          {SCOPES.filter((scope) => role && mayGive(role, scope)).map((scope) => (
            <label key={scope} className="flex min-h-10 cursor-pointer items-center gap-3 text-sm">
              <input
                type="checkbox"
                name="scopes"
                value={scope}
                checked={scopes.includes(scope)}
                onChange={({ target }) =>
                  setScopes(target.checked ? [...scopes, scope] : scopes.filter((one) => one !== scope))
                }
                className="size-5 shrink-0 accent-accent"
              />
              <span>
                <b className="font-medium">{SCOPE_WORDS[scope].name}</b>{' '}
                <span className="text-muted">{SCOPE_WORDS[scope].what}</span>
              </span>
            </label>
          ))}
        </fieldset>
        {create.isError && <ErrorNote>{create.error.message}</ErrorNote>}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button
            type="submit"
            kind="filled"
            className="min-h-12! max-sm:w-full"
            disabled={!isReady || create.isPending}
          >
            {create.isPending ? 'Creating…' : 'Create key'}
          </Button>
          <Button kind="plain" onClick={onCancel}>
            Cancel
          </Button>
        </div>
      </Card>
    </form>
  );
}
