// Which accounts have paused their spending, by the selected traces, and how to resume it.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { resumeSpending, type Trace } from './localApi.ts';

export function usePause(
  /** The author of the selected message. */
  author: string | null,
  trace: Trace | undefined,
  onResumed: (name: string) => void,
) {
  const client = useQueryClient();
  const [paused, setPaused] = useState<ReadonlySet<string>>(new Set());
  const [resumedAt, setResumedAt] = useState<Record<string, number>>({});
  const arrivedAt = Date.parse(trace?.inbox?.received_at ?? '');
  const hasPause = trace?.inbox?.outcome === 'pause' || trace?.intent?.detail?.refusal?.code === 'sender_paused';
  const shown = author && hasPause && arrivedAt > (resumedAt[author] ?? 0) ? author : null;
  useEffect(() => {
    if (shown) setPaused((known) => (known.has(shown) ? known : new Set(known).add(shown)));
  }, [shown]);
  const resume = useMutation({
    mutationFn: resumeSpending,
    onSuccess: (_transactions, name) => {
      setResumedAt((known) => ({ ...known, [name]: Date.now() }));
      setPaused((known) => new Set([...known].filter((one) => one !== name)));
      onResumed(name);
      void client.invalidateQueries({ queryKey: ['trace'] });
    },
  });
  return { paused, shown, resume };
}
