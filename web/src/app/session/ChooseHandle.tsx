// Choosing the handle: its form is validated while typing, its availability by the service.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { handleProblem } from '../../../../src/domain/handles.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { type Account, callApi } from '../api.ts';
import { noteAccount } from './useSession.ts';

const PAUSE_MS = 300;

type Availability = { handle: string; available: boolean; message: string | null };

export function ChooseHandle() {
  const client = useQueryClient();
  const [typed, setTyped] = useState('');
  const handle = typed.trim().replace(/^@/, '').toLowerCase();
  const settled = useSettled(handle, PAUSE_MS);
  const problem = handle === '' ? null : handleProblem(handle);
  const availability = useQuery({
    queryKey: ['handle', settled],
    enabled: settled !== '' && handleProblem(settled) === null,
    queryFn: ({ signal }) => callApi<Availability>('GET', `/handles/${settled}`, undefined, signal),
    staleTime: 10_000,
  });
  const answer = settled === handle ? availability.data : undefined;
  const take = useMutation({
    mutationFn: () => callApi<{ account: Account }>('POST', '/handle', { handle }),
    onSuccess: ({ account }) => noteAccount(client, account),
  });
  const error =
    handle.length >= 3 && problem
      ? WHY_NOT[problem]
      : answer && !answer.available
        ? (answer.message ?? 'This handle, or one that looks like it, is taken.')
        : null;
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (handle && !problem) take.mutate();
      }}
    >
      <Field
        label="Your handle"
        name="handle"
        before="@"
        value={typed}
        maxLength={31}
        autoCapitalize="none"
        placeholder="yourname"
        error={error}
        hint={answer?.available ? `@${handle} is available.` : '3 to 30 letters, digits or underscores.'}
        onChange={(event) => setTyped(event.target.value)}
      />
      {take.isError && <ErrorNote>{take.error.message}</ErrorNote>}
      <Button
        type="submit"
        kind="filled"
        className="min-h-12! text-base!"
        disabled={!handle || problem !== null || answer?.available === false || take.isPending}
      >
        {take.isPending ? 'Claiming…' : handle && !problem ? `Claim @${handle}` : 'Claim handle'}
      </Button>
      <p className="text-sm text-muted">Your handle is permanent: you can’t change or transfer it.</p>
    </form>
  );
}

const WHY_NOT = {
  format: 'Use 3 to 30 letters (a to z), digits and underscores.',
  reserved: 'This handle is reserved. Choose another.',
};

/** The value once it has not changed for a moment. */
function useSettled(value: string, ms: number): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
