// Whether plans can be made on Solana now, and why not, in plain words.
import { useQuery } from '@tanstack/react-query';
import type { SolanaSubs } from '../../../../src/http/api/diagAnswers.ts';
import { callApi } from '../../app/api.ts';

const REFRESH_MS = 15_000;

export function useSolanaSubs() {
  return useQuery({
    queryKey: ['solana-subs'],
    queryFn: ({ signal }) => callApi<SolanaSubs>('GET', '/diag/solana-subs', undefined, signal),
    refetchInterval: REFRESH_MS,
  });
}

/**
 * @param subs undefined while it is not known
 * @param wallet the handle's on Solana
 * @returns null where a plan can be made, and where this deployment has no Solana
 */
export function solanaProblem(subs: SolanaSubs | undefined, wallet: string | null): string | null {
  if (!subs || (subs.program === null && !subs.ok)) return null;
  if (subs.slot === null || subs.lag_seconds === null) return 'the network isn’t responding right now.';
  if (!subs.executable) return 'Ampersat’s program isn’t there.';
  if (!subs.config.initialized) return 'Ampersat’s program isn’t set up there yet.';
  if (!subs.config.mint_ok) return 'Ampersat’s program takes another USDC than this service.';
  if (subs.config.paused) return 'new subscriptions are paused there. Try again later.';
  if (subs.lag_seconds > MOST_LAG_S) return `the network has made no block for ${subs.lag_seconds} seconds.`;
  if (!subs.ok) return 'this service doesn’t serve it right now.';
  return wallet === null ? 'add a Solana wallet in the settings to be paid there.' : null;
}

/** As the service counts it. */
const MOST_LAG_S = 60;
