// The real steps of a change of what may be spent, while it runs and after.
import { Steps } from '../../ui/Steps.tsx';
import type { Stage } from './runCall.ts';
import type { Run } from './useRunCall.ts';

const WORDS: Record<Stage, { now: string; after: string }> = {
  prepare: { now: 'Preparing…', after: 'Prepared' },
  sign: { now: 'Waiting for you in your wallet…', after: 'Signed' },
  send: { now: 'Checking the signature and sending…', after: 'Sent' },
  confirm: { now: 'Waiting for confirmation…', after: 'Confirmed' },
};

/** @param failed the last stage did not get through; its error stands elsewhere */
export function RunStages({ run, failed }: { run: Run; failed: boolean }) {
  const steps = run.stages.map(({ stage, at }) => ({ key: stage, at, ...WORDS[stage] }));
  return <Steps steps={steps} endedAt={run.endedAt} failed={failed} />;
}
