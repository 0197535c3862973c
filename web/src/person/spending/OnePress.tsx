// Everything that is left until the first tip, signed at once: the passkey shows each part in words, and one fingerprint signs them all.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { PASSKEY_WALLET } from '../../wallet/wallets.ts';
import { RunStages } from './RunStages.tsx';
import { runCalls } from './runCall.ts';
import { SPENDING_KEY, type SpendingCall } from './spendingApi.ts';
import type { Run } from './useRunCall.ts';

export function OnePress({
  calls,
  address,
  chainLabel,
  disabled = false,
  onStart,
}: {
  calls: readonly SpendingCall[];
  address: string;
  chainLabel: string;
  disabled?: boolean;
  onStart?: () => void;
}) {
  const client = useQueryClient();
  const [run, setRun] = useState<Run | null>(null);
  const task = useMutation({
    mutationFn: () => {
      onStart?.();
      setRun({ stages: [], endedAt: null });
      return runCalls({ wallet: PASSKEY_WALLET, address }, calls, chainLabel, (stage) =>
        setRun((known) => ({ stages: [...(known?.stages ?? []), { stage, at: Date.now() }], endedAt: null })),
      );
    },
    // What got through before an error is done, and is not signed again.
    onSettled: async () => {
      setRun((known) => known && { ...known, endedAt: Date.now() });
      await client.refetchQueries({ queryKey: SPENDING_KEY });
    },
  });
  return (
    <div className="flex flex-col gap-3">
      <Button
        kind="filled"
        className="min-h-12! text-base!"
        disabled={disabled || task.isPending}
        onClick={() => task.mutate()}
      >
        <Fingerprint aria-hidden="true" className="size-5" />
        {task.isPending ? 'One moment…' : `Allow all ${calls.length} with one fingerprint`}
      </Button>
      {run && run.stages.length > 0 && <RunStages run={run} failed={task.isError} />}
      {task.isError && <ErrorNote retry={() => task.mutate()}>{task.error.message}</ErrorNote>}
    </div>
  );
}
