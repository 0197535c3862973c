// Why there is nothing to see, which stands until there is an answer: a page that asks again by itself would else turn into a skeleton and back
// every few seconds.
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';

/** `retry` is for the user's own retry: it shows that a request is under way. */
export function useKnownError({ data, error, refetch }: Pick<UseQueryResult, 'data' | 'error' | 'refetch'>): {
  error: Error | null;
  retry: () => void;
} {
  const [known, setKnown] = useState<Error | null>(null);
  // With data the query itself keeps its error until the next answer.
  const next = data === undefined ? (error ?? known) : null;
  if (next !== known) setKnown(next);
  return {
    error: error ?? next,
    retry() {
      setKnown(null);
      void refetch();
    },
  };
}
