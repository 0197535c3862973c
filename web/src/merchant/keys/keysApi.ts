// The keys of the API as the service tells them; a secret comes once, with the answer that makes it.
import { useQuery } from '@tanstack/react-query';
import type { KeyMode, KeyStatus, Scope } from '../../../../src/domain/apiKey.ts';
import { callApi, type List, queryOf } from '../../app/api.ts';
import { useMode } from '../business/workspaceApi.ts';

export type ApiKey = {
  id: string;
  label: string;
  mode: KeyMode;
  scopes: Scope[];
  last4: string;
  status: KeyStatus;
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  /** Who created it, and so has seen its secret: "@alice". */
  made_by: string;
};

export type NewKey = { key: ApiKey; secret: string };

export const KEYS_KEY = ['keys'];

export function useKeys() {
  const mode = useMode();
  return useQuery({
    queryKey: [...KEYS_KEY, mode],
    queryFn: ({ signal }) => callApi<List<ApiKey>>('GET', `/keys${queryOf({ mode })}`, undefined, signal),
    select: ({ data }) => data,
    enabled: mode !== null,
  });
}

export function createKey(wish: { label: string; mode: KeyMode; scopes: Scope[] }): Promise<NewKey> {
  return callApi('POST', '/keys', wish);
}

export function rollKey(id: string, overlapHours: number): Promise<NewKey> {
  return callApi('POST', `/keys/${encodeURIComponent(id)}/roll`, { overlap_hours: overlapHours });
}

export function revokeKey(id: string): Promise<{ key: ApiKey }> {
  return callApi('POST', `/keys/${encodeURIComponent(id)}/revoke`);
}
