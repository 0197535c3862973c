// What a page has just heard of the service, before it asks again.
import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** Shows an answer. Whatever was asked before it knows nothing of it, and would take it back by coming later: that is forgotten. */
export function takeAnswer<Answer>(client: QueryClient, queryKey: QueryKey, answer: Answer): void {
  void client.cancelQueries({ queryKey, exact: true });
  client.setQueryData<Answer>(queryKey, answer);
}
