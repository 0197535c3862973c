// The connected chats, beside the sessions: both can be ended here if one is not the user's.

import { ButtonLink } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { EmptyNote, ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { ConnectionRow } from '../connections/ConnectionRow.tsx';
import { useConnections, useDisconnect } from '../connections/connectionsApi.ts';

export function ConnectionsCard() {
  const { data, error, refetch } = useConnections();
  const disconnect = useDisconnect();
  return (
    <Card title="Connected chats">
      {error && !data && <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>}
      {!data && !error && <Skeleton className="h-14" />}
      {data?.data.length === 0 && (
        <EmptyNote title="No chat is connected">
          <p className="mb-4">Connect Telegram, Discord or X to be tipped there.</p>
          <ButtonLink href="/connections">Connect a chat</ButtonLink>
        </EmptyNote>
      )}
      <ul className="flex flex-col">
        {data?.data.map((connection) => (
          <ConnectionRow key={connection.id} connection={connection} disconnect={disconnect} />
        ))}
      </ul>
      {disconnect.isError && <ErrorNote>{disconnect.error.message}</ErrorNote>}
    </Card>
  );
}
