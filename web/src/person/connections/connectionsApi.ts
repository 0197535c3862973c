// The accounts that are connected, the platforms at which one can log in to connect more, and a login on its way.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { LoginPlatform } from '../../../../src/domain/login.ts';
import type { ConnectionView } from '../../../../src/http/api/connectionAnswers.ts';
import { callApi, type List } from '../../app/api.ts';
import { SPENDING_KEY } from '../spending/spendingApi.ts';

export const CONNECTIONS_KEY = ['connections'];

/** A login whose account is known: `proven` waits for the press on this page. */
export type Login = {
  id: string;
  platform: LoginPlatform;
  platform_user_id: string;
  username: string | null;
  handle: string;
  status: 'proven' | 'connected';
  expires_at: string;
  return_to: string;
  connection_id: string | null;
};

export function useConnections() {
  return useQuery({
    queryKey: CONNECTIONS_KEY,
    queryFn: ({ signal }) => callApi<List<ConnectionView>>('GET', '/connections', undefined, signal),
  });
}

export function usePlatforms() {
  return useQuery({
    queryKey: ['login-platforms'],
    queryFn: ({ signal }) => callApi<{ platforms: LoginPlatform[] }>('GET', '/auth/platforms', undefined, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useDisconnect() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callApi('DELETE', `/connections/${encodeURIComponent(id)}`),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: CONNECTIONS_KEY });
      await client.invalidateQueries({ queryKey: SPENDING_KEY });
    },
  });
}

/** Leaves for the platform. */
export async function leaveFor(platform: LoginPlatform): Promise<void> {
  const { url } = await callApi<{ url: string }>('POST', `/auth/${platform}/start`);
  location.assign(url);
}

export async function fetchLogin(id: string, signal?: AbortSignal): Promise<Login> {
  const { login } = await callApi<{ login: Login }>('GET', `/auth/logins/${encodeURIComponent(id)}`, undefined, signal);
  return login;
}

export async function bringTelegramAnswer(state: string, result: string): Promise<Login> {
  const { login } = await callApi<{ login: Login }>('POST', '/auth/telegram/callback', { state, result });
  return login;
}

export async function confirmLogin({ platform, id }: Login): Promise<Login> {
  const { login } = await callApi<{ login: Login }>('POST', `/auth/${platform}/confirm`, { login: id });
  return login;
}
