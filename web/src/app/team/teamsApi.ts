// The teams of the account that is signed in, and what it may do in the workspace for which the tab acts.
import { useQuery } from '@tanstack/react-query';
import { can, type Door, type Role } from '../../../../src/domain/team.ts';
import type { OwnTeams } from '../../../../src/http/api/teamAnswers.ts';
import { useActing } from '../acting.ts';
import { callApi } from '../api.ts';

/** Of the account, not of a workspace: it stays when the tab switches. */
export const TEAMS_KEY = ['teams'];

const ACTING_REFRESH_MS = 60_000;

/** Read once by most; while a tab acts for a team, a role that changed is seen within a minute. */
export function useTeams() {
  const acting = useActing();
  return useQuery({
    queryKey: TEAMS_KEY,
    queryFn: ({ signal }) => callApi<OwnTeams>('GET', '/teams', undefined, signal),
    staleTime: 60_000,
    refetchInterval: acting === null ? false : ACTING_REFRESH_MS,
  });
}

/** The account's own workspace needs no answer: it is an owner's. Null while another's is not known. */
export function useRole(): Role | null {
  const acting = useActing();
  const { data } = useTeams();
  if (acting === null) return 'owner';
  return data?.places.find(({ handle }) => handle === acting)?.role ?? null;
}

export function useCan(door: Door): boolean {
  const role = useRole();
  return role !== null && can(role, door);
}

export function answerInvitation(id: string, action: 'accept' | 'decline'): Promise<{ workspace: string }> {
  return callApi('POST', `/teams/invitations/${encodeURIComponent(id)}`, { action });
}

export function leaveTeam(workspace: string): Promise<OwnTeams> {
  return callApi('DELETE', `/teams/${encodeURIComponent(workspace)}`);
}
