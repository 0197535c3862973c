// Stopping all spending at once, and the wallet's way out of it, chain by chain.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CirclePause } from 'lucide-react';
import { useState } from 'react';
import type { SpendingOverview } from '../../../../src/http/api/spendingAnswers.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import { resumeWords } from './allowWords.ts';
import { SignStep } from './SignStep.tsx';
import { isReachable, pauseSpending, SPENDING_KEY, signerOn } from './spendingApi.ts';

export function PauseButton() {
  const client = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const pause = useMutation({
    mutationFn: pauseSpending,
    onSuccess: () => client.invalidateQueries({ queryKey: SPENDING_KEY }),
  });
  return (
    <div className="flex flex-col items-start gap-3">
      {isAsking ? (
        <>
          <p className="text-sm">Stops all spending from every chat. Only your wallet can resume it.</p>
          <div className="flex gap-3">
            <Button kind="danger" disabled={pause.isPending} onClick={() => pause.mutate()}>
              {pause.isPending ? 'Pausing…' : 'Pause now'}
            </Button>
            <Button onClick={() => setIsAsking(false)}>Cancel</Button>
          </div>
        </>
      ) : (
        <Button onClick={() => setIsAsking(true)}>
          <CirclePause aria-hidden="true" className="size-4" />
          Pause all spending
        </Button>
      )}
      {pause.isError && <ErrorNote retry={() => pause.mutate()}>{pause.error.message}</ErrorNote>}
    </div>
  );
}

export function PausedCard({ spending }: { spending: SpendingOverview }) {
  const paused = spending.chains.filter(isReachable).filter((chain) => chain.paused);
  return (
    <section
      aria-label="Spending is paused"
      className="flex flex-col gap-4 rounded-2xl border border-amber bg-amber-soft p-4 text-amber sm:p-6"
    >
      <p role="status" className="flex gap-3">
        <CirclePause aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
        <span>
          <b className="font-semibold">Spending is paused</b>
          {spending.paused_at && (
            <>
              {' '}
              since <TimeAgo at={spending.paused_at} />
            </>
          )}
          . No chat can spend.
        </span>
      </p>
      {paused.length === 0 && <p className="text-sm">Pausing on every network. You can resume in a moment.</p>}
      {paused.map((chain, index) => (
        <Card key={chain.chain} title={`Resume on ${chain.label}`} className="text-ink">
          <SignStep
            signer={signerOn(chain)}
            chainLabel={chain.label}
            job={{ kind: 'resume', chain: chain.chain }}
            allows={resumeWords(chain.label)}
            button="Sign to resume"
            kind={index === 0 ? 'filled' : 'outlined'}
          />
        </Card>
      ))}
    </section>
  );
}
