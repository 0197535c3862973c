// The browsers in which this handle is signed in, and the ways to sign out of them.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callApi, type List } from '../../app/api.ts';
import { signOut } from '../../app/session/useSession.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import { browserName } from './browserName.ts';
import { ConfirmButton } from './ConfirmButton.tsx';

type SessionRow = {
  id: string;
  current: boolean;
  user_agent: string;
  created_at: string;
  last_seen_at: string;
  expires_at: string;
};

const KEY = ['sessions'];

export function useSessions() {
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => callApi<List<SessionRow>>('GET', '/sessions', undefined, signal),
  });
}

export function SessionsCard() {
  const client = useQueryClient();
  const { data, error, refetch } = useSessions();
  const end = useMutation({
    mutationFn: (id: string) => callApi('DELETE', `/sessions/${encodeURIComponent(id)}`),
    onSuccess: () => client.invalidateQueries({ queryKey: KEY }),
  });
  const leave = useMutation({ mutationFn: () => signOut(client) });
  const leaveAll = useMutation({ mutationFn: () => signOut(client, { everywhere: true }) });
  const failed = end.error ?? leave.error ?? leaveAll.error;
  return (
    <Card
      title="Sessions"
      aside={
        <ConfirmButton
          question="Sign out of all browsers, including this one?"
          yes="Sign out everywhere"
          busy={leaveAll.isPending}
          onYes={() => leaveAll.mutate()}
        >
          Sign out everywhere
        </ConfirmButton>
      }
    >
      {error && !data && <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>}
      {!data && !error && <Skeleton className="h-14" />}
      <ul className="flex flex-col">
        {data?.data.map((session) => (
          <li
            key={session.id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line py-3 not-first:border-t first:pt-0 last:pb-0"
          >
            <span className="min-w-0">
              <span className="flex flex-wrap items-center gap-2 font-medium" title={session.user_agent}>
                {browserName(session.user_agent)}
                {session.current && <Pill tone="good">This browser</Pill>}
              </span>
              <span className="block text-sm text-muted">
                Last active <TimeAgo at={session.last_seen_at} />, signed in <TimeAgo at={session.created_at} />
              </span>
            </span>
            <Button
              disabled={end.isPending || leave.isPending}
              onClick={() => (session.current ? leave.mutate() : end.mutate(session.id))}
            >
              Sign out
            </Button>
          </li>
        ))}
      </ul>
      {failed && <ErrorNote>{failed.message}</ErrorNote>}
    </Card>
  );
}
