// The chats that are connected, and the way to disconnect each of them.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Connection, callApi, type List } from '../api.ts';
import { ConnectionName } from '../spending/ConnectionName.tsx';
import { SPENDING_KEY } from '../spending/spendingApi.ts';
import { ButtonLink } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { EmptyNote, ErrorNote, Skeleton } from '../ui/notices.tsx';
import { Pill } from '../ui/Pill.tsx';
import { TimeAgo } from '../ui/TimeAgo.tsx';
import { ConfirmButton } from './ConfirmButton.tsx';

const KEY = ['connections'];

export function ConnectionsCard() {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => callApi<List<Connection>>('GET', '/connections', undefined, signal),
  });
  const disconnect = useMutation({
    mutationFn: (id: string) => callApi('DELETE', `/connections/${encodeURIComponent(id)}`),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: KEY });
      await client.invalidateQueries({ queryKey: SPENDING_KEY });
    },
  });
  return (
    <Card title="Connected chats">
      {error && !data && <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>}
      {!data && !error && <Skeleton className="h-14" />}
      {data?.data.length === 0 && (
        <EmptyNote title="No chat is connected">
          <p className="mb-4">
            Type <code className="font-mono">/connect</code> to the bot in your direct chat and open the link that it
            answers.
          </p>
          <ButtonLink href="/connect">How to connect</ButtonLink>
        </EmptyNote>
      )}
      <ul className="flex flex-col">
        {data?.data.map((connection) => (
          <li
            key={connection.id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line py-3 not-first:border-t first:pt-0 last:pb-0"
          >
            <ConnectionName connection={connection} />
            <span className="flex flex-wrap items-center gap-3">
              <Pill tone={connection.can_spend ? 'good' : 'quiet'}>
                {connection.can_spend ? 'May spend' : 'Receives only'}
              </Pill>
              <span className="text-sm text-muted">
                since <TimeAgo at={connection.created_at} />
              </span>
              <ConfirmButton
                label={`Disconnect ${connection.username ?? connection.platform_user_id}`}
                question="It can then neither spend nor be paid."
                yes="Disconnect"
                busy={disconnect.isPending}
                onYes={() => disconnect.mutate(connection.id)}
              >
                Disconnect
              </ConfirmButton>
            </span>
          </li>
        ))}
      </ul>
      {disconnect.isError && <ErrorNote>{disconnect.error.message}</ErrorNote>}
    </Card>
  );
}
