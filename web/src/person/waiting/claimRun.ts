// Several claims that are followed as one: which tabs belong to it, the steps that all of them have reached, and when it was over.

import type { EscrowView } from '../../../../src/http/api/escrowAnswers.ts';
import { isBeingPaid } from './claimState.ts';

/** One that was reached at `at` (Unix milliseconds), as ui/Steps.tsx shows it. */
type Step = { key: string; now: string; after: string; at: number };

/** `endedAt` is null while one of them is under way. Unix milliseconds. */
export type ClaimRun = { ids: string[]; steps: Step[]; endedAt: number | null };

const STEPS = ['queued', 'sent', 'mined'] as const;
const WORDS: Record<(typeof STEPS)[number], { now: string; after: string }> = {
  queued: { now: 'Verifying…', after: 'Verified' },
  sent: { now: 'Sent. Waiting for a block…', after: 'Sent' },
  mined: { now: 'In a block. Waiting for confirmation…', after: 'Confirmed' },
};

/** A run with those that were just asked for and taken on; it is followed before it is shown. */
export function startRun(run: ClaimRun | null, asked: EscrowView[], now: number): ClaimRun | null {
  const ids = asked.filter((escrow) => escrow.status === 'claimed' || isBeingPaid(escrow, now)).map(({ id }) => id);
  if (ids.length === 0) return run;
  if (run === null || run.endedAt !== null) return { ids, steps: [], endedAt: null };
  return { ...run, ids: [...new Set([...run.ids, ...ids])] };
}

/**
 * The run after a new look at the tabs. What another page has asked for joins it; after its end that begins a new one.
 * @returns the same object when nothing has changed
 */
export function followRun(run: ClaimRun | null, escrows: EscrowView[], now: number): ClaimRun | null {
  const moving = escrows.filter((escrow) => isBeingPaid(escrow, now));
  if (moving.length === 0) return run && run.endedAt === null ? { ...run, endedAt: now } : run;
  if (run === null || run.endedAt !== null)
    return { ids: moving.map(({ id }) => id), steps: [stepOf(moving, now)], endedAt: null };
  const joined = moving.map(({ id }) => id).filter((id) => !run.ids.includes(id));
  const step = stepOf(moving, now);
  if (joined.length === 0 && run.steps.at(-1)?.key === step.key) return run;
  // A reverted block, or a tab that joined, leads back to an earlier step, which continues from when it was first reached.
  const back = run.steps.findIndex(({ key }) => key === step.key);
  const steps = back === -1 ? [...run.steps, step] : run.steps.slice(0, back + 1);
  return { ids: [...run.ids, ...joined], steps, endedAt: null };
}

/** The step of the slowest. */
function stepOf(escrows: EscrowView[], now: number): Step {
  const reached = escrows.filter((escrow) => isBeingPaid(escrow, now)).map(({ claim }) => placeOf(claim?.status));
  const key = STEPS[Math.min(STEPS.length - 1, ...reached)] ?? 'mined';
  return { key, at: now, ...WORDS[key] };
}

/** What is final on the chain is not noted at the tab in the same moment. */
function placeOf(status: string | undefined): number {
  const place = (STEPS as readonly (string | undefined)[]).indexOf(status);
  return place === -1 ? STEPS.length - 1 : place;
}
