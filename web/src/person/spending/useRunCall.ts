// A change of what may be spent as a page shows it: what is done, what is waited for, since when, and what went wrong.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ChosenWallet, type Job, runCall, type Stage } from './runCall.ts';
import { SPENDING_KEY } from './spendingApi.ts';

/** The stages that were reached, each with its time in Unix milliseconds; `endedAt` is null while it runs. */
export type Run = { stages: { stage: Stage; at: number }[]; endedAt: number | null };

export function useRunCall(address: string, onDone?: () => void) {
  const client = useQueryClient();
  const [run, setRun] = useState<Run | null>(null);
  const mutation = useMutation({
    mutationFn: async ({ chosen, job, chainLabel }: { chosen: ChosenWallet; job: Job; chainLabel: string }) => {
      setRun({ stages: [], endedAt: null });
      await runCall({ ...chosen, address }, job, chainLabel, (stage) =>
        setRun((known) => ({ stages: [...(known?.stages ?? []), { stage, at: Date.now() }], endedAt: null })),
      );
      await client.refetchQueries({ queryKey: SPENDING_KEY });
    },
    onSuccess: () => onDone?.(),
    onSettled: () => setRun((known) => known && { ...known, endedAt: Date.now() }),
  });
  return { run, mutation };
}
