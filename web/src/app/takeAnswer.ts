// Puts a response of the service into the cache, before anything is refetched.
import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** Shows a response. Requests from before it are cancelled: a late response would overwrite it with older data. */
export function takeAnswer<Answer>(client: QueryClient, queryKey: QueryKey, answer: Answer): void {
  void client.cancelQueries({ queryKey, exact: true });
  client.setQueryData<Answer>(queryKey, answer);
}
