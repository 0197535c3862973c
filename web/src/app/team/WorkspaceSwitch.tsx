// Whose workspace the tab shows: the account's own, or that of a team.
import { useQueryClient } from '@tanstack/react-query';
import { ChevronsUpDown } from 'lucide-react';
import { useEffect } from 'react';
import { Avatar } from '../../ui/Avatar.tsx';
import { useActing } from '../acting.ts';
import { switchWorkspace } from '../session/useSession.ts';
import { ROLE_WORDS } from './roleWords.ts';
import { useTeams } from './teamsApi.ts';

/** The handle alone, where the account is in no team. Both are as high, so that nothing moves. */
export function WorkspaceSwitch({ handle }: { handle: string }) {
  const client = useQueryClient();
  const acting = useActing();
  const { data, isFetching } = useTeams();
  const places = data?.places ?? [];
  const isGone = acting !== null && data !== undefined && !isFetching && !places.some((one) => one.handle === acting);
  useEffect(() => {
    if (isGone) switchWorkspace(client, null);
  }, [isGone, client]);
  const shown = acting ?? handle;
  if (places.length < 2 && acting === null)
    return (
      <span className="flex min-h-8 max-w-full min-w-0 items-center gap-2">
        <Avatar name={handle} />
        <span className="truncate font-semibold">@{handle}</span>
      </span>
    );
  return (
    <span className="relative flex min-h-8 max-w-full min-w-0 items-center gap-2 rounded-lg has-focus-visible:outline-2 has-focus-visible:outline-accent">
      <Avatar name={shown} />
      <span className="truncate font-semibold">@{shown}</span>
      <ChevronsUpDown aria-hidden="true" className="size-4 shrink-0 text-muted" />
      <select
        aria-label="Workspace"
        value={shown}
        onChange={({ target }) => switchWorkspace(client, target.value === handle ? null : target.value)}
        className="absolute inset-0 w-full cursor-pointer opacity-0"
      >
        {acting !== null && !places.some((one) => one.handle === acting) && <option value={acting}>@{acting}</option>}
        {places.map((place) => (
          <option key={place.handle} value={place.handle}>
            @{place.handle} {place.is_own ? '(your own)' : `(${ROLE_WORDS[place.role].name})`}
          </option>
        ))}
      </select>
    </span>
  );
}
