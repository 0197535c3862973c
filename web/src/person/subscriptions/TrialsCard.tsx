// Trials that have not ended: each becomes a subscription at its end unless it is left before.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { chainLabel } from '../../../../src/domain/chains.ts';
import { readClockOffset } from '../../app/api.ts';
import { dayName } from '../../app/format.ts';
import type { OwnAccount } from '../../app/session/RequireAccount.tsx';
import { Card } from '../../ui/Card.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { ConfirmButton } from '../settings/ConfirmButton.tsx';
import { ManageStep } from './ManageStep.tsx';
import { leaveTrial, refreshSubscriptions, type TrialView, useTrials } from './subscriptionsApi.ts';
import { priceWords } from './words.ts';

const NEWS_MS = 30 * 86_400_000;

export function TrialsCard({ account }: { account: OwnAccount }) {
  const { data } = useTrials();
  const [left, setLeft] = useState<TrialView | null>(null);
  const shown = data?.filter(isShown);
  if (!shown?.length && !left) return null;
  return (
    <Card title="Not started yet">
      <ul className="flex flex-col">
        {shown?.map((trial) => (
          <Row key={trial.id} trial={trial} onLeft={setLeft} />
        ))}
      </ul>
      {left && <Void trial={left} account={account} onDone={() => setLeft(null)} />}
    </Card>
  );
}

/** One that failed is news for a month. */
function isShown({ status, ends_at }: TrialView): boolean {
  if (status !== 'failed') return status === 'waiting' || status === 'submitted';
  return Date.parse(ends_at) > Date.now() + readClockOffset() - NEWS_MS;
}

/** The signature is deleted here. A copy of it can be used until its deadline, unless it is void on the chain. */
function Void({ trial, account, onDone }: { trial: TrialView; account: OwnAccount; onDone: () => void }) {
  const network = chainLabel(trial.chain);
  return (
    <div className="flex flex-col gap-3">
      <p role="status">
        You left {trial.plan_name}. Its signature is deleted, and nothing is charged. If you want it void on the chain
        as well, take the allowance back.
      </p>
      <ManageStep
        job={{ action: 'revoke', chain: trial.chain }}
        chain={trial.chain}
        address={account.address}
        why="which signed"
        button={`Void it on ${network}`}
        allows={`This takes back the allowance of all your subscriptions on ${network}. Renew it for those that you keep.`}
        isDone={async () => true}
        onDone={onDone}
        onCancel={onDone}
      />
    </div>
  );
}

function Row({ trial, onLeft }: { trial: TrialView; onLeft: (trial: TrialView) => void }) {
  const client = useQueryClient();
  const leave = useMutation({
    mutationFn: () => leaveTrial(trial.id),
    onSuccess: async () => {
      onLeft(trial);
      await refreshSubscriptions(client);
    },
  });
  const day = dayName(Date.parse(trial.ends_at));
  const seller = trial.creatorHandle === null ? 'its creator' : `@${trial.creatorHandle}`;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line py-3 not-first:border-t">
      <div className="min-w-0">
        <p className="font-medium break-words">
          {trial.plan_name} <span className="font-normal text-muted">by {seller}</span>
        </p>
        <p className="text-sm">
          {priceWords(trial)} on {chainLabel(trial.chain)}
          {!trial.livemode && ' (test)'}
        </p>
        <p className="text-sm text-muted">
          {trial.status === 'waiting' &&
            (trial.switches_from
              ? `Begins on ${day}, when what you have paid at the old price is over, unless you leave.`
              : `Free until ${day}. The first charge comes then, unless you leave.`)}
          {trial.status === 'submitted' && 'The first charge is being made.'}
          {trial.status === 'failed' && (trial.failure ?? 'The first charge couldn’t be made, so nothing was started.')}
        </p>
        {leave.isError && <ErrorNote>{leave.error.message}</ErrorNote>}
      </div>
      {trial.status === 'waiting' && (
        <ConfirmButton
          question={
            trial.switches_from
              ? 'Leave it? Nothing is charged, and you subscribe to neither price.'
              : 'Leave the trial? Nothing is charged, and the plan’s trial is used.'
          }
          yes="Leave"
          busy={leave.isPending}
          onYes={() => leave.mutate()}
        >
          {trial.switches_from ? 'Leave' : 'Leave trial'}
        </ConfirmButton>
      )}
    </li>
  );
}
