// The team of a workspace and its audit log, as the service tells them.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { InvitePlatform, Role } from '../../../../src/domain/team.ts';
import type { AuditAnswer, TeamAnswer } from '../../../../src/http/api/teamAnswers.ts';
import { namedPath } from '../../app/acting.ts';
import { callApi, type List, queryOf } from '../../app/api.ts';

export const TEAM_KEY = ['team'];

export function useTeam() {
  return useQuery({
    queryKey: TEAM_KEY,
    queryFn: ({ signal }) => callApi<TeamAnswer>('GET', '/team', undefined, signal),
  });
}

export const sendInvitation = (wish: { platform: InvitePlatform; name: string; role: Role }) =>
  callApi<unknown>('POST', '/team/invitations', wish);
export const withdrawInvitation = (id: string) =>
  callApi<TeamAnswer>('DELETE', `/team/invitations/${encodeURIComponent(id)}`);
export const changeRole = (id: string, role: Role) =>
  callApi<TeamAnswer>('PATCH', `/team/members/${encodeURIComponent(id)}`, { role });
export const removeMember = (id: string) => callApi<TeamAnswer>('DELETE', `/team/members/${encodeURIComponent(id)}`);

/** The filters as they stand in the address bar; `q` is the ID of a thing. */
export const FILTERS = ['q', 'actor', 'kind', 'from', 'to'] as const;
export type Filters = Partial<Record<(typeof FILTERS)[number], string>>;

/** Days are those of the reader's clock. */
function paramsOf({ q, from, to, ...rest }: Filters) {
  const dayAfter = to ? new Date(`${to}T00:00`) : null;
  dayAfter?.setDate(dayAfter.getDate() + 1);
  return {
    ...rest,
    object: q ?? null,
    from: from ? new Date(`${from}T00:00`).toISOString() : null,
    before: dayAfter?.toISOString() ?? null,
  };
}

const PAGE = 25;

export function useAuditLog(filters: Filters) {
  return useInfiniteQuery({
    queryKey: ['audit log', filters],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      callApi<List<AuditAnswer>>(
        'GET',
        `/audit_log${queryOf({ ...paramsOf(filters), limit: PAGE, cursor: pageParam })}`,
        undefined,
        signal,
      ),
    getNextPageParam: (page) => (page.has_more ? page.next_cursor : null),
  });
}

export const auditCsvUrl = (filters: Filters) => namedPath('GET', `/api/audit_log.csv${queryOf(paramsOf(filters))}`);
