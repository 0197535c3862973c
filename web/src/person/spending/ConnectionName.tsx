// A chat account as its owner knows it: its name, its platform, and the number that never changes.
import type { ConnectionView } from '../../../../src/http/api/connectionAnswers.ts';
import { capitalised } from '../../app/format.ts';
import { Avatar } from '../../ui/Avatar.tsx';

export function ConnectionName({ connection }: { connection: ConnectionView }) {
  return (
    <span className="flex min-w-0 items-center gap-3">
      <Avatar name={connection.username ?? '?'} />
      <span className="min-w-0">
        <span className="block truncate font-semibold">
          {connection.username ? `@${connection.username}` : 'No username'}
        </span>
        <span className="block text-sm text-muted amount">
          {capitalised(connection.platform)} · ID {connection.platform_user_id}
        </span>
      </span>
    </span>
  );
}
