// One connected account: who it is, what it may do, since when, and the way to disconnect it.
import type { ConnectionView } from '../../../../src/http/api/connectionAnswers.ts';
import { Pill } from '../../ui/Pill.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import { ConfirmButton } from '../settings/ConfirmButton.tsx';
import { ConnectionName } from '../spending/ConnectionName.tsx';
import type { useDisconnect } from './connectionsApi.ts';

export function ConnectionRow({
  connection,
  disconnect,
}: {
  connection: ConnectionView;
  disconnect: ReturnType<typeof useDisconnect>;
}) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line py-3 not-first:border-t first:pt-0 last:pb-0">
      <ConnectionName connection={connection} />
      <span className="flex flex-wrap items-center gap-3">
        <Pill tone={connection.can_spend ? 'good' : 'quiet'}>
          {connection.can_spend ? 'Can spend' : 'Receive only'}
        </Pill>
        <span className="text-sm text-muted">
          Connected <TimeAgo at={connection.created_at} />
        </span>
        <ConfirmButton
          label={`Disconnect ${connection.username ?? connection.platform_user_id}`}
          question="It can no longer spend or be paid."
          yes="Disconnect"
          busy={disconnect.isPending}
          onYes={() => disconnect.mutate(connection.id)}
        >
          Disconnect
        </ConfirmButton>
      </span>
    </li>
  );
}
