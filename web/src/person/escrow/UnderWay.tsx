// A claim or a refund on its way: its real steps as they are reached, and since when.

import { useState } from 'react';
import type { CallProgress } from '../../../../src/domain/sponsoredCall.ts';
import type { EscrowView } from '../../../../src/http/api/escrowAnswers.ts';
import { exactTime, timeUntil } from '../../app/format.ts';
import { type Step, Steps } from '../../ui/Steps.tsx';
import { useNow } from '../../ui/TimeAgo.tsx';
import { isUnderWay } from './escrowApi.ts';

type Words = Record<'queued' | 'sent' | 'mined', { now: string; after: string }>;

const CLAIM: Words = {
  queued: { now: 'Verifying…', after: 'Verified' },
  sent: { now: 'Sent. Waiting for a block…', after: 'Sent' },
  mined: { now: 'In a block. Waiting for confirmation…', after: 'Confirmed' },
};
const REFUND: Words = { ...CLAIM, queued: { now: 'Preparing to send it back…', after: 'Prepared' } };

export function UnderWay({ escrow }: { escrow: EscrowView }) {
  const now = useNow();
  const isRefund = isUnderWay(escrow.refund?.status);
  const progress = (isRefund ? escrow.refund?.status : escrow.claim?.status) ?? 'queued';
  const steps = useReached(progress, isRefund ? REFUND : CLAIM);
  const held = isRefund ? null : (escrow.claim?.held_until ?? null);
  return (
    <section
      aria-label={isRefund ? 'On its way back' : 'On its way'}
      className="flex flex-col gap-3 rounded-2xl border border-line bg-surface p-4 sm:p-6"
    >
      {held ? (
        <div className="flex flex-col gap-2 text-sm">
          <p className="font-semibold">
            {escrow.role === 'recipient' ? 'You claimed it. ' : 'It was claimed. '}It will be paid{' '}
            <time dateTime={held} title={exactTime(Date.parse(held))}>
              {timeUntil(Date.parse(held), now)}
            </time>
            , on {exactTime(Date.parse(held))}.
          </p>
          <p className="text-muted">
            {escrow.recipient_label} was connected recently, and usernames can change owners. Until then the sender can
            still take it back. {escrow.role === 'recipient' && 'You don’t need to do anything.'}
          </p>
        </div>
      ) : (
        <>
          <Steps steps={steps} endedAt={null} failed={false} />
          <p className="text-sm text-muted">This takes a few seconds. You can close this page.</p>
        </>
      )}
    </section>
  );
}

/** Each step with the time at which this page saw it. */
function useReached(progress: CallProgress, words: Words): Step[] {
  const [steps, setSteps] = useState<Step[]>([]);
  if (progress === 'final' || progress === 'failed') return steps;
  const known = steps.at(-1);
  if (known?.key === progress && known.now === words[progress].now) return steps;
  const next = [...steps.filter(({ key }) => key !== progress), { key: progress, at: Date.now(), ...words[progress] }];
  setSteps(next);
  return next;
}
